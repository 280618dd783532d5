// One recording to the server. Its id is the key under which the server takes it once, however often it is sent.
import type { Kept, Keeper } from "./kept";

export interface Fault {
  found: string;
  allowed: string;
  remedy: string;
}

export type Outcome = { kind: "sent"; address: string } | { kind: "unreachable" } | { kind: "refused"; error: Fault } | { kind: "busy" };

export function fileName(kept: Kept): string {
  const ending = /mp4|aac/.test(kept.type) ? "m4a" : /ogg/.test(kept.type) ? "ogg" : "webm";
  return `recording.${ending}`;
}

export async function send(keeper: Keeper, kept: Kept): Promise<Outcome> {
  // Two tabs of this browser do not send the same recording at the same time.
  return navigator.locks.request(`vivavoce-send-${kept.id}`, { ifAvailable: true }, async (lock) => {
    if (!lock) return { kind: "busy" };
    if (!(await keeper.find(kept.id))) return { kind: "busy" };
    const form = new FormData();
    form.append("key", kept.id);
    form.append("task", kept.task);
    form.append("made_by", kept.madeBy);
    form.append("settings", JSON.stringify(kept.settings));
    form.append("recording", await keeper.sound(kept), fileName(kept));
    let answer: Response;
    try {
      answer = await fetch("/attempts", { method: "POST", body: form, headers: { Accept: "application/json" } });
    } catch {
      await keeper.keep({ ...kept, state: "waiting" });
      return { kind: "unreachable" };
    }
    if (answer.ok) {
      const said = (await answer.json()) as { attempt: { address: string } };
      await keeper.drop(kept.id);
      return { kind: "sent", address: said.attempt.address };
    }
    if (answer.status >= 500) {
      await keeper.keep({ ...kept, state: "waiting" });
      return { kind: "unreachable" };
    }
    const error = ((await answer.json()) as { error: Fault }).error;
    await keeper.keep({ ...kept, state: "refused", error: error.found });
    return { kind: "refused", error };
  });
}
