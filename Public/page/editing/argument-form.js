/** A form for the arguments of a command. */
import { h, setAttribute } from "../dom.js";
import { showToast } from "../toast.js";
import { titled } from "../words.js";
import { isNumber, isPlain, isText } from "./schema.js";

/** @typedef {import("./schema.js").Field} Field */

/**
 * Creates the form. Inputs that are empty, as they were at first, are not sent.
 *
 * @param {Field[]} fields
 * @param {string} label The text of its button.
 * @param {(values: {[name: string]: any}, control: HTMLElement) => unknown} submit
 * @returns {HTMLElement}
 */
export function argumentForm(fields, label, submit) {
  const inputs = fields.map((field) => {
    const input = inputFor(field);
    // It would not be sent, and the server would only say that it is missing.
    setAttribute(input, "required", field.isRequired && field.value === undefined);
    return { field, input, initial: valueOf(input) };
  });
  const button = h("button", { type: "submit" }, label);
  return h("form.arguments", {
    submit: (/** @type {Event} */ event) => {
      event.preventDefault();
      try {
        submit(Object.assign({}, ...inputs.map(argument)), button);
      } catch (error) {
        showToast({ code: "not-json", title: "This is not JSON.", detail: String(error) });
      }
    },
  }, ...inputs.map(({ field: { name, isRequired }, input }) =>
    h("label", {}, isRequired ? titled(name) : `${titled(name)}, optional`, input)), button);
}

/**
 * @param {Field} field
 * @returns {HTMLElement}
 */
function inputFor(field) {
  const { value } = field;
  const isSwitch = field.types.includes("boolean");
  const isWritten = isText(field) || isNumber(field);
  const options = field.options?.filter((option) => option !== null) ?? (isSwitch && !isWritten ? [true, false] : null);
  if (options) {
    return h("select", {}, h("option", { value: "" }, ""),
      ...options.map((option) =>
        h("option", { value: JSON.stringify(option), selected: option === value }, titled(String(option)))));
  }
  if (isPlain(field)) {
    const inputmode = isNumber(field) && !isText(field) && "numeric";
    const placeholder = isSwitch && "A text, true or false";
    return h("input", { type: "text", inputmode, placeholder, autocomplete: "off", dir: "auto", value });
  }
  return h("textarea", { placeholder: "JSON", spellcheck: "false" });
}

/**
 * Returns the entered argument as a member of the command. If a value was removed, it is null.
 *
 * @param {{field: Field, input: HTMLElement, initial: string}} entered
 */
function argument({ field, input, initial }) {
  const { name, value, options } = field;
  const text = valueOf(input);
  // An input shows no line breaks, so what it shows is not the value.
  if (text === initial && value != null) return { [name]: value };
  if (text === "" && value === undefined) return {};
  if (text === "" && field.types.includes("null")) return { [name]: null };
  if (field.types.includes("boolean") && /^(true|false)$/.test(text)) return { [name]: text === "true" };
  // An id may be a number or a text; the server treats 1 and "1" alike, but not 7 and "007".
  const isSame = !isText(field) || String(Number(text)) === text;
  // A greater one may be sent as another number. The server refuses the text.
  const isExact = isSame && Math.abs(Number(text)) < 2 ** 53;
  if (isNumber(field) && isExact && /^-?\d+(\.\d+)?$/.test(text)) return { [name]: Number(text) };
  if (options || !(isText(field) || isNumber(field))) return { [name]: JSON.parse(text) };
  return { [name]: text };
}

/** @param {HTMLElement} input */
const valueOf = (input) => /** @type {HTMLInputElement} */ (input).value;
