import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { backOff } from "../../Public/viewdelta/back-off.js";
import { retryAfter } from "../../Public/viewdelta/problem-error.js";

const bounds = { base: 500, cap: 15_000 };
const least = () => 0;
const most = () => 1;

describe("Back-off", () => {
  test("doubles its bound with each failure, up to the cap", () => {
    const at = (attempt) => backOff({ attempt }, bounds, most);
    assert.deepEqual([1, 2, 3, 4, 5, 6, 7].map(at), [500, 1000, 2000, 4000, 8000, 15000, 15000]);
    assert.equal(at(5000), 15_000);
    assert.equal(at(0), 500);
  });

  test("can be zero, which is full jitter", () => {
    for (const attempt of [1, 5, 50]) assert.equal(backOff({ attempt }, bounds, least), 0);
  });

  test("is never shorter than the server asks for, and not much longer", () => {
    assert.equal(backOff({ attempt: 9, atLeast: 60_000 }, bounds, least), 60_000);
    assert.equal(backOff({ attempt: 9, atLeast: 60_000 }, bounds, most), 60_500);
  });

  test("reads Retry-After in seconds and as a date", () => {
    const now = Date.UTC(2026, 0, 1);
    assert.equal(retryAfter("3", now), 3000);
    assert.equal(retryAfter("Thu, 01 Jan 2026 00:00:05 GMT", now), 5000);
    assert.equal(retryAfter("Thu, 01 Jan 2015 00:00:05 GMT", now), 0);
    assert.equal(retryAfter("Thu, 01 Jan 2036 00:00:05 GMT", now), 3_600_000, "an hour at most");
    assert.equal(retryAfter("2592000", now), 3_600_000);
    assert.equal(retryAfter("9".repeat(400), now), 3_600_000);
    assert.equal(retryAfter("soon", now), null);
    assert.equal(retryAfter(null, now), null);
  });
});
