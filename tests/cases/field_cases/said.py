"""Cases about what is said."""

from __future__ import annotations

from tensemem import Operation
from tests.cases.field_cases.making import MANY, ONE, adds, sets
from tests.cases.field_steps import Case, Put, Say, Slot, Swap, Was

ABOUT_WHAT_IS_SAID = (
    Case(
        "what is new about one thing ends nothing about another",
        {"database": ONE, "depends_on": MANY},
        (
            Put("2026-08-01T09:00:00Z", "database", "PostgreSQL", of="project_alpha"),
            Say(
                "2026-08-04T09:00:00Z",
                "Project Beta depends on Project Alpha.",
                (adds("depends_on", "project_alpha", "depends on Project Alpha", subject="project_beta"),),
            ),
            Put("2026-08-04T09:05:00Z", "database", "SQLite", of="project_beta"),
        ),
        {
            Slot("database", of="project_alpha"): "PostgreSQL",
            Slot("database", of="project_beta"): "SQLite",
            Slot("depends_on", of="project_beta"): ("project_alpha",),
        },
        (
            Was(Slot("database", of="project_alpha"), "PostgreSQL", "2026-08-01T09:00:00Z"),
            Was(Slot("depends_on", of="project_beta"), "project_alpha", "2026-08-04T09:00:00Z"),
            Was(Slot("database", of="project_beta"), "SQLite", "2026-08-04T09:05:00Z"),
        ),
        entities={"project_alpha": ("Project Alpha",), "project_beta": ("Project Beta",)},
    ),
    Case(
        "values that resemble each other are each kept",
        {"liked_dish": MANY},
        (
            Say(
                "2026-03-01T12:00:00+08:00",
                "我喜欢楼下面馆的牛肉面。",
                (adds("liked_dish", "楼下面馆的牛肉面", "喜欢楼下面馆的牛肉面"),),
            ),
            Say(
                "2026-03-04T12:00:00+08:00",
                "我也喜欢楼下面馆的葱油拌面。",
                (adds("liked_dish", "楼下面馆的葱油拌面", "喜欢楼下面馆的葱油拌面"),),
            ),
            Say(
                "2026-03-15T12:00:00+08:00",
                "我喜欢楼下面馆的酸梅汤。",
                (adds("liked_dish", "楼下面馆的酸梅汤", "喜欢楼下面馆的酸梅汤"),),
            ),
        ),
        {"liked_dish": ("楼下面馆的牛肉面", "楼下面馆的葱油拌面", "楼下面馆的酸梅汤")},
        (
            Was("liked_dish", "楼下面馆的牛肉面", "2026-03-01T12:00:00+08:00"),
            Was("liked_dish", "楼下面馆的葱油拌面", "2026-03-04T12:00:00+08:00"),
            Was("liked_dish", "楼下面馆的酸梅汤", "2026-03-15T12:00:00+08:00"),
        ),
    ),
    Case(
        "what is said three times is one fact with three pieces of evidence",
        {"home_city": ONE},
        (
            Say("2026-01-05T09:00:00Z", "I live in Graz.", (sets("home_city", "Graz", "live in Graz"),)),
            Say("2026-02-05T09:00:00Z", "As I said, I live in Graz.", (sets("home_city", "Graz", "live in Graz"),)),
            Say("2026-03-05T09:00:00Z", "Graz is where I live.", (sets("home_city", "Graz", "Graz is where I live"),)),
        ),
        {"home_city": "Graz"},
        (Was("home_city", "Graz", "2026-01-05T09:00:00Z", said=(1, 2, 3)),),
    ),
    Case(
        "a profile told again is told once in the prompt",
        {"occupation": ONE, "preferred_name": ONE},
        (
            Say(
                "2026-07-01T09:00:00+09:00",
                "ミドリと呼んでください。看護師です。",
                (sets("preferred_name", "ミドリ", "ミドリと呼んで"), sets("occupation", "看護師", "看護師です")),
            ),
            Say(
                "2026-07-01T09:30:00+09:00",
                "看護師として働いています。",
                (sets("occupation", "看護師", "看護師として"),),
            ),
            Say("2026-07-01T10:00:00+09:00", "仕事は看護師です。", (sets("occupation", "看護師", "仕事は看護師"),)),
        ),
        {"occupation": "看護師", "preferred_name": "ミドリ"},
        (
            Was("occupation", "看護師", "2026-07-01T09:00:00+09:00", said=(1, 2, 3)),
            Was("preferred_name", "ミドリ", "2026-07-01T09:00:00+09:00", said=(1,)),
        ),
    ),
    Case(
        "a rule that changes three times in three minutes is one rule",
        {"branch_name_rule": ONE},
        (
            Say(
                "2026-09-02T10:00:05Z",
                "Name branches after the ticket.",
                (sets("branch_name_rule", "after the ticket", "Name branches after the ticket"),),
            ),
            Say(
                "2026-09-02T10:01:10Z",
                "Hm, name them after the feature instead.",
                (sets("branch_name_rule", "after the feature", "name them after the feature"),),
            ),
            Say(
                "2026-09-02T10:02:40Z",
                "Settled: name them after the date.",
                (sets("branch_name_rule", "after the date", "name them after the date"),),
            ),
        ),
        {"branch_name_rule": "after the date"},
        (
            Was("branch_name_rule", "after the ticket", "2026-09-02T10:00:05Z", "2026-09-02T10:01:10Z", "superseded"),
            Was("branch_name_rule", "after the feature", "2026-09-02T10:01:10Z", "2026-09-02T10:02:40Z", "superseded"),
            Was("branch_name_rule", "after the date", "2026-09-02T10:02:40Z"),
        ),
    ),
    Case(
        "an extractor that says nothing takes nothing away",
        {"allergy": MANY, "home_city": ONE, "mood": ONE},
        (
            Put("2026-03-21T09:00:00Z", "allergy", "nuts", adds=True),
            Put("2026-03-21T09:00:01Z", "home_city", "Naantali"),
            Say("2026-03-21T09:05:00Z", "Thanks, that's all for today."),
            Say("2026-03-21T09:06:00Z", "I feel fine.", (sets("mood", "fine", "I feel fine"),)),
        ),
        {"allergy": ("nuts",), "home_city": "Naantali", "mood": "fine"},
        (
            Was("allergy", "nuts", "2026-03-21T09:00:00Z"),
            Was("home_city", "Naantali", "2026-03-21T09:00:01Z"),
            Was("mood", "fine", "2026-03-21T09:06:00Z"),
        ),
    ),
    Case(
        "a member replaced by one that is there already leaves that one",
        {"skill": MANY},
        (
            Put("2026-06-10T09:00:00Z", "skill", "Go", adds=True),
            Put("2026-06-10T09:01:00Z", "skill", "Golang", adds=True),
            Swap(
                "2026-06-10T09:02:00Z", (Operation("remove", "skill", "Golang"), Operation("add", "skill", "Go"))
            ),
        ),
        {"skill": ("Go",)},
        (
            Was("skill", "Go", "2026-06-10T09:00:00Z", said=(1, 3)),
            Was("skill", "Golang", "2026-06-10T09:01:00Z", "2026-06-10T09:02:00Z", "retracted"),
        ),
    ),
)
