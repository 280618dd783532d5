"""What a row of the student rubric says, in words: its unit, and what its number or text does."""

from __future__ import annotations

import re

# Units as nodes name them -> as a reader says them.
UNITS = {
    "wpm": "words per minute of speaking time",
    "1/min": "per minute of response",
    "dB": "dB on the engine's own loudness scale",
    "s": "seconds",
    "ratio": "a share of 1",
    "score": "points of a score",
    "band": "bands",
    "experts' points": "points of the experts' scale, 0 to 10",
}
# Last step of a path -> unit, where the loaded rubric gives none.
UNITS_BY_KEY = {
    "max_cut": "a share of the base score",
    "rate_at_max": "hesitations per minute of response",
    "cap": "points of a score",
    "order_cap": "points of a score",
    "weak_story_at_most": "points of a score",
    "weak_story_cap": "points of a score",
    "score_low": "points of a score",
    "score_high": "points of a score",
    "quality_low": "quality, 0 to 1",
    "quality_high": "quality, 0 to 1",
    "interpolate_to": "quality, 0 to 1",
    "quality_at_zero": "quality, 0 to 1",
    "forced_words_per_minute_quality": "quality, 0 to 1",
    "rising": "quality, 0 to 1",
    "otherwise": "quality, 0 to 1",
    "ceiling": "points of a score",
    "lowest": "points of a score",
    "judged_highest": "points of a score",
    "spread_limit": "points of a score",
    "widest_interval": "points of a score",
    "quality_decimals": "decimals",
    "repetitions": "times",
    "attempts": "replies",
    "samples_highest": "judgements",
    "at_most": "findings",
    "unclear_words_at_most": "words",
    "word_accuracy_at_most": "points of the experts' scale, 0 to 10",
    "word_read_at_most": "a probability, 0 to 1",
    "sound_score_at_most": "points, 0 another sound to 2 right",
    "sound_words_at_least": "words",
    "grades": "school grades",
    "from_s": "seconds",
    "under_s": "seconds",
    "window_s": "seconds",
    "answer_over_s": "seconds",
    "amount": "a share of 1",
    "percent": "percent",
    "bands": "bands",
    "one_passed_choice": "a band",
    "all_passed_choice": "a band",
    "criterion_step": "of a band",
    "overall_step": "of a band",
    "answers_highest": "answers",
    "zero_at_factor": "times the upper edge",
}

