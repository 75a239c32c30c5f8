import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { EventStreamParser } from "../../Public/viewdelta/event-stream-parser.js";

const parsed = (...pieces) => {
  const parser = new EventStreamParser();
  return pieces.flatMap((piece) => parser.push(piece));
};
const event = (data, id = "") => ({ kind: "event", id, data });

describe("An event stream", () => {
  const stream = [
    'retry: 1000\n\nid: r.1\ndata: {"a":1}\n\n:\n\n',
    "id: r.2\r\ndata: x\r\ndata:  y\r\n\r\ndata:\r\rid\ndata\n\n",
  ].join("");
  const items = [
    { kind: "retry", milliseconds: 1000 },
    event('{"a":1}', "r.1"),
    { kind: "comment" },
    event("x\n y", "r.2"),
    event("", "r.2"),
    event("", ""),
  ];

  test("is parsed according to the standard", () => assert.deepEqual(parsed(stream), items));

  test("is parsed alike wherever it is cut", () => {
    for (let cut = 0; cut <= stream.length; cut++) {
      assert.deepEqual(parsed(stream.slice(0, cut), stream.slice(cut)), items, `cut at ${cut}`);
    }
    assert.deepEqual(parsed(...stream), items);
  });

  test("has no line break between a CR and a LF, even if an empty piece comes between them", () =>
    assert.deepEqual(parsed("data: a\r", "", "\ndata: b\r\n\r\n"), [event("a\nb")]));

  test("reports its progress by a block with an id and no data", () =>
    assert.deepEqual(parsed("retry: 1000\nid: r.1\n\n\ndata: a\n\n"), [
      { kind: "retry", milliseconds: 1000 },
      { kind: "position", id: "r.1" },
      event("a", "r.1"),
    ]));

  test("gives no event before the empty line", () => assert.deepEqual(parsed("data: a\n"), []));

  test("ignores fields that it does not know, ids with NUL and a retry that is not a number", () =>
    assert.deepEqual(parsed("event: x\nid: a\0\nretry: 1s\nother\nother: 1\ndata: a\n\n"), [event("a")]));

  test("reads a long line once, in however many pieces it comes", () => {
    const parser = new EventStreamParser();
    const { split } = String.prototype;
    let length = 0;
    try {
      String.prototype.split = function (...options) {
        length += this.length;
        return split.apply(this, options);
      };
      parser.push("data: ");
      for (let count = 0; count < 2_000; count++) parser.push("x".repeat(100));
      assert.deepEqual(parser.push("\n\n"), [event("x".repeat(200_000))]);
    } finally {
      String.prototype.split = split;
    }
    assert.ok(length < 210_000, `${length} characters are searched for line breaks`);
  });

  const mebi = 2 ** 20;
  const endless = {
    "a line": ["data: ", "x".repeat(mebi)],
    "an event": [`data: ${"x".repeat(mebi)}\n`],
  };
  for (const [what, pieces] of Object.entries(endless)) {
    test(`is refused if ${what} has no end after 64 Mi characters`, () => {
      const parser = new EventStreamParser();
      const push = () => pieces.forEach((piece) => parser.push(piece));
      for (let count = 0; count < 63; count++) push();
      assert.throws(() => [push(), push()], RangeError);
    });
  }

  test("is not refused for its length as a whole", () => {
    const parser = new EventStreamParser();
    const one = `: ${"y".repeat(mebi)}\ndata: ${"x".repeat(mebi)}\n\n`;
    for (let count = 0; count < 70; count++) assert.equal(parser.push(one).length, 2);
  });
});
