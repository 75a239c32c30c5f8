/**
 * An editable row, by the type of its input. Input is sent when it is committed: on Enter, or when
 * the focus leaves. The server answers with the row as it should be, which is shown once it has
 * answered the last input.
 */
import { h, isComposing, setAttribute, setText, uniqueId } from "../dom.js";
import { actionButton } from "./parts.js";

/** @typedef {import("./renderer.js").Row} Row */
/** @typedef {import("../../viewdelta.js").FieldChange} FieldChange */

/** @type {import("./renderer.js").Renderer} */
export const field = (host, context) => {
  const id = uniqueId("field");
  const label = h("label", { for: id });
  const action = actionButton(context, ".quiet");
  /** @type {ReturnType<typeof control> | undefined} */
  let current;
  /** @type {Row} */
  let shown;
  /** The values that were sent and not answered yet; the last of them decides. */
  let waiting = 0;
  /** @type {any} */
  let sent;
  const commit = async () => {
    const { command, argument } = /** @type {FieldChange} */ (shown.change);
    const wanted = current?.value();
    if (wanted === (waiting > 0 ? sent : shown.value)) return;
    sent = wanted;
    waiting += 1;
    const isTaken = await context.send({ ...command, [argument]: wanted });
    waiting -= 1;
    if (waiting > 0) return;
    if (!isTaken) current?.keep();
    // It may have been accepted without a change.
    current?.show(shown);
  };
  const renew = () => {
    if (waiting === 0) current?.show(shown);
  };
  host.classList.add("field");
  host.append(label, action.element);
  return (row) => {
    shown = row;
    if (current?.type !== row.input.type) {
      current?.element.remove();
      current = control(row.input.type, id, commit, renew);
      label.after(current.element);
      host.classList.toggle("switch", row.input.type === "checkbox");
    }
    setText(label, row.label);
    label.classList.toggle("required", row.required === true);
    current?.describe(row);
    renew();
    action.show(row, row.label);
  };
};

/**
 * A field for the address of a picture, which is shown no larger than the server says.
 *
 * @type {import("./renderer.js").Renderer<import("view-rows").AvatarFieldRow>}
 */
export const avatarField = (host, context) => {
  const picture = /** @type {HTMLImageElement} */ (
    h("img.picture", { alt: "", hidden: true, error: () => { picture.hidden = true; } }));
  const show = field(host, context);
  host.prepend(picture);
  return (row) => {
    show(row);
    host.style.setProperty("--cap", `${row.cap}px`);
    if (row.picture === picture.getAttribute("src")) return;
    picture.hidden = row.picture === undefined;
    setAttribute(picture, "src", row.picture);
  };
};

/**
 * Creates an input of a type.
 *
 * @param {string} type
 * @param {string} id
 * @param {() => void} commit
 * @param {() => void} renew
 */
function control(type, id, commit, renew) {
  if (type === "checkbox") return checkbox(id, commit);
  if (type === "select") return select(id, commit);
  return textInput(type, id, commit, renew);
}

/**
 * @param {string} id
 * @param {() => void} commit
 */
function checkbox(id, commit) {
  const element = /** @type {HTMLInputElement} */ (
    h("input", { id, type: "checkbox", role: "switch", change: commit }));
  return {
    type: "checkbox",
    element,
    value: () => element.checked,
    describe: () => {},
    keep: () => {},
    /** @param {Row} row */
    show(row) {
      element.checked = row.value === true;
    },
  };
}

/**
 * @param {string} id
 * @param {() => void} commit
 */
