// The guides: the address follows what a search or the IELTS lab shows, so that it can be copied, kept and loaded anew.
// Which address that is, the server says.

document.addEventListener("htmx:after:swap", () => {
  const link = document.querySelector<HTMLElement>("[data-link]")?.dataset["link"];
  if (link !== undefined && link !== location.pathname + location.search) history.replaceState(null, "", link);
});

export {};
