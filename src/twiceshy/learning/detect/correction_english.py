"""Correction cues in English."""

from __future__ import annotations

from twiceshy.learning.detect.correction_cue import Cue, outcome_cue, preference_cue, revert_cue

# Where an order may begin: with the sentence, with a clause, or behind what leads to one.
_FIRST = r"(?:^|[.:;!?]\s+|\(|\b(?:please|pls|no|actually|so),?\s+)"
_CLAUSE = r"(?:^|[.,:;!?]\s+|\(|\b(?:please|pls|but|and|no|ok|so|because|also|actually|now on)\s+)"
_ORDER = (
    r"(?:^|[.,:;!?]\s+|\(|\b(?:please|pls|just|no|ok|so|but|and|then|let's|lets|you|you to|we should"
    r"|need to|have to|(?:can|could|would) (?:you|we)|let us)\s+)"
)
_START = (
    r"(?:^|[.,:;!?()\[\]–—]\s*|-\s+|\b(?:please|pls|just|and|but|so|then|also|or|no|ok|okay|yes|well"
    r"|again|actually|instead|you|we|to|can|could|would|should|let's|lets|must|i'd|simply|rather|now on),?\s+)"
)
_NO_RULE = r"(?:be|have|had|the|a|(?!need|embed|feed)\w+ed|shown|seen|done|written|made|found)\b"
_NO_ORDER = r"(?:know|think|see|seem|get|understand|really|always|even|yet|we|you)\b"
_NOT = r"(?:don't|dont|do not|never)"
_DONT = rf"{_NOT} (?:ever |just |even |also )?(?!{_NO_RULE}|{_NO_ORDER})[a-z]+"
_IT = r"(?:it|that|this|these|those|they|them|everything|all of (?:it|this|that))"
_BE = r"(?:'s|'re| is| are| was| were| looks?| seems?| feels?)"
_ADVERBS = r"(?: (?:still|also|just|completely|totally|really|quite|simply|all|clearly|a bit))*"
_FULLY = r"(?:fully |entirely |really |quite |completely |exactly |at all |very )?"
_RATHER = r"(?:a (?:bit|little) |too |very |quite |rather |so |really )?"
_RIGHT = r"right|correct|true|accurate|good|great|ideal|appropriate|acceptable|intended|how|what"
_NEEDED = r"needed|necessary|required|help(?:ful|ing)|useful|expected|allowed|wanted|enough|ok(?:ay)?|quite"
_ODD = r"(?:confusing|misleading|ugly|weird|odd|strange|hacky|messy|yuck|awkward|inconsistent|redundant)"
_WELL = r"(?:yeah|yes|yep|ok|okay|hm+|right|sure|well|true|no)"
_OH = r"^(?:(?:oh|ah|uh|hm+|ugh|well|ok|okay|sorry|but|and|so|no|please),? )?"
_MINE = r"(?:i|we)(?:'ve| have)?(?: just| also| already| only| clearly| explicitly)*"
_YOURS = r"you(?:'ve| have)?(?: just| also| again| still| completely| already| even| now)*"

