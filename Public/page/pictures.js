/**
 * Decides which pictures the page shows: those of its own server, and those of the hosts in its policy,
 * which the operator names. It never asks for others, so that no other server learns who looks at what.
 */

/**
 * Returns an address as a URL; `null` if it cannot be opened from the page.
 *
 * @param {string | null | undefined} address An absolute URL, or a path of the server.
 */
export function webURL(address) {
  if (typeof address !== "string" || address === "") return null;
  try {
    const url = new URL(address, document.baseURI);
    return url.protocol === "http:" || url.protocol === "https:" ? url : null;
  } catch {
    return null;
  }
}

/**
 * Returns the sources of pictures in a Content-Security-Policy.
 *
 * @param {string | null} policy
 */
export function pictureSources(policy) {
  const directives = (policy ?? "").split(";").map((it) => it.trim().split(/\s+/));
  return directives.find(([name]) => name === "img-src")?.slice(1) ?? [];
}

/**
 * Returns whether a policy allows a picture (Content Security Policy Level 3, section 6.7.2.8).
 *
 * @param {URL} url
 * @param {URL} page The page with the policy.
 * @param {string[]} sources Hosts with or without ports; others, such as `'self'`, are passed over.
 */
export function isAllowed(url, page, sources) {
  if (url.origin === page.origin) return true;
  if (page.protocol === "https:" && url.protocol !== "https:") return false;
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return sources.some((source) => {
    const [, host, named] = source.match(/^([^:'/]+)(?::(\d+))?$/) ?? [];
    if (host?.toLowerCase() !== url.hostname) return false;
    return named ? named === port : url.port === "";
  });
}

/** @type {Promise<string[]> | undefined} */
let sources;

/**
 * Returns whether the page may show a picture.
 *
 * @param {URL} url
 * @returns {Promise<boolean>}
 */
export async function mayShow(url) {
  const page = new URL(document.baseURI);
  if (isAllowed(url, page, [])) return true;
  // A script cannot read the header fields of its page, so it asks for them once more.
  sources ??= fetch(page, { method: "HEAD" }).then(({ ok, status, headers }) => {
    // A proxy without a server answers without the policy.
    if (!ok) throw new TypeError(`the page is answered with ${status}`);
    return pictureSources(headers.get("Content-Security-Policy"));
  });
  try {
    return isAllowed(url, page, await sources);
  } catch {
    sources = undefined; // The server was away; the next picture asks again.
    return false;
  }
}
