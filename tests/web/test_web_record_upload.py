"""Sending by hand: what is taken, what is refused by name, and that nothing of what is refused stays."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest
from record_tools import BOUNDARY, SONNET, Scoring, ask, form, send, sine, spoken, wav
from web_tools import Site

from vivavoce.audio.waveform import decode
from vivavoce.measures.recording import measure
from vivavoce.timeline import Transcript
from vivavoce.web.record import upload
from vivavoce.web.record.upload import safe_name

KIND = f"multipart/form-data; boundary={BOUNDARY}"


@pytest.fixture
def site(held: tuple[Site, Scoring]) -> Site:
    """The site with nothing in it."""
    for attempt in held[0].store.attempts():
        held[0].store.delete(attempt.id)
    return held[0]


def left_over(site: Site) -> list[Path]:
    return [*(site.store.folder / "incoming").iterdir(), *(site.store.folder / "attempts").iterdir()]


def test_a_recording_is_taken_as_it_is(site: Site) -> None:
    status, body, _ = send(site, SONNET.read_bytes(), made_by="  Ada \u202e\nLovelace ", settings="")
    assert status == 201
    attempt = site.store.attempt(body["attempt"]["id"])
    assert body["attempt"]["address"] == f"/attempts/{attempt.id}"
    assert (attempt.task_id, attempt.made_by, attempt.file_name, attempt.settings) == (
        "sonnet",
        "Ada Lovelace",
        "a.mp3",
        {},
    )
    assert site.store.recording(attempt.id).read_bytes() == SONNET.read_bytes()


def test_a_form_without_scripts_leads_to_the_progress(site: Site) -> None:
    status, _, headers = send(site, SONNET.read_bytes(), accept="text/html")
    assert (status, headers["location"]) == (303, f"/attempts/{site.store.attempts()[0].id}")
    status, page, _ = ask(site, "GET", headers["location"], accept="text/html")
    assert status == 200
    assert '<meta http-equiv="refresh"' in page
    assert "Your card is being made" in page


def test_the_same_sending_twice_is_one_attempt(site: Site) -> None:
    key = "same-key-of-the-sender"
    answers: list[str] = []

    def sends() -> None:
        answers.append(send(site, SONNET.read_bytes(), key=key)[1]["attempt"]["id"])

    threads = [threading.Thread(target=sends) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4
    assert len(set(answers)) == 1
    assert len(site.store.attempts()) == 1
    # One page that was loaded once may send another recording.
    assert send(site, b"RIFF" + SONNET.read_bytes(), key=key)[0] in (201, 422)
    assert send(site, wav_bytes(), key=key)[1]["attempt"]["id"] != answers[0]


def wav_bytes() -> bytes:
    samples = spoken(1.0)
    head = b"RIFF" + (36 + 2 * samples.size).to_bytes(4, "little") + b"WAVEfmt " + (16).to_bytes(4, "little")
    head += np.array([1, 1], "<u2").tobytes() + np.array([16000, 32000], "<u4").tobytes()
    head += np.array([2, 16], "<u2").tobytes() + b"data" + (2 * samples.size).to_bytes(4, "little")
    return head + samples.tobytes()


@pytest.mark.parametrize(
    ("file", "name", "code"),
    [
        (b"", "empty.wav", "audio_empty"),
        (b"Dear examiner, this is not a recording.\n" * 40, "letter.mp3", "audio_unreadable"),
        (b"\x89PNG\r\n\x1a\n" + bytes(500), "picture.wav", "audio_unreadable"),
        (b"#EXTM3U\nfile:///etc/passwd\n", "list.m3u", "audio_unreadable"),
        (b"\x00" * 5000, "zeros.webm", "audio_unreadable"),
        (None, "", "recording_missing"),
    ],
)
def test_what_is_no_recording_is_refused_by_name(site: Site, file: bytes | None, name: str, code: str) -> None:
    status, body, _ = send(site, file, name=name)
    assert (status, body["error"]["code"]) == (422, code)
    assert str(site.store.folder) not in json.dumps(body)
    assert left_over(site) == []
    status, page, _ = send(site, file, name=name, accept="text/html")
    assert status == 422
    assert code in page


def test_content_decides_and_not_the_name(site: Site) -> None:
    """A WAV that calls itself WebM, and an MP3 that calls itself a page."""
    for file, name in ((wav_bytes(), "reading.webm"), (SONNET.read_bytes(), "reading.html")):
        status, body, _ = send(site, file, name=name)
        assert status == 201
        assert site.store.recording(body["attempt"]["id"]).suffix != ".html"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../../etc/passwd", "passwd"),
        ("C:\\Users\\Ada\\reading.wav", "reading.wav"),
        ("read\u202egnp.wav", "readgnp.wav"),
        ("a\tb\x07.mp3", "a b.mp3"),
        ("..", "recording"),
        ("", "recording"),
        ("<b>.mp3", "<b>.mp3"),
        ("e\u0301.mp3", "\u00e9.mp3"),
    ],
)
def test_names_are_not_trusted(name: str, shown: str) -> None:
    assert safe_name(name.replace("\t", " ")) == shown


def test_a_long_name_keeps_its_ending() -> None:
    assert safe_name("x" * 5000 + ".flac").endswith("x.flac")
    assert len(safe_name("x" * 5000 + ".flac")) <= 100
    assert len(safe_name("x" * 5000)) <= 100


def test_a_hostile_name_is_shown_as_text(site: Site) -> None:
    _, body, _ = send(site, SONNET.read_bytes(), name="<script>x</script>.mp3", made_by="<i>Ada</i>")
    _, page, _ = ask(site, "GET", body["attempt"]["address"], accept="text/html")
    assert "<i>Ada" not in page
    assert "&lt;i&gt;Ada" in page


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"key": ""}, "key_unfit"),
        ({"key": "x" * 5000}, "key_unfit"),
        ({"key": "../../x/../../y/aaaa"}, "key_unfit"),
        ({"task": "no-such-task"}, "task_unknown"),
        ({"task": "../sonnet"}, "task_unknown"),
        ({"settings": "[1]"}, "upload_unfit"),
        ({"settings": "{" * 3000}, "upload_unfit"),
        ({"made_by": "x" * 20_000}, "upload_unfit"),
        ({str(number): "" for number in range(30)}, "upload_unfit"),
    ],
)
def test_fields_that_do_not_fit_are_refused(site: Site, fields: dict[str, str], code: str) -> None:
    status, body, _ = send(site, SONNET.read_bytes(), **fields)
    assert body["error"]["code"] == code
    assert status in (404, 422)
    assert left_over(site) == []


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", KIND),
        (b"nothing of a form", KIND),
        (form({"key": "k" * 20}, b"x" * 5000)[:-40], KIND),
        (form({}, b"x"), "multipart/form-data"),
        (form({}, b"x"), "multipart/form-data; boundary=" + "b" * 5000),
        (b"key=1", "application/x-www-form-urlencoded"),
        (b"{}", "application/json"),
        (b"x", ""),
    ],
)
def test_what_is_no_such_form_is_refused(site: Site, body: bytes, kind: str) -> None:
    status, told, _ = ask(site, "POST", "/attempts", body, kind=kind)
    assert (status, told["error"]["code"]) == (422, "upload_unfit")
    assert left_over(site) == []


def test_what_is_too_large_is_told_after_it_was_read(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "MAX_BYTES", 100_000)
    status, body, _ = send(site, bytes(8_000_000))
    assert (status, body["error"]["code"]) == (422, "upload_too_large")
    assert left_over(site) == []
    assert send(site, wav_bytes()[:90_000])[0] == 201


def test_the_limit_is_enough_for_an_hour_of_wav() -> None:
    assert upload.MAX_BYTES > 3600 * 48_000 * 2 * 3 + 44


def test_a_sender_who_goes_away_leaves_nothing(site: Site) -> None:
    place = urlsplit(site.url)
    with closing(socket.create_connection((place.hostname or "", place.port or 0))) as connection:
        head = (
            f"POST /attempts HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Type: {KIND}\r\nContent-Length: 900000\r\n\r\n"
        )
        connection.sendall(head.encode() + form({"key": "k" * 20}, bytes(50_000))[:40_000])
        end = time.monotonic() + 10
        while not list((site.store.folder / "incoming").iterdir()):
            assert time.monotonic() < end
            time.sleep(0.01)
    end = time.monotonic() + 10
    while left_over(site):
        assert time.monotonic() < end, "what was half sent is still there"
        time.sleep(0.02)


def test_settings_of_the_microphone_are_kept_and_said(site: Site) -> None:
    said = {"autoGainControl": True, "noiseSuppression": False, "deviceId": "secret", "sampleRate": 48000}
    _, body, _ = send(site, SONNET.read_bytes(), settings=json.dumps(said))
    attempt = site.store.attempt(body["attempt"]["id"])
    assert attempt.settings == {
        "autoGainControl": True,
        "noiseSuppression": False,
        "echoCancellation": None,
        "sampleRate": 48000,
        "channelCount": None,
    }
    _, page, _ = ask(site, "GET", body["attempt"]["address"], accept="text/html")
    assert "The browser kept automatic gain on" in page
    assert "noise suppression" not in page
    assert "The browser did not say whether echo cancellation was on" in page


def test_progress_failure_and_deletion(site: Site, held: tuple[Site, Scoring]) -> None:
    _, body, _ = send(site, SONNET.read_bytes())
    first = body["attempt"]["id"]
    second = send(site, wav_bytes())[1]["attempt"]["id"]
    end = time.monotonic() + 10
    while site.store.attempt(first).stage != "Hearing the words":
        assert time.monotonic() < end
        time.sleep(0.02)
    told = ask(site, "GET", f"/attempts/{first}")[1]["attempt"]
    assert (told["state"], told["stage"], told["progress"]) == ("working", "Hearing the words", 0.3)
    assert ask(site, "GET", f"/attempts/{second}")[1]["attempt"]["ahead"] == 1
    assert "One recording is before yours." in ask(site, "GET", f"/attempts/{second}", accept="text/html")[1]
    error = {"code": "noise", "where": "w", "found": "only <noise>", "allowed": "speech", "remedy": "speak"}
    site.store.fail(second, error)
    page = ask(site, "GET", f"/attempts/{second}", accept="text/html")[1]
    assert "only &lt;noise&gt;" in page
    assert "Score it again" in page
    assert "http-equiv" not in page
    assert ask(site, "POST", f"/attempts/{second}/again")[0] == 303
    assert site.store.attempt(second).state == "waiting"
    assert site.store.recording(second).read_bytes() == wav_bytes()
    assert ask(site, "GET", f"/cards/{second}/delete", accept="text/html")[0] == 200
    assert site.store.attempt(second).state == "waiting", "asking deletes nothing"
    for each in (first, second):
        assert ask(site, "POST", f"/cards/{each}/delete")[0] == 303
        assert ask(site, "GET", f"/attempts/{each}")[0] == 404
    assert left_over(site) == []


def test_done_leads_to_the_card(site: Site) -> None:
    attempt = site.store.attempt(send(site, SONNET.read_bytes())[1]["attempt"]["id"])
    site.store.keep_report(attempt.id, {})
    card = f"/cards/{attempt.id}"
    status, _, headers = ask(site, "GET", f"/attempts/{attempt.id}", accept="text/html")
    assert (status, headers["location"]) == (303, card)
    assert ask(site, "GET", f"/attempts/{attempt.id}")[1]["card"] == card
    with closing(http.client.HTTPConnection(urlsplit(site.url).netloc, timeout=30)) as connection:
        connection.request("GET", f"/attempts/{attempt.id}", headers={"HX-Request": "true", "Accept": "text/html"})
        assert connection.getresponse().getheader("HX-Redirect") == card


@pytest.mark.parametrize("rate", [8000, 16000, 44100, 48000])
@pytest.mark.parametrize("rms", [30, 1000, 12_000])
def test_the_meter_is_the_engines_scale(site: Site, rms: int, rate: int) -> None:
    """M7 by hand: 20 log10 of the RMS in 16-bit units; its place on a scale from 20 to 90 dB."""
    status, told, _ = ask(site, "POST", f"/recorder/level?rate={rate}", sine(rms, rate, 0.25))
    by_hand = 20 * np.log10(rms)
    assert status == 200
    assert told["level_db"] == pytest.approx(by_hand, abs=0.05)
    assert told["place"] == pytest.approx((by_hand - 20) / 70 * 100, abs=0.2)


def test_the_meter_says_what_the_card_says(site: Site, tmp_path: Path) -> None:
    """The voice's level on the meter is the measure that is scored, on the same sound."""
    samples = spoken(4.0, 3.0)
    told = ask(site, "POST", "/recorder/level?rate=16000", samples.tobytes())[1]
    measured = measure(decode(wav(tmp_path / "a.wav", samples)), Transcript(()))
    assert told["voice_db"] == pytest.approx(float(measured.measurements["level_db"].value or 0), abs=0.01)
    assert told["state"] == "good"


