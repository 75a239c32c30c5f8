import assert from "node:assert/strict";
import { test } from "node:test";
import { Screens, elementPath, isBlank } from "../../Public/page/screens.js";
import { ownKey } from "../../Public/page/session.js";
import { settle } from "./support/clock.js";

const users = /** @type {any} */ ({ name: "profile", commands: [], keys: { collection: "/v1/users", title: "username" } });

test("the keys of a screen are the elements of its collection, by their titles", async () => {
  /** @type {any} */
  let answer = [
    { id: 1, username: "ada" }, { id: "b", username: "" }, { id: 3 }, { id: "a/b", username: "none" }, { id: 4, username: 7 },
  ];
  const asked = [];
  const server = /** @type {any} */ ({
    list: async (...request) => {
      asked.push(request);
      await settle();
      if (!answer) throw new TypeError("lost");
      return answer;
    },
  });
  const screens = new Screens(server, [users]);
  assert.equal(screens.known(users), undefined);
  await screens.loadKeys(users);
  const keys = [{ key: "1", title: "ada" }, { key: "b", title: "Profile b" }, { key: "3", title: "Profile 3" },
    { key: "4", title: "7" }];
  assert.deepEqual(screens.known(users), keys);
  answer = null;
  await screens.loadKeys(users);
  assert.deepEqual(screens.known(users), keys, "they stay while the server does not answer");
  assert.deepEqual(asked, [["/v1/users", 10_000], ["/v1/users", 10_000]]);
  assert.deepEqual(screens.named("profile"), users);
  assert.equal(screens.named("none"), undefined);
});

test("a late answer does not bring back former keys", async () => {
  const answers = [];
  const server = /** @type {any} */ ({ list: () => new Promise((resolve) => answers.push(resolve)) });
  const screens = new Screens(server, [users]);
  const loads = [screens.loadKeys(users), screens.loadKeys(users)];
  answers[1]([{ id: 2, username: "bruno" }]);
  await loads[1];
  answers[0]([{ id: 1, username: "ada" }, { id: 2, username: "bruno" }]);
  await loads[0];
  assert.deepEqual(screens.known(users), [{ key: "2", title: "bruno" }]);
});

test("a screen has the keys that it names, or none, and is not asked for them", async () => {
  let requests = 0;
  const screens = new Screens(/** @type {any} */ ({ list: async () => void (requests += 1) }), []);
  const only = /** @type {any} */ ({ name: "settings", keys: { only: ["general", "myPrivacy"] } });
  const none = /** @type {any} */ ({ name: "free" });
  for (const screen of [only, none]) await screens.loadKeys(screen);
  assert.equal(requests, 0);
  assert.deepEqual(screens.known(only), [{ key: "general", title: "General" }, { key: "myPrivacy", title: "My privacy" }]);
  assert.deepEqual(screens.known(none), []);
  assert.deepEqual([elementPath(users, "a b"), elementPath(only, "general"), elementPath(none, "1")], ["/v1/users/a%20b", "", ""]);
});

test("the keys of a personal screen are those of the browser's own view models", async () => {
  const form = /** @type {any} */ ({ name: "form", personal: true, keys: { collection: "/v1/forms" } });
  const screens = new Screens(/** @type {any} */ ({ list: async () => [{ id: 1, undefined: "no title" }] }), []);
  assert.equal(screens.known(form), undefined);
  await screens.loadKeys(form);
  assert.deepEqual(screens.known(form), [{ key: ownKey("1"), title: "Form 1" }]);
});

test("an answer that is no list of screens is not taken for one", async () => {
  const answering = (answer) => /** @type {any} */ ({ request: async () => answer });
  assert.deepEqual((await Screens.load(answering({ screens: [users] }))).all, [users]);
  await assert.rejects(Screens.load(answering({ screens: "login" })), TypeError);
  await assert.rejects(Screens.load(answering({})), TypeError);
  for (const other of [null, 7, { name: 7, commands: [] }, { name: "profile" }]) {
    await assert.rejects(Screens.load(answering({ screens: [users, other] })), TypeError, JSON.stringify(other));
  }
  await assert.rejects(Screens.load(answering({ screens: [] })), /no screens/);
});

test("the list is loaded again, and keeps what has not changed, or the server does not tell", async () => {
  let answer = /** @type {any} */ ({ screens: [users, { name: "form", commands: [], opening: "appear" }] });
  const screens = await Screens.load(/** @type {any} */ ({ request: async () => structuredClone(answer) }));
  const [first, second] = screens.all;
  answer.screens = [{ name: "form", commands: [], opening: "load" }, users];
  await screens.reload();
  assert.deepEqual(screens.all, answer.screens);
  assert.ok(screens.all[1] === first && screens.all[0] !== second);
  answer = { login: "required" };
  await screens.reload();
  assert.equal(screens.named("form")?.opening, "load");
});

test("a list that comes late does not replace a newer one", async () => {
  /** @type {((answer: any) => void)[]} */
  const answers = [];
  const request = () => new Promise((resolve) => answers.push(resolve));
  const loaded = Screens.load(/** @type {any} */ ({ request }));
  answers[0]({ screens: [users] });
  const screens = await loaded;
  const [older, newer] = [screens.reload(), screens.reload()];
  answers[2]({ screens: [{ name: "newer", commands: [] }] });
  await newer;
  answers[1]({ screens: [{ name: "older", commands: [] }] });
  await older;
  assert.deepEqual(screens.all, [{ name: "newer", commands: [] }]);
});

test("a screen is blank while a source was never loaded that its opening command loads", () => {
  const states = { posts: "notRequested", profile: "loaded" };
  assert.equal(isBlank({ opening: "appear" }, states), true);
  assert.equal(isBlank({ opening: "appear", opens: ["profile"] }, states), false);
  assert.equal(isBlank({ opening: "appear", opens: ["profile", "posts"] }, states), true);
  assert.equal(isBlank({ opening: "appear" }, { profile: "loaded" }), false);
  assert.equal(isBlank({}, states), false);
});
