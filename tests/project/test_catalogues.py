"""Every sentence that Memora says is there in every language, with the same fields."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from bot.commands.registry import menu
from bot.views.words import LANGUAGES, Words, closest
from tests.project.repository import ROOT, modules

CATALOGUES = ROOT / "bot/views/locales"
TRANSLATED = [language for language in LANGUAGES if language != "en"]


def _said() -> Iterator[ast.expr]:
    """The sentence of each call of `words`. Babel's own extraction doesn't look into f-strings."""
    for module in modules("bot", "adapters"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "words":
                yield node.args[0]


def _sentences() -> set[str]:
    return {str(node.value) for node in _said() if isinstance(node, ast.Constant)}


def _catalogue(language: str) -> Catalog:
    with (CATALOGUES / f"{language}.po").open("rb") as file:
        return read_po(file, abort_invalid=True)


def _entries(language: str) -> dict[str, str]:
    return {str(entry.id): str(entry.string) for entry in _catalogue(language) if entry.id}


def _fields(sentence: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(sentence) if name is not None)


def test_every_sentence_is_written_out_where_it_is_said() -> None:
    assert [ast.unparse(node) for node in _said() if not isinstance(node, ast.Constant)] == []


def test_each_language_has_its_catalogue_and_no_other_is_there() -> None:
    assert sorted(file.stem for file in CATALOGUES.iterdir()) == sorted(TRANSLATED)


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_lacks_nothing_and_holds_nothing_stale(language: str) -> None:
    entries = _entries(language)
    assert sorted(_sentences() - entries.keys()) == []
    assert sorted(entries.keys() - _sentences()) == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_entry_is_translated_and_certain(language: str) -> None:
    doubtful = [entry.id for entry in _catalogue(language) if entry.id and (entry.fuzzy or not entry.string)]
    assert doubtful == []
    words = Words(language)
    assert {sentence: words(sentence) for sentence in _entries(language)} == _entries(language)


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_has_the_fields_of_its_sentence(language: str) -> None:
    different = {
        sentence: translated
        for sentence, translated in _entries(language).items()
        if _fields(sentence) != _fields(translated)
    }
    assert different == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_menus_have_room_for_every_description(language: str) -> None:
    """Discord allows a hundred characters, Telegram more."""
    described = {info.name: info.descriptions[language] for info in menu()}
    assert {name: text for name, text in described.items() if not 1 <= len(text) <= 100} == {}


@pytest.mark.parametrize(
    ("tag", "language"),
    [
        ("zh-TW", "zh-hant"),
        ("zh_HK", "zh-hant"),
        ("zh-Hant-US", "zh-hant"),
        ("zh", "zh-hans"),
        ("zh-CN", "zh-hans"),
        ("zh-hans", "zh-hans"),
        ("en-GB", "en"),
        ("de", "en"),
        ("", "en"),
    ],
)
def test_a_client_gets_the_closest_catalogue(tag: str, language: str) -> None:
    assert closest(tag) == language


def test_scripts_are_not_mixed() -> None:
    """Signs that only one of the two scripts has, as far as they are common in these catalogues."""
    traditional, simplified = "這個們記訊則會說請過還沒對話", "这个们记讯则会说请过还没对话"
    hant, hans = ("".join(_entries(language).values()) for language in ("zh-hant", "zh-hans"))
    only_hans = set(simplified) - set(traditional)
    only_hant = set(traditional) - set(simplified)
    assert only_hans & set(hant) == set()
    assert only_hant & set(hans) == set()


@pytest.mark.parametrize("language", [each for each in TRANSLATED if each.startswith("zh")])
def test_chinese_has_its_own_punctuation(language: str) -> None:
    narrow = re.compile(r"[\u4e00-\u9fff}][,;:!?]|[,;:!?][\u4e00-\u9fff]")
    assert [text for text in _entries(language).values() if narrow.search(text)] == []
