/** An element with as much of the DOM as the controls of the page use. */
class Element extends EventTarget {
  value = "";
  dir = "";
  hidden = false;
  textContent = "";
  validity = { badInput: false };
  selectionStart = null;
  selectionEnd = null;
  dataset = {};
  classList = { add() {}, toggle() {} };
  /** @type {Element[]} */
  children = [];
  /** @type {Element | undefined} */
  host;
  #attributes = new Map();

  /** @param {string} localName */
  constructor(localName) {
    super();
    this.localName = localName;
  }

  getAttribute(name) {
    return this.#attributes.get(name) ?? null;
  }

  setAttribute(name, value) {
    this.#attributes.set(name, value);
    if (name === "value") this.value = value;
  }

  removeAttribute(name) {
    this.#attributes.delete(name);
  }

  contains(element) {
    return element === this || this.children.some((child) => child instanceof Element && child.contains(element));
  }

  remove() {
    this.host?.children.splice(this.host.children.indexOf(this), 1);
  }

  append(...children) {
    for (const child of children) if (child instanceof Element) child.host = this;
    this.children.push(...children);
  }

  after(element) {
    this.follower = element;
  }

  cloneNode() {
    return new Element(this.localName);
  }
}

class Page extends EventTarget {
  /** @type {Element | null} */
  activeElement = null;
  createElement = (/** @type {string} */ name) => new Element(name);
}

/** The document of the page. A test imports it before the modules that use it. */
export const page = new Page();
Object.assign(globalThis, { document: page });
