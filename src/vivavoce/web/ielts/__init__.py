"""The IELTS family: its guide and its lab."""
