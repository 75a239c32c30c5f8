/** What a connection can be in; the order is that in which a good start goes through. */
export const connectionStates = Object.freeze(
  /** @type {const} */ ([
    "idle", // not begun
    "loading", // asks for the whole view model
    "connecting", // asks for the event stream
    "listening", // reads the event stream
    "waiting", // has a long poll under way
    "polling", // has a short poll under way
    "resting", // between two short polls
    "backingOff", // failed; waits for the next attempt
    "offline", // the browser has no network; asks now and then all the same
    "suspended", // nobody looks
    "gone", // the server has no such view model
    "closed", // over
  ]),
);

/** What can happen to a connection. */
export const connectionEvents = Object.freeze(
  /** @type {const} */ ([
    "open", // the owner wants the view model
    "received", // a document came and was applied
    "unchanged", // the server says that nothing is new
    "early", // an answer without news came, or a stream ended, sooner than it should
    "streamOpened", // the first bytes of the stream are there
    "streamEnded", // the stream ended in due time
    "failed", // no answer, or one that is none
    "serverError", // the server, or a proxy, answers with an error of its own
    "silent", // the watchdog has heard nothing for too long
    "busy", // the server asks to come later
    "unsupported", // the server, or a proxy, does not know this transport
    "absent", // there is no such view model, or not any more
    "diverged", // a document did not lead to what it promised
    "stale", // an answer does not start from what is held
    "advanced", // the reply to a command moved what is held
    "due", // the timer of the state has run out
    "upgrade", // it is time to try the better transport again
    "hidden", // nobody has looked for a while
    "shown", // somebody looks
    "woke", // the machine has slept
    "offline", // the browser has lost the network
    "online", // the browser has a network
    "retry", // the owner wants an attempt now
    "close", // the owner wants no more
  ]),
);
