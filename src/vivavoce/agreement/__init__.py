"""Agreement of scores: how near two raters, or a machine and people, are to each other.

    correlation   Pearson, Spearman, within and between speakers
    difference    mean absolute and signed error, quadratic weighted kappa
    intervals     how often an interval holds the truth, and how sure a statistic is (bootstrap by speaker)
    raters        one rater against the others: the human ceiling
    detection     area under the ROC curve, precision and recall

Numbers in, numbers out. Every statistic is None where it is not defined (its docstring says when), never nan.
"""
