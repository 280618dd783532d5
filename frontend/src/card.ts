// The card's player: wavesurfer draws the outline that the server worked out and plays the recording. Places, times and
// clock readings come from the page; nothing is computed here.
import WaveSurfer from "wavesurfer.js";

interface PlayerData {
  duration: number;
  peaks: number[][];
  clocks: string[];
}

interface Said {
  element: HTMLElement;
  start: number;
  end: number;
}

const byId = <T extends HTMLElement>(id: string): T => {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no #${id} on the page`);
  return found as T;
};

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const colours = () => ({ waveColor: colour("--wave"), progressColor: colour("--link"), cursorColor: "transparent" });

const unplayable = (): void => {
  byId("unplayable").hidden = false;
};

/** Playing may be cut short by the next word, which is no fault; a recording that cannot be played is told. */
const playing = (begun: Promise<void>): void => {
  begun.catch((error: unknown) => {
    if (!(error instanceof DOMException && error.name === "AbortError")) unplayable();
  });
};

function start(): void {
  const sound = byId<HTMLAudioElement>("sound");
  const data = JSON.parse(byId("player-data").textContent ?? "") as PlayerData;
  const wave = byId("wave");
  const player = byId("player");
  player.hidden = false;
  document.body.classList.add("plays");
  const surfer = WaveSurfer.create({
    container: wave,
    media: sound,
    peaks: data.peaks,
    duration: data.duration,
    height: Number(wave.dataset["height"]),
    dragToSeek: true,
    hideScrollbar: true,
    ...colours(),
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => surfer.setOptions(colours()));
  sound.addEventListener("error", unplayable);
  if (sound.error) unplayable();
  buttons(surfer, data);
  words(surfer);
}

function buttons(surfer: WaveSurfer, data: PlayerData): void {
  const play = byId<HTMLButtonElement>("play");
  const seek = byId<HTMLInputElement>("seek");
  const strip = byId("strip");
  const cursor = byId("cursor");
  play.addEventListener("click", () => playing(surfer.playPause()));
  const told = () => {
    play.classList.toggle("playing", surfer.isPlaying());
    byId("play-name").textContent = surfer.isPlaying() ? "Pause" : "Play";
  };
  surfer.on("play", told);
  surfer.on("pause", told);
  surfer.on("finish", told);
  surfer.on("timeupdate", () => {
    // At the end the event tells the length, though the reader may have gone back since.
    const time = surfer.getCurrentTime();
    const clock = data.clocks[Math.floor(time)] ?? data.clocks.at(-1) ?? "";
    byId("clock").textContent = clock;
    seek.value = String(time);
    seek.setAttribute("aria-valuetext", clock);
    strip.style.setProperty("--now", String(time));
    if (surfer.isPlaying() && strip.dataset["size"] !== "whole") {
      keepInView(cursor);
    }
  });
  seek.addEventListener("input", () => surfer.setTime(seek.valueAsNumber));
  for (const speed of document.querySelectorAll<HTMLInputElement>("input[name=speed]")) {
    speed.addEventListener("change", () => surfer.setPlaybackRate(Number(speed.value), true));
  }
  for (const size of document.querySelectorAll<HTMLInputElement>("input[name=size]")) {
    size.addEventListener("change", () => {
      strip.dataset["size"] = size.value;
      keepInView(cursor);
    });
  }
}

/** Move the strip, and nothing else, so that the cursor is seen. */
function keepInView(cursor: HTMLElement): void {
  const frame = cursor.closest(".soundstrip");
  if (!frame) return;
  const seen = frame.getBoundingClientRect();
  const place = cursor.getBoundingClientRect();
  if (place.left < seen.left || place.right > seen.right) {
    frame.scrollBy({ left: place.left - seen.left, behavior: "instant" });
  }
}

/** Words become buttons: one stop for Tab, arrow keys between them, Enter or Space to hear. */
function words(surfer: WaveSurfer): void {
  const text = document.getElementById("spoken-text");
  const all = [...(text?.querySelectorAll<HTMLElement>(".say") ?? [])];
  const status = document.getElementById("word-status");
  const hint = document.querySelector<HTMLElement>(".hearhint");
  if (!text || !status || !hint || all.length === 0) return;
  hint.hidden = false;
  const said: Said[] = [];
  for (const element of all) {
    element.setAttribute("role", "button");
    element.tabIndex = -1;
    if (element.dataset["start"] === undefined) element.setAttribute("aria-disabled", "true");
    else said.push({ element, start: Number(element.dataset["start"]), end: Number(element.dataset["end"]) });
  }
  let at = 0;
  const move = (to: number): void => {
    const next = all[to];
    if (!next) return;
    all[at]?.setAttribute("tabindex", "-1");
    next.tabIndex = 0;
    at = to;
    next.focus();
  };
  const hear = (element: HTMLElement): void => {
    const found = said.find((one) => one.element === element);
    status.textContent = found ? "" : `“${element.textContent}” was not heard, so there is nothing to play.`;
    if (found) playing(surfer.play(found.start, found.end));
  };
  all[0]?.setAttribute("tabindex", "0");
  text.addEventListener("click", (event) => {
    const element = (event.target as Element).closest<HTMLElement>(".say");
    if (!element) return;
    move(all.indexOf(element));
    hear(element);
  });
  const steps: Record<string, () => number> = {
    ArrowRight: () => at + 1,
    ArrowDown: () => at + 1,
    ArrowLeft: () => at - 1,
    ArrowUp: () => at - 1,
    Home: () => 0,
    End: () => all.length - 1,
  };
  text.addEventListener("keydown", (event) => {
    const element = (event.target as Element).closest<HTMLElement>(".say");
    if (!element || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = steps[event.key];
    if (step) move(step());
    else if (event.key === "Enter" || event.key === " ") hear(element);
    else return;
    event.preventDefault();
  });
  follow(surfer, said);
}

/** Mark the words that are being heard. */
function follow(surfer: WaveSurfer, said: Said[]): void {
  let marked: Said[] = [];
  const mark = (time: number): void => {
    const now = surfer.isPlaying() ? said.filter((one) => one.start <= time && time < one.end) : [];
    for (const one of marked) if (!now.includes(one)) one.element.classList.remove("now");
    for (const one of now) one.element.classList.add("now");
    marked = now;
  };
  surfer.on("timeupdate", mark);
  surfer.on("pause", () => mark(surfer.getCurrentTime()));
}

start();
