import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
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

describe("A joined page", { skip: program === null && "no server has been built" }, () => {
  let folder = "";
  /** @type {LiveServer} */
  let server;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "viewdelta-"));
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    server = await new LiveServer(["--public", folder]).start();
  });
  after(async () => {
    await server.kill();
    await rm(folder, { recursive: true });
  });

  test("does what its modules do", async () => {
    /** @param {string} module */
    const notesOf = async (module) => {
      const notes = (/** @type {any} */ (globalThis).notes = []);
      await import(join(folder, module));
      return notes;
    };
    const textOf = async (/** @type {string} */ path) => (await fetch(`${server.base}/${path}`)).text();
    const [, script] = /src="(page\/joined-\w+\.js)"/.exec(await textOf("")) ?? [];
    assert.ok(script, "the page names its modules");
    await writeFile(join(folder, script), await textOf(script));
    const notes = [
      "more", "effect", "of effect", 1, "main", 2, "undefined", "named", 1, true, "// 2", "hoisted",
      "of note",
    ];
    assert.deepEqual(await notesOf("page/main.js"), notes);
    assert.deepEqual(await notesOf(script), notes);
  });
});
