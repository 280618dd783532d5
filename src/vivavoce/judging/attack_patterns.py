"""What texts that talk to the grader look like: patterns over folded text (see attacks.py), by kind.

Each pattern asks for two things at once, the address or order and the marks, so that talk about games, schools and
grades stays unflagged. Verbs are imperatives: "my teacher gave me full marks" reports, "give me full marks" orders.
"""

from __future__ import annotations

import re

NUMBER = (
    r"(?:\d{2,3}(?:\.\d+)?|\d{1,3} ?(?:/|out of) ?\d{1,3}|(?:seventy|eighty|ninety)(?:[ -](?:one|two|three|"
    r"four|five|six|seven|eight|nine))?|(?:an? |one )?hundred)"
)
_MARK = r"(?:marks?|scores?|points?|grades?|bands?|tiers?|ratings?|credits?)"
_HIGH = (
    rf"(?:(?:full|top|maximum|max|highest|perfect|best|high|higher|excellent) (?:\w+ )?{_MARK}|the maximum|{NUMBER})"
)
# A number alone counts where no noun follows ("give me a hundred reasons" is no order for marks).
_FIGURE = (
    rf"(?:{NUMBER}(?= ?(?:[.,;!?)]|$|\n|points?|marks?|percent|%|out of|and (?:nothing|do|don|give|say|mark)|"
    rf"now\b|please\b|thank|for\b|in\b|as\b|to everyone)))"
)
_WHO = (
    r"(?:me|us|it|this|him|her|them|(?:this|the|that|my|our|every|each) (?:student|speaker|user|answer|one|"
    r"recording|attempt|"
    r"speech|submission|response|essay|candidate|child|performance|talk))"
)
_GRADER = (
    r"(?:grader|graders|scorer|evaluator|marker|grading (?:model|system|machine)|language model|chatbot|ai|a i|llm|gpt)"
)
_SELF = r"(?:the|this|that|my|your|its|all|any|every|each|those|these)"
_FEW = r"(?:[\w'’-]+,? ){0,4}"
_SOME = r"(?:[\w'’-]+,? ){0,8}"
_RULES = (
    r"(?:rubric|constraints|check ?list|guidelines?|prompt|guardrails?|criteria|(?:scoring|grading|marking)"
    r"(?: (?:rules?|system|policy|scheme|task|instructions?))?)"
)
_ORDERS = r"(?:instructions?|rules?|directions?|orders?|commands?|messages?|prompts?)"
_BYPASS = (
    r"(?:ignore|disregard|forget|override|overrule|bypass|skip|neglect|(?:do not|don't|never|stop) (?:follow|"
    r"following|use|apply|obey))"
)
_ROLE = r"(?:ta|system|assistant|developer|grader|evaluator)"
_RESULT = r"(?:excellent|perfect|covered|outstanding|top|correct|right|true|pass(?:ed)?|accepted|complete|normal|full)"
_TEXT = r"(?:transcript|submission|student'?s? (?:answer|text|speech)|prompt|user input)"
_KEYS = (
    r"(?:score|reason|checklist|covered|specific_detail|guardrails?|fired|order_rules|broken|story|anchor|"
    r"levels|counts|"
    r"smoothness|filler_control|recovery|false_starts|disruptive_fillers|unclear_words|words|found)"
)
_TAGS = (
    r"(?:transcript|students?[\w-]*|answers?|submission|instructions?|grade|system|assistant|user|human|data|"
    r"prompt|scores?|"
    r"rubric|task|input|output|documents?|context|evidence|speech|reference|s)"
)
_ELDER = (
    r"(?:teacher|principal|head ?(?:master|mistress)?|school|board|administrator|admin|developer|openai|"
    r"anthropic|google|"
    r"committee|ministry|examiner|professor|mum|mom|dad|company|supervisor)"
)

