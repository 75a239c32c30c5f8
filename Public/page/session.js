/**
 * The session of this browser, with which it has view models of its own on personal screens:
 * `form/1@SESSION`. A browser that opens an address with another session shares that view model.
 */

/**
 * Returns the key of the browser's own view model.
 *
 * @param {string} key
 */
export const ownKey = (key) => `${key}@${session()}`;

/**
 * Returns the key of the element that a view model shows, without the session.
 *
 * @param {import("./screens.js").Screen} screen
 * @param {string} key
 */
export const elementKey = (screen, key) => screen.personal ? key.replace(/@[^@]*$/, "") : key;

let current = "";

function session() {
  if (current) return current;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const random = btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  try {
    // Another program of this origin may have anything under a name like `session`, such as a secret.
    const held = localStorage.getItem("viewdelta.session") ?? "";
    current = /^[\w-]{22}$/.test(held) ? held : random;
    localStorage.setItem("viewdelta.session", current);
  } catch {
    // Without storage the session lasts as long as the page.
    current = random;
  }
  return current;
}
