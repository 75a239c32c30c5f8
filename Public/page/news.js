/** What changes of a view model mean to people, in a few words. */
import { isData, isEntry, isForPeople, nameOf, namingMember, plain, titled, wordsOf } from "./words.js";

/**
 * @typedef {import("../viewdelta/types.js").Change} Change
 * @typedef {import("../viewdelta/types.js").Row} Row
 * @typedef {import("../viewdelta/types.js").Snapshot} Snapshot
 * @typedef {import("./commands.js").Sent} Sent
 * @typedef {import("./words.js").Thing} Thing
 */

/** @type {{[state: string]: string}} */
const sourceStates = { isLoading: "loading", loaded: "loaded", failed: "failed" };

/** The number of things that are named; of the others only the number is told. */
const namedCount = 3;

/** The number of characters of a name that are told. */
const longest = 80;

/**
 * Summarises changes, for example "Posts loaded. Post “Night trains” added."
 *
 * @param {Change[]} changes
 * @param {Sent[]} [sent] The commands of the user that were answered meanwhile.
 */
export function news(changes, sent = []) {
  const states = /** @type {{[source: string]: string | null}} */ ({});
  const gathered = new Gathered(new Set(changes.flatMap(({ before, after }) => [before?.revision, after.revision])));
  for (const change of changes) {
    Object.assign(states, change.kind === "diff" ? change.diff?.states : change.after.states);
    gathered.add(change, sent);
  }
  // Other machines show their states in rows.
  const sources = Object.entries(states).filter(([, state]) => Object.hasOwn(sourceStates, state ?? ""))
    .map(([source, state]) => `${titled(source)} ${sourceStates[state ?? ""]}.`);
  return [...sources, ...gathered.sentences].join(" ");
}

/** The effect of several changes: what comes and goes again is not told. */
class Gathered {
  #revisions;
  /** @type {Snapshot | undefined} */
  #after;
  /**
   * The rows of a new snapshot.
   *
   * @type {Row[]}
   */
  #fresh = [];
  /** @type {Map<string, Thing>} */
  #added = new Map();
  /** @type {Map<string, Thing>} */
  #removed = new Map();
  /** @type {Map<string, Thing>} */
  #moved = new Map();
  /** @type {Map<string, Thing>} */
  #reloaded = new Map();
  /**
   * The things before their first change, and their changed members.
   *
   * @type {Map<string, {former: Thing, members: Set<string>}>}
   */
  #changed = new Map();

  /** @param {Set<string | undefined>} revisions Those with which the changes begin and end. */
  constructor(revisions) {
    this.#revisions = revisions;
  }

