// The meter: sends the last two seconds to the engine and shows what it answers.
interface Level {
  state: string;
  title: string;
  advice: string;
  shown: string;
  place: number;
}

const BLOCKS = 8;
// How long a state must last before it is read out.
const SAID_AFTER = 3;

export class Loudness {
  #place: HTMLElement;
  #blocks: Int16Array[] = [];
  #asking = false;
  #state = "";
  #lasted = 0;

  constructor(place: HTMLElement) {
    this.#place = place;
  }

  forget(): void {
    this.#blocks = [];
    this.#state = "";
  }

  async hear(block: Int16Array, rate: number): Promise<void> {
    this.#blocks = [...this.#blocks, block].slice(-BLOCKS);
    if (this.#asking) return;
    this.#asking = true;
    try {
      const answer = await fetch(`/recorder/level?rate=${rate}`, {
        method: "POST",
        body: new Blob(this.#blocks as BlobPart[]),
        headers: { Accept: "application/json", "Content-Type": "application/octet-stream" },
      });
      if (answer.ok) this.#show((await answer.json()) as Level);
    } catch {
      // The server cannot be reached: the needle stays where it is, the recording goes on.
    } finally {
      this.#asking = false;
    }
  }

  #show(level: Level): void {
    this.#part("needle").style.left = `${level.place}%`;
    this.#part("title").textContent = level.title;
    this.#part("advice").textContent = level.advice;
    this.#part("shown").textContent = level.shown;
    this.#place.dataset.level = level.state;
    this.#lasted = level.state === this.#state ? this.#lasted + 1 : 0;
    this.#state = level.state;
    if (this.#lasted === SAID_AFTER) this.#part("said").textContent = `${level.title}. ${level.advice}`;
  }

  #part(name: string): HTMLElement {
    return this.#place.querySelector<HTMLElement>(`[data-level="${name}"]`)!;
  }
}
