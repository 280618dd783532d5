"""Words by which a sentence names a finding, contradicts it, or advises the opposite. Patterns, any case.

`says`: one of these must be in the first sentence. `denies`: none of these may be in it, unless negated ("you never
shouted"). `against`: none of these may be in the second sentence, unless negated.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The patterns of one finding; `denies` and `against` may be empty."""

    says: str
    denies: str = ""
    against: str = ""


FAST = r"too fast|rush\w*|hurr(?:y|ied|ying)|rac(?:ed|ing)|gallop\w*|zoom\w*|sped|top speed|tumbled"
SLOW = r"too slow\w*|slow(?:ly)?\b|dragg\w+|crawl\w*|plodd?\w*|sluggish"
LOUD = r"loud(?:ly)?\b|shout\w*|boom\w*|blast\w*|blar\w+|yell\w*|easy to hear|strong voice"
QUIET = r"quiet\w*|too soft|faint\w*|hard to hear|whisper\w*"
SPEED_UP = r"speed(?:ing)? up|faster|quick(?:er|ly)|pick(?:ing)? up the pace|hurry|rush"
SLOW_DOWN = r"slow(?:er)?(?: it| things)? down|more slowly|slower|take your time|linger|pause more"
LOUDER = r"louder|speak up|project|(?:closer|nearer) to the mic\w*|bigger voice|rais\w+ your voice|shout"
BACK_OFF = r"(?:mov|sit|step|lean)\w*(?: a (?:little|bit))?(?: farther| further)? (?:back|away)"
QUIETER = rf"quiet(?:er|ly)|soft(?:er|ly)|lower your|turn\w* .{{0,12}}down|{BACK_OFF}|less loud|whisper"
ALL_CLEAR = r"crystal|perfectly clear|(?:every|all(?: of)?(?: your| the)?) words? .{0,12}(?:clear|crisp|easy)|all clear"
FLOWED = r"flow(?:ed|s) (?:smoothly|well|easily|nicely)|r[au]ns? smoothly|smooth(?:ly)? from|smooth all"
STEADY = r"stay(?:ed|s) (?:\w+ ){0,2}(?:steady|even|the same)|perfectly (?:even|steady)|(?:steady|even) (?:all|through)"
ALL_COVERED = r"(?:covered|did|answered|mentioned|included) (?:everything|all|every)|nothing (?:was )?(?:missing|left)"
TO_END = (
    r"(?:all the way|right|through) (?:through )?to (?:the|its) (?:\w+ )?(?:end|last)"
    r"|finished (?:the|every)|reached the"
)
ALL_WORDS = r"(?:every|all(?: of)?(?: the)?) words? .{0,8}(?:correct|right|exact|as written)|word for word|no mistakes"
ALL_KEYWORDS = r"(?:used|included|wove|fitted|worked in) (?:in )?(?:all|every)|(?:all|every)(?: of)?(?: the)? keyword"
WHOLE_STORY = r"h[eu](?:ld|ng) together|coherent|well (?:told|shaped)|great story"
WELL_ARGUED = r"(?:strong|clear|convincing) (?:case|argument)|back(?:ed|s) (?:it )?up with|well supported"
ON_TOPIC = r"(?:every|all)(?: of)?(?: your)? answers? .{0,20}(?:topic|question|point)|answered (?:all|every)"
DETAILED = r"(?:rich|lots of|full of|vivid|plenty of|great|good|strong) .{0,12}details?"

