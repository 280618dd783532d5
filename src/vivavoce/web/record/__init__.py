"""Choose a task, record or upload, send, watch the progress."""
