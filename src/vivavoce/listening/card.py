"""The model card of the local listener, made of what training measured: `vivavoce judge --about local`."""

from __future__ import annotations

from vivavoce.listening.ear import FILE, trained
from vivavoce.listening.intervals import COVERAGE
from vivavoce.listening.result import SCALES
from vivavoce.listening.work import VERSION


def card() -> str:
    """Return the card as plain text."""
    found = trained()
    return "\n".join([_HEAD.format(version=VERSION, file=FILE, sha256=found.sha256), _figures(), _TAIL])


def _figures() -> str:
    """The tables that training printed: agreement on speakers that were not heard, by group."""
    told = trained().facts["told"]
    lines = ["Agreement with the experts on speakers it had not heard (folds by speaker, train split)"]
    for source, title in (("reference", "text known"), ("recogniser", "the recogniser's own words as text")):
        rows = told[source]
        lines.append(f"  {title}: Pearson with the experts' mean / rounded median, mean absolute error")
        lines.append("    " + "".ljust(22) + "".join(scale.rjust(20) for scale in SCALES))
        for group, row in rows.items():
            cells = (f"{row[s]['mean']:.3f} / {row[s]['median']:.3f}, {row[s]['mae']:.2f}".rjust(20) for s in SCALES)
            lines.append("    " + f"{group} ({row['n']})".ljust(22) + "".join(cells))
    lines.append(
        f"Intervals are made to hold the experts' median {COVERAGE:.0%} of the time; on held-out speakers they did"
    )
    covered = (f"{scale} {told['coverage']['reference'][scale]:.1%}" for scale in SCALES)
    lines.append("  " + ", ".join(covered) + ".")
    shares = {kind: f"{row['doubted'] / row['of']:.1%} of {row['of']}" for kind, row in told["text"].items()}
    lines.append(
        f"It doubts {shares['exchanged']} recordings with an exchanged text, and {shares['own']} with their own."
    )
    return "\n".join(lines)


_HEAD = """The local listener, version {version}
  Weights {file}, SHA-256 {sha256}
What it does
  Hears a recording whose words are known and estimates, on this computer and without a network, what five experts would
  say of its accuracy (pronunciation), fluency, prosody and the whole, 0 to 10; of each word, how well it was said and
  whether it was read as written; of each sound, whether it was right.
How
  PocketSphinx's acoustic model aligns the words, twice, the second time with formants lowered by 15 % for children;
  Whisper says how likely it finds the words and what it hears freely. Small transformers over the sounds and a linear
  model over the whole were trained on the experts' values (docs/listening.md; train/).
Data and licence
  Trained on speechocean762 (Zhang et al. 2021, "speechocean762: An Open-Source Non-native English Speech Corpus For
  Pronunciation Assessment"), licence CC BY 4.0, by SpeechOcean and Xiaomi: 2,180 read sentences of 109 speakers of
  Mandarin aged 6 to 43, scored by five experts. The weights are derived from it; the corpus itself is not included."""

_TAIL = """Limits
  All speakers it learned from have Mandarin as their first language and read single sentences of 1 to 20 words in a
  quiet room. Other first languages, other accents, spontaneous speech and long readings are beyond what was measured.
  Within one speaker, and within children, it tells better from worse far less surely than between all speakers.
  Extremes are drawn to the middle: weak readings come out too high, the best too low.
  With the recogniser's own words as text, a word that it misheard passes for the one that was meant.
  A second speaker is noticed only where the voices of two stretches lie 7 semitones apart: of pairs, a third.
  It does not understand what is said. It must not decide alone about a person."""
