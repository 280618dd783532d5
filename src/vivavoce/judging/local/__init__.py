"""The local judge: pronunciation and fluency from a listener that runs on this computer, without the network.

`text` says what is taken for what was said, `listener` listens once a recording, `reply` keeps what it answered,
`mapping` and `fluency` make the scores, `findings` says which words and sounds, `judge` puts it together.
"""

SCALE = {"pronunciation": "accuracy", "fluency": "fluency"}
"""The markers that it judges, and the experts' scale that each is made of."""
