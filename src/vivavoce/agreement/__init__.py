"""Agreement of scores: how near two raters, or a machine and people, are to each other."""
