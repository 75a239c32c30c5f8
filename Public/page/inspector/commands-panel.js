/** The commands of the screen, with forms made from their schemas. */
import { h, setText } from "../dom.js";
import { argumentForm } from "./argument-form.js";
import { panel } from "./panel.js";

export class CommandsPanel {
  element;

  /** @param {import("./inspector.js").Subject} subject */
  constructor({ screen, commands }) {
    const result = h("p.soft.result", { role: "status" });
    const argumentsOf = (/** @type {import("../screens.js").CommandDescription} */ command) =>
      Object.keys(command.schema.properties).filter((name) => name !== "type");
    const plain = screen.commands.filter((command) => argumentsOf(command).length === 0);
    const others = screen.commands.filter((command) => argumentsOf(command).length > 0);
    const buttons = plain.map(({ type, summary }) => {
      const button = h("button", {
        type: "button", title: summary, click: () => commands.send({ type }, button),
      }, type);
      return button;
    });
    this.element = panel("Commands",
      plain.length > 0 ? h("div.buttons", {}, ...buttons) : null,
      ...others.map((command) => h("details.command", {},
        h("summary", {}, h("code", {}, command.type)),
        h("p.soft", {}, command.summary), argumentForm(command, commands.send))),
      result);
    commands.onSent(({ command, reply, error }) => {
      if (reply) setText(result, `${command.type}: ${reply.accepted ? "accepted" : "nothing to do"}`);
      else setText(result, `${command.type}: ${error?.code ?? "no answer"}`);
    });
  }
}
