/**
 * Repeatable random numbers: mulberry32, by T. Ettinger, in the public domain.
 *
 * @param {number} seed
 */
export function seededRandom(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Runs a case for many seeds, or for the one in `SEED`, and reports the seed that fails. */
export function forEachSeed(count, run) {
  const only = process.env.SEED;
  const first = Date.now() % 1_000_000;
  const seeds = only ? [Number(only)] : Array.from({ length: count }, (_, index) => first + index);
  for (const seed of seeds) {
    try {
      run(seededRandom(seed));
    } catch (error) {
      error.message = `SEED=${seed}: ${error.message}`;
      throw error;
    }
  }
}

const texts = ["", "a", "ë", "🦊", '"\\', "\n\t\u0001", "\u2028\u007f", "long ".repeat(40)];
const names = ["title", "body", "hint", "__proto__", "constructor", "toString"];

/** Random view models, and random changes of them. */
export class RandomContent {
  #random;
  #nextId = 0;

  constructor(random) {
    this.#random = random;
  }

  below(bound) {
    return Math.floor(this.#random() * bound);
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  content() {
    const sections = Array.from({ length: this.below(5) }, () => this.section());
    return { sections, states: this.states() };
  }

  states() {
    const states = {};
    for (const name of ["posts", "profile", "other"]) {
      if (this.below(3)) states[name] = this.pick(["loaded", "failed", "isLoading"]);
    }
    return states;
  }

  section() {
    const rows = Array.from({ length: this.below(8) }, () => this.row());
    return { ...this.fields(), id: `s${this.#nextId++}`, rows };
  }

  row() {
    return { ...this.fields(), id: `r${this.#nextId++}`, type: this.pick(["post", "link"]) };
  }

  fields() {
    return Object.fromEntries(
      Array.from({ length: this.below(4) }, () => [this.pick(names), this.value()]),
    );
  }

  value() {
    return this.pick([null, true, 0, 4.5, -7, this.pick(texts), [1, [null], {}], { text: "x" }]);
  }

  /** Returns a changed copy of the content. */
  changed({ sections, states }) {
    const result = sections.map((section) => ({ ...section, rows: [...section.rows] }));
    for (let step = this.below(12); step > 0; step--) this.#change(result);
    return { sections: result, states: this.below(2) ? states : this.states() };
  }

  #change(sections) {
    const at = this.below(sections.length);
    const section = sections[at];
    const kind = this.below(10);
    if (kind === 0 || section === undefined) {
      sections.splice(this.below(sections.length + 1), 0, this.section());
    } else if (kind === 1) {
      sections.splice(at, 1);
    } else if (kind === 2) {
      sections.splice(this.below(sections.length), 0, ...sections.splice(at, 1));
    } else if (kind === 3) {
      sections[at] = { ...this.fields(), id: section.id, rows: section.rows };
    } else {
      this.#changeRow(sections, section.rows, kind);
    }
  }

  #changeRow(sections, rows, kind) {
    const at = this.below(rows.length);
    const row = rows[at];
    if (kind === 4 || row === undefined) {
      rows.splice(this.below(rows.length + 1), 0, this.row());
    } else if (kind === 5) {
      rows.splice(at, 1);
    } else if (kind < 8) {
      const target = this.pick(sections).rows;
      rows.splice(at, 1);
      target.splice(this.below(target.length + 1), 0, row);
    } else {
      const type = kind === 8 ? row.type : this.pick(["post", "link"]);
      rows[at] = { ...this.fields(), id: row.id, type };
    }
  }
}
