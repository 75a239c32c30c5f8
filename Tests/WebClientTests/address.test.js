import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { ownKey } from "../../Public/page/session.js";

/** The messages that the page has shown. @type {string[]} */
const told = [];
/** Stands for an element. */
const element = () => ({
  append() {}, remove() {}, setAttribute() {}, getAttribute: () => null, textContent: "",
});
Object.assign(globalThis, {
  document: {
    addEventListener() {},
    createElement: () => Object.assign(element(), { append: (text) => void (told.push(text.textContent ?? text)) }),
    getElementById: element,
  },
  location: { hash: "" },
  history: { replaceState: (_state, _title, hash) => void (location.hash = hash) },
});
const { Address } = await import("../../Public/page/address.js");

const profile = { name: "profile", keys: {} };
const form = { name: "form", personal: true, keys: {} };
const keys = [{ key: "7", title: "Ada" }];
const address = new Address(/** @type {any} */ ({
  all: [profile, form],
  named: (name) => [profile, form].find((each) => each.name === name),
  known: (screen) => screen === profile ? keys : undefined,
}));

beforeEach(({ mock }) => {
  told.length = 0;
  mock.method(globalThis, "setTimeout", () => 0);
});

/** Returns the screen and the key that an address names, and the address after that. */
function at(hash) {
  location.hash = hash;
  const { screen, key } = address.current();
  return [screen.name, key, location.hash];
}

test("an address names a view model, and stays as it is", () => {
  for (const hash of ["#profile/1", "#profile/a%20b", "#profile/%C3%A9", "#form/1%40other"]) {
    const [name, key] = hash.slice(1).split("/").map(decodeURIComponent);
    assert.deepEqual(at(hash), [name, key, hash]);
  }
  assert.deepEqual(told, []);
});

test("an address without a key means the first one that is known", () => {
  assert.deepEqual(at(""), ["profile", "7", ""]);
  assert.deepEqual(at("#profile"), ["profile", "7", "#profile"]);
  assert.deepEqual(at("#profile/"), ["profile", "7", "#profile/"]);
  assert.equal(address.current().keys, keys);
  assert.deepEqual(at("#form"), ["form", null, "#form"]);
  assert.deepEqual(told, []);
  location.hash = "#form";
  assert.equal(address.completed(address.current()).key, ownKey("1"));
  location.hash = "#profile/9";
  assert.equal(address.completed(address.current()).key, "9");
});

test("a personal view model is that of the browser, and its address can be given away", () => {
  assert.deepEqual(at("#form/2"), ["form", ownKey("2"), Address.of("form", ownKey("2"))]);
});

test("an address that names nothing that can be shown is reported, and leads to the first screen", () => {
  const addresses = ["#none/1", "#none", "#profile/..", "#profile/.", "#profile/a%2Fb", "#profile/%0A", "#profile/%", "#/1",
    "#form/@session"];
  for (const hash of addresses) {
    told.length = 0;
    assert.deepEqual(at(hash), ["profile", "7", "#profile"], hash);
    assert.ok(told.some((text) => /^There is no (screen|view) “/.test(text)), hash);
  }
  told.length = 0;
  at("#none/1");
  assert.ok(told.includes("There is no screen “none”."));
  at("#/1");
  assert.ok(told.includes("There is no view “/1”."));
});

test("a row leads to a view model of the same session only on its own screen", () => {
  assert.equal(Address.from("form/2", "form", "1@me"), "#form/2%40me");
  assert.equal(Address.from("profile/2", "form", "1@me"), "#profile/2");
  assert.equal(Address.from("form/2", "form", "1"), "#form/2");
  assert.deepEqual([Address.of("a b"), Address.of("a", "é/@")], ["#a%20b", "#a/%C3%A9%2F%40"]);
});
