"""A note is in the script and, as far as it can be told, in the language of its sources."""

from __future__ import annotations

import pytest

from bot.memory.language import in_language, strange_language, strange_script

TEXTS = {
    "English": "The exam is on Friday and she will have to learn for it. They have moved from Leeds to a "
    "small house by the harbour, which was built by her grandfather. He is not happy with that.",
    "German": "Die Prüfung ist am Freitag und sie muss noch dafür lernen. Sie sind von Kiel in ein "
    "kleines Haus am Hafen gezogen, das ihr Großvater gebaut hat. Er ist nicht glücklich mit "
    "der Miete.",
    "French": "L'examen est vendredi et elle doit encore apprendre pour cela. Ils ont quitté Lyon pour "
    "une petite maison au bord du port, que son grand-père a construite. Il ne veut pas de la "
    "voiture.",
    "Spanish": "El examen es el viernes y ella tiene que estudiar para eso. Se mudaron de Cádiz a una casa "
    "pequeña en el puerto, que construyó su abuelo. Él no está contento con la renta y los "
    "gastos.",
    "Indonesian": "Ujian itu pada hari Jumat dan dia akan belajar untuk itu. Mereka pindah dari Bandung ke "
    "rumah kecil di pelabuhan yang dibangun oleh kakeknya. Dia tidak senang dengan harga sewa "
    "itu.",
}
CODE = (
    "Run `pip install memora` and set MEMORA_LLM__MODEL=gpt-5-mini; then docker compose up, kubectl apply -f "
    "x.yaml, SELECT id FROM users WHERE name IS NOT NULL"
)


@pytest.mark.parametrize("spoken", TEXTS)
@pytest.mark.parametrize("noted", TEXTS)
def test_languages_in_latin_script_are_told_apart(spoken: str, noted: str) -> None:
    found = strange_language([TEXTS[noted]], TEXTS[spoken])
    assert found == ("" if noted == spoken else noted)


@pytest.mark.parametrize("spoken", TEXTS)
@pytest.mark.parametrize(
    "notes",
    [
        [CODE],
        ["Kubernetes, PostgreSQL, React Native", "Ann Lee, Bob Ortiz"],
        ["The aim is 850."],
        ["Likes the Beatles and The Who", "Reads Der Spiegel"],
        ["Ann mag The Lord of the Rings, The Witcher und Game of Thrones."],
        [],
    ],
)
def test_terms_names_code_and_short_notes_are_never_strange(spoken: str, notes: list[str]) -> None:
    assert strange_language(notes, TEXTS[spoken]) == ""


@pytest.mark.parametrize("noted", TEXTS)
def test_people_of_two_languages_may_have_notes_in_either(noted: str) -> None:
    assert strange_language([TEXTS[noted]], "\n".join(TEXTS.values())) == ""


def test_a_single_note_is_told_by_its_function_words() -> None:
    assert in_language("Sie ist nicht da.", "German")
    assert not in_language("850", "German")


@pytest.mark.parametrize(
    ("note", "sources"),
    [
        ("The user studies for an exam.", "我在準備考試"),
        ("使用者在準備考試。", "I am preparing for an exam"),
        ("Пользователь готовится к экзамену.", "I am preparing for an exam"),
        ("사용자는 시험을 준비한다", "I am preparing for an exam"),
        ("المستخدم يستعد للامتحان", "I am preparing for an exam"),
        ("The user studies.", "試験の準備をしています"),
        ("她正在准备下个月的考试，很紧张", "しけんのべんきょうをしています"),
        ("しけんのじゅんび", "我在準備考試"),
        ("她在准备考试。", "我在準備考試"),
        ("他喜歡吃麵。", "我喜欢吃面"),
        ("用户每周学习 Python", "我每週學習 Python"),
    ],
)
def test_a_note_in_another_script_is_strange(note: str, sources: str) -> None:
    assert strange_script(note, sources, "")


@pytest.mark.parametrize(
    ("note", "sources"),
    [
        ("我在準備考試。", "我在準備考試"),
        ("在学 machine learning。", "我在学 machine learning"),
        ("Works on machine learning.", "我在學 machine learning 和 deep learning"),
        ("用 PostgreSQL 和 Kubernetes。", "我用 PostgreSQL 和 Kubernetes"),
        ("Lives in 臺北 (Taipei).", "I live in 臺北, that is Taipei"),
        ("Her name is 王小明.", "my name is 王小明"),
        ("Говорит, что читает The Guardian.", "Я читаю The Guardian"),
        ("東京都渋谷区在住。", "東京の渋谷区に住んでいます"),
        ("試験を準備している。", "試験の準備をしています"),
        ("她喜歡「简体书」。", "我喜歡《简体书》這本書"),
        ("他看著書。", "我看着書，這樣很好"),
        ("她拿着书。", "我拿着书"),
        ("850", "我的目標是850"),
        ("The aim is 850.", "850!"),
        ("OK", "我說 OK 了"),
        ("說：「n1 fact我的考試是18號」", "n1 fact我的考試是18號"),
        ("在學Linux核心", "我想學Linux核心"),
        ("她每天晚上都在公司準備考試 (memo note)", "我每天晚上都在公司準備考試"),
        ("", "anything"),
    ],
)
def test_quoted_names_and_terms_are_not_strange(note: str, sources: str) -> None:
    assert strange_script(note, sources, "") == ""


def test_the_rest_of_the_conversation_speaks_where_the_sources_do_not() -> None:
    assert strange_script("The aim is high.", "850!", "我的目標") != ""
    assert strange_script("他的目标", "目", "他的目標") != ""
    assert strange_script("他的目標", "目", "他的目標") == ""
