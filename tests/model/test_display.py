"""What a notebook shows is a table, and nothing a user said becomes markup."""

from __future__ import annotations

from tensemem import Memory


def test_a_state_and_a_history_show_as_tables_with_escaped_texts() -> None:
    with Memory(":memory:", worker=False) as mem:
        mem.register_predicate("motto")
        mem.set("ann", "motto", "<script>alert(1)</script>")
        for shown in (mem.state("ann"), mem.history("ann")):
            page = shown._repr_html_()
            assert "<table>" in page
            assert "&lt;script&gt;" in page
            assert "<script>" not in page


def test_a_state_that_is_not_current_says_so_in_a_notebook() -> None:
    with Memory(":memory:", worker=False) as mem:
        mem.add("ann", "I live in Delhi")
        assert "not current: 1 pending, 0 failed" in mem.state("ann")._repr_html_()
