/** The colour theme: light, dark, or that of the system. The choice is stored. */
import { icon } from "./dom.js";

const themes = /** @type {const} */ (["system", "light", "dark"]);
const icons = /** @type {const} */ ({ system: "system", light: "sun", dark: "moon" });

/** @param {HTMLButtonElement} button Changes to the next one when it is pressed. */
export function setUpTheme(button) {
  let current = themes.find((theme) => theme === stored()) ?? "system";
  const show = () => {
    if (current === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = current;
    button.setAttribute("aria-label", `Colours: ${current}`);
    button.title = `Colours: ${current}`;
    button.replaceChildren(icon(icons[current]));
  };
  button.addEventListener("click", () => {
    current = themes[(themes.indexOf(current) + 1) % themes.length];
    try {
      localStorage.setItem("theme", current);
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    show();
  });
  show();
}

function stored() {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
}
