"""The guide's second half: the eight chapters, the weight table, feedback, the change log, the disagreements."""

from __future__ import annotations

from decimal import Decimal

from guide_walk import NUM, GuideError, Walk, inside, named, slug, whole

MODULES = {
    "Audio Postcard": "audio_postcard",
    "Short Informative Presentation": "short_informative_presentation",
    "Story Building w/ Keywords": "story_building",
    "Poem Recitation": "poem_recitation",
    "Paragraph Reading": "paragraph_reading",
    "Tongue Twister Challenge": "tongue_twister",
    "Rapid-Fire Q&A": "rapid_fire_qa",
    "Silly Topics Debate": "silly_topics_debate",
}
WEIGHTED = {
    "Pronunciation": "pronunciation",
    "Fluency": "fluency",
    "Speaking Rate": "speaking_rate",
    "Volume Control": "volume_control",
    "Task Adherence": "task_adherence",
}
FADE_METHODS = {"Phrase by phrase": "phrase", "Whole clip (on the exclusion list)": "whole"}
# The guide's words for how Task Adherence is made -> the edition's route and rule.
ADHERENCE = {
    "Model, against a checklist, with four capping guardrails": ("model", "checklist_with_guardrails"),
    "Model, against a checklist plus two order rules (cap 85)": ("model", "checklist_with_order_rules"),
    "Code counts keywords, the model judges the story, blended 50/50": ("blend", "keywords_and_story"),
    "Code, aligning the transcript against the reference text": ("code", "alignment"),
    "Code, aligning the transcript against the reference repeated 3×": ("code", "alignment"),
    "Model, against the shared band anchors": ("model", "band_anchors"),
}
ORDER_RULES = ("end_with_last", "introduced_before_referenced")
CHANGES = (
    "ceiling_95",
    "open_weight_rebalance",
    "audio_postcard_guardrails",
    "presentation_order_rules",
    "middle_open_fillers",
    "middle_open_hesitation",
    "number_words",
    "fade_by_phrase",
)
CONFLICTS = (
    "how_many_markers",
    "excellent_interpolates_against_1_01",
    "twister_wpm_weight",
    "debate_fade_method",
    "open_fillers_high_overlap",
    "time_limit_dormant",
)
TWISTER_PARTS = ("words_per_minute", "consistency", "choppiness", "acceleration")


def chapters(walk: Walk) -> None:
    """All modules, in the order of their chapters."""
    walk.expect("Every module")
    for number, (title, module) in enumerate(MODULES.items(), 1):
        _chapter(walk, number, title, f"modules.{module}")


def _chapter(walk: Walk, number: int, title: str, path: str) -> None:
    if walk.peek() != title:
        raise GuideError(f"chapter {number}: {walk.peek()!r} where {title!r} belongs")
    walk.prose(f"{path}.title")
    chapter, kind = walk.match("chapter", r"Chapter (\d) · (open|closed) task")
    walk.number(f"{path}.chapter", chapter)
    walk.say(f"{path}.kind", kind)
    walk.prose(f"{path}.description")
    for label, marker in WEIGHTED.items():
        if walk.take("weight label") != label:
            raise GuideError(f"{path}: a weight label other than {label!r}")
        walk.say(f"edition.markers.{marker}.short_title", label)
        walk.number(f"{path}.weights.{marker}", walk.match("weight", NUM)[0])
    _steadiness(walk, path)
    fade = walk.match("fade", "Fade measured: (.+)")[0]
    walk.say(f"{path}.fade.text", fade)
    walk.say(f"{path}.fade.method", named(FADE_METHODS, fade))
    _adherence(walk, path)
    walk.expect("Handed to the model, verbatim")
    while "“" in walk.peek():
        name, note = walk.match("note", "(pronunciation|fluency|mastery) “([^“”]+)”")
        walk.say(f"{path}.notes.{name}", note)
    index = 0
    while walk.peek() not in {*MODULES, "Where the weight goes", ""}:
        _fact(walk, path, walk.prose(f"{path}.facts[{index}]"))
        index += 1


def _steadiness(walk: Walk, path: str) -> None:
    text = walk.match("steadiness", "Pace steadiness: (.+)")[0]
    walk.say(f"{path}.steadiness.text", text)
    if text.startswith("band"):
        low, high = whole(rf"band {NUM} – {NUM}", text)
        walk.say(f"{path}.steadiness.rule", "steady_band")
        walk.number(f"{path}.steadiness.low", low)
        walk.number(f"{path}.steadiness.high", high)
    else:
        walk.say(f"{path}.steadiness.rule", "steady_ceiling")
        walk.number(f"{path}.steadiness.ceiling", whole(rf"ceiling ≤ {NUM}", text)[0])