function select(id, commit) {
  const element = /** @type {HTMLSelectElement} */ (h("select", { id, change: commit }));
  let written = "";
  return {
    type: "select",
    element,
    value: () => (element.value === "" ? null : element.value),
    /** @param {Row} row A chosen option that is no longer offered stays visible, but cannot be chosen again. */
    describe(row) {
      const options = [{ id: "", title: row.input.placeholder ?? "" }, ...(row.input.options ?? [])];
      const { value } = row;
      if (value && !options.some(({ id }) => id === value)) {
        const known = [...element.options].find((option) => option.value === value);
        options.push({ id: value, title: known?.text ?? value, disabled: true });
      }
      const text = JSON.stringify(options);
      if (text !== written) {
        const { value } = element;
        element.replaceChildren(...options.map(({ id, title, disabled }) =>
          h("option", { value: id, disabled }, title)));
        element.value = value;
      }
      written = text;
      setAttribute(element, "aria-required", row.required === true ? "true" : null);
      setAttribute(element, "autocomplete", row.input.autocomplete);
    },
    keep: () => {},
    /** @param {Row} row */
    show(row) {
      element.value = row.value ?? "";
    },
  };
}

/**
 * @param {string} type
 * @param {string} id
 * @param {() => void} commit
 * @param {() => void} renew Shows what the server has made of the text.
 */
function textInput(type, id, commit, renew) {
  // A number is sent as typed; the server refuses text that is not a number.
  const isNumber = type === "number";
  /** Whether the browser changes the value with each key, such as a date whose year is being typed. */
  let isUnfinished = false;
  /** Whether the server has refused what was sent last, so that only this field has it. */
  let isRefused = false;
  /** Whether the page was left in the middle of a text. It stays as typed, because the user comes back to go on. */
  let isPaused = false;
  const finish = () => {
    isUnfinished = false;
    // A part is missing, or nothing was changed.
    if (element.validity.badInput || (element.value === settled && !isRefused)) return;
    isRefused = false;
    settled = element.value;
    commit();
  };
  const element = /** @type {HTMLInputElement} */ (h("input", {
    id, type: isNumber ? "text" : type, inputmode: isNumber && "decimal", dir: "auto",
    change: () => {
      if (!isUnfinished) finish();
    },
    blur: () => {
      // If only the page was left, the element stays the active one.
      isPaused = document.activeElement === element && element.value !== known;
      if (element.value !== settled) finish();
      else renew(); // Another value may have come while the text was another one.
    },
    pointerdown: () => {
      isUnfinished = false; // A date that is picked is complete.
    },
    keydown: (/** @type {KeyboardEvent} */ event) => {
      if (isComposing(event)) return;
      if (event.key === "Enter") {
        isPaused = false;
        finish(); // Also what was refused, which the browser does not call a change.
        return renew();
      }
      isUnfinished = stepwise.has(type);
      if (event.key !== "Escape" || element.value === known) return;
      event.stopPropagation(); // It is handled.
      isRefused = isPaused = false;
      settled = element.value = known;
    },
  }));
  /** Shows what the input makes of a text: without line breaks, and nothing of a date that it cannot show. */
  const mirror = /** @type {HTMLInputElement} */ (element.cloneNode());
  /** The value of the server, as the input shows it: otherwise it would be taken for what the user has entered. */
  let known = "";
  /** The last value shown or sent, which the user is not editing. */
  let settled = "";
  return {
    type,
    element,
    value: () => element.value,
    /** @param {Row} row */
    describe(row) {
      setAttribute(element, "placeholder", row.input.placeholder);
      setAttribute(element, "min", row.input.min);
      setAttribute(element, "max", row.input.max);
      setAttribute(element, "aria-required", row.required === true ? "true" : null);
      setAttribute(element, "autocomplete", row.input.autocomplete);
    },
    /** Keeps the text though the server has refused it: Enter sends it again. */
    keep() {
      isRefused = true;
    },
    /** @param {Row} row Text that is being typed stays. */
    show(row) {
      mirror.value = String(row.value ?? "");
      known = mirror.value;
      const isFocused = document.activeElement === element;
      const isTyping = isFocused && (element.value !== settled || isPaused);
      if (element.value !== known && !isTyping && !isRefused) {
        const { selectionStart, selectionEnd } = element;
        element.value = known;
        // Some types have none.
        if (isFocused && selectionStart !== null) element.setSelectionRange(selectionStart, selectionEnd);
      }
      if (element.value !== known) return;
      settled = known;
      isRefused = isPaused = false;
    },
  };
}

/** The types whose value changes with each key. */
const stepwise = new Set(["date", "datetime-local", "month", "time", "week"]);