@pytest.mark.parametrize(
    ("gain", "state"), [(0.0, "dead"), (0.02, "quiet"), (0.3, "good"), (2.2, "loud"), (20.0, "clipped")]
)
def test_the_meter_in_words(site: Site, gain: float, state: str) -> None:
    """These seconds lie at 68.3 dB: 34 dB less is under 45, 6.8 dB more is over 75, 26 dB more is cut off."""
    samples = np.clip(spoken(2.0, 3.0) * gain, -32768, 32767).astype("<i2")
    assert ask(site, "POST", "/recorder/level?rate=16000", samples.tobytes())[1]["state"] == state


def test_steady_noise_is_no_voice(site: Site) -> None:
    noise = np.random.default_rng(7).normal(0, 300, 32000).astype("<i2").tobytes()
    assert ask(site, "POST", "/recorder/level?rate=16000", noise)[1]["state"] == "no_voice"


@pytest.mark.parametrize(
    ("query", "body", "code"),
    [
        ("rate=16000", b"", "level_unfit"),
        ("rate=16000", b"abc", "level_unfit"),
        ("rate=16000", bytes(200_000), "level_unfit"),
        ("rate=16000", bytes(9_000_000), "level_unfit"),
        ("rate=1", bytes(4), "level_unfit"),
        ("rate=-1", bytes(4), "level_unfit"),
        ("rate=x", bytes(4), "request_unfit"),
        ("", bytes(4), "request_unfit"),
    ],
)
def test_the_meter_refuses_what_is_no_sound(site: Site, query: str, body: bytes, code: str) -> None:
    status, told, _ = ask(site, "POST", f"/recorder/level?{query}", body)
    assert (status, told["error"]["code"]) == (422, code)
