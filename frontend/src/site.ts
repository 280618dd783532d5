// Every page: htmx, and what all forms share.
import "htmx.org";

// Without an answer a page would show what belongs to other inputs: it keeps what it shows, and says so. What the server
// shows next takes the words away.
for (const name of ["htmx:error", "htmx:response:error"]) {
  document.addEventListener(name, () => {
    const place = document.querySelector(".stale");
    if (place !== null) place.textContent = "Not up to date: the server did not answer the last change. Change it again, or load the page anew.";
  });
}
