// The record pages: the recorder, what waits to be sent, and dropping a file on the form.
import { Desk } from "./recorder/desk";
import { Keeper } from "./recorder/kept";
import { Queue } from "./recorder/queue";

function dropping(form: HTMLFormElement): void {
  const input = form.querySelector<HTMLInputElement>('input[type="file"]')!;
  form.querySelector<HTMLElement>("[data-drop-hint]")!.hidden = false;
  form.addEventListener("dragover", (event) => {
    event.preventDefault();
    form.dataset.over = "yes";
  });
  form.addEventListener("dragleave", () => delete form.dataset.over);
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    delete form.dataset.over;
    if (event.dataTransfer?.files.length) input.files = event.dataTransfer.files;
    input.focus();
  });
}

const keeper = await Keeper.open();
const queue = new Queue(keeper);
const place = document.querySelector<HTMLElement>("#recorder");
if (place) new Desk(place, keeper, queue);
const form = document.querySelector<HTMLFormElement>("form[data-drop]");
if (form) dropping(form);
await queue.sendWaiting();
