"""Where recordings, tasks and reports last; the pages know only the protocol `Store` (model.py)."""