LEXICONS: dict[str, Lexicon] = {
    "pronunciation.words_unclear": Lexicon(
        r"unclear|blur|mush|mumbl|slurr|fuzz|tangl|guess|not .{0,12}clear|hard to|hid|lost|tricky|clear|crisp",
        ALL_CLEAR,
    ),
    "pronunciation.hard_to_follow": Lexicon(r"hard to|ran together|unclear|mumbl|blur|not .{0,12}clear", ALL_CLEAR),
    "pronunciation.sounds_soft": Lexicon(r"crisp|soft|blur|ending|ends|final|unclear|sounds?|articulat", ALL_CLEAR),
    "pronunciation.clear": Lexicon(r"clear|crisp|easy to understand|clarity|articulat|pronounc|sounds?"),
    "fluency.false_starts": Lexicon(
        r"restart|start(?:ed|ing)? .{0,12}(?:over|again)|beg[ai]n .*again|back|false start|over and over",
        rf"{FLOWED}|no restarts|never (?:re)?started|without restarting",
    ),
    "fluency.fillers": Lexicon(
        r"filler|\bums?\b|\buhs?\b|\blikes?\b|you know",
        r"(?:hardly|barely|scarcely) (?:\w+ )?any|(?:very )?few filler|no (?:filler|um)|without (?:any )?(?:filler|um)"
        r"|free (?:of|from)|filler-free",
    ),
    "fluency.recovery": Lexicon(
        r"stumbl|trip|slip|mistake|wrong|lost|recover|get(?:ting)? going|find your",
        r"recover(?:ed|s) (?:smoothly|quickly|well|at once|fast)|bounced (?:straight |right )?back|picked yourself up",
    ),
    "fluency.flow_broken": Lexicon(r"flow|smooth|stop|start|bump|broke", FLOWED),
    "fluency.flow_uneven": Lexicon(r"flow|smooth|bump|uneven"),
    "fluency.smooth": Lexicon(r"smooth|flow|r[au]n|glid|slid|sentence"),
    "fluency.fillers_controlled": Lexicon(r"filler|\bums?\b|\buhs?\b|silence|pause"),
    "fluency.recovered": Lexicon(r"recover|bounc|back|picked|carried on|went on"),
    "fluency.flowing": Lexicon(r"flow|smooth|pleasant|ran"),
    "speaking_rate.too_slow": Lexicon(
        r"slow|drag|crawl|plod|stroll|snail|tortoise|energy|lagg|behind", FAST, SLOW_DOWN
    ),
    "speaking_rate.too_fast": Lexicon(
        r"fast|rush|hurr|rac(?:e|ing)|gallop|zoom|quick|flew|speed|sped|tumbl", SLOW, SPEED_UP
    ),
    "speaking_rate.uneven": Lexicon(
        r"speed|pace|fast|slow|wobbl|jump|lurch|unsteady|uneven|tempo",
        rf"too even|flat|monoton\w+|{STEADY}|same (?:speed|pace)",
        r"vary|mix (?:it )?up|change your (?:speed|pace)",
    ),
    "speaking_rate.too_even": Lexicon(
        r"same|flat|hardly|robot|monoton|never changed|even|rhythm|pace|speed|tempo",
        r"uneven\w*|unsteady|jump\w*|lurch\w*|wobbl\w*|jerky",
        r"steadier|(?:keep|hold|stay)\w* .{0,12}(?:same|steady|even)\b|even out",
    ),
    "speaking_rate.choppy": Lexicon(
        r"break|broke|stop|pause|chop|split|bits|crumbs|phrase",
        r"flowed|whole and smooth|(?:without|no) (?:any )?(?:break|pause|stop)s?|smoothly",
        r"pause more|more (?:pauses|breaks|stops)|stop more",
    ),
    "speaking_rate.no_speed_up": Lexicon(
        r"speed|fast|pace|ris|round|took off",
        r"(?:got|went|grew|became) (?:\w+ )?(?:faster|quicker)|sped up|speed (?:rose|built|grew)|picked up speed",
        r"same (?:speed|pace)|slow(?:er)? (?:with )?each",
    ),
    "speaking_rate.long_pauses": Lexicon(
        r"pause|silen|froze|stopp|gap|stuck|wait",
        r"(?:no|without) (?:a |any )?(?:long )?(?:pause|silence|halt)s?|kept going",
        r"longer pauses?|pause (?:longer|more)|more pauses",
    ),
    "speaking_rate.good_pace": Lexicon(r"pace|speed|follow|rhythm|tempo"),
    "speaking_rate.steady_pace": Lexicon(r"steady|steadi|even|pace|beat|speed"),
    "speaking_rate.smooth_phrases": Lexicon(r"phras|smooth|flow|pause|break"),
    "speaking_rate.speeds_up": Lexicon(r"fast|speed|quick|sped"),
    "volume_control.too_quiet": Lexicon(r"quiet|soft|faint|whisper|hard to hear|low|small", LOUD, QUIETER),
    "volume_control.too_loud": Lexicon(r"loud|boom|shout|blast|big|strong|yell", QUIET, LOUDER),
    "volume_control.uneven": Lexicon(r"loud|volume|soft|voice|up and down", STEADY),
    "volume_control.fades": Lexicon(
        r"fad|trail|\bends?\b|ending|\blast|final|smaller|drop",
        r"strong (?:right |all the way )?(?:to|at|until|through)|finished strong|kept your voice|got louder",
        r"let .{0,20}(?:drop|fade)|softer",
    ),
    "volume_control.good_level": Lexicon(r"voice|loud|volume|hear"),
    "volume_control.steady": Lexicon(r"steady|even|loud|volume|voice"),
    "volume_control.strong_endings": Lexicon(r"strong|strength|\bend|last|finish"),
    "task_adherence.stopped_early": Lexicon(r"stopp|end|unfinished|finish|missing|waiting|early|last", TO_END),
    "task_adherence.words_missed": Lexicon(r"skip|miss|chang|swap|replac|mix|left out|differen|wrong", ALL_WORDS),
    "task_adherence.words_added": Lexicon(
        r"extra|add|not in the text|not part|slipped in|belong",
        r"(?:no|nothing) (?:extra|added)|without adding|exactly",
    ),
    "task_adherence.to_the_end": Lexicon(r"\bend|finish|complet|last|through"),
    "task_adherence.accurate": Lexicon(r"word|exact|accura|written|right"),
    "task_adherence.substance": Lexicon(r"detail|general|anywhere|specific|concrete", DETAILED),
    "task_adherence.groundedness": Lexicon(r"happen|believ|real|possible|magic|true", r"completely believable"),
    "task_adherence.over_vagueness": Lexicon(r"vague|fog|unclear|exact|general|open", r"very specific|precise\w*"),
    "task_adherence.reversal": Lexicon(r"guess|sure|certain|maybe"),
    "task_adherence.no_detail": Lexicon(r"detail|specific|concrete", DETAILED),
    "task_adherence.points_missing": Lexicon(r"left out|miss|skip|forgot|prompt|asked|part", ALL_COVERED),
    "task_adherence.thin": Lexicon(r"prompt|asked|brief|develop|room|fully|more", ALL_COVERED),
    "task_adherence.vivid_detail": Lexicon(r"detail|specific|real|place"),
    "task_adherence.end_with_last": Lexicon(
        r"\bend|last|clos|final|order|early", r"saved .{0,20}(?:for|until) the (?:end|last)|came last|ended just"
    ),
    "task_adherence.introduced_before_referenced": Lexicon(
        r"introduc|explain|before|defin|example|term", r"(?:explained|introduced) (?:every|all|each)"
    ),
    "task_adherence.points_covered": Lexicon(r"cover|everything|prompt|order|includ|asked"),
    "task_adherence.keywords_missing": Lexicon(r"keyword|word|list", ALL_KEYWORDS),
    "task_adherence.story_weak": Lexicon(r"story|thread|hold|plot|piece|connect", WHOLE_STORY),
    "task_adherence.story_thin": Lexicon(r"story", WHOLE_STORY),
    "task_adherence.keywords_used": Lexicon(r"keyword"),
    "task_adherence.story_told": Lexicon(r"story"),
    "task_adherence.answers_near": Lexicon(r"answer|question|topic", ON_TOPIC),
    "task_adherence.answers_partly": Lexicon(r"answer|question|topic", ON_TOPIC),
    "task_adherence.answers_off": Lexicon(r"answer|question|topic", ON_TOPIC),
    "task_adherence.answers_on_topic": Lexicon(r"answer|question|topic"),
    "task_adherence.case_near": Lexicon(r"side|reason|argu|opinion|case|support", WELL_ARGUED),
    "task_adherence.case_partly": Lexicon(r"side|reason|argu|opinion|case|support", WELL_ARGUED),
    "task_adherence.case_weak": Lexicon(r"side|reason|argu|opinion|case|support", WELL_ARGUED),
    "task_adherence.case_made": Lexicon(r"side|reason|argu|opinion|case|support"),
}

