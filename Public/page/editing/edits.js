/** The edits that the commands of a screen allow by hand, found in the descriptions of the commands. */
import { namedEdits } from "./named-edits.js";
import { outlineEdits } from "./outline-edits.js";

/**
 * Returns the edits of a screen.
 *
 * @param {import("../screens.js").Screen} screen
 * @returns {import("./edit.js").Edits}
 */
export function editsOf(screen) {
  const kinds = [namedEdits(screen.commands), outlineEdits(screen.commands)];
  return {
    ofRow: (row, section) => kinds.flatMap((kind) => kind.ofRow(row, section)),
    ofSection: (section, sections) => kinds.flatMap((kind) => kind.ofSection(section, sections)),
    ofScreen: () => kinds.flatMap((kind) => kind.ofScreen()),
  };
}
