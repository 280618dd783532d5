// Recordings kept in this browser until the server has them: IndexedDB, or memory where there is none.
export type Settings = Record<string, boolean | number | null>;

export interface Kept {
  id: string;
  task: string;
  title: string;
  type: string;
  settings: Settings;
  madeBy: string;
  begunAt: number;
  // recorded: the person has not sent it. waiting: they have, and it has not arrived. refused: the server said no.
  state: "recorded" | "waiting" | "refused";
  error?: string;
}

interface Chunk {
  id: string;
  place: number;
  sound: Blob;
}

interface Held {
  kept: Kept | null;
  chunks: Chunk[];
}

const NAME = "vivavoce";

export class Keeper {
  #database: IDBDatabase | null;
  // What the browser's store did not take (none there, or no room): it lasts as long as this page.
  #memory = new Map<string, Held>();

  private constructor(database: IDBDatabase | null) {
    this.#database = database;
  }

  static open(): Promise<Keeper> {
    return new Promise((done) => {
      let asked: IDBOpenDBRequest;
      try {
        asked = indexedDB.open(NAME, 1);
      } catch {
        done(new Keeper(null));
        return;
      }
      asked.onupgradeneeded = () => {
        asked.result.createObjectStore("kept", { keyPath: "id" });
        asked.result.createObjectStore("chunks", { keyPath: ["id", "place"] });
      };
      asked.onsuccess = () => done(new Keeper(asked.result));
      asked.onerror = () => done(new Keeper(null));
    });
  }

  // Whether all that is kept outlives this page.
  get lasting(): boolean {
    return this.#database !== null && this.#memory.size === 0;
  }

  async all(): Promise<Kept[]> {
    const stored = this.#database ? await this.#ask<Kept[]>(["kept"], "readonly", (at) => at.objectStore("kept").getAll()) : [];
    const found = new Map(stored.map((kept) => [kept.id, kept]));
    for (const [id, held] of this.#memory) if (held.kept) found.set(id, held.kept);
    return [...found.values()].sort((a, b) => a.begunAt - b.begunAt);
  }

  async find(id: string): Promise<Kept | undefined> {
    return (await this.all()).find((kept) => kept.id === id);
  }

  async keep(kept: Kept): Promise<void> {
    const put = () => this.#ask(["kept"], "readwrite", (at) => at.objectStore("kept").put(kept));
    if (!(await this.#stored(put))) this.#held(kept.id).kept = kept;
  }

  async add(id: string, place: number, sound: Blob): Promise<void> {
    const chunk: Chunk = { id, place, sound };
    const put = () => this.#ask(["chunks"], "readwrite", (at) => at.objectStore("chunks").put(chunk));
    if (!(await this.#stored(put))) this.#held(id).chunks.push(chunk);
  }

  async sound(kept: Kept): Promise<Blob> {
    const range = IDBKeyRange.bound([kept.id, 0], [kept.id, Infinity]);
    const stored = this.#database
      ? await this.#ask<Chunk[]>(["chunks"], "readonly", (at) => at.objectStore("chunks").getAll(range))
      : [];
    const chunks = [...stored, ...(this.#memory.get(kept.id)?.chunks ?? [])].sort((a, b) => a.place - b.place);
    return new Blob(
      chunks.map((chunk) => chunk.sound),
      { type: kept.type },
    );
  }

  async drop(id: string): Promise<void> {
    this.#memory.delete(id);
    if (!this.#database) return;
    await this.#ask(["kept", "chunks"], "readwrite", (at) => {
      at.objectStore("chunks").delete(IDBKeyRange.bound([id, 0], [id, Infinity]));
      return at.objectStore("kept").delete(id);
    });
  }

  #held(id: string): Held {
    const held = this.#memory.get(id) ?? { kept: null, chunks: [] };
    this.#memory.set(id, held);
    return held;
  }

  async #stored(put: () => Promise<unknown>): Promise<boolean> {
    if (!this.#database) return false;
    try {
      await put();
      return true;
    } catch {
      return false;
    }
  }

  #ask<T>(stores: string[], mode: IDBTransactionMode, what: (at: IDBTransaction) => IDBRequest): Promise<T> {
    return new Promise((done, failed) => {
      const at = this.#database!.transaction(stores, mode, { durability: "strict" });
      const request = what(at);
      at.oncomplete = () => done(request.result as T);
      at.onerror = at.onabort = () => failed(at.error ?? new Error("the browser's store"));
    });
  }
}