# The first pattern that fits a path says what its row means; {key} and groups are put in.
MEANINGS: tuple[tuple[str, str], ...] = (
    # Speaking Rate
    (r"speaking_rate\.\w+\.pace\.\w+\.zero_low", "At this pace and below, Pace earns nothing."),
    (r"speaking_rate\.\w+\.pace\.\w+\.full_low", "Where full credit for Pace begins."),
    (r"speaking_rate\.\w+\.pace\.\w+\.full_high", "Where full credit for Pace ends."),
    (r"speaking_rate\.\w+\.pace\.\w+\.zero_high", "At this pace and above, Pace earns nothing."),
    (r"speaking_rate\.\w+\.choppiness\.\w+\.full", "Up to this many choppy breaks, Choppiness has full credit."),
    (r"speaking_rate\.\w+\.choppiness\.\w+\.zero", "From this many choppy breaks on, Choppiness earns nothing."),
    (r"speaking_rate\..*\.rate_at_max", "From this many hesitations on, the cut is at its greatest."),
    (r"speaking_rate\..*\.max_cut", "The greatest share that hesitations take off the base score."),
    (
        r".*\.short_speech\.under_s",
        "Strictly under this much speech, some sub-markers are dropped and there is no cut.",
    ),
    (r".*\.short_speech\.drops", "The sub-markers that short speech drops."),
    (r"speaking_rate\.hesitation\.from_s", "A pause of this length or longer is a hesitation."),
    (r".*\.steadiness\.zero_at_factor", "Above the upper edge, steadiness falls to 0 at the edge times this."),
    (r".*\.steadiness\.quality_at_zero", "Below a band's lower edge, steadiness falls to this at no variation at all."),
    (r"modules\.\w+\.steadiness\.low", "The least pace variation with full credit."),
    (r"modules\.\w+\.steadiness\.high", "The greatest pace variation with full credit."),
    (r"modules\.\w+\.steadiness\.ceiling", "Up to this pace variation there is full credit."),
    (r"modules\.\w+\.steadiness\.rule", "Whether steadiness is held in a band or under a ceiling."),
    (r".*\.forced_words_per_minute_quality", "The quality of Pace, however fast or slow: pace is never penalised."),
    (r".*\.acceleration\.rising", "The quality of Acceleration where the pace rises across the clip."),
    (r".*\.acceleration\.otherwise", "The quality of Acceleration where the pace does not rise."),
    # Volume, adherence
    (r"volume_control\.level\.(\w+)", "An edge of the loudness that earns credit, the same for every grade."),
    (r"volume_control\.\w+\.\w+\.full", "Up to this, the sub-marker has full credit."),
    (r"volume_control\.\w+\.\w+\.zero", "From this on, the sub-marker earns nothing."),
    (r"volume_control\.fade\.counts_from", "A fade under this counts as this: getting louder is never penalised."),
    (r"adherence\.\w+\.\w+\.full", "From this share on, the sub-marker has full credit."),
    (r"adherence\.\w+\.\w+\.zero", "At this share and below, the sub-marker earns nothing."),
    # Fluency
    (r"fluency\.\w+\.false_starts\.\w+\.ambiguous", "Counts that two levels claim; the better level is taken."),
    (r"fluency\.\w+\.fillers\.\w+\.ambiguous", "Counts that two levels claim; the better level is taken."),
    (
        r"fluency\.\w+\.false_starts\..*",
        "The lowest and highest count of false starts at this level; one number: and more.",
    ),
    (
        r"fluency\.\w+\.fillers\..*",
        "The lowest and highest count of disruptive fillers at this level; one number: and more.",
    ),
    (r"fluency\.counting\.window_s", "Counts are brought to this many seconds of response."),
    (r"fluency\.twister_shift\.amount", "What the tongue twister moves from one sub-weight to another."),
    (r"fluency\.twister_shift\.from", "The sub-marker that the shift takes from."),
    (r"fluency\.twister_shift\.to", "The sub-marker that the shift gives to."),
    (r"fluency\.filler_words", "The fillers that the guide names."),
    # Weights and shape
    (r"modules\.\w+\.fluency\.weights", "Which table of fluency sub-weights this module takes."),
    (r"modules\.\w+\.weights\.\w+", "How much this marker counts in the module's overall."),
    (r".*\.weights\..*", "How much this sub-marker counts in its marker's weighted quality."),
    (r".*\.components\.\w+\.title", "The sub-marker's name."),
    (r".*\.components\.\w+\.question", "What the sub-marker asks."),
    (r".*\.components\.\w+\.rule", "The rule that turns the measurement into a quality."),
    (r".*\.components\.\w+\.needs", "The measurement that the sub-marker needs."),
    (r".*\.components\.\w+\.unit", "The unit of that measurement."),
    (r".*\.components\.\w+\.table", "The table that holds its numbers."),
    # Edition
    (r"edition\.tiers\.rows\.\w+\.quality_low", "The lowest weighted quality in this tier; the edge belongs to it."),
    (r"edition\.tiers\.rows\.\w+\.quality_high", "The upper edge of the tier, as the guide prints it."),
    (r"edition\.tiers\.rows\.\w+\.interpolate_to", "The upper edge that the arithmetic uses."),
    (r"edition\.tiers\.rows\.\w+\.score_low", "The lowest score of the tier."),
    (r"edition\.tiers\.rows\.\w+\.score_high", "The highest score of the tier."),
    (r"edition\.tiers\.rows\.\w+\.label", "What the tier is called."),
    (r"edition\.scale\.ceiling", "No marker's score is over this, whichever route it comes from."),
    (r"edition\.scale\.lowest", "The lowest score there is."),
    (r"edition\.scale\.judged_highest", "The highest answer that a judge may give; the ceiling then holds it down."),
    (r"edition\.rounding\.quality_decimals", "Qualities are rounded to this many decimals."),
    (r"edition\.rounding\.rule", "How numbers are rounded wherever they are rounded."),
    (r"edition\.grade_bands\.\w+\.grades", "The school grades in this grade band."),
    (r"edition\.grade_bands\.\w+\.title", "What the grade band is called."),
    (r"edition\.markers\.\w+\.route", "Who makes this marker's score; module: it depends on the module."),
    (r"edition\.markers\.\w+\.judges", "What the marker judges."),
    (r"edition\.markers\..*title", "What the marker is called."),
    (r".*formulas", "Formulas, as the guide prints them."),
    # Modules
    (r"modules\..*\.guardrails\.\w+\.cap", "The highest score once this guardrail has fired."),
    (r"modules\..*\.guardrails\.\w+\.title", "What the guardrail is called."),
    (r"modules\..*\.guardrails\.\w+\.text", "When the guardrail fires."),
    (r"modules\..*\.order_rules\.\w+\.text", "What the order rule asks for."),
    (r"modules\..*\.order_cap", "The highest score once an order rule is broken."),
    (r"modules\..*\.specific_detail\.cap", "The highest score of an answer without one real, specific detail."),
    (r"modules\..*\.specific_detail\.text", "What counts as a specific detail."),
    (r"modules\..*\.percent", "Keyword coverage is a share of this."),
    (r"modules\..*\.coverage_weight", "How much keyword coverage counts in the blend."),
    (r"modules\..*\.story_weight", "How much the story counts in the blend."),
    (r"modules\..*\.weak_story_at_most", "A story with this score or less is weak, and caps the blend."),
    (r"modules\..*\.weak_story_cap", "The highest score with a weak story."),
    (r"modules\..*\.repetitions", "How often the reference text is repeated before aligning."),
    (r"modules\..*\.dormant\..*", "Documented by the guide and wired to nothing: no score reads it."),
    (r"modules\.\w+\.notes\.mastery", "Handed to the model that judges Task Adherence, verbatim."),
    (r"modules\.\w+\.notes\.\w+", "Handed to the model that judges this marker, verbatim."),
    (r"modules\.\w+\.facts", "What the guide tells of the module."),
    (r"modules\.\w+\.chapter", "The module's chapter in the guide."),
    (r"modules\.\w+\.kind", "Open: spontaneous speech. Closed: a given text."),
    (r"modules\.\w+\.fade\.method", "How fade is measured: phrase by phrase, or over the whole clip."),
    (r"modules\.\w+\.adherence\.route", "Who scores Task Adherence: code, a model, or both blended."),
    (r"modules\.\w+\.adherence\.rule", "The rule that scores Task Adherence."),
    # What judges and students are told
    (r"judging\.asking\.attempts", "How many replies are asked for at most for one judgement."),
    (r"judging\.asking\.spread_limit", "Samples further apart than this are for a person to settle."),
    (r"judging\.asking\.samples_highest", "How many independent judgements may be asked for at most."),
    (r"judging\..*anchors\.\w+", "What a score in this tier looks like, as a judge is told."),
    (r"judging\..*examples.*", "An example, as a judge is shown it."),
    (r"judging\..*", "What a judge is told."),
    (r"local_judge\..*\.anchors\.\w+\.experts", "The experts' points of this anchor."),
    (r"local_judge\..*\.anchors\.\w+\.score", "The score that this anchor is worth."),
    (r"local_judge\.trust\.widest_interval", "A judgement with a wider interval is for a person to settle."),
    (r"local_judge\.trust\.not_scored", "Doubts after which there is no score."),
    (r"local_judge\.trust\.needs_person", "Doubts after which a person has to settle the score."),
    (r"local_judge\.trust\.told", "Doubts that are told and change nothing."),
    (r"local_judge\.findings\.at_most", "How many findings are told at most."),
    (r"local_judge\.findings\.unclear_words_at_most", "How many unclear words are named at most."),
    (r"local_judge\.findings\.word_accuracy_at_most", "A word scored over this is not named as unclear."),
    (r"local_judge\.findings\.word_read_at_most", "A word more likely right than this is not named as unclear."),
    (r"local_judge\.findings\.sound_score_at_most", "A sound scored over this is not named."),
    (r"local_judge\.findings\.sound_words_at_least", "A sound is named only where it recurs in this many words."),
    (r"local_judge\.sounds\.\w+", "The sound's sign in the phonetic alphabet, and a word that has it."),
    (r"local_judge\..*", "How the local judge comes from what its listener estimates."),
    (r"feedback_wording\.tones\.\w+", "The tone of feedback in this grade band."),
    (r"feedback_wording\.findings\..*\.kind", "Whether the finding held the attempt back or was done well."),
    (r"feedback_wording\.findings\..*\.about", "What the finding says, the same at every grade."),
    (
        r"feedback_wording\.findings\..*",
        "The two sentences that a student of this grade band reads: the finding, a next step.",
    ),
    (r"feedback(_wording)?\..*", "What feedback must be."),
    # IELTS
    (r"criteria\..*\.bands", "The band for each number of passed checks, from none to all; none: that band or below."),
    (r"criteria\..*\.one_passed_choice", "The band that may be given instead where exactly one check passed."),
    (r"criteria\..*\.one_passed_missed", "That choice stands only where this check is the one that was missed."),
    (r"criteria\..*\.all_passed_choice", "The band that may be given instead where all checks passed."),
    (r"criteria\..*\.checks\.\w+\.threshold", "The band that the check opens."),
    (r"criteria\..*\.checks\.\w+\.question", "What the check asks."),
    (r"criteria\..*\.checks\.\w+\.passed", "What yes means."),
    (r"criteria\..*\.checks\.\w+\.failed", "What no means."),
    (r"criteria\..*\.evaluates", "What the criterion evaluates."),
    (r"criteria\..*\.(name|title)", "The criterion's name: in the reply, or as the prompt heads it."),
    (r"criteria\..*\.(heading|mapping_heading|mapping_text)", "Words of the prompt around the checks and the mapping."),
    (r"edition\.prompt\.\w+", "A text of the prompt, as a judge reads it."),
    (r"edition\.part", "The part of the test."),
    (r"edition\.parts", "The parts that make a whole test."),
    (r"edition\.answers_highest", "How many question and answer pairs an interview may have."),
    (r"edition\.test", "The test's name in a reply."),
    (r"edition\.overall_text", "The formula of the overall, before it is rounded down."),
    (r"edition\.boundary_note", "The note on Pronunciation that code attaches after validation."),
    (r"edition\.criteria_of", "The edition whose criteria and checks this one shares."),
    (r"edition\.criterion_step", "A criterion of the whole test is rounded down to a multiple of this."),
    (r"edition\.overall_step", "The overall is rounded down to a multiple of this."),
    (r"edition\.rule", "How three parts make one result."),
    # History, conflicts, choices
    (r"history\..*\.modules", "The modules that the change is about."),
    (r"history\..*\.date", "When it changed."),
    (r"history\..*", "What changed."),
    (r"conflicts\..*\.said", "What the sources say against each other."),
    (r"conflicts\..*\.settled", "How it is settled here."),
    (r"conflicts\..*", "Where the sources disagree."),
    (r"choices\..*\.decision", "The decision's name."),
    (r"choices\..*", "What was chosen here where the guide is silent."),
    (r".*\.id", "The row's own name in the data."),
    (r"edition\.(title|version|values_as_of|lead|note)", "What the edition says of itself."),
    (
        r".*text(s\.\w+)?|.*overall|.*\.description|.*\.title|.*recovery_text",
        "A text of the rubric that explains; no score reads it.",
    ),
)
_MEANINGS = tuple((re.compile(pattern), said) for pattern, said in MEANINGS)


def unit_words(path: str, unit: str) -> str:
    """Return a row's unit as a reader says it, "" where it has none."""
    key = path.rpartition(".")[2]
    if ".weights." in path or key.endswith("_weight"):
        return "a share of 1"
    if path.startswith("modules.") and key == "ceiling":
        return UNITS["ratio"]
    if unit:
        return UNITS.get(unit, unit)
    if path.startswith("fluency.") and (".false_starts." in path or ".fillers." in path):
        return "counted in about 30 seconds"
    if path.startswith("adherence.") and key in ("full", "zero"):
        return UNITS["ratio"]
    return UNITS_BY_KEY.get(key, "")


def meaning(path: str) -> str:
    """Return what a row says, in a sentence; "" where nothing is written for it."""
    return next((said for pattern, said in _MEANINGS if pattern.fullmatch(path)), "")
