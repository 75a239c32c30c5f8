import assert from "node:assert/strict";
import { test } from "node:test";

let copies = 0;

/** Returns a fresh copy of the module, as a page that is loaded has it, with what the browser stores. */
async function loaded(storage) {
  Object.defineProperty(globalThis, "localStorage", { configurable: true, get: storage });
  return import(`../../Public/page/session.js?copy=${copies++}`);
}

/** Returns a storage with a value under the name of the session. */
const holding = (value) => {
  const all = new Map(value === undefined ? [] : [["viewdelta.session", value]]);
  return { all, getItem: (name) => all.get(name) ?? null, setItem: (name, text) => all.set(name, text) };
};

test("a browser keeps its session from one page to the next", async () => {
  const storage = holding();
  const { ownKey } = await loaded(() => storage);
  const key = ownKey("1");
  assert.match(key, /^1@[\w-]{22}$/);
  assert.equal(ownKey("1"), key);
  assert.equal((await loaded(() => storage)).ownKey("1"), key);
  assert.notEqual((await loaded(() => holding())).ownKey("1"), key);
});

test("a session has no character that an address changes, and one that another program stores is none", async () => {
  for (const held of ["", "a".repeat(21), "a".repeat(23), `${"a".repeat(21)}/`, `${"a".repeat(22)}\n@`]) {
    const storage = holding(held);
    const { ownKey } = await loaded(() => storage);
    assert.match(ownKey("x"), /^x@[A-Za-z0-9_-]{22}$/);
    assert.equal(`x@${storage.all.get("viewdelta.session")}`, ownKey("x"));
  }
});

test("every byte of a session can be in an address", async ({ mock }) => {
  mock.method(crypto, "getRandomValues", (bytes) => bytes.fill(0xfb).fill(0xff, 8));
  const { ownKey } = await loaded(() => holding());
  assert.equal(ownKey("1"), "1@-_v7-_v7-_v__________w");
});

test("without storage the session lasts as long as the page", async () => {
  const { ownKey } = await loaded(() => { throw new DOMException("denied", "SecurityError"); });
  assert.equal(ownKey("1"), ownKey("1"));
  assert.match(ownKey("1"), /^1@[\w-]{22}$/);
});

test("the element of a personal view model is named without the session, which is what follows the last @", async () => {
  const { elementKey } = await loaded(() => holding());
  const personal = /** @type {any} */ ({ personal: true });
  assert.deepEqual(["1@s", "a@b@s", "1"].map((key) => elementKey(personal, key)), ["1", "a@b", "1"]);
  assert.equal(elementKey(/** @type {any} */ ({}), "a@b"), "a@b");
});
