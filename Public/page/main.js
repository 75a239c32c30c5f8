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
import { showToast } from "./toast.js";

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

async function main() {
  setUpTheme(/** @type {HTMLButtonElement} */ (element("theme")));
  document.querySelector("[data-skip]")?.addEventListener("click", (event) => {
    event.preventDefault(); // The address belongs to the view models.
    element("rows").focus();
  });

  const server = new ViewDelta();
  const screens = await Screens.load(server);
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
  window.addEventListener("hashchange", show);
  await show();
}

main().catch((error) => {
  element("title").textContent = "ViewDelta";
  const banner = element("banner");
  banner.textContent = "The server cannot be reached. Reload the page to try again.";
  banner.hidden = false;
  showToast(error);
});
