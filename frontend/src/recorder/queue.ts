// The visible list of what is kept in this browser; what waits is tried again by itself.
import type { Kept, Keeper } from "./kept";
import { fileName, send } from "./sending";

const AGAIN_MS = 5000;
// Another tab may have begun, ended or sent something.
const LOOK_MS = 1000;

interface Arrived {
  id: string;
  address: string;
}

export class Queue {
  #place = document.querySelector<HTMLElement>("#queue");
  #keeper: Keeper;
  // One tab may send what another recorded: that one is told where it is now.
  #tabs = new BroadcastChannel("vivavoce-arrived");
  // The recording that the recorder on this page deals with is not listed.
  own = "";
  onSent: (id: string, address: string) => void = () => {};

  constructor(keeper: Keeper) {
    this.#keeper = keeper;
    addEventListener("online", () => void this.sendWaiting());
    this.#tabs.onmessage = (message: MessageEvent<Arrived>) => this.onSent(message.data.id, message.data.address);
    setInterval(() => void this.sendWaiting(), AGAIN_MS);
    setInterval(() => void this.show(), LOOK_MS);
  }

  async show(): Promise<void> {
    const place = this.#place;
    const list = place?.querySelector("ul");
    if (!place || !list) return;
    const recording = await lockedElsewhere();
    const listed = (await this.#keeper.all()).filter((kept) => kept.id !== this.own && !recording.has(kept.id));
    const shown = new Map([...list.children].map((item) => [(item as HTMLElement).dataset.id, item as HTMLElement]));
    for (const [id, item] of shown) if (!listed.some((kept) => kept.id === id)) item.remove();
    for (const kept of listed) {
      const item = shown.get(kept.id) ?? this.#item(place, kept);
      if (!item.isConnected) list.append(item);
      part(item, "state").textContent = [this.#words(kept.state), kept.state === "refused" ? kept.error : ""].join(" ").trim();
    }
    place.hidden = listed.length === 0;
  }

  async sendWaiting(): Promise<void> {
    for (const kept of await this.#keeper.all()) {
      if (kept.state !== "waiting") continue;
      const outcome = await send(this.#keeper, kept);
      if (outcome.kind === "sent") {
        this.onSent(kept.id, outcome.address);
        this.#tabs.postMessage({ id: kept.id, address: outcome.address } satisfies Arrived);
      }
      if (outcome.kind === "unreachable") break;
    }
    await this.show();
  }

  #words(name: string): string {
    const terms = [...(this.#place?.querySelectorAll("dt") ?? [])];
    return terms.find((term) => term.textContent === name)?.nextElementSibling?.textContent ?? "";
  }

  #item(place: HTMLElement, kept: Kept): HTMLElement {
    const made = place.querySelector("template")!.content.cloneNode(true) as DocumentFragment;
    const item = made.querySelector("li")!;
    item.dataset.id = kept.id;
    part(item, "title").textContent = kept.title;
    part(item, "when").textContent = new Date(kept.begunAt).toLocaleString(place.dataset.locale);
    item.querySelector('[data-do="send"]')!.addEventListener("click", () => void this.#send(item, kept.id));
    item.querySelector('[data-do="listen"]')!.addEventListener("click", () => void this.#listen(item, kept));
    item.querySelector('[data-do="save"]')!.addEventListener("click", () => void save(this.#keeper, kept));
    const discard = item.querySelector<HTMLButtonElement>('[data-do="discard"]')!;
    discard.addEventListener("click", () => {
      // Asked once more in its own words; the second press does it.
      if (discard.dataset.sure) void this.#keeper.drop(kept.id).then(() => this.show());
      else {
        discard.dataset.sure = "yes";
        discard.textContent = this.#words("sure");
      }
    });
    return item;
  }

  async #listen(item: HTMLElement, kept: Kept): Promise<void> {
    const audio = item.querySelector("audio")!;
    if (audio.hidden) audio.src = URL.createObjectURL(await this.#keeper.sound(kept));
    audio.hidden = false;
    audio.setAttribute("aria-label", kept.title);
    await audio.play();
  }

  async #send(item: HTMLElement, id: string): Promise<void> {
    const kept = await this.#keeper.find(id);
    if (!kept) return;
    part(item, "state").textContent = this.#words("sending");
    const outcome = await send(this.#keeper, kept);
    if (outcome.kind === "sent") location.assign(outcome.address);
    else await this.show();
  }
}

export async function save(keeper: Keeper, kept: Kept): Promise<void> {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await keeper.sound(kept));
  link.download = fileName(kept);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// What another tab is recording now holds a lock of its id.
async function lockedElsewhere(): Promise<Set<string>> {
  const state = await navigator.locks.query();
  const names = (state.held ?? []).map((lock) => lock.name ?? "");
  return new Set(names.filter((name) => name.startsWith("vivavoce-record-")).map((name) => name.slice("vivavoce-record-".length)));
}

function part(item: HTMLElement, name: string): HTMLElement {
  return item.querySelector<HTMLElement>(`[data-part="${name}"]`)!;
}
