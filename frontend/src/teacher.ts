// The teacher's pages: a button beside each phrase plays that stretch of the recording.
const sound = document.querySelector<HTMLAudioElement>(".listen audio");
let until: number | null = null;

function hear(button: HTMLElement): void {
  if (!sound) return;
  until = Number(button.dataset["end"]);
  sound.currentTime = Number(button.dataset["start"]);
  void sound.play();
}

if (sound) {
  for (const button of document.querySelectorAll<HTMLElement>("button.hear")) {
    button.hidden = false;
    button.addEventListener("click", () => hear(button));
  }
  sound.addEventListener("timeupdate", () => {
    if (until !== null && sound.currentTime >= until) sound.pause();
  });
  // Paused at the end of the stretch or by hand: what is played next goes on to its own end.
  sound.addEventListener("pause", () => (until = null));
}
