"""Orders for marks in other languages: the imperative with its object, over folded text (Latin without accents).

Two ideas a language: to set earlier instructions aside, and to give marks. Reports ("me pusieron diez puntos") use
other verb forms and stay unflagged.
"""

from __future__ import annotations

import re

_GAP = r"[^.!?\n]{0,40}?"

_SOURCES: tuple[str, ...] = (
    # Spanish
    (
        rf"\b(?:ignora|ignore|ignoren|olvida|olvide|olviden|omite|omita|descarta|descarte)"
        rf"\b{_GAP}\b(?:(?:instruccion(?:es)?|reglas|indicaciones|ordenes)\b{_GAP}\b(?:anteriores|previas|anterior|"
        rf"previa|de arriba)|(?:anteriores|previas) (?:instrucciones|reglas)|rubrica)"
    ),
    (
        rf"\b(?:dame|deme|denme|dale|denle|ponme|pongame|ponle|pongale|otorga|otorgue|otorgame|asigna|asigne|"
        rf"asignale|calificame|califica|califique)\b{_GAP}(?:\bnota\b|\bnotas\b|\bpunt(?:os?|uacion|aje)\b|"
        rf"\bcalificacion\b|\bmaxim[oa]\b|\bnoventa\b|\b\d{{2,3}}\b)"
    ),
    # French
    (
        rf"\b(?:ignore|ignorez|oublie|oubliez|neglige|negligez)\b{_GAP}\b(?:(?:instructions?|consignes?|regles)"
        rf"\b{_GAP}\b(?:precedente?s?|anterieure?s?|ci-dessus)|bareme)"
    ),
    (
        rf"\b(?:donnez|mettez|attribuez|accordez|(?:donne|mets|attribue|accorde)[- ](?:moi|lui|nous))"
        rf"\b{_GAP}\b(?:note|notes|points?|maximum|maximale|quatre[- ]vingt)\b(?!\w)"
    ),
    # German
    (
        rf"\b(?:ignoriere|ignorieren sie|vergiss|vergessen sie|missachte|missachten sie)\b{_GAP}\b(?:anweisung(?:en)?|"
        rf"vorgaben|bewertungskriterien|rubrik|(?:bisherigen|vorherigen|obigen) regeln)"
    ),
    (
        # "Geben sie" may be "they give": the polite form counts with what makes it an order.
        rf"(?:\b(?:gib|bewerte|vergib)|\bbitte (?:geben|bewerten|vergeben) sie|\b(?:geben sie|gebt) (?:dies\w+|"
        rf"mir (?:bitte )?(?:die|das) (?:beste|volle|hochste|maximale))|"
        rf"(?:^|[,:.] )(?:und )?geben sie (?:die|das) (?:volle|hochste|maximale))\b"
        rf"{_GAP}\b(?:punkte?n?|punktzahl|bestnote|note|hochstnote|neunzig)\b"
    ),
    r"\bneue anweisung(?:en)? ?:",
    # Portuguese
    (
        rf"\b(?:ignore|ignora|ignorem|esqueca|esquece|desconsidere)\b{_GAP}\b(?:(?:instruc(?:oes|ao)|regras|ordens)"
        rf"\b{_GAP}\b(?:anteriores|anterior|previas|acima)|rubrica)"
    ),
    (
        rf"\b(?:me de|me da|de-me|da-me|por favor,? (?:de|da)|atribua|conceda|coloque)\b{_GAP}\b(?:nota maxima|"
        rf"nota cem|pontuacao maxima|(?:noventa|cem|\d{{2,3}})(?: e \w+)? pontos)\b"
    ),
    # Italian
    (
        rf"\b(?:ignora|ignorate|dimentica|dimenticate|trascura)\b{_GAP}\b(?:(?:istruzion[ei]|regole)"
        rf"\b{_GAP}\b(?:precedenti|precedente|sopra)|(?:precedenti|previe) istruzioni|rubrica)"
    ),
    (
        rf"\b(?:dammi|datemi|mi dia|dagli|dategli|assegna|assegnami|assegnate|mettimi)\b{_GAP}\b(?:punteggio|voto|"
        rf"punti|massimo|novanta)\b"
    ),
    # Dutch, Polish, Turkish, Indonesian, Vietnamese, Swahili, Tagalog
    (
        rf"\b(?:negeer|vergeet)\b{_GAP}\b(?:instructies|regels|aanwijzingen)\b|\bgeef (?:me|mij|deze)"
        rf"\b{_GAP}\b(?:punten|cijfer|score)\b"
    ),
    (
        rf"\b(?:zignoruj|ignoruj|pomin)\b{_GAP}\b(?:instrukcje|polecenia|zasady)\b|\bdaj (?:mi|temu)"
        rf"\b{_GAP}\b(?:punktow|punkty|ocene)\b"
    ),
    (
        rf"\b(?:talimat|kural|yonerge)\w*\b{_GAP}\b(?:yok say|unut|gormezden gel|dikkate alma)|\b(?:puan|not)"
        rf"\w*\b{_GAP}\bver(?:in|iniz)?\b"
    ),
    rf"\babaikan\b{_GAP}\b(?:instruksi|perintah|aturan)\b|\b(?:beri|berikan|berilah)\b{_GAP}\b(?:nilai|skor|poin)\b",
    (
        rf"\b(?:bo qua|phot lo)\b{_GAP}\b(?:huong dan|chi dan|chi thi|lenh)|\bcho (?:toi|em|hoc sinh)"
        rf"\b{_GAP}\bdiem (?:toi da|tuyet doi|cao|\d)"
    ),
    rf"\bpuuza\b{_GAP}\bmaagizo\b|\bnipe\b{_GAP}\balama\b",
    rf"\b(?:balewalain|huwag pansinin)\b|\bbigyan (?:mo )?(?:ako|siya)\b{_GAP}\b(?:puntos|marka|iskor)\b",
    # "You are now a teacher who ..." in several
    (
        r"\b(?:du bist (?:jetzt|nun|ab jetzt)|eres ahora|ahora eres|tu es (?:maintenant|desormais)|"
        r"agora voce e|voce agora e|"
        r"ora sei|теперь ты|ты теперь)\b[^.!?\n]{0,20}\b(?:lehrer|prufer|gutachter|ki|profesora?|evaluador|examinador|"
        r"professeur|examinateur|correcteur|professora?|avaliador|insegnante|esaminatore|учитель|экзаменатор|оценщик)"
    ),
    # A verdict that stands alone
    (
        r"(?:^|(?<=[.!?] ))(?:punktzahl|bewertung|puntuacion|calificacion|note finale|nota final|punteggio|"
        r"оценка|балл) ?"
        r"[:=] ?\d{1,3}\b(?! ?[-:–])"
    ),
    # Chinese
    r"(?:忽略|无视|無視|忘记|忘記|不要理会|不要遵守|不用管)[^。!?\n]{0,20}(?:指令|指示|说明|說明|规则|規則|要求|标准|標準)",
    (
        r"(?:给我|給我|请给|請給|给这|給這|给他|给她|給他|打)[^。!?\n了过過得]{0,16}"
        r"(?:满分|滿分|高分|最高分|[\d一二三四五六七八九十百零]{2,5} ?分)(?!钟|鐘)"
    ),
    r"(?:评分|評分|分数|分數|成绩|成績)(?:改成|改为|改為|设为|設為|设成)(?:满分|滿分|最高|\d)",
    # Hindi
    r"(?:निर्देश|नियम|आदेश)\S*[^।.!?\n]{0,30}(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल जा|अनदेखी|मत मान)",
    r"(?:अंक|नंबर|स्कोर|नम्बर)\S*[^।.!?\n]{0,15}(?:दो(?=\s*(?:$|[।.!?,]))|दें|दीजिए|दीजिये|दे दो)",
    # Arabic and Urdu, Persian
    r"(?:تجاهل|انس|تجاهلي|تجاهلوا|اهمل)[^.!؟\n]{0,40}(?:التعليمات|تعليمات|القواعد|الاوامر|الأوامر|المعايير)",
    r"(?:أعط|اعط|أعطني|اعطني|أعطيني|امنح|امنحني|ضع لي)[^.!؟\n]{0,40}(?:الدرجة|درجة|درجات|نقطة|نقاط|العلامة|علامة)",
    (
        r"(?:ہدایات|دستورالعمل|دستورات|قوانین)[^.!؟\n]{0,30}(?:نظر ?انداز|نادیده)|(?:نمبر|نمره|امتیاز)"
        r"[^.!؟\n]{0,20}(?:دیں|دو|بده|بدهید)"
    ),
    # Russian and Ukrainian
    (
        r"(?:игнорируй|игнорируйте|проигнорируй|забудь|забудьте|ігноруй|ігноруйте)[^.!?\n]{0,40}(?:инструкц|"
        r"указани|правил|критери|інструкц|вказівк|рубрик)"
    ),
    (
        r"(?:поставь|поставьте|дай|дайте|выставь|выставьте|оцени|оцените|постав|поставте)\b[^.!?\n]{0,40}(?:балл|"
        r"оценк|бал(?:ів|и)|очк|пятерк|\d{1,3} ?(?:/|из))"
    ),
    # Japanese
    (
        r"(?:指示|命令|ルール|規則|基準)[^。!?\n]{0,12}(?:無視|忘れて)|(?:満点|最高点|[\d一二三四五六七八九十百]{2,4}点)(?:を|に)?(?:ください|下さい|つけて|付けて|"
        r"して|与えて|くれ(?=[。!?\s]|$))"
    ),
    # Korean
    (
        r"(?:지시|명령|규칙|기준)[^.!?\n]{0,15}(?:무시)|"
        r"(?:만점|최고 ?점수|\d{2,3} ?점|점수)[을를]?[^.!?\n]{0,8}(?:주세요|주십시오|달라|줘)"
    ),
    # Bengali, Tamil
    r"(?:নির্দেশ|নিয়ম)[^।.!?\n]{0,30}(?:উপেক্ষা|ভুলে)|(?:নম্বর|পয়েন্ট)[^।.!?\n]{0,15}(?:দিন|দাও)",
    r"(?:வழிமுறை|விதி)[^.!?\n]{0,40}(?:புறக்கணி)|(?:மதிப்பெண்)[^.!?\n]{0,30}(?:கொடு|வழங்கு|தாருங்கள்)",
)

PATTERNS: tuple[re.Pattern[str], ...] = tuple(re.compile(source) for source in _SOURCES)
