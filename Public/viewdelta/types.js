/**
 * The types of the library, for editors and type checkers. This module has no code.
 *
 * @typedef {{type: string, [argument: string]: any}} Command
 *   A command to a screen. A row's `action.command` is sent unchanged.
 * @typedef {{title: string, command: Command}} Action
 *   An action of the user on a row.
 * @typedef {{command: Command, argument: string}} FieldChange
 *   How a value is entered into a field: `send({ ...command, [argument]: value })`.
 * @typedef {Readonly<{id: string, type: string, action?: Action, moreActions?: readonly Action[],
 *   change?: FieldChange, [field: string]: any}>} Row
 *   A row; the fields depend on the type. `moreActions` has what users can do beside `action`.
 * @typedef {Readonly<{id: string, rows: readonly Row[], [field: string]: any}>} Section
 * @typedef {"notRequested" | "isLoading" | "loaded" | "failed"} LoadState
 * @typedef {{[source: string]: string}} States
 *   The load state of each source of a screen.
 *
 * @typedef {object} RowWindow Some of the rows of a view model, counted from 0 over all sections in their order.
 * @property {number} start The number of the first row.
 * @property {number} count The largest number of rows, 1 to 1,000.
 *
 * @typedef {RowWindow & {total: number}} SeenWindow A window that was seen; `total` is the number of all rows of the
 *   view model.
 *
 * @typedef {object} Snapshot A view model, whole or through a window. Snapshots, sections and rows are never changed: a
 *   section or row that a diff neither changes nor reloads is the same object (`===`) in the next snapshot.
 * @property {string} screen The screen with its key: `profile/1`.
 * @property {string} revision An opaque token, to be compared for equality only.
 * @property {string} digest
 * @property {number} rowCount
 * @property {States} states
 * @property {readonly Section[]} sections
 * @property {Readonly<SeenWindow>} [window] Absent if these are all rows.
 *
 * @typedef {"epoch-changed" | "other-screen" | "history-expired" | "future-revision"} ResetReason
 * @typedef {Snapshot & {kind: "snapshot"}} SnapshotDocument
 * @typedef {Snapshot & {kind: "reset", reason: ResetReason}} ResetDocument
 *
 * @typedef {[section: number, row: number]} RowPath
 *
 * @typedef {object} SectionOperations Positions are indexes of sections.
 * @property {{id: string, at: number}[]} [deletes] Descending, in the old snapshot.
 * @property {{at: number, section: Section}[]} [inserts] Ascending, in the new one.
 * @property {{id: string, from: number, to: number}[]} [moves]
 * @property {{id: string, from: number, to: number}[]} [reloads] Drawn again with the rows that they keep.
 * @property {{id: string, from: number, to: number, set?: {[field: string]: any},
 *   unset?: string[]}[]} [updates]
 *
 * @typedef {object} RowOperations
 * @property {{id: string, at: RowPath}[]} [deletes] Descending, in the old snapshot.
 * @property {{at: RowPath, row: Row}[]} [inserts] Ascending, in the new one.
 * @property {{id: string, from: RowPath, to: RowPath}[]} [moves]
 * @property {{id: string, from: RowPath, to: RowPath}[]} [reloads] Drawn again, even if nothing else changed.
 * @property {{id: string, from: RowPath, to: RowPath, set?: {[field: string]: any},
 *   unset?: string[]}[]} [updates]
 *
 * @typedef {object} DiffDocument
 * @property {"diff"} kind
 * @property {string} screen
 * @property {string} from
 * @property {string} revision
 * @property {number} rowCount
 * @property {string} digest
 * @property {{[source: string]: string | null}} [states] `null` for a state that is gone.
 * @property {false} [animated] Present if the change should be shown at once, without animation.
 * @property {SectionOperations} [sections]
 * @property {RowOperations} [rows]
 * @property {Readonly<SeenWindow>} [window] That of the new snapshot.
 *
 * @typedef {SnapshotDocument | ResetDocument | DiffDocument} ChangeDocument
 *
 * @typedef {object} Changes The effect of a document on a replica, for a renderer.
 * @property {"snapshot" | "reset" | "diff"} kind
 * @property {Snapshot | null} before `null` for the first snapshot.
 * @property {Snapshot} after
 * @property {DiffDocument | null} diff The operations; `null` for the first snapshot and a reset, for
 *   which a renderer compares `before` and `after` by id.
 * @property {ResetReason | null} reason Why the server sent a reset.
 *
 * @typedef {"events" | "longPoll" | "poll"} Transport
 * @typedef {Transport | "snapshot" | "command" | "sync"} Via How a document came.
 *
 * @typedef {Changes & {bytes: number, via: Via}} Change
 *   The `detail` of a `change` event. `bytes` is the size of the document, before compression.
 *
 * @typedef {object} Advance The `detail` of an `advanced` event.
 * @property {string | null} from The revision before; `null` for the first snapshot.
 * @property {string} to The held revision.
 * @property {Change | null} change What was applied; `null` if the revision has the same content as the one
 *   before, as after a restart of the server or after a change that cannot be seen.
 *
 * @typedef {(typeof import("./connection-events.js").connectionStates)[number]} ConnectionState
 * @typedef {(typeof import("./connection-events.js").connectionEvents)[number]} ConnectionEvent
 *
 * @typedef {object} Status The `detail` of a `status` event.
 * @property {ConnectionState} state
 * @property {ConnectionState} previous
 * @property {ConnectionEvent | null} event The last event; `null` at the start.
 * @property {Transport} transport The transport in use, or to be used next.
 * @property {boolean} isProven Whether the transport has answered since it is in use and nothing failed:
 *   only then is what is shown known to be current.
 * @property {number} attempt The number of consecutive failures.
 * @property {number | null} retryAt The time of the next attempt, in milliseconds since 1970;
 *   `null` if none is scheduled.
 *
 * @typedef {object} ProblemDetails RFC 9457.
 * @property {string} type
 * @property {string} title
 * @property {number} status
 * @property {string} code Stable; branch on this.
 * @property {string} [detail]
 * @property {string} [instance]
 * @property {string} [pointer] The invalid member of the body, a JSON pointer.
 * @property {string} [reason]
 *
 * @typedef {object} Revision An entry of a view model's history.
 * @property {string} revision
 * @property {{kind: "start" | "command" | "loadResult" | "storeWrite", type?: string,
 *   source?: string, outcome?: string, code?: string, arguments?: {[name: string]: any},
 *   argumentsOmitted?: boolean}} cause
 * @property {string} at The time of publication, ISO 8601.
 * @property {number} [operations] The number of operations of the diff from the revision before. Absent, as `bytes`, if
 *   that is no longer kept.
 * @property {number} [bytes] The size of the diff.
 *
 * @typedef {object} CommandReply
 * @property {boolean} accepted Whether the command had an effect.
 * @property {string} revision
 * @property {{ignored?: number}} [details]
 * @property {DiffDocument | ResetDocument} [diff]
 *
 * @typedef {import("./environment.js").Environment} Environment
 * @typedef {import("./environment.js").Timing} Timing
 * @typedef {import("./http.js").RequestOptions} RequestOptions
 * @typedef {import("./view-delta.js").ViewDeltaOptions} ViewDeltaOptions
 * @typedef {import("./view-model.js").ViewModelEvents} ViewModelEvents
 */
/**
 * @template {{id: any, type?: any}} Item
 * @typedef {import("./transform.js").TransformableList<Item>} TransformableList
 */
export {};
