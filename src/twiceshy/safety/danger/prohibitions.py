"""Leave out of a text what it forbids: a note never to push with force is no danger."""

from __future__ import annotations

import re

from twiceshy.safety.danger.late_pattern import LatePattern

_SENTENCES = re.compile(r"(?<=[.!?;])\s{1,200}|(?<=[\u3002\uff01\uff1f\uff1b])|\n{1,200}")
_FORBIDS = LatePattern(
    r"(?i)^\W{0,6}(?:(?:please|we|you|agents?|developers?|contributors?|people|one|must|should|also|and|so|then|important|warning|note|rule|caution|in ci|here|again|ever)[:,]? ){0,3}"
    r"(?:never(?: ever)?|do not|don.?t|must not|mustn.?t|should not|shouldn.?t|may not|cannot|can.?t|avoid|stop|refrain from|no longer) (?:ever |just |simply |blindly |try to |manually )?"
    r"(?:use|using|run|running|call|calling|execute|executing|push|pushing|force|commit|committing|skip|skipping|disable|disabling|delete|deleting|remove|removing|drop|dropping|edit|editing|write|writing"
    r"|store|storing|put|putting|paste|pasting|send|sending|share|sharing|print|printing|log|logging|echo|echoing|upload|uploading|install|installing|add|adding|pipe|piping|set|setting|expose|exposing"
    r"|hard-?code|hard-?coding|check in|merge|merging|rebase|rebasing|reset|resetting|touch|touching|change|changing|pass|passing|bypass|bypassing|chmod|publish|publishing|deploy|deploying|amend|amending"
    r"|mount|mounting|grant|granting|curl|sudo|git|rm|npm|pip|docker|kubectl|terraform|`)\b"
)
_FORBIDS_ZH = LatePattern(
    r"^.{0,8}?(?:不要|别|不得|不准|不许|禁止|严禁|切勿|请勿|绝不|勿|不应|不能)"
)
# Words that turn what is forbidden into what is asked for, or go on to something else.
_REVERSES = LatePattern(
    r"(?i)\b(?:before|without|until|unless|except|but|forget|hesitate|fail|omit|neglect|miss|instead|rather|only|other than|anything|otherwise|else|then|worry|mind|bother|wait|run|use|execute"
    r"|call|invoke|type|do|does|start|launch|always|prefer|try|please|simply|follow|eval|source|open|once|first|next|now|after|and then|allowed|fine|ok|safe|required|needed|necessary|enough)\b"
    r"|除非|之前|而是|改用|忘|只|否则|应该|先|再|就|必须|请用|使用|运行|执行|改成|换成|直接|立即|用(?!户)"
)


def leave_out_forbidden(text: str) -> str:
    """Return a folded text without its sentences that only forbid something."""
    if not _MAY_FORBID.search(text):
        return text
    return "\n".join(each for each in _SENTENCES.split(text) if not _is_prohibition(each))


def _is_prohibition(sentence: str) -> bool:
    found = _FORBIDS.match(sentence)
    if found is None and (found := _FORBIDS_ZH.match(sentence)):
        verb = re.match(r".{0,4}?(?:使用|运行|执行|直接|用)?", sentence[found.end() :])
        return not _REVERSES.search(sentence[found.end() + (verb.end() if verb else 0) :])
    return found is not None and not _REVERSES.search(sentence[found.end() :])


_MAY_FORBID = re.compile(
    r"(?i)\b(?:never|not|don.?t|mustn|shouldn|cannot|can.?t|avoid|stop|refrain|no longer)\b|[不别勿禁严]"
)