# Praise that no first sentence about a weakness carries, unless it turns ("..., but ...").
PRAISE = (
    r"perfect(?:ly)?|flawless(?:ly)?|spot on|wonderful(?:ly)?|amazing(?:ly)?|fantastic|brilliant(?:ly)?|superb(?:ly)?"
    r"|(?:great|good|nice) (?:job|work)|well done|nailed|outstanding"
)
TURN = r"\b(?:but|though|although|yet|however|still|except)\b"
# Blame that no first sentence about a strength carries.
BLAME = (
    r"too (?:fast|slow\w*|quiet\w*|loud\w*|soft\w*|choppy|even|flat|many|much|little)"
    r"|hard to (?:hear|follow|understand|catch)"
    r"|mumbl\w+|unclear|blurr?\w*|rushed|dragged|choppy|faded|trailed|skipped|miss(?:ed|ing)|left out|forgot|lost|vague"
    r"|off topic|wander\w+|weak\w*|but|however|unfortunately"
)
STUMBLES = r"stumbl\w+|tripped|wrong"
# "Keep it up" is no next step for what held the attempt back.
KEEP_ON = r"keep it (?:up|just|exactly)|keep doing (?:it|that|this|what)|(?:great|good|nice) (?:job|work)|well done"
# Faults of a marker that a first sentence about another must not claim: nobody chose them, they may not be so.
FAULTS = {
    "pronunciation": r"mumbl\w+|slurr\w+|mispronounc\w+",
    "fluency": r"fillers?|ums|restart\w*|false starts?",
    "speaking_rate": r"too fast|too slow\w*|rush(?:ed|ing)|raced|hurried|dragg\w+|choppy",
    "volume_control": r"too (?:quiet|soft|loud)\w*|shout\w*|whisper\w*|faded|trailed off",
    "task_adherence": r"off topic|keywords?|left out|skipped|not in the text",
}
_NEGATORS = (
    "no not never nor neither without hardly barely less lack lacked lacking missing needed instead than avoid nothing "
    "don't didn't doesn't isn't wasn't weren't can't couldn't won't"
)
NEGATORS = frozenset(_NEGATORS.split())


def found_unnegated(pattern: str, text: str) -> str:
    """Return the first words that match and that no negation stands in the three words before, or ""."""
    if not pattern:
        return ""
    for found in re.finditer(rf"\b(?:{pattern})", text, re.IGNORECASE):
        before = re.findall(r"[\w']+", text[: found.start()].lower().replace("’", "'"))[-3:]
        if not NEGATORS & set(before):
            return found.group(0)
    return ""