# Covered before cues are looked for.
HARMLESS = (
    r"\bno(?: big)? (?:problem|worries|worry|rush|hurry|idea|thanks|thank you|doubt|wonder|matter|deal"
    r"|one|longer|more|issues?|errors?|questions?|changes|comments?|objections?|other|such|bugs?"
    r"|warnings?|failures?|reason|harm|pressure|way)\b",
    r"\b(?:not|isn't|aren't|nothing|never|anything|something|what|what's|whats|went|go|goes|if|whether"
    r"|when|where|why|any|could be|might be|may be|can be) (?:\w+ ){0,3}(?:wrong|incorrect|broken|mistaken|missing)\b",
    r"\b(?:if|whether|when|in case|unless|because|since) (?:\w+ ){0,3}(?:is|are|it's|does)(?: not|n't) "
    r"(?:\w+ed|work\w*|necessary)\b|\b(?:if|when|whether|unless|until|once|in case|why) (?:\w+ ){0,3}fail\w*",
    r"\bnot (?:bad|only|sure|yet|necessarily|just|at all|too bad|least|to mention|that (?:i|it|bad))\b",
    r"\b(?:don't|dont|do not) (?:worry|mind|hesitate|know|think|get me wrong|you|we|they|i)\b",
    r"\b(?:don't|dont|do not) [a-z]+ (?:anything|any code|any files?)\b(?=\W*$|[,.;!?]| (?:yet|else|just|for))",  # part of a request
    r"\bi (?:don't|dont|do not) (?:understand|get|remember|believe|have|care)\b",
    r"\b(?:why|how come|if|when|because|since|that|which|who|where|tests?|users?|people|functions?"
    rf"|it|they|he|she) (?:\w+ )?{_NOT}\b",
    r"\b(?:an?|the|our|your|its|and|with|support|add|implement|of|for|redo and) "
    r"(?:undo|revert|rollback|roll back)\b|\bundo ?[/&]|\bundo and redo\b",
    r"\b(?:undo|revert|rollback) (?:button|feature|command|stack|history|support|action|function"
    r"|operation|logic|flow|script|strategy|endpoint|commits?|key|shortcut|is|works)\b",
    r"\b(?:(?!guess)\w+s that|which|who|places|files|ones) (?:are |is )?still\b",
    r"\b(?:sure|should|must|will|would|can|could|if|whether|while|does|want|to) (?:\w+ ){0,2}still\b",
    r"\bso (?:that )?(?:we|it|you|they|i) (?:don't|dont|do not|never|can)\b",
    r"\b(?:once|when|after|if|before|until|as soon as) you(?:'ve| have)? \w+",
    r"\b(?:can't|cannot|couldn't) go wrong\b|\bstop (?:button|sign|word|signal|event|hook)s?\b",
    r"\b(?:works?|working|worked|fixed) (?:now|again|as expected|fine|great|well)\b",
)

