/**
 * The page. It shows any screen of the server, and knows none by name.
 *
 * It depends on two inputs: the address, which names the shown view model, and the `change` and
 * `status` events of the library.
 */
import { ViewDelta } from "../viewdelta.js";
import { Address } from "./address.js";
import { byId, h } from "./dom.js";
import { lateInspector } from "./late-inspector.js";
import { retried } from "./retried.js";
import { Screens } from "./screens.js";
import { Scrolling } from "./scrolling.js";
import { Stage } from "./stage.js";
import { Switcher } from "./switcher.js";
import { setUpTheme } from "./theme.js";
import { throttled } from "./throttled.js";
import { described } from "./toast.js";

/** Assembles the page. */
async function main() {
  const server = new ViewDelta();
  const banner = byId("banner");
  const screens = await retried(() => Screens.load(server), (error) => {
    banner.replaceChildren(h("p.banner", {}, `${described(error).title} Trying again…`));
  });
  banner.replaceChildren();
  const address = new Address(screens);
  const inspect = lateInspector(byId("panels"), server);
  /** @type {import("./address.js").Place} */
  let place;
  let visit = 0;

  const show = () => {
    switcher.show(place);
    const shown = stage.show(place);
    if (shown) inspect(shown);
  };
  /** Loads the keys. The view model is shown meanwhile, unless the address names no key. */
  const complete = async () => {
    const mine = visit;
    await screens.loadKeys(place.screen);
    if (mine !== visit) return; // The address changed meanwhile.
    place = address.completed(place);
    show();
  };
  /** Loads what may have changed while the connection was lost. A reset that follows tells of it once more. */
  const renew = throttled(async () => {
    await screens.reload();
    await complete();
    reopen();
  }, 100);
  /** Opens the shown screen again if another build has changed it. This takes the focus, so nobody may be writing. */
  const reopen = () => {
    const screen = screens.named(place.screen.name) ?? place.screen;
    if (screen === place.screen || isWriting()) return;
    place = { ...place, screen };
    enter();
  };
  /** Shows a place whose keys may be unknown, where the user left it. */
  const enter = () => {
    scrolling.leave();
    show();
    scrolling.enter();
    complete();
  };
  const go = () => {
    visit += 1;
    place = address.current();
    enter();
  };
  const switcher = new Switcher(byId("switcher"), screens, complete);
  const stage = new Stage(server, screens, renew);
  const scrolling = new Scrolling();
  window.addEventListener("hashchange", go);
  // Not at once: a button that takes the focus from a field is still being pressed. If a field is removed, no event says
  // that it has lost the focus, so the next element that gets it counts, too.
  const moved = throttled(reopen, 500);
  for (const type of ["focusin", "focusout"]) window.addEventListener(type, moved);
  go();
}

/** Whether the user is in the middle of a text or in a dialog. */
const isWriting = () =>
  document.activeElement?.matches(":is(input:not([type=checkbox]), select, textarea, dialog[open], dialog[open] *)");

setUpTheme(/** @type {HTMLButtonElement} */ (byId("theme")));
document.querySelector("[data-skip]")?.addEventListener("click", (event) => {
  event.preventDefault(); // The address belongs to the view models.
  byId("rows").focus();
});
document.addEventListener("visibilitychange", () => {
  // A page that is hidden may be closed without a further word. What is being typed is sent as if its field were left.
  if (document.visibilityState === "hidden") document.activeElement?.dispatchEvent(new Event("blur"));
});
// On a phone the inspector is closed at first, so that the screen comes first.
if (matchMedia("(width < 48rem)").matches) byId("inspector").removeAttribute("open");
main();
