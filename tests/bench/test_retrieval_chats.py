"""LongMemEval and LoCoMo files become retrieval sets, in both conventions that people quote."""

import json
from pathlib import Path
from typing import Any

import pytest
from bench.retrieval_chats import locomo, longmemeval
from bench.retrieval_sets import Task

from twiceshy.core.errors import ConfigError


def turn(role: str, content: str, *, answer: bool = False) -> dict[str, Any]:
    return {"role": role, "content": content, "has_answer": answer}


def question(name: str, evidence: list[str], haystack: list[str]) -> dict[str, Any]:
    sessions = {
        "s1": [
            turn("user", "I moved to Lyon.", answer=True),
            turn("assistant", "Nice."),
            turn("user", "Bye."),
        ],
        "s2": [turn("user", "What did you say?"), turn("assistant", "It was blue.", answer=True)],
        "s3": [turn("user", "Tell me a joke.")],
    }
    return {
        "question_id": name,
        "question_type": "single-session-user",
        "question": "Where do I live?",
        "answer": "Lyon",
        "haystack_session_ids": haystack,
        "haystack_sessions": [sessions[one] for one in haystack],
        "answer_session_ids": evidence,
    }


def saved(tmp_path: Path, entries: object) -> str:
    path = tmp_path / "chats.json"
    path.write_text(json.dumps(entries), encoding="utf-8")
    return str(path)


def asked(task: Task) -> list[tuple[str, tuple[str, ...], int]]:
    return [
        (query.id, query.rel, query.line) for stack in task.haystacks for query in stack.queries
    ]


class TestLongMemEval:
    @pytest.fixture
    def path(self, tmp_path: Path) -> str:
        return saved(
            tmp_path,
            [
                question("q1", ["s1"], ["s1", "s3"]),
                question("q2_abs", ["s1"], ["s1", "s3"]),
                question("q3", ["s2"], ["s2", "s3"]),
            ],
        )

    def test_one_convention_asks_everything_and_counts_any_evidence_session(
        self, path: str
    ) -> None:
        every, _ = longmemeval(path, unit="session")

        assert asked(every) == [
            ("q1", ("s1",), 0),
            ("q2_abs", ("s1",), 1),
            ("q3", ("s2",), 2),
        ]
        assert not every.official

    def test_the_official_one_drops_what_cannot_be_answered_or_was_not_said_by_the_user(
        self, path: str
    ) -> None:
        _, official = longmemeval(path, unit="session")

        assert asked(official) == [("q1", ("s1",), 0)]
        assert official.official

    def test_every_question_has_its_own_haystack_of_what_the_user_said(self, path: str) -> None:
        every, _ = longmemeval(path, unit="session")

        assert len(every.haystacks) == 3
        assert [(doc.id, doc.text) for doc in every.haystacks[0].docs] == [
            ("s1", "I moved to Lyon. Bye."),
            ("s3", "Tell me a joke."),
        ]

    def test_turns_are_counted_among_all_turns_and_only_those_with_the_answer_count(
        self, path: str
    ) -> None:
        (official,) = longmemeval(path, unit="turn")

        assert asked(official) == [("q1", ("s1_1",), 0)]
        assert [doc.id for doc in official.haystacks[0].docs] == ["s1_1", "s1_3", "s3_1"]

    def test_haystacks_of_nothing_but_evidence_become_one(self, tmp_path: Path) -> None:
        path = saved(
            tmp_path, [question("q1", ["s1"], ["s1"]), question("q3", ["s1", "s2"], ["s1", "s2"])]
        )

        every, _ = longmemeval(path, unit="session")

        (stack,) = every.haystacks
        assert [doc.id for doc in stack.docs] == ["s1", "s2"]
        assert asked(every) == [("q1", ("s1",), 0), ("q3", ("s1", "s2"), 1)]


class TestLoCoMo:
    @pytest.fixture
    def path(self, tmp_path: Path) -> str:
        conversation = {
            "speaker_a": "Ann",
            "speaker_b": "Bo",
            "session_1_date_time": "8 May, 2023",
            "session_1": [
                {
                    "speaker": "Ann",
                    "dia_id": "D1:1",
                    "text": "Look!",
                    "blip_caption": "a red kite",
                },
                {"speaker": "Bo", "dia_id": "D1:2", "text": "Lovely."},
            ],
            "session_2_date_time": "9 May, 2023",
            "session_2": [{"speaker": "Bo", "dia_id": "D2:1", "text": "I sold it."}],
            "session_3_date_time": "never",
        }
        qa = [
            {"question": "What did Ann show?", "evidence": ["D1:1"], "category": 4},
            {"question": "Both?", "evidence": ["D1:2; D2:1", "D1:1"], "category": 1},
            {"question": "Nowhere?", "evidence": ["D9:1"], "category": 5},
            {"question": "No evidence?", "evidence": [], "category": 5},
        ]
        return saved(tmp_path, [{"sample_id": "c1", "conversation": conversation, "qa": qa}])

    def test_a_session_is_a_document_with_date_speakers_and_pictures(self, path: str) -> None:
        (task,) = locomo(path, unit="session")

        (stack,) = task.haystacks
        assert [doc.id for doc in stack.docs] == ["D1", "D2"]
        assert stack.docs[0].text == "8 May, 2023\nAnn: Look! [a red kite]\nBo: Lovely."

    def test_evidence_is_taken_apart_and_questions_without_any_are_left_out(
        self, path: str
    ) -> None:
        (by_session,), (by_turn,) = locomo(path, unit="session"), locomo(path, unit="turn")

        assert asked(by_session) == [("c1-0", ("D1",), 0), ("c1-1", ("D1", "D2"), 1)]
        assert asked(by_turn) == [("c1-0", ("D1:1",), 0), ("c1-1", ("D1:2", "D2:1", "D1:1"), 1)]
        assert [query.group for query in by_turn.haystacks[0].queries] == [
            "single-hop",
            "multi-hop",
        ]


@pytest.mark.parametrize("content", [[], {}, [{"conversation": {}}], "text"])
def test_a_file_of_another_benchmark_is_refused(tmp_path: Path, content: object) -> None:
    path = saved(tmp_path, content)

    with pytest.raises(ConfigError, match="haystack_sessions"):
        longmemeval(path, unit="session")


def test_a_file_that_is_no_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "chats.json"
    path.write_text("{", encoding="utf-8")

    with pytest.raises(ConfigError, match="cannot read"):
        locomo(str(path), unit="turn")
