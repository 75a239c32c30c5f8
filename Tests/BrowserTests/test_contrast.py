"""What can be told apart: in the dark, and in the colours of the system."""

import specimens

# The pixel of colours above each other, and the contrast of WCAG 2.2.
CONTRAST = """
const pixel = (...layers) => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d");
  for (const color of layers) {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
  }
  return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
};
const luminance = (...layers) => {
  const [r, g, b] = pixel(...layers).map((it) => it / 255)
    .map((it) => it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (ground, color) => {
  const [dark, light] = [luminance(ground), luminance(ground, color)].sort((left, right) => left - right);
  return (light + 0.05) / (dark + 0.05);
};
const ground = getComputedStyle(document.documentElement).backgroundColor;
"""

PLACEHOLDERS = """
return [
  ...document.querySelectorAll(".shimmer, .loading-text[data-loading]:empty, .avatar:has(> :empty:only-child)"),
].map((it) => {
  const drawn = getComputedStyle(it, it.matches(".loading-text") ? "::before" : null);
  return contrast(getComputedStyle(it.closest(".row")).backgroundColor, drawn.backgroundColor);
});
"""


def test_placeholders_are_seen(page):
    page.open("catalog/1")
    page.until_live()
    specimens.show(page)
    for scheme in ("light", "dark"):
        page.emulate_media(prefers_color_scheme=scheme)
        seen = page.run(CONTRAST + PLACEHOLDERS)
        assert len(seen) > 5 and min(seen) > 1.3, (scheme, seen)


BUSY = """
return [...document.querySelectorAll("button")].filter((it) => it.checkVisibility()).map((it) => {
  it.style.transition = "none";
  it.setAttribute("aria-busy", "true");
  const { backgroundColor, color, opacity } = getComputedStyle(it);
  const seen = (color) => `color-mix(in srgb, ${color} ${100 * opacity}%, ${ground})`;
  return contrast(seen(backgroundColor), seen(color));
});
"""


def test_the_title_of_a_busy_button_can_be_read(page):
    for view_model in ("form/1", "scoreboard/1"):
        page.open(view_model)
        page.until_live()
        page.until_complete()
        for scheme in ("light", "dark"):
            page.emulate_media(prefers_color_scheme=scheme)
            seen = page.run(CONTRAST + BUSY)
            assert len(seen) > 5 and min(seen) >= 4.5, (scheme, seen)


CHOSEN = {
    ".switcher ul:not(.keys) a": "[aria-current]",
    ".switcher .keys a": "[aria-current]",
    ".entry": "[aria-pressed=true]",
    ".machine thead [data-state]": "[data-lit]",
    ".machine tbody [data-state]": "[data-lit]",
    ".states li": "[aria-current]",
}

# Whether the chosen one of several elements differs from each of the others by its colours or lines.
IS_TOLD_APART = """
const [all, chosen] = arguments;
const look = (it) => {
  const { backgroundColor, borderColor, borderStyle, textDecorationLine } = getComputedStyle(it);
  return JSON.stringify([pixel(ground, backgroundColor), borderStyle !== "none" && borderColor, textDecorationLine]);
};
const looks = (selector) => new Set([...document.querySelectorAll(selector)].map(look));
const [on, off] = [looks(all + chosen), looks(`${all}:not(${chosen})`)];
return on.size > 0 && off.size > 0 && on.isDisjointFrom(off);
"""


def test_what_is_chosen_is_told_apart_in_the_colours_of_the_system(page, server):
    page.emulate_media(forced_colors="active")
    page.open_loaded(1)
    page.until_history(server, "profile/1")
    for all, chosen in CHOSEN.items():
        page.find(all + chosen)
        page.find(f"{all}:not({chosen})")
    page.make_still()
    alike = [it for it in CHOSEN if not page.run(CONTRAST + IS_TOLD_APART, it, CHOSEN[it])]
    assert alike == []


# What is drawn by its background alone, which these colours take away.
PARTS = [
    ".row:not(.plain, .note, .field-error)", "input[role=switch]", ".avatar", ".shimmer",
    ".status-dot", ".entry[aria-pressed=false] .bar span",
]

IS_SEEN = """
const parts = [...document.querySelectorAll(arguments[0])].map((it) => getComputedStyle(it));
return parts.length > 0 && parts.every(({ borderStyle, backgroundColor }) =>
  borderStyle !== "none" || contrast(ground, backgroundColor) >= 3);
"""


def test_all_parts_are_seen_in_the_colours_of_the_system(page, server):
    page.emulate_media(forced_colors="active")
    page.open_loaded(1)
    page.until_history(server, "profile/1")
    specimens.show(page)
    for part in PARTS:
        page.find(part)
    page.make_still()
    assert [it for it in PARTS if not page.run(CONTRAST + IS_SEEN, it)] == []
