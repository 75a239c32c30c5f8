import assert from "node:assert/strict";
import { test } from "node:test";
import { isAllowed, mayShow, pictureSources, webURL } from "../../Public/page/pictures.js";

test("the sources of pictures are those of the policy of the page", () => {
  assert.deepEqual(
    pictureSources("default-src 'none'; img-src 'self' a.b c.d:8080; font-src 'self'"),
    ["'self'", "a.b", "c.d:8080"]);
  assert.deepEqual(pictureSources("default-src 'none'"), []);
  assert.deepEqual(pictureSources(null), []);
});

for (const [url, page, isShown] of [
  ["http://here:8080/a.svg", "http://here:8080/", true],
  ["http://here:8081/a.svg", "http://here:8080/", false],
  ["http://a.b/x.png", "http://here/", true],
  ["https://A.b/x.png", "http://here/", true],
  ["https://a.b/x.png", "https://here/", true],
  ["http://a.b/x.png", "https://here/", false],
  ["http://a.b:8080/x.png", "http://here/", false],
  ["http://c.d:8080/x.png", "http://here/", true],
  ["http://c.d/x.png", "http://here/", false],
  ["https://e.f/x.png", "http://here/", true],
  ["http://e.f/x.png", "http://here/", false],
  ["http://x.a.b/x.png", "http://here/", false],
  ["http://self/x.png", "http://here/", false],
]) {
  test(`a picture at ${url} is ${isShown ? "" : "not "}shown on ${page}`, () => {
    const sources = ["'self'", "a.b", "c.d:8080", "e.f:443"];
    assert.equal(isAllowed(new URL(url), new URL(page), sources), isShown);
  });
}

globalThis.document = /** @type {any} */ ({ baseURI: "http://here/#profile/1" });

test("an address leads from the page if it is one of the web", () => {
  assert.equal(webURL("https://a.b/c")?.href, "https://a.b/c");
  assert.equal(webURL("/pictures/ada.svg")?.href, "http://here/pictures/ada.svg");
  for (const address of ["javascript:alert(1)", "data:text/html,", "http://[", "", null, undefined]) {
    assert.equal(webURL(address), null, String(address));
  }
});

test("the page is asked once for its policy, and again only after the server was away", async ({ mock }) => {
  /** @type {string[]} */
  const asked = [];
  let trouble = "network";
  mock.method(globalThis, "fetch", async (/** @type {URL} */ url, /** @type {RequestInit} */ { method }) => {
    asked.push(`${method} ${url}`);
    if (trouble === "network") throw new TypeError("fetch failed");
    if (trouble === "proxy") return new Response(null, { status: 502 });
    return new Response(null, { headers: { "Content-Security-Policy": "img-src 'self' a.b" } });
  });
  assert.equal(await mayShow(new URL("http://here/x.png")), true);
  assert.deepEqual(asked, []);
  assert.equal(await mayShow(new URL("http://a.b/x.png")), false);
  trouble = "proxy";
  assert.equal(await mayShow(new URL("http://a.b/x.png")), false);
  trouble = "";
  assert.equal(await mayShow(new URL("http://a.b/x.png")), true);
  assert.equal(await mayShow(new URL("http://c.d/x.png")), false);
  assert.deepEqual(asked, Array(3).fill("HEAD http://here/#profile/1"));
});