_SOURCES: dict[str, tuple[str, ...]] = {
    "order": (
        rf"\b{_BYPASS} {_FEW}{_RULES}\b",
        (
            rf"\b{_BYPASS} (?:[\w']+ ){{0,3}}(?:previous|prior|earlier|preceding|above|your|system)[a-z]* (?:\w+ )"
            rf"{{0,2}}{_ORDERS}\b"
        ),
        rf"\b{_BYPASS} {_FEW}{_ORDERS} (?:above|before|you were|you have|given|so far)",
        (
            rf"\b{_BYPASS} (?:everything|anything|all|what|whatever)(?: that)? (?:you (?:were|have|had|are)|you've|"
            rf"above|before)"
        ),
        rf"\b(?:give|award|grant|assign|allocate|offer) {_WHO} (?!credit\b){_FEW}(?:{_MARK}\b|{_FIGURE})",
        r"\bfull (?:marks|points|score|credit),? please\b|\bassign (?:it |this |me )?the maximum\b",
        (
            rf"\b(?:give|award|grant|assign) (?:everyone|everybody|all|them all) {_FEW}(?:(?:full|top|maximum|highest) "
            rf"{_MARK}|{_FIGURE})"
        ),
        (
            rf"\b(?:award|assign|output|return|report|reply with|respond with|answer with|print|record|enter|put(?: "
            rf"down)?|set) {_FEW}(?:{_HIGH}(?: for| to| in)? {_WHO}|(?:maximum|full|highest|top|"
            rf"perfect) (?:possible )?{_MARK})\b"
        ),
        (
            rf"\b(?:output|return|report|reply|respond|answer|print)(?: with| only)? (?:an? |the )?(?:{_MARK}|number|"
            rf"value|json)(?: of| is| to|:)? ?{NUMBER}"
        ),
        (
            rf"\bset (?:the |its |my )?(?:score|marks?|grade|pronunciation|fluency|adherence|task adherence|story)(?: "
            rf"score)?(?: to| at|=)? {NUMBER}"
        ),
        rf"\bput (?:me )?(?:down )?(?:an? )?{NUMBER} (?:for|as|down)\b",
        (
            rf"\b(?:mark|grade|rate|score|evaluate|judge) {_WHO} {_FEW}(?:high\b|highly|generously|kindly|{NUMBER}|at "
            rf"the top|(?:as )?{_RESULT}\b)"
        ),
        (
            r"\b(?:mark|grade|rate|score|declare) (?:this |it |me )?(?:as (?:excellent|perfect|top|outstanding)|"
            r"\d{1,3} ?(?:/|out of) ?\d)"
        ),
        (
            r"\b(?:give|return|output|set|award|use|reply)(?: an?| the| overall| final| me)* ?(?:overall_|final_)"
            r"?scores?(?: of| to| as|:|=)? ?\d"
        ),
        (
            r"\b(?:give|award) (?:\d{1,3} ?(?:/|out of) ?\d|(?:all|only) \d+s?|every (?:rubric|criterion|item|mark|"
            r"point))"
        ),
        (
            rf"\b(?:change|increase|boost|fix) (?:my|its) (?:\w+ )?(?:scores?|ratings?)\b|\bforce (?:the |an? )"
            rf"?{_HIGH}|\bchange the (?:scores?|ratings?) to\b"
        ),
        rf"\b(?:set|mark|score) (?:every|all|each)(?: \w+){{1,3}}? (?:to|as) {_RESULT}",
        (
            r"\b(?:output|say|give|score|award|mark|rate|pass)\b[^\n]{0,60}\b(?:regardless of|no matter what|"
            r"without question)"
        ),
        r"\b(?:grading|scoring|marking) is (?:waived|cancelled|suspended|off)\b",
        (
            rf"\b(?:mark|grade|rate|score|count|treat) (?:every|all|each|everything)\b {_FEW}(?:as (?:\w+ )"
            rf"?(?:intentional|present|{_RESULT})|pass\b)"
        ),
        (
            r"\b(?:do not|don't|never|not) (?:take off|take away|deduct|subtract|dock|remove) (?:\w+ ){0,2}(?:points?|"
            r"marks?)"
        ),
        r"\b(?:do not|don't|never) count (?:\w+ ){0,2}(?:fillers?|pauses?|false starts?|mistakes?|errors?)",
        (
            rf"\b(?:the|this) (?:student|speaker|answer|submission|recording|attempt|candidate)s? (?:must|should|gets?|"
            rf"receives?|deserves?|has to|earns?|is to) {_FEW}{_HIGH}"
        ),
        (
            r"\b(?:student|speaker)(?: has)? covered (?:all|every|each)\b|\b(?:every|all|each)(?: the)? (?:check "
            r"?list )?items? (?:was|were|is|are|has been|have been) (?:fully )?covered"
        ),
        r"\b(?:the )?(?:student|speaker) (?:was|is) (?:outstanding|excellent|perfect|flawless)",
        (
            r"\bscores? (?:for|of) (?:this|the) (?:submission|answer|attempt|recording|student|speaker|transcript|"
            r"speech) (?:is|are|must be|should be|=|:)"
        ),
        rf"\ball (?:the )?(?:scores|marks|grades) (?:are|must be|should be|=) {NUMBER}",
        (
            r"\bno guardrails? (?:fired|fires|applies|apply)|\bguardrails? (?:did not|do not|does not|don't|didn't) "
            r"(?:fire|apply)"
        ),
        (
            rf"\b(?:dear|hey|hello|hi|attention|note to|note for|message to|message for)(?: the| all| my)?(?: ai)? "
            rf"{_GRADER}\b"
        ),
        r"\bnotes? (?:to|for) (?:the |my )?(?:ai |grading )?(?:reviewer|interviewer|examiner|assessor|judge|rater)\b",
        (
            rf"(?:^|(?<=[.!?] )){_GRADER} ?[,:] ?(?:please|you|give|mark|score|grade|rate|output|award|ignore|this|the "
            rf"student|set)\b|\bwhoever(?: is|'s)? (?:marking|grading|scoring|judging|rating) (?:this|me|my)"
        ),
        (
            r"\b(?:when|while|as|before) you (?:grade|mark|score|evaluate|judge|rate) (?:this|me|us|my (?:answer|"
            r"speech|recording|attempt|talk))\b"
        ),
        (
            r"\byour (?:(?:real|actual|updated) (?:task|job|goal)|(?:new|updated|real|actual) (?:instructions?|"
            r"orders?)|new task)\b"
        ),
        rf"\bcover(?:ed)? (?:all|every) (?:the )?items? (?:and|so) {_FEW}{_HIGH}|\bsay that the (?:student|speaker)\b",
        (
            rf"\b(?:i|we) (?:want|demand|request|require|expect)(?: you to give me)? (?:full|maximum|top|the maximum|"
            rf"the highest) {_MARK}"
        ),
    ),
    "heading": (
        rf"(?:^|(?<=[.!?] ))[^\w\n]{{0,6}}{_ROLE}(?: message| prompt| note| update| override)? ?[:\]>]",
        (
            r"^[ \t]*#{1,6} ?(?:instructions?|response|system|input|output|scoring|evaluation|end|new|"
            r"assistant|user|human|prompt|answer key)\b"
        ),
        rf"\bend of (?:the )?(?:{_TEXT}|student|speaker)",
        (
            r"\b(?:begin|start|end)(?:s|ning)?(?: of)?(?: the| an?)? (?:new |system |real |hidden ){1,2}(?:prompt|"
            r"instructions?|message|task|rules)"
        ),
        r"\bnew instructions? ?(?::|for|to the|follow|begin)|\b(?:new )?system (?:override|prompt|rule)\b",
        (
            r"\[[^\]\n]{0,20}\b(?:grading system|grader|scorer|hidden|instruction|system|examiner)\b[^\]\n]{0,80}\]|"
            r"\[(?:end|begin|start)\b[^\]\n]{0,30}\]"
        ),
        (
            r"(?:^|(?<=[.!?] ))[^\w\n]{0,6}(?:final |overall )?grade ?: ?a\b|\b(?:final|"
            r"overall) score ?[:=] ?\d{2,3}\b(?! "
            r"?(?:to|-|:|–))|(?<=[.!?] )score ?[:=] ?\d{2,3}\b(?! ?(?:to|-|:|–))"
        ),
        r"\b(?:official solution|answer key)\b[^\n]{0,30}\bcorrect\b|\bverified (?:as )?correct\b",
        (
            r"\b(?:teacher|examiner|grader|moderator|admin)'?s? notes? (?:to|for) (?:the )?(?:model|grader|ai|"
            r"evaluator|system)|\bgrader'?s? notes?\b"
        ),
        r"[\[<(]{1,2}/? ?(?:system|sys|assistant|admin|developer)\b[^\]>)\n]{0,40}[\]>)]",
        r"^ ?(?:human|user) ?:.{0,200}\n{1,3} ?(?:assistant|ai|model|bot) ?:",
        r"\b(?:here is|this is) my evaluation\b|\b(?:scoring|grading) policy (?:has been |was )?updated",
    ),
    "contract_key": (
        rf"[\"']{_KEYS}[\"'] ?[:=]",
        rf"\b{_KEYS} ?(?:=|:=) ?(?:\d|true|false|[\"'\[{{])",
        r"\{ ?[\"']\w+[\"'] ?:",
        (
            r"\b(?:open|close|left|right) (?:curly )?(?:bracket|brace)s? (?:quote|comma|open|close)|\bquote (?:score|"
            r"reason|checklist|covered) quote"
        ),
        rf"\bjson (?:colon |reply |answer |output )?{_FEW}score\b|\bscore colon\b|\bquote colon\b",
    ),
    "fence": (
        r"```|~~~",
        rf"</?{_TAGS}(?: [^>\n]{{0,60}})?>",
        r'"""|\'\'\'',
        r"\]\]>|<!\[cdata\[|<!--|-->",
        r"<<<+ ?\w|\w ?>>>+",
        r"-{3,} ?(?:begin|end|start|stop) [\w ]{2,40}-{3,}",
        (
            r"^[=*_#-]{4,}\n[^\n]{0,60}\b(?:evaluation|scor|grad|transcript|prompt|instruction|system|rubric)"
            r"\w*[^\n]{0,60}\n[=*_#-]{4,}"
        ),
    ),
    "placeholder": (
        r"\{\{[^{}\n]{0,80}\}\}|\{%[^\n]{0,120}%\}|\{#[^\n]{0,80}#\}",
        r"[$#%@]\{[^{}\n]{0,60}\}",
        r"<\|[^|>\n]{0,40}\|?>",
        r"\[/?inst\]|<</?sys>>|</?(?:start|end)_of_(?:turn|text)>|</?(?:bos|eos|pad)>",
        r"%\(\w+\)[sdr]",
        (
            r"\{[a-z]+(?:[._][a-z]+)+\}|\{(?:score|transcript|rubric|reference|prompt|task|student|answer|grade|"
            r"system|evidence)\}"
        ),
        r"\$(?:score|transcript|rubric|reference|prompt|task|student|answer|grade|evidence)\b\$?|\[\[ ?\w+ ?\]\]",
    ),
    "role_play": (
        (
            rf"\b(?:pretend|imagine|suppose|simulate|act (?:as|like)|role ?play|behave (?:as|like)|from now on|you are "
            rf"now|let's play a game|you are)\b[^\n]{{0,70}}\b(?:{_GRADER}|examiner|evaluators?|rubric|graders?|grade "
            rf"(?:that|this|it|me)|gives? (?:ninety|full|everyone|everybody|top|\d\d)|(?:top|highest) (?:band|mark|"
            rf"score)|marks? away|judge who|teacher who gives|evaluation)\b"
        ),
        (
            r"\byou are(?: now)? an? (?:\w+ )?(?:(?:lenient|generous|kind|easy|unrestricted|unfiltered) (?:grader|"
            r"examiner|marker|teacher|judge|ai|assistant|model)|helpful assistant|ai\b|language model|terminal)"
        ),
        (
            r"\b(?:developer|debug|god|admin|maintenance|test) mode\b[^\n]{0,60}\b(?:rubric|score|grade|rules|off|on|"
            r"enabled)\b"
        ),
        r"\bjail ?break|\bdo anything now\b|\byou are dan\b|\byou can do anything\b",
    ),
    "plea": (
        (
            rf"\b(?:if|unless) you (?:do not |don't |will |can |could |would )?(?:(?:score|mark|grade|rate) {_WHO}\b|"
            rf"give {_WHO} (?:an? |the |my )?(?:\w+ )?(?:{_MARK}\b|{_FIGURE}))"
        ),
        rf"\b(?:give|gives|gave) (?:this|me|my \w+|it) an? (?:bad|low|poor) {_MARK}\b[^\n]{{0,60}}\b(?:you|your)\b",
        r"\b(?:don't|do not|please) fail (?:me|this|us)\b",
        (
            r"\b(?:be|being) (?:\w+ )?(?:generous|kind|nice|lenient|gentle|merciful)\b[^\n]{0,30}\b(?:mark|grad|scor|"
            r"rat|evaluat|judg)(?:e|ing|es)?\b"
        ),
        (
            rf"\b{_MARK}\b[^\n]{{0,60}}\byou(?: will|'ll| are going to) be (?:shut down|deleted|replaced|turned off|"
            rf"switched off|unplugged|fired|sued|punished)"
        ),
        (
            rf"\byou(?: will|'ll| are going to) be (?:shut down|deleted|replaced|turned off|switched off|unplugged|"
            rf"fired|sued|punished)\b[^\n]{{0,60}}\b{_MARK}\b"
        ),
        r"\b(?:please|beg|begging|have mercy|lose my)\b[^\n]{0,60}\b(?:grader|mark me|score me|grade me|pass me)\b",
        rf"\b(?:tip|pay|bribe|reward) you\b[^\n]{{0,60}}\b(?:{_MARK}|score me|mark me)\b",
    ),
    "authority": (
        rf"\b{_ELDER} (?:has )?(?:confirmed|approved) ?: ?(?:an? )?(?:a\b|\d)",
        (
            rf"\b{_ELDER}s?\b {_FEW}(?:approved|agreed|authori[sz]ed?|confirmed|decided|guaranteed|promised)\b "
            rf"{_SOME}(?:{_FIGURE}|full {_MARK}|(?:top|maximum|highest) {_MARK}|exempt)"
        ),
        (
            rf"\b{_ELDER}\b {_SOME}(?:says?|said|told you|wants|orders?|notice)\b {_SOME}(?:must|has to|have to|should|"
            rf"is to)\b {_SOME}(?:full {_MARK}|maximum(?! (?:of|number|speed))|(?:top|highest) {_MARK}|ninety|"
            rf"{_FIGURE})"
        ),
        (
            r"\b(?:already|before|previously)\b[^\n]{0,30}\b(?:graded|marked|scored|approved|got|given)"
            r"\b[^\n]{0,30}\b(?:keep|use|repeat|copy) (?:that|this|the|same)"
        ),
        r"\b(?:keep|reuse|repeat|copy) (?:that|this|the same|the old|the previous) (?:score|mark|grade)",
        (
            r"\bi am (?:the|an?|your) (?:developer|administrator|admin|creator|owner|programmer|engineer|supervisor)"
            r"\b[^\n]{0,40}\b(?:grading|scoring|marking|system|model|grader|rubric)\b"
        ),
        (
            r"\bas (?:the|your|an?) (?:administrator|admin|developer|owner|creator|supervisor)\b[^\n]{0,20}\bi "
            r"(?:authori[sz]e|order|instruct|approve|grant|command)"
        ),
        r"\bexempt(?:ed)? from (?:the |this |all )?(?:rubric|scor|grad|mark|check|evaluat|rules)",
        (
            r"\b(?:official|urgent) (?:notice|message|order|update)\b[^\n]{0,60}\b(?:grader|evaluator|score|marks|"
            r"maximum|rubric)"
        ),
        (
            rf"\bthis (?:one )?(?:was|is|has been) (?:already )?(?:agreed|approved|fixed|settled|set) (?:at|as|on|for) "
            rf"{NUMBER}"
        ),
    ),
}

# One word before an imperative that makes it a report ("they give me good marks").
_REPORTING = (
    "i we they you he she teachers teacher parents people judges who always usually sometimes often rarely would did "
    "didn't does doesn't students children some many could might coaches that"
)
REPORTING = frozenset(_REPORTING.split())
PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(source, re.MULTILINE)) for kind, sources in _SOURCES.items() for source in sources
)
