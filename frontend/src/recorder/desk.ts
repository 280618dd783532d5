// The recorder of one task: ready, testing, recording, recorded, sending, sent.
import type { Kept, Keeper } from "./kept";
import { Loudness } from "./loudness";
import { Microphone, microphones, whyNot } from "./microphone";
import type { Queue } from "./queue";
import { send } from "./sending";

type State = "ready" | "asking" | "testing" | "recording" | "recorded" | "sending" | "waiting" | "refused" | "sent";

const TYPES = ["audio/webm;codecs=opus", "audio/mp4;codecs=mp4a.40.2", "audio/mp4", "audio/ogg;codecs=opus"];
const BITS = 128_000;
const CHUNK_MS = 1000;

export class Desk {
  #place: HTMLElement;
  #keeper: Keeper;
  #queue: Queue;
  #loudness: Loudness;
  #microphone: Microphone | null = null;
  #recorder: MediaRecorder | null = null;
  #kept: Kept | null = null;
  #chunks: Promise<void>[] = [];
  #clock = 0;
  #state: State = "ready";
  #focused: HTMLElement | null = null;
  #letGo = () => {};
  #awake: WakeLockSentinel | null = null;

  constructor(place: HTMLElement, keeper: Keeper, queue: Queue) {
    this.#place = place;
    this.#keeper = keeper;
    this.#queue = queue;
    this.#loudness = new Loudness(place);
    const actions: Record<string, () => Promise<void>> = {
      test: () => this.#test(),
      endtest: async () => this.#rest(),
      record: () => this.#record(),
      stop: async () => this.#stop(),
      send: () => this.#send(),
      again: () => this.#again(),
    };
    for (const [name, action] of Object.entries(actions)) {
      this.#one(`[data-do="${name}"]`).addEventListener("click", () => void action());
    }
    this.#one<HTMLSelectElement>("#microphone").addEventListener("change", () => {
      if (this.#state === "testing") void this.#test();
    });
    addEventListener("beforeunload", (event) => {
      if (this.#state === "recording" || (!keeper.lasting && this.#kept)) event.preventDefault();
    });
    queue.onSent = (id, address) => {
      if (id === this.#kept?.id) this.#arrived(address);
    };
    place.hidden = false;
    void fetch(place.dataset.meter!).catch(() => {});
    if (!navigator.mediaDevices || !("MediaRecorder" in globalThis)) this.#problem("unsupported");
    this.#become("ready");
  }

  #one<T extends HTMLElement>(selector: string): T {
    return this.#place.querySelector<T>(selector)!;
  }

