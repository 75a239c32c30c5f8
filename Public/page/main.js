/**
 * The page: it shows any screen that the server has on offer, and knows none by name.
 *
 * Everything on it follows from two things: the address, which says which view model is shown, and the
 * `change` and `status` events of the library, which say what became of it.
 */
import { ViewDelta } from "../viewdelta.js";
import { Address } from "./address.js";
import { Inspector } from "./inspector/inspector.js";
import { Screens } from "./screens.js";
import { Stage } from "./stage.js";
import { Switcher } from "./switcher.js";
import { setUpTheme } from "./theme.js";
import { described } from "./toast.js";

/** How long to wait for a server that is not there yet, in milliseconds. */
const retryInterval = 2000;

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * The screens on offer, asked for until the server answers.
 *
 * @param {ViewDelta} server
 * @returns {Promise<Screens>}
 */
async function load(server) {
  const banner = element("banner");
  for (;;) {
    try {
      const screens = await Screens.load(server);
      banner.hidden = true;
      return screens;
    } catch (error) {
      banner.textContent = `${described(error).title} Trying again…`;
      banner.hidden = false;
      await new Promise((resolve) => setTimeout(resolve, retryInterval));
    }
  }
}

/** Puts the page together. */
async function main() {
  const server = new ViewDelta();
  const screens = await load(server);
  const address = new Address(screens);
  const switcher = new Switcher(element("switcher"), screens);
  const stage = new Stage(server);
  const inspector = new Inspector(element("panels"), server);

  let turn = 0;
  const show = async () => {
    turn += 1;
    const mine = turn;
    const place = await address.current();
    if (mine !== turn) return; // The address changed again meanwhile.
    switcher.show(place);
    inspector.show({ ...place, ...stage.show(place) });
  };
  await show();
  window.addEventListener("hashchange", show);
}

setUpTheme(/** @type {HTMLButtonElement} */ (element("theme")));
document.querySelector("[data-skip]")?.addEventListener("click", (event) => {
  event.preventDefault(); // The address belongs to the view models.
  element("rows").focus();
});
main();
