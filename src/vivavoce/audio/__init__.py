"""Recordings: decoded by content, measured in 10 ms frames, split into speech and silence.

    header      what the file itself promises, read from its bytes
    reader      packets to blocks of samples, damage counted
    channels    which channels to listen to
    levels      sums of 10 ms frames at the original rate
    waveform    decode(path) -> Waveform
    loudness    the level scale (M7)
    peaks       samples that heap up at the largest values, counted while decoding
    activity    detect(waveform) -> Activity
    spectra     voice and noise by frequency
    gain        noise that grows in pauses
    conditions  what is wrong with a recording, as notices
    picture     the waveform as columns, for reports

Every module here needs NumPy and most need PyAV; without them the import says which extra to install.
"""

from importlib.util import find_spec

from vivavoce.errors import need

for _module in ("numpy", "av"):
    if find_spec(_module) is None:
        raise need("audio", _module)
