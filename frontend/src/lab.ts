// The Score Lab: keeps a slider and its number box at one value, the address at the state that is shown, and tells the
// new overall once a move has ended. It computes nothing: scores, places and links come from the server.

type Context = { sourceElement: Element; request: { body: FormData }; swap: string };
type Asking = CustomEvent<{ ctx: Context }>;
declare const htmx: {
  ajax(verb: string, path: string, options: { target: string; swap: string }): Promise<void>;
};

const QUIET_MS = 700;

let address = location.search;
let moved = "";
let entry = "";
let timer = 0;
let renewing = false;
let counted = false;
// Requests in the order in which they were asked for: the last of all, and the last that brings a state from elsewhere.
const order = new WeakMap<Context, number>();
let last = 0;
let elsewhere = 0;

const lab = (): HTMLElement | null => document.getElementById("lab");

function partner(input: HTMLInputElement): HTMLInputElement | null {
  return document.getElementById(input.dataset["for"] ?? "") as HTMLInputElement | null;
}

// Before htmx sees the event: slider and box agree, and a box that is not yet a number waits for its end.
document.addEventListener(
  "input",
  (event) => {
    const input = event.target;
    if (!(input instanceof HTMLInputElement || input instanceof HTMLSelectElement) || input.form?.id !== "inputs") return;
    moved = input.name || (input as HTMLInputElement).dataset["for"] || "";
    moved = moved.replace(/^n-/, "");
    if (!(input instanceof HTMLInputElement)) return;
    const other = partner(input);
    if (other === null) return;
    if (input.type === "number" && input.value === "") event.stopPropagation();
    else other.value = input.value;
  },
  true,
);

// Shift with an arrow moves a slider ten steps.
document.addEventListener("keydown", (event) => {
  const input = event.target;
  if (!event.shiftKey || !(input instanceof HTMLInputElement) || input.type !== "range") return;
  if (event.key === "ArrowRight" || event.key === "ArrowUp") input.stepUp(10);
  else if (event.key === "ArrowLeft" || event.key === "ArrowDown") input.stepDown(10);
  else return;
  event.preventDefault();
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.dispatchEvent(new Event("change", { bubbles: true }));
});

// The page must show the state of its boxes, in whatever order answers come. A move from before a state from elsewhere
// (an earlier one, counts of a text) is neither asked nor shown; a state from elsewhere gives way to a later move.
function overtaken(ctx: Context): boolean {
  const number = order.get(ctx) ?? 0;
  return ctx.sourceElement.id === "inputs" ? number < elsewhere : number < last;
}

document.addEventListener("htmx:config:request", (event) => {
  const ctx = (event as Asking).detail.ctx;
  order.set(ctx, ++last);
  if (ctx.sourceElement.id === "inputs") return;
  elsewhere = last;
  const inputs = document.getElementById("inputs");
  if (ctx.sourceElement.id !== "align" || !(inputs instanceof HTMLFormElement)) return;
  // Counts go into what the boxes hold now, whether or not that has been answered.
  const fields = [...new FormData(inputs)].map(([name, value]) => [name, String(value)]);
  ctx.request.body.set("state", `${inputs.action}?${new URLSearchParams(fields)}`);
});

document.addEventListener("htmx:before:request", (event) => {
  if (overtaken((event as Asking).detail.ctx)) event.preventDefault();
});

document.addEventListener("htmx:before:swap", (event) => {
  const ctx = (event as Asking).detail.ctx;
  const source = ctx.sourceElement;
  if (overtaken(ctx)) {
    event.preventDefault();
    if (source instanceof HTMLFormElement && source.id === "align") source.requestSubmit();
    return;
  }
  // An error page is no Lab: what is shown stays.
  if (ctx.swap === "none") return;
  // A state from elsewhere replaces what the reader holds, too.
  renewing = source.id !== "inputs";
  counted = source.id === "align";
  if (renewing) lab()?.querySelectorAll("[hx-morph-skip]").forEach((held) => held.removeAttribute("hx-morph-skip"));
});

document.addEventListener("htmx:after:swap", () => {
  const shown = lab();
  const link = shown?.dataset["link"];
  if (!shown || link === undefined) return;
  if (renewing) {
    shown.querySelectorAll("form").forEach((form) => form.reset());
    // Going back or forward has set the address already; a counted text is a state of its own.
    if (counted && link !== location.pathname + location.search) history.pushState(null, "", link);
    entry = "";
  } else if (link !== location.pathname + location.search) {
    // One step back undoes all moves of one input.
    if (moved === entry) history.replaceState(null, "", link);
    else history.pushState(null, "", link);
    entry = moved;
  }
  renewing = false;
  address = location.search;
  tell(shown.dataset["said"] ?? "");
});

function tell(text: string): void {
  window.clearTimeout(timer);
  timer = window.setTimeout(() => {
    const place = document.getElementById("said");
    if (place !== null && place.textContent !== text) place.textContent = text;
  }, QUIET_MS);
}

window.addEventListener("popstate", () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target instanceof HTMLDetailsElement) target.open = true;
  // A leap within the page is no other state.
  if (location.search === address) return;
  address = location.search;
  entry = "";
  void htmx.ajax("GET", location.pathname + location.search, { target: "#lab", swap: "outerMorph" });
});

document.addEventListener("click", (event) => {
  const button = (event.target as Element).closest("#copy");
  if (button === null) return;
  void navigator.clipboard.writeText(location.href).then(() => tell("Link copied."));
  button.textContent = "Copied";
});
