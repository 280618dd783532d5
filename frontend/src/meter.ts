// An AudioWorklet: hands on the sound of the microphone as 16-bit samples, a quarter of a second at a time.
// How loud that is, the engine says.
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, made: new () => AudioWorkletProcessor): void;
declare const sampleRate: number;

class Meter extends AudioWorkletProcessor {
  #block = new Int16Array(Math.floor(sampleRate / 4));
  #filled = 0;

  process(inputs: Float32Array[][]): boolean {
    for (const sample of inputs[0]?.[0] ?? []) {
      this.#block[this.#filled++] = Math.max(-32768, Math.min(32767, Math.round(sample * 32768)));
      if (this.#filled === this.#block.length) {
        const block = this.#block;
        this.#block = new Int16Array(block.length);
        this.#filled = 0;
        this.port.postMessage(block, [block.buffer]);
      }
    }
    return true;
  }
}

registerProcessor("vivavoce-meter", Meter);