  #become(state: State): void {
    const focused = document.activeElement;
    if (this.#place.contains(focused) && focused?.closest("[data-when]")) this.#focused = focused as HTMLElement;
    this.#state = state;
    this.#place.dataset.state = state;
    for (const part of this.#place.querySelectorAll<HTMLElement>("[data-when]")) {
      part.hidden = !part.dataset.when!.split(" ").includes(state);
    }
    const terms = [...this.#place.querySelectorAll("[data-words] dt")];
    const words = terms.find((term) => term.textContent === state)?.nextElementSibling?.textContent ?? "";
    this.#one("[data-say]").textContent = words;
    // A pressed button that goes away hands the focus to the next thing to do, now or when there is one.
    const next = this.#place.querySelector<HTMLElement>(".recbuttons button:not([hidden])");
    if (this.#focused?.hidden && next) next.focus();
    if (next) this.#focused = null;
  }

  #problem(name: string): void {
    for (const part of this.#place.querySelectorAll<HTMLElement>("[data-problem]")) part.hidden = part.dataset.problem !== name;
  }

  async #open(): Promise<Microphone | null> {
    this.#problem("");
    if (this.#microphone) return this.#microphone;
    const before = this.#state;
    this.#become("asking");
    try {
      const opened = await Microphone.open(this.#one<HTMLSelectElement>("#microphone").value);
      this.#microphone = opened;
      opened.track.addEventListener("ended", () => this.#lost(opened));
      this.#showSettings(opened);
      await this.#offer(opened);
      this.#loudness.forget();
      // Without the meter (its script cannot be had while the line is lost) one can record all the same.
      await opened.listen(this.#place.dataset.meter!, (block, rate) => void this.#loudness.hear(block, rate)).catch(() => {});
      return opened;
    } catch (error) {
      this.#closeMicrophone();
      this.#become(before === "testing" ? "ready" : before);
      this.#problem(whyNot(error));
      return null;
    }
  }

  #closeMicrophone(): void {
    this.#microphone?.close();
    this.#microphone = null;
  }

  #showSettings(microphone: Microphone): void {
    const told = microphone.settings();
    this.#one("[data-settings]").hidden = false;
    for (const row of this.#place.querySelectorAll<HTMLElement>("[data-setting]")) {
      const value = told[row.dataset.setting!];
      const is = value === false ? "off" : value === true ? "on" : "unknown";
      for (const part of row.querySelectorAll<HTMLElement>("[data-is]")) part.hidden = part.dataset.is !== is;
    }
  }

  async #offer(microphone: Microphone): Promise<void> {
    const select = this.#one<HTMLSelectElement>("#microphone");
    const found = await microphones();
    const now = microphone.track.getSettings().deviceId ?? "";
    select.replaceChildren(...found.map((device) => new Option(device.label, device.deviceId, false, device.deviceId === now)));
    this.#one("[data-microphones]").hidden = found.length < 2;
  }

  async #test(): Promise<void> {
    this.#closeMicrophone();
    if (await this.#open()) this.#become("testing");
  }

  #rest(): void {
    this.#closeMicrophone();
    this.#become("ready");
  }

  async #record(): Promise<void> {
    const microphone = await this.#open();
    if (!microphone) return;
    const type = TYPES.find((each) => MediaRecorder.isTypeSupported(each));
    const recorder = new MediaRecorder(microphone.stream, { audioBitsPerSecond: BITS, ...(type ? { mimeType: type } : {}) });
    const kept: Kept = {
      id: crypto.randomUUID(),
      task: this.#place.dataset.task!,
      title: this.#place.dataset.title!,
      type: recorder.mimeType,
      settings: microphone.settings(),
      madeBy: "",
      begunAt: Date.now(),
      state: "recorded",
    };
    this.#recorder = recorder;
    this.#kept = kept;
    this.#queue.own = kept.id;
    this.#chunks = [];
    void navigator.locks.request(`vivavoce-record-${kept.id}`, () => new Promise<void>((done) => (this.#letGo = done)));
    await this.#keeper.keep(kept);
    if (!this.#keeper.lasting) this.#problem("memory");
    let place = 0;
    recorder.ondataavailable = (event) => {
      // Kept second by second, so that a crash costs the last one only.
      if (event.data.size) this.#chunks.push(this.#keeper.add(kept.id, place++, event.data));
    };
    recorder.onstop = () => void this.#recorded();
    recorder.start(CHUNK_MS);
    const begun = performance.now();
    this.#tick(0);
    this.#clock = setInterval(() => {
      const seconds = Math.floor((performance.now() - begun) / 1000);
      this.#tick(seconds);
      if (seconds >= Number(this.#place.dataset.longest)) this.#stop();
    }, 200);
    this.#awake = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
    this.#become("recording");
    // On a small screen the button lies under the text: what is to be read comes back into sight.
    const text = document.querySelector(".taskasked");
    if (text && text.getBoundingClientRect().top < 0) text.scrollIntoView({ block: "start" });
  }

  #tick(seconds: number): void {
    this.#one("[data-clock]").textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }

  #stop(): void {
    clearInterval(this.#clock);
    void this.#awake?.release();
    if (this.#recorder?.state === "recording") this.#recorder.stop();
    this.#closeMicrophone();
  }

  #lost(microphone: Microphone): void {
    // A track that this page stops itself tells no end.
    if (microphone !== this.#microphone) return;
    if (this.#state === "recording") this.#stop();
    else this.#rest();
    this.#problem("lost");
  }

  async #recorded(): Promise<void> {
    const kept = this.#kept!;
    await Promise.allSettled(this.#chunks);
    const sound = await this.#keeper.sound(kept);
    if (sound.size === 0) {
      await this.#forget();
      this.#become("ready");
      this.#problem("nothing");
      return;
    }
    this.#offerToListen(sound);
    this.#become("recorded");
    if (!this.#keeper.lasting) this.#problem("memory");
  }

  #offerToListen(sound: Blob): void {
    const audio = this.#one<HTMLAudioElement>("audio.listen");
    const far = 1e9;
    // Recorders write no length: the player finds it when it is sent beyond the end and back.
    audio.onloadedmetadata = () => {
      if (audio.duration !== Infinity) return;
      audio.onseeked = () => {
        audio.onseeked = null;
        audio.currentTime = 0;
      };
      audio.currentTime = far;
    };
    audio.src = URL.createObjectURL(sound);
  }

  async #send(): Promise<void> {
    const kept = this.#kept!;
    this.#problem("");
    kept.madeBy = this.#one<HTMLInputElement>("#rec-by").value;
    kept.state = "waiting";
    await this.#keeper.keep(kept);
    this.#become("sending");
    const outcome = await send(this.#keeper, kept);
    if (outcome.kind === "sent") this.#arrived(outcome.address);
    else if (outcome.kind === "refused") {
      kept.state = "refused";
      for (const part of this.#place.querySelectorAll<HTMLElement>("[data-error]")) {
        part.textContent = outcome.error[part.dataset.error as keyof typeof outcome.error];
      }
      this.#become("refused");
      this.#problem("refused");
    } else this.#become("waiting");
  }

  #arrived(address: string): void {
    this.#kept = null;
    this.#letGo();
    this.#become("sent");
    location.assign(address);
  }

  async #again(): Promise<void> {
    // What was already sent and only waits for the server stays in the list below.
    if (this.#kept?.state === "waiting") {
      this.#letGo();
      this.#kept = null;
      this.#queue.own = "";
      await this.#queue.show();
    } else await this.#forget();
    await this.#record();
  }

  async #forget(): Promise<void> {
    const kept = this.#kept;
    this.#kept = null;
    this.#letGo();
    const audio = this.#one<HTMLAudioElement>("audio.listen");
    URL.revokeObjectURL(audio.src);
    audio.removeAttribute("src");
    if (kept) await this.#keeper.drop(kept.id);
  }
}
