"""The teacher's view: replies, spread, scoring sheets, overrides."""