def _adherence(walk: Walk, path: str) -> None:
    """The Task Adherence line and, up to the notes, the caps, order rules or formulas that belong to it."""
    text = walk.match("adherence", "Task Adherence: (.+)")[0]
    if text not in ADHERENCE:
        raise GuideError(f"{path}: adherence {text!r}")
    route, rule = ADHERENCE[text]
    walk.say(f"{path}.adherence.text", text)
    walk.say(f"{path}.adherence.route", route)
    walk.say(f"{path}.adherence.rule", rule)
    if "repeated" in text:
        walk.number(f"{path}.adherence.repetitions", inside(r"repeated (\d)×", text)[0])
    if rule == "checklist_with_guardrails":
        _guardrails(walk, f"{path}.adherence")
    elif rule == "checklist_with_order_rules":
        walk.number(f"{path}.adherence.order_cap", inside(r"\(cap (\d+)\)", text)[0])
        for number, name in enumerate(ORDER_RULES, 1):
            walk.say(f"{path}.adherence.order_rules.{name}.text", walk.match("order rule", rf"{number}([A-Z].+)")[0])
    elif rule == "keywords_and_story":
        _story(walk, f"{path}.adherence")


def _guardrails(walk: Walk, path: str) -> None:
    while walk.peek().startswith("≤ "):
        cap, title, text = walk.match("guardrail", r"≤ (\d+)([A-Z][\w-]+)\. (.+)")
        walk.number(f"{path}.guardrails.{slug(title)}.cap", cap)
        walk.say(f"{path}.guardrails.{slug(title)}.title", title)
        walk.say(f"{path}.guardrails.{slug(title)}.text", text)
    walk.prose(f"{path}.specific_detail.text")


def _story(walk: Walk, path: str) -> None:
    coverage = walk.prose(f"{path}.formulas[0]")
    walk.number(f"{path}.percent", whole(r"coverage = round\(present / required × (\d+)\)", coverage)[0])
    blended = walk.prose(f"{path}.formulas[1]")
    weights = whole(rf"blended = round\(coverage × {NUM} \+ story × {NUM}\)", blended)
    walk.number(f"{path}.coverage_weight", weights[0])
    walk.number(f"{path}.story_weight", weights[1])
    weak = walk.prose(f"{path}.formulas[2]")
    at_most, cap = whole(r"if story ≤ (\d+) → final = min\(blended, (\d+)\)", weak)
    walk.number(f"{path}.weak_story_at_most", at_most)
    walk.number(f"{path}.weak_story_cap", cap)


def _fact(walk: Walk, path: str, fact: str) -> None:
    """A fact that states a number or a switch of the rubric claims that too, beside its own text."""
    own = f"{path}.speaking_rate"
    if "caps Mastery at" in fact:
        walk.number(f"{path}.adherence.order_cap", inside(r"caps Mastery at (\d+) no matter", fact)[0])
    elif "WPM quality is forced" in fact:
        walk.number(f"{own}.forced_words_per_minute_quality", inside(rf"forced to {NUM} however", fact)[0])
    elif "fourth Speaking Rate sub-marker" in fact:
        title, weight, otherwise = inside(
            rf"sub-marker, (\w+), worth {NUM}: full credit if the pace measurably rises across the clip, "
            rf"{NUM} otherwise",
            fact,
        )
        walk.say("speaking_rate.components.acceleration.title", title)
        walk.number(f"{own}.weights.acceleration", weight)
        walk.say(f"{own}.acceleration.rising", Decimal(1))
        walk.number(f"{own}.acceleration.otherwise", otherwise)
    elif "repeats the reference text" in fact:
        walk.number(f"{path}.adherence.repetitions", inside(r"repeats the reference text (\d)× internally", fact)[0])
    elif fact.startswith("Shifts the Fluency sub-weights"):
        amount, source, target = inside(rf"moving {NUM} from (\w+) to (\w+)\.", fact)
        walk.number("fluency.twister_shift.amount", amount)
        walk.say("fluency.twister_shift.from", source)
        walk.say("fluency.twister_shift.to", target)
        walk.say(f"{path}.fluency.weights", "twister")
    elif "dormant" in fact:
        text, seconds, name = inside(r'dormant "(answer over (\d+) seconds)" check \((\w+)\)', fact)
        walk.say(f"{path}.dormant.{name}.text", text)
        walk.number(f"{path}.dormant.{name}.answer_over_s", seconds)


def weight_table(walk: Walk) -> None:
    """The table that repeats every module's weights."""
    walk.expect("Where the weight goes")
    walk.prose("edition.texts.weight_table")
    walk.expect("Marker weights for each module. Every row sums to 1.00.")
    walk.expect("Module\tPronunciation\tFluency\tSpeaking Rate\tVolume\tMastery")
    for title, module in MODULES.items():
        first, *cells = walk.cells("weight row", 6)
        name, kind = whole("(.+?)(open|closed)", first)
        if name != title:
            raise GuideError(f"weight row {name!r} where {title!r} belongs")
        walk.say(f"modules.{module}.title", name)
        walk.say(f"modules.{module}.kind", kind)
        for marker, cell in zip(WEIGHTED.values(), cells, strict=True):
            walk.number(f"modules.{module}.weights.{marker}", whole(NUM, cell)[0])


