/** Asks for the view model that the address names, while the script that shows it is on its way. */
const [, path] = /^#([\w-]+\/[\w-]+(?:%40[\w-]+)?)$/.exec(location.hash) ?? [];
// Once that script has begun, it asks itself. The browser would keep an answer that nobody uses, and give out this old
// one when the user comes back to the view model.
const isLate = document.getElementById("switcher")?.hasChildNodes() ?? false;
if (path && !isLate) {
  const link = document.createElement("link");
  Object.assign(link, { rel: "preload", as: "fetch", crossOrigin: "", href: `v1/view-models/${path}` });
  document.head.append(link);
}
