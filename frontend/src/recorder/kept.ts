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

const NAME = "vivavoce";

export class Keeper {
  #database: IDBDatabase | null;
  #memory = new Map<string, { kept: Kept; chunks: Blob[] }>();

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

  get lasting(): boolean {
    return this.#database !== null;
  }

  async all(): Promise<Kept[]> {
    const found = this.#database
      ? await this.#ask<Kept[]>(["kept"], "readonly", (at) => at.objectStore("kept").getAll())
      : [...this.#memory.values()].map((held) => held.kept);
    return found.sort((a, b) => a.begunAt - b.begunAt);
  }

  async find(id: string): Promise<Kept | undefined> {
    return (await this.all()).find((kept) => kept.id === id);
  }

  async keep(kept: Kept): Promise<void> {
    if (this.#database) {
      await this.#ask(["kept"], "readwrite", (at) => at.objectStore("kept").put(kept));
      return;
    }
    this.#memory.set(kept.id, { kept, chunks: this.#memory.get(kept.id)?.chunks ?? [] });
  }

  async add(id: string, place: number, sound: Blob): Promise<void> {
    if (this.#database) {
      const chunk: Chunk = { id, place, sound };
      await this.#ask(["chunks"], "readwrite", (at) => at.objectStore("chunks").put(chunk));
      return;
    }
    this.#memory.get(id)?.chunks.push(sound);
  }

  async sound(kept: Kept): Promise<Blob> {
    const range = IDBKeyRange.bound([kept.id, 0], [kept.id, Infinity]);
    const chunks = this.#database
      ? (await this.#ask<Chunk[]>(["chunks"], "readonly", (at) => at.objectStore("chunks").getAll(range))).map((c) => c.sound)
      : (this.#memory.get(kept.id)?.chunks ?? []);
    return new Blob(chunks, { type: kept.type });
  }

  async drop(id: string): Promise<void> {
    this.#memory.delete(id);
    if (!this.#database) return;
    await this.#ask(["kept", "chunks"], "readwrite", (at) => {
      at.objectStore("chunks").delete(IDBKeyRange.bound([id, 0], [id, Infinity]));
      return at.objectStore("kept").delete(id);
    });
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
