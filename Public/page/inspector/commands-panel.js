/** The commands of the screen, with forms made from their schemas. */
import { h, setText, uniqueId, withCode } from "../dom.js";
import { argumentForm } from "../editing/argument-form.js";
import { fieldsOf } from "../editing/schema.js";
import { panel } from "./panel.js";

/** @param {import("./inspector.js").Subject} subject */
export function commandsPanel({ screen, commands }) {
  const result = h("p.soft.result", { role: "status" });
  const all = screen.commands.map(({ type, summary, schema }) =>
    ({ type, summary, fields: fieldsOf(schema, schema).filter(({ name }) => name !== "type") }));
  const plain = all.filter(({ fields }) => fields.length === 0);
  const others = all.filter(({ fields }) => fields.length > 0);
  const buttons = plain.map(({ type, summary }) => {
    const about = h("p.soft", { id: uniqueId("about") }, ...withCode(summary));
    const button = h("button", {
      type: "button", "aria-describedby": about.id, click: () => commands.send({ type }, button),
    }, type);
    return h("div.plain-command", {}, button, about);
  });
  const element = panel("Commands",
    ...buttons,
    ...others.map(({ type, summary, fields }) => h("details.command", {},
      h("summary", {}, h("code", {}, type)), h("p.soft", {}, ...withCode(summary)),
      argumentForm(fields, "Send", (values, button) => commands.send({ type, ...values }, button)))),
    result);
  element.hidden = all.length === 0;
  commands.onSent(({ command, reply, error }) => {
    if (reply) setText(result, `${command.type}: ${reply.accepted ? "accepted" : "nothing to do"}`);
    else setText(result, `${command.type}: ${error?.code ?? "no answer"}`);
  });
  return element;
}