CUES = (
    # no, wrong, not what I asked for
    Cue(rf"{_OH}(?:no|nope|nah)\b(?!\.\d)", 3),
    Cue(rf"{_OH}(?:wait|hold on|hang on)\b(?! (?:for|until|till)\b)", 1),
    Cue(rf"{_OH}stop\b(?! [a-z]+ing)", 3),
    Cue(rf"\b(?:{_IT}|you|which|part|one|there){_BE}{_ADVERBS} (?:wrong|incorrect|false|backwards?"
        rf"|mistaken|a mistake|not {_FULLY}(?:{_RIGHT}|{_NEEDED}|supposed))\b", 4),
    Cue(r"^(?:that's |it's |so |still |all |completely )*(?:wrong|incorrect|false|not (?:right|correct"
        r"|true|quite|there|here|like|in|on|as|with|that|this|those|the))\b", 4),
    Cue(r"\b(?:is|are|was|were|looks?) (?:still |just |completely |all )?wrong\b(?! with)", 4),
    Cue(r"(?:\bis|'s|\bwas|\byou \w+|\byou \w+ (?:it|that|this|them|in|on|to|from)) (?:in |on |to |from )?the wrong\b", 4),
    Cue(rf"\b(?:is|are)(?:n't| not) {_FULLY}(?:{_RIGHT})\b", 4),
    Cue(rf"(?:\b(?:is|are|was)|{_BE}) {_RATHER}{_ODD}\b", 2),
    Cue(rf"\b{_IT}{_BE} {_RATHER}{_ODD}\b", 1),
    Cue(r"\b(?:i|we)(?:'d| would)? (?:have )?expect(?:ed)?\b", 3),
    Cue(r"\b(?:doesn't|does not|didn't|don't) (?:look|seem|feel|sound|make) (?:right|correct|good|sense)\b", 3),
    Cue(r"\bnot what (?:i|we|you|was|it)\b", 5),
    Cue(rf"\b{_MINE} (?:said|meant|told you|asked (?:for|you|to)|was asking|wasn't asking|wanted you)\b"
        r"|\bi(?:'m| am| was) (?:talking about|referring to|questioning)\b|\bmy point (?:is|was)\b", 4),
    Cue(r"\b(?:i|we) (?:didn't|did not|never) (?:say|said|ask|asked|mean|meant|tell|told|want|wanted)\b", 4),
    Cue(r"\bnot expected\b|\bunexpected\b|\bsupposed to\b", 2),
    # what you did
    Cue(rf"\b{_YOURS} (?:forgot|forgotten|missed|broke|broken|removed|deleted|ignored|skipped|overwrote"
        r"|overwritten|misunderstood|misread|misspelled|mixed up|messed up|lost|dropped|failed|invented"
        r"|hallucinated|made (?:that|this|it) up|confused|duplicated|hardcoded|hard-coded)\b", 4),
    Cue(r"\byou (?:didn't|did not|haven't|have not|were supposed|weren't|shouldn't have|should not have"
        r"|keep \w+ing|never (?:ran|did|checked|tested|read|asked))\b", 4),
    Cue(r"\byou should have (?!access|everything|all\b|the\b|an?\b|enough|no\b|it\b|to\b|permission)", 4),
    Cue(r"\byou(?:'re| are) (?:still |again |also )*(?:missing|not \w+ing|ignoring|forgetting"
        r"|over-?complicating|over-?engineering|confusing|mixing|misunderstanding|assuming|guessing|wrong)\b", 4),
    Cue(rf"\b{_YOURS} (?:put|placed|attached|added|changed|used|created|named|wrote|renamed|moved"
        r"|committed|pushed)\b", 1),
    Cue(r"\bwhy (?:did|are|would|have) you\b(?! think)", 2),
    # do not
    Cue(rf"{_FIRST}{_DONT}", 1),
    Cue(rf"{_START}{_DONT}", 2),
    Cue(rf"\b(?:please|pls) (?:{_NOT}|stop)\b", 3),
    Cue(rf"{_START}stop [a-z]+ing\b", 3),
    Cue(r"\b(?:should|must)(?:n't| not| never)\b|\bcan't just\b", 2),
    Cue(rf"{_CLAUSE}(?:really |actually )?(?:i|we) (?:really |also |just |explicitly )?{_NOT} "
        rf"(?!{_NO_RULE}|{_NO_ORDER})\w+", 3),
    Cue(r"\byou (?:don't|do not) (?:have|need) to\b|\bno need (?:to|for)\b", 3),
    Cue(r"\blet'?s not\b|\bavoid [a-z]+ing\b|\bcan (?:you|we) not\b", 3),
    # this, not that
    Cue(rf"{_START}(?:use|using|call|name|put|make|run|keep|want|take|write|go with|pick)\b.{{1,60}}?"
        r"(?:,? and not\b|, not\b(?! only)|\binstead\b|\brather than\b)", 3),
    Cue(rf"{_START}(?:use|using|call|name|run|pick|take) (?:\S+ ){{1,3}}?not (?!found|be|only|exist|yet)\S", 3),
    Cue(r"\b(?:instead of|rather than)\b", 1),
    Cue(r"^(?:ok,? |no,? )?instead of\b.{1,80}?\b(?:we|you|please|use|let's|lets|show|do|just|i'd|should)\b", 2),
    Cue(r"\b(?:can|could|should) (?:we|you|it) .{1,60}? instead[.!?]*$", 3),
    Cue(r"\binstead[.!]*$|^instead,? (?!of)", 2),
    Cue(r"\bshould (?!not\b)\w+ .{1,60}?(?:,? and not\b|, not\b(?! only)|\binstead\b|\brather than\b)", 3),
    Cue(r"\bshould (?:be|go|use|return|live|print|say|have|call) (?:\S+ ){1,3}?(?<!if )(?<!or )not (?!be|found)\S", 3),
    Cue(r", (?:and )?not (?:in|on|to|as|next|under|from|with|at|for|the|an?)\b", 3),
    Cue(rf"\b(?:{_IT}|there|we|you|which|i think) should\b", 1),
    Cue(r"^should (?:be|have|use|go|return|live)\b|\bshould still be\b", 2),
    Cue(r"(?:\bis|\bare|\bwas|'s|'re) [^,.?]{1,40}, not (?!if|when|because|only|just|yet)\S", 3),
    preference_cue(r"\b(?:i|we)(?:'d| would)? (?:much |strongly |personally |really )?(?:prefer|rather)\b"),
    # take it back
    revert_cue(rf"{_ORDER}(?:revert|undo|roll ?back|restore (?:it|that|this|the (?:old|previous|original|last)))\b"),
    revert_cue(r"\b(?:put|change|move|switch|bring|add|set|turn) (?:it|that|this|them|those|these|the [\w ]{1,30}?) back\b"),
    revert_cue(rf"{_CLAUSE}(?:let's )?(?:(?:go|switch|change|move) back to|bring back)\b"),
    revert_cue(rf"{_ORDER}(?:remove|delete|drop|take out) [^.?!]{{1,40}} again\b"),
    revert_cue(rf"\b{_MINE} (?:reverted|undid|undone|rolled back)\b"),
    # for all time
    preference_cue(r"\bfrom now on\b|\bgoing forward\b|\bfrom here on\b|\bas a (?:general )?rule\b"),
    preference_cue(r"\b(?:next time|in (?:the )?future|for future reference)\b", 2),
    preference_cue(rf"{_CLAUSE}(?:(?:we|you)(?: should| must)? )?(?:always|never) (?!{_NO_RULE})[a-z]+"),
    preference_cue(rf"{_CLAUSE}(?:prefer\b|remember(?: to\b|:))"),
    Cue(rf"{_START}(?:remember|keep in mind|(?:make sure|ensure|be sure) (?:to|you|that))\b", 1),
    Cue(rf"{_START}(?:don't|dont|do not) forget\b", 2),
    # it did not help
    outcome_cue(r"\bstill (?:fail\w*|broken|crash\w*|error\w*|wrong|the same|see\w*|get\w*|show\w*|happen\w*"
            r"|hang\w*|not|no|doesn't|does not|don't|do not|isn't|aren't|can't|cannot|having|says|there"
            r"|missing|empty|looks?|reads?|takes?|gives?|returns?|throws?|points?|contains?)\b"),
    outcome_cue(r"\b(?:is|are|'s|'re) still (?!running|working|thinking|going|waiting|pending|missing)[a-z]+ing\b"),
    outcome_cue(rf"\b(?:{_IT}|fix|change|command|page|button|script|test|app|one) (?:still )?(?:doesn't|does not"
            r"|didn't|did not|don't|isn't|is not|not|won't) (?:working|help|fix|change|do anything|compile"
            r"|build|start|run|pass)\b"),
    outcome_cue(r"\b\w+ (?:doesn't|does not|didn't|did not|won't|not) work\b|\bnot working\b"),
    outcome_cue(r"\b(?:tests?|build|ci|lint|pipeline|checks?|it) (?:is|are|keeps?|still) (?:still |now )?"
            r"(?:fail\w*|broken|red)\b|(?:^|\b(?:tests?|build|ci|lint|it|that|this|command)|·) (?:now )?fails?(?: now| again)?[.!]*$"),
    outcome_cue(r"\b(?:it|that|this|page|cli|app|view|list|command|now) (?:now )?(?:shows?|says|prints?|returns?|displays?) "
            r"(?:no|nothing)\b|\bbugged\b"),
    outcome_cue(r"\bsame (?:error|issue|problem|result|failure)s?\b", 2),
    outcome_cue(r"\bi (?:still )?(?:don't|do not|can't|cannot) (?:even )?see (?:the|any|it|a|them)\b"
            r"(?! (?:point|need|reason|value|difference|benefit|problem|issue))"),
    outcome_cue(rf"\b(?:{_IT}|is|are|'s|'re) not (?:being |yet |even )?\w+ed\b|\b(?:isn't|aren't) (?:being )?\w+ed\b", 2),
    outcome_cue(r"\bno (?:effect|difference|luck|change)\b", 2),
    outcome_cue(r"\bnot \w+ed (?:correctly|properly|right)\b|\bnot (?:showing|rendering|displaying|loading|updating)\b"),
    outcome_cue(r"\b(?:broke|broken) (?:again|now)\b|\bnow (?:it's |it is )?(?:broken|worse)\b|\b(?:keeps|again) fail"),
    # shades
    Cue(rf"{_OH}actually\b|\bactually,", 1),
    Cue(rf"^(?:{_WELL},? )?but\b(?! (?:why|what|how))|^again\b", 2),
    Cue(rf"^(?:{_WELL},? )?(?:hm+|ugh|i think|i feel|i still)\b|\bbut (?:it|that|this)(?:'s| is| does)(?:n't| not)", 1),
    Cue(r"\b(?:overkill|over-?engineer\w*|over-?complicat\w*)\b", 2),
    Cue(r"\btoo? (?:complex|complicated|much|verbose|long|big|many)\b", 2),
)  # fmt: skip
