"""Drawings of what a memory holds: SVG and HTML from facts, pure, deterministic, with the standard library alone.

What a page that shows a drawing may rely on
--------------------------------------------
``timeline(history, now=…, zone=…, width=…)`` gives one ``<svg class="tm-timeline" role="group">``. With
``standalone=False``, the default, it holds no style and no script, only classes and attributes that say where things
stand, so it fits a strict Content-Security-Policy; the page serves ``style()`` as a stylesheet of its own. It is
well-formed XML: read it with ``new DOMParser().parseFromString(text, "image/svg+xml")`` and import its root.

========================================  ==================================================================
selector                                  what it is, and its attributes
========================================  ==================================================================
``svg.tm-timeline``                       the drawing; ``data-facts`` counts the facts drawn, ``data-left-out`` those
                                          that are not
``g.tm-slot``                             one slot: ``data-subject``, ``data-predicate``; ``g.tm-undated`` holds the
                                          facts without dates of all slots
``g.tm-bar[data-fact]``                   one fact: ``data-fact`` is its id, ``data-status`` its status. Focusable
                                          (``tabindex="0"``), ``role`` button (``img`` where it stands alone), an
                                          ``aria-label`` of value, status and times; its ``<title>`` tells all, with
                                          quotes
``g.tm-words``                            the words of the bar before it; they take no clicks
``g.tm-bar.tm-several``                   facts that lie close together, drawn as one: ``data-facts`` has their ids with
                                          blanks between (the first 100), ``data-count`` how many there are
``g.tm-statement[data-statement]``        a retraction, removal, denial or REPLACE: ``data-statement`` is its id;
                                          ``data-count`` is more than 1 where several lie at one place;
                                          ``tm-void`` where it is corrected or without effect
``g.tm-now``                              the line of the present
``text.tm-note``                          what is drawn together or left out, in words
``g.tm-legend``                           the marks present and what they mean
========================================  ==================================================================

A bar has the class of its status: ``tm-active``, ``tm-superseded``, ``tm-retracted``, ``tm-expired``,
``tm-scheduled``, ``tm-planned``, ``tm-candidate``, ``tm-corrected``, ``tm-denied``, ``tm-overridden``. Colours are
custom properties of ``.tm-timeline`` that begin with ``--tm-``, light or dark as the ``color-scheme`` is of what the
drawing stands in: say ``:root { color-scheme: light dark; }``, or one of them.
A click, or Enter or the space bar on a focused bar, is the page's to handle.

``difference(diff)`` draws what a StateDiff tells; ``page(history)`` gives a whole page that stands alone.
"""

from __future__ import annotations

from .drawing import difference, style, timeline
from .page import page

__all__ = ["difference", "page", "style", "timeline"]