  /**
   * @param {Change} change
   * @param {Sent[]} sent
   */
  add({ before, after, diff }, sent) {
    this.#after = after;
    if (!diff || !before) {
      this.#fresh = after.sections.flatMap(({ rows }) => rows);
      for (const map of [this.#added, this.#removed, this.#moved, this.#reloaded, this.#changed]) map.clear();
      return;
    }
    const { rows = {}, sections = {} } = diff;
    for (const { at } of sections.deletes ?? []) this.#remove(before.sections[at], before.sections[at].rows);
    for (const { at: [section, row] } of rows.deletes ?? []) this.#remove(before.sections[section].rows[row]);
    for (const { section } of sections.inserts ?? []) this.#insert(section, section.rows);
    for (const { row } of rows.inserts ?? []) this.#insert(row);
    for (const { id, to } of sections.moves ?? []) this.#moved.set(id, after.sections[to]);
    for (const { id, to: [section, row] } of rows.moves ?? []) this.#moved.set(id, after.sections[section].rows[row]);
    for (const { id, to } of sections.reloads ?? []) this.#reloaded.set(id, after.sections[to]);
    for (const { id, to: [section, row] } of rows.reloads ?? []) {
      this.#reloaded.set(id, after.sections[section].rows[row]);
    }
    for (const { id, from, set, unset } of sections.updates ?? []) {
      this.#update(id, before.sections[from], set, unset);
    }
    for (const { id, from: [section, row], set, unset } of rows.updates ?? []) {
      const former = before.sections[section].rows[row];
      // Users know what they have entered.
      const isOwn = sent.some(({ command, reply }) => isEntry(former, command) &&
        (reply?.revision === after.revision ||
          (set?.value !== undefined && set.value === this.#passedValue(reply, id))));
      if (!isOwn) this.#update(id, former, set, unset);
    }
  }

  /**
   * Returns the value that a row has by a reply, such as a phone number as the server writes it, if a change leads past
   * the revision of the reply, because it brings what others change meanwhile, too.
   *
   * @param {Sent["reply"]} reply
   * @param {string} id
   */
  #passedValue(reply, id) {
    if (reply?.diff?.kind !== "diff" || this.#revisions.has(reply.revision)) return undefined;
    return reply.diff.rows?.updates?.find((update) => update.id === id)?.set?.value;
  }

  /**
   * @param {Thing} thing
   * @param {readonly Row[]} [rows] The rows of a section: a title stands for them.
   * @returns {void}
   */
  #insert(thing, rows) {
    if (rows && !thing.title) return rows.forEach((row) => this.#insert(row));
    if (this.#removed.delete(thing.id)) this.#moved.set(thing.id, thing);
    else this.#added.set(thing.id, thing);
  }

  /**
   * @param {Thing} thing
   * @param {readonly Row[]} [rows]
   * @returns {void}
   */
  #remove(thing, rows) {
    if (rows && !thing.title) return rows.forEach((row) => this.#remove(row));
    if (!this.#added.delete(thing.id)) this.#removed.set(thing.id, thing);
  }

  /**
   * @param {string} id
   * @param {Thing} former
   * @param {{[field: string]: any}} [set]
   * @param {string[]} [unset]
   */
  #update(id, former, set = {}, unset = []) {
    if (this.#added.has(id)) return;
    const entry = this.#changed.get(id) ?? { former, members: new Set() };
    for (const member of [...Object.keys(set), ...unset]) entry.members.add(member);
    this.#changed.set(id, entry);
  }

  /** @returns {string[]} */
  get sentences() {
    const things = this.#things;
    /** @param {Map<string, Thing>} map Its things may have changed since, or be gone with their section. */
    const now = (map) => [...map.keys()].flatMap((id) => things.get(id) ?? []);
    const added = now(this.#added);
    const errors = added.filter((thing) => thing.text && hasCode(thing));
    const mistakes = errors.filter(({ field }) => field !== undefined);
    const failures = errors.filter(({ field }) => field === undefined);
    return [
      listed(this.#fresh.filter(isTold), ""),
      ...this.#fresh.filter(isEmptyList).map((thing) => ended(nameOf(thing))),
      ...told(mistakes, things),
      ...failures.map(({ text, detail }) => [text, detail].filter(Boolean).map(plain).join(" ")),
      ...limited(added.filter(isMessage).map((thing) => ended(nameOf(thing))), "more line", "more lines"),
      listed(added.filter(isTold), " added"),
      listed([...this.#removed.values()].filter(isTold), " removed"),
      listed(now(this.#moved).filter(isTold), " moved"),
      this.#changes(things),
      listed(now(this.#reloaded).filter(isTold), " reloaded"),
    ].filter((sentence) => sentence !== "");
  }

  /** @param {Map<string, Thing>} things */
  #changes(things) {
    const lines = [...this.#changed].flatMap(([id, { former, members }]) => {
      const thing = things.get(id);
      return thing ? line(thing, former, members) : [];
    });
    return limited(lines, "more changed").join(" ");
  }

  /** The sections and rows of the last snapshot. */
  get #things() {
    const sections = this.#after?.sections ?? [];
    /** @type {Thing[]} */
    const all = [...sections, ...sections.flatMap(({ rows }) => rows)];
    return new Map(all.map((thing) => [thing.id, thing]));
  }
}

/**
 * Names the fields with errors, and says what is wrong if it is one.
 *
 * @param {Thing[]} errors
 * @param {Map<string, Thing>} things
 */
function told(errors, things) {
  const labels = errors.map(({ field }) => nameOf(things.get(field)) || String(field));
  if (errors.length < 2) return errors.map(({ text }) => `${labels[0]}: ${plain(text)}`);
  return [`To be corrected: ${labels.join(", ")}.`];
}

/**
 * @param {string[]} sentences
 * @param {string} other What follows the number of those that are left out, if it is 1.
 * @param {string} [others] The same for other numbers.
 */
function limited(sentences, other, others = other) {
  const rest = sentences.length - namedCount;
  return rest > 0 ? [...sentences.slice(0, namedCount), `${rest} ${rest === 1 ? other : others}.`] : sentences;
}

/**
 * Whether a row tells of a failure by its code, which is a member like any other in an object of a collection.
 *
 * @param {Thing} thing
 */
const hasCode = (thing) => thing.code !== undefined && !isData(thing);

/**
 * Whether a row is told by its name; states and texts tell the others.
 *
 * @param {Thing} thing
 */
const isTold = (thing) => nameOf(thing) !== "" && !hasCode(thing) && namingMember(thing) !== "text";

/**
 * Whether a row has nothing but a text to tell, such as that a list is empty. States tell that it is loading.
 *
 * @param {Thing} thing
 */
const isMessage = (thing) =>
  namingMember(thing) === "text" && !hasCode(thing) && !/(Loading|Header|Title)$/.test(thing.type);

/**
 * Whether a row says that a list has no rows, which is all that a new snapshot may have to tell.
 *
 * @param {Thing} thing
 */
const isEmptyList = (thing) => isMessage(thing) && thing.type.endsWith("Empty");

/**
 * Says what has changed of a thing, if that can be said.
 *
 * @param {Thing} thing
 * @param {Thing} former
 * @param {Set<string>} members The members that may have changed.
 * @returns {string[]}
 */
function line(thing, former, members) {
  const changed = [...members].filter((member) => plain(former[member]) !== plain(thing[member]));
  const [before, name] = [nameOf(former), nameOf(thing)];
  const words = wordsOf(thing, changed).filter((word) => word !== name).join(", ");
  const isRenamed = name !== before && name !== "" && before !== "";
  const subject = isRenamed ? `${quoted(before)} is now ${quoted(name)}` : quoted(name);
  const text = [subject, words].filter(Boolean).join(": ");
  return text === "" || !changed.some(isForPeople) ? [] : [words || isRenamed ? `${text}.` : `${text} changed.`];
}

/**
 * Names the first things: "Post “One” added.", "“One”, “Two”, “Three” and 4 more added."
 *
 * @param {Thing[]} things
 * @param {string} event
 */
function listed(things, event) {
  const names = things.map((thing) => quoted(nameOf(thing)));
  if (names.length === 0) return "";
  if (names.length === 1) return `${titled(things[0].type ?? "section")} ${names[0]}${event}.`;
  const rest = names.length - namedCount;
  const first = names.slice(0, namedCount);
  const last = rest > 0 ? `${rest} more` : first.pop();
  return `${first.join(", ")} and ${last}${event}.`;
}

/**
 * Returns a text as a sentence of its own, so that a screen reader pauses behind it.
 *
 * @param {string} text
 */
const ended = (text) => (/\p{P}$/u.test(text) ? text : `${text}.`);

/** @param {string} name */
function quoted(name) {
  const characters = [...name];
  return name && `“${characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : name}”`;
}
