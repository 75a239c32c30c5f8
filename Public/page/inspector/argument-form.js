/** A form for the arguments of a command, by its JSON schema. */
import { h } from "../dom.js";
import { showToast } from "../toast.js";
import { titled } from "../screens.js";

/**
 * Creates the form. Empty inputs are not sent.
 *
 * @param {import("../screens.js").CommandDescription} command
 * @param {(command: {type: string}, control: HTMLElement) => Promise<boolean>} send
 * @returns {HTMLElement}
 */
export function argumentForm({ type, schema }, send) {
  const required = new Set(schema.required ?? []);
  const names = Object.keys(schema.properties).filter((name) => name !== "type");
  names.sort((left, right) => Number(required.has(right)) - Number(required.has(left)));
  const inputs = names.map((name) => {
    const property = schema.properties[name];
    return { name, schema: property, input: inputFor(property) };
  });
  const button = h("button", { type: "submit" }, "Send");
  return h("form.arguments", {
    novalidate: true,
    submit: (/** @type {Event} */ event) => {
      event.preventDefault();
      try {
        send(Object.assign({ type }, ...inputs.map(argument)), button);
      } catch (error) {
        showToast({ code: "not-json", title: "This is not JSON.", detail: String(error) });
      }
    },
  }, ...inputs.map(({ name, input }) =>
    h("label", {}, required.has(name) ? titled(name) : `${titled(name)}, optional`, input)), button);
}

/**
 * @param {any} schema
 * @returns {HTMLElement}
 */
function inputFor(schema) {
  const options = schema.enum ?? (schema.type === "boolean" ? [true, false] : null);
  if (options) {
    return h("select", {}, h("option", { value: "" }, ""),
      ...options.map((/** @type {any} */ option) =>
        h("option", { value: JSON.stringify(option) }, String(option))));
  }
  if (isText(schema) || isNumber(schema)) {
    const inputmode = isNumber(schema) && !isText(schema) && "numeric";
    return h("input", { type: "text", inputmode, autocomplete: "off" });
  }
  return h("textarea", { placeholder: "JSON", spellcheck: "false" });
}

/**
 * Returns the entered argument as a member of the command; empty if nothing was entered.
 *
 * @param {{name: string, schema: any, input: HTMLElement}} entered
 */
function argument({ name, schema, input }) {
  const text = /** @type {HTMLInputElement} */ (input).value;
  if (text === "") return {};
  // An id may be a number or a text; the server treats 1 and "1" alike.
  if (isNumber(schema) && /^-?\d+(\.\d+)?$/.test(text)) return { [name]: Number(text) };
  if (isText(schema) && !schema.enum) return { [name]: text };
  if (isNumber(schema)) return { [name]: text };
  return { [name]: JSON.parse(text) };
}

/** @param {any} schema */
const isText = (schema) => [schema.type].flat().includes("string");
/** @param {any} schema */
const isNumber = (schema) => [schema.type].flat().some((type) => type === "integer" || type === "number");