def feedback(walk: Walk) -> None:
    """What the student is told."""
    walk.expect("What the student is told")
    walk.prose("feedback.lead")
    for index in range(4):
        walk.prose(f"feedback.rules[{index}]")


def history(walk: Walk) -> None:
    """The change log: title, date, text, and the modules that a change applies to."""
    walk.expect("What changed, and when")
    lead = walk.prose("history.lead")
    walk.number("speaking_rate.hesitation.from_s", inside(rf"pause of {NUM} seconds or longer", lead)[0])
    for name in CHANGES:
        path = f"history.changes.{name}"
        walk.prose(f"{path}.title")
        walk.say(f"{path}.date", walk.match("date", r"(\d{4}-\d\d-\d\d|undated)")[0])
        _change(walk, name, walk.prose(f"{path}.text"))
        applies_to = walk.prose(f"{path}.applies_to")
        titles = tuple(MODULES) if applies_to == "every module" else tuple(applies_to.split(" · "))
        modules = tuple(named(MODULES, title) for title in titles)
        walk.items(f"{path}.modules", modules)
        if name == "fade_by_phrase":
            for module in MODULES.values():
                walk.say(f"modules.{module}.fade.method", "phrase" if module in modules else "whole")


def _change(walk: Walk, name: str, text: str) -> None:
    """The new numbers that an entry of the change log repeats."""
    if name == "ceiling_95":
        ceiling, low, high = inside(r'capped at (\d+) rather than 100\..+"Excellent" now means (\d+)–(\d+),', text)
        walk.number("edition.scale.ceiling", ceiling)
        walk.number("edition.tiers.rows.excellent.score_low", low)
        walk.number("edition.tiers.rows.excellent.score_high", high)
    elif name == "audio_postcard_guardrails":
        found = inside(
            r"(Substance) caps at (\d+), (Groundedness) at (\d+), (Over-vagueness) at (\d+), (Reversal) at (\d+)\.",
            text,
        )
        for title, cap in zip(found[::2], found[1::2], strict=True):
            walk.number(f"modules.audio_postcard.adherence.guardrails.{slug(title)}.cap", cap)
    elif name == "presentation_order_rules":
        cap = inside(r"Breaking either caps Mastery at (\d+)\.", text)[0]
        walk.number("modules.short_informative_presentation.adherence.order_cap", cap)
    elif name == "middle_open_fillers":
        low, high, good_low, good_high = inside(r'now it is (\d)–(\d)\. "Good" widened to (\d)–(\d) so', text)
        walk.items("fluency.open.fillers.middle.excellent", (Decimal(low), Decimal(high)))
        walk.items("fluency.open.fillers.middle.good", (Decimal(good_low), Decimal(good_high)))
    elif name == "middle_open_hesitation":
        from_s = inside(rf"pause of {NUM} seconds or longer", text)[0]
        most, cut = inside(r"It now takes (\d+) per minute to hit a (\d+)% cut\.", text)
        walk.number("speaking_rate.hesitation.from_s", from_s)
        walk.number("speaking_rate.open.hesitation.middle.rate_at_max", most)
        walk.say("speaking_rate.open.hesitation.middle.max_cut", Decimal(cut).scaleb(-2))


def conflicts(walk: Walk) -> None:
    """Where the sources disagree, and how the guide settles it."""
    walk.expect("Where the sources disagree")
    walk.prose("conflicts.lead")
    for name in CONFLICTS:
        path = f"conflicts.conflicts.{name}"
        walk.prose(f"{path}.title")
        said = walk.prose(f"{path}.said")
        if name == "twister_wpm_weight":
            weights = inside(rf"the weights become {NUM} / {NUM} / {NUM} / {NUM} to make room", said)
            for part, digits in zip(TWISTER_PARTS, weights, strict=True):
                walk.number(f"modules.tongue_twister.speaking_rate.weights.{part}", digits)
        elif name == "open_fillers_high_overlap":
            edges = inside(r"falls in both Excellent \((\d)–(\d)\) and Good \((\d)–(\d)\)\.", said)
            walk.items("fluency.open.fillers.high.excellent", (Decimal(edges[0]), Decimal(edges[1])))
            walk.items("fluency.open.fillers.high.good", (Decimal(edges[2]), Decimal(edges[3])))
        settled = walk.prose(f"{path}.settled")
        _settled(walk, name, settled)


def _settled(walk: Walk, name: str, settled: str) -> None:
    if name == "excellent_interpolates_against_1_01":
        digits = inside(rf"^Implemented as {NUM}, matching", settled)[0]
        walk.number("edition.tiers.rows.excellent.interpolate_to", digits)
    elif name == "twister_wpm_weight":
        weight, quality = inside(rf"^Implemented as {NUM} with WPM quality forced to {NUM}, which", settled)
        own = "modules.tongue_twister.speaking_rate"
        walk.number(f"{own}.weights.words_per_minute", weight)
        walk.number(f"{own}.forced_words_per_minute_quality", quality)
    elif name == "debate_fade_method":
        method = inside(r"^Recorded as (whole)-clip, following", settled)[0]
        walk.say("modules.silly_topics_debate.fade.method", method)
