// The microphone: asked for as it is, without the browser's own treatment, and what the browser made of that.
import type { Settings } from "./kept";

const UNTREATED = ["autoGainControl", "noiseSuppression", "echoCancellation"] as const;

export class Microphone {
  readonly stream: MediaStream;
  #context: AudioContext | null = null;

  private constructor(stream: MediaStream) {
    this.stream = stream;
  }

  static async open(device: string): Promise<Microphone> {
    const wanted: MediaTrackConstraints & { voiceIsolation?: boolean } = { voiceIsolation: false };
    for (const name of UNTREATED) wanted[name] = false;
    if (device) wanted.deviceId = { ideal: device };
    return new Microphone(await navigator.mediaDevices.getUserMedia({ audio: wanted, video: false }));
  }

  get track(): MediaStreamTrack {
    return this.stream.getAudioTracks()[0]!;
  }

  // What the browser says it does; null where it does not say.
  settings(): Settings {
    const said = this.track.getSettings();
    const told: Settings = {};
    for (const name of UNTREATED) {
      // Some name the kind of cancelling instead of saying yes.
      const value: boolean | string | undefined = said[name];
      told[name] = typeof value === "string" ? true : (value ?? null);
    }
    told.sampleRate = said.sampleRate ?? null;
    told.channelCount = said.channelCount ?? null;
    return told;
  }

  // Hands on the sound in blocks of a quarter second with their rate.
  async listen(meter: string, heard: (block: Int16Array, rate: number) => void): Promise<void> {
    this.#context = new AudioContext();
    await this.#context.audioWorklet.addModule(meter);
    const node = new AudioWorkletNode(this.#context, "vivavoce-meter", { numberOfOutputs: 0 });
    const rate = this.#context.sampleRate;
    node.port.onmessage = (message: MessageEvent<Int16Array>) => heard(message.data, rate);
    this.#context.createMediaStreamSource(this.stream).connect(node);
    await this.#context.resume();
  }

  close(): void {
    for (const track of this.stream.getTracks()) track.stop();
    void this.#context?.close();
    this.#context = null;
  }
}

// Which of the page's words for a fault fits.
export function whyNot(error: unknown): string {
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return "denied";
  if (name === "NotFoundError" || name === "OverconstrainedError") return "none";
  return "busy";
}

export async function microphones(): Promise<MediaDeviceInfo[]> {
  return (await navigator.mediaDevices.enumerateDevices()).filter((device) => device.kind === "audioinput" && device.label);
}
