/** A picture of a person or a thing, or the initials of its name. */
import { h, setAttribute } from "../dom.js";
import { mayShow, webURL } from "../pictures.js";

/**
 * Creates a circle with a picture that opens in a tab of its own. Without a picture, and if it cannot be
 * shown, the circle has initials, in a colour that depends only on the name.
 *
 * @param {string} [style]
 */
export function avatar(style = "") {
  const letters = h("span", { "aria-hidden": "true" });
  const link = h("a", { target: "_blank", rel: "noopener noreferrer" });
  const element = h(`span.avatar${style}`);
  /** The address that is shown, or is about to be shown. */
  let shown = "";
  /** @type {HTMLElement | null} */
  let picture = null;

  /** @param {URL} url */
  const showPicture = async (url) => {
    const isAllowed = await mayShow(url);
    if (url.href !== shown) return; // Another one was shown meanwhile.
    if (!isAllowed) {
      link.title = `Pictures from ${url.host} are not shown: the operator of this server has not named that host.`;
      return;
    }
    const image = h("img", { alt: "", src: url.href });
    image.addEventListener("load", () => {
      if (picture === image) letters.hidden = true;
    });
    image.addEventListener("error", () => {
      if (picture !== image) return;
      image.remove();
      link.title = "The picture cannot be loaded.";
    });
    picture = image;
    link.append(image);
  };

  return {
    element,
    /**
     * @param {string} name
     * @param {string} [address] The address of the picture.
     */
    show(name, address) {
      const text = initials(name);
      if (letters.textContent !== text) letters.textContent = text;
      element.style.setProperty("--hue", String(hue(name)));
      setAttribute(link, "aria-label", `Picture of ${name}`);
      const url = webURL(address);
      if ((url?.href ?? "") === shown && element.hasChildNodes()) return;
      shown = url?.href ?? "";
      picture?.remove();
      picture = null;
      letters.hidden = false;
      setAttribute(link, "href", url?.href);
      setAttribute(link, "title", null);
      if (url) link.append(letters);
      element.replaceChildren(url ? link : letters);
      if (url) showPicture(url);
    },
  };
}

/**
 * Returns the initials of the first two significant words: "Atlas of the Night Sky" gives AN.
 *
 * @param {string} name
 */
function initials(name) {
  const words = name.split(/[\s._-]+/).filter(Boolean);
  const telling = words.filter((word) => word !== word.toLowerCase());
  return (telling.length > 0 ? telling : words).slice(0, 2)
    .map((word) => (word.match(/[\p{L}\p{N}]/u)?.[0] ?? [...word][0]).toUpperCase()).join("");
}

/** @param {string} name */
function hue(name) {
  let hash = 7;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 360_007;
  return hash % 360;
}
