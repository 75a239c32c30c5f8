/** Asks for the view model that the address names, while the script that shows it is on its way. */
const [, path] = /^#([\w-]+\/[\w-]+(?:%40[\w-]+)?)$/.exec(location.hash) ?? [];
if (path) {
  const link = document.createElement("link");
  Object.assign(link, { rel: "preload", as: "fetch", crossOrigin: "", href: `v1/view-models/${path}` });
  document.head.append(link);
}
