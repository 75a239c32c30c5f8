import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { LiveServer, program } from "./support/live-server.js";

/** A page whose modules note what they do, in all forms that are joined. */
const files = {
  "package.json": `{ "type": "module" }`,
  "index.html": `<script type="module" src="page/main.js"></script>`,
  "page/main.js": `
    import { note } from "./note.js";
    import { twice as double, Counter, default_, one } from "../library/all.js";
    import "./effect.js";
    note("main", double(one), typeof this, default_());
    const late = await Promise.resolve(new Counter().next());
    note(late, /[/*]"/.test('/*"'), \`// \${{ one }.one /* 1 */ + 1}\`);
    function note_() { note("hoisted"); }
    note_()
    import { secret as two } from "./note.js";
    (note)(two);
  `,
  "page/note.js": `
    const secret_ = "of note"; // Each module has names of its own.
    export const secret = secret_;
    export async function* many() { yield 1; }
    export const note = (...things) => { globalThis.notes.push(...things); };
  `,
  "page/effect.js": `
    import { note, many } from './note.js';
    const secret_ = "of effect";
    for await (const it of many()) note("effect", secret_, it);
    export {};
  `,
  "library/all.js": `
    export { twice, named as default_ } from "./numbers.js";
    export * from "./more.js";
  `,
  "library/numbers.js": `
    export function twice(it) { return it * 2; }
    export async function later() {}
    export function named() { return "named"; }
  `,
  "library/more.js": `
    import { note } from "../page/note.js"
    ;export class Counter { #count = 0; next() { return ++this.#count; } }
    export const one = 1
    note("more")
  `,
};

/** Modules of another page, of which some import others when they need them. */
const callers = {
  "package.json": `{ "type": "module" }`,
  "index.html": `<script type="module" src="page/main.js"></script>`,
  "page/main.js": `
    import { note } from "./note.js";
    async function load(name) {
      const { later } = name === "one" ? await import("./later/one.js") : await import("./later/two.js");
      return later();
    }
    note("main");
    globalThis.done = load("one").then(() => load("two")).then(() => load("one"));
  `,
  "page/note.js": `
    globalThis.notes.push("once");
    export const note = (...things) => { globalThis.notes.push(...things); };
  `,
  "page/later/one.js": `
    import { note } from "../note.js";
    import { common } from "./common.js";
    export const later = () => note("one", ++common.count);
  `,
  "page/later/two.js": `
    import { note } from "../note.js";
    import { common } from "./common.js";
    export async function later() {
      const { note: same } = await import("../note.js");
      note("two", ++common.count, same === note);
    }
  `,
  "page/later/common.js": `export const common = { count: 0 };`,
};

/**
 * Serves a page, and returns what its modules note, and what its joined scripts note.
 *
 * @param {{[path: string]: string}} files
 */
async function notesOf(files) {
  const folder = await mkdtemp(join(tmpdir(), "viewdelta-"));
  const save = async (/** @type {string} */ path, /** @type {string} */ text) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const run = async (/** @type {string} */ module) => {
    const { notes } = Object.assign(globalThis, { notes: [], done: null });
    await import(join(folder, module));
    await (/** @type {any} */ (globalThis).done);
    return notes;
  };
  for (const [path, text] of Object.entries(files)) await save(path, text);
  const server = await new LiveServer(["--public", folder]).start();
  try {
    const textOf = async (/** @type {string} */ path) => (await fetch(`${server.base}/${path}`)).text();
    const [, script] = /src="(page\/joined-\w+\.js)"/.exec(await textOf("")) ?? [];
    assert.ok(script, "the page names its modules");
    for (const path of [script, script.replace(".js", "-later.js")]) await save(path, await textOf(path));
    return { modules: await run("page/main.js"), joined: await run(script) };
  } finally {
    await server.kill();
    await rm(folder, { recursive: true });
  }
}

describe("A joined page", { skip: program === null && "no server has been built" }, () => {
  test("does what its modules do", async () => {
    const notes = [
      "more", "effect", "of effect", 1, "main", 2, "undefined", "named", 1, true, "// 2", "hoisted",
      "of note",
    ];
    assert.deepEqual(await notesOf(files), { modules: notes, joined: notes });
  });

  test("runs each module once that is imported when it is needed", async () => {
    const notes = ["once", "main", "one", 1, "two", 2, true, "one", 3];
    assert.deepEqual(await notesOf(callers), { modules: notes, joined: notes });
  });
});
