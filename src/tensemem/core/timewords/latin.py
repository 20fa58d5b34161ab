"""Rules of languages that are written with spaces, in passes; a language puts its own before them.

They are about categories, not words: "count:count unit:unit ago" is "three weeks ago" wherever that order holds.
"""

from __future__ import annotations

from . import amounts as u
from . import anchors as a
from . import clocks as c
from . import counted as k
from . import fiscal as f
from . import longer as p
from . import numbering as n
from . import onward as o
from . import stretches as s
from . import weekdays as w
from .grammar import Rule

NUMBERS = [
    Rule("each nth|small|cardinal? unit|clock_unit|anyweekday|daypart", n.nothing),
    Rule("unit|clock_unit in a unit", n.nothing),
    Rule("one:cardinal thousand hundred:cardinal hundred and? two:cardinal", n.thousands),
    Rule("one:cardinal|a thousand and? two:cardinal", n.thousands),
    Rule("one:cardinal|a thousand", n.thousands),
    Rule("one:cardinal hundred and? two:cardinal", n.hundreds),
    Rule("one:cardinal|a hundred", n.hundreds),
    Rule("one:cardinal two:cardinal", n.two_halves),
    Rule("count:cardinal|small and a half_word", n.and_half),
]

DATES = [
    Rule("stamp:stamp", c.stamped),
    Rule("( anyweekday comma? )? written:written", a.written),
    Rule("from|between? one:pair to|until|hyphen|and other:pair ( comma? year:fullyear )?", s.pairs),
    Rule("year:fullyear hyphen|slash|dot|comma? month:anymonth hyphen|slash|dot|comma? day:day", a.day_month),
    Rule("day:small hyphen|slash month:anymonth hyphen|slash year:fullyear", a.day_month),
    Rule("day:small hyphen|slash month:anymonth hyphen|slash short:small", a.day_month),
    Rule("month:anymonth hyphen|slash year:fullyear hyphen|slash day:day", a.day_month),
    Rule("day:small hyphen|slash year:fullyear hyphen|slash month:anymonth", a.day_month),
    Rule(
        "from|between? the? first:day to|until|hyphen|and the? second:day of? month:anymonth comma? of? year:fullyear?",
        s.short_days,
    ),
    Rule(
        "on|from|between? month:anymonth the? first:day to|until|hyphen|and the? second:day !anymonth|hhmm|ampm"
        " ( comma? year:fullyear )?",
        s.short_days,
    ),
    Rule(
        "( anyweekday comma? the? )? day:dayno ( dayunit:unit )? of? month:anymonth comma? of|in? year:fullyear",
        a.day_month,
    ),
    Rule("( anyweekday comma? the? )? day:dayno of? month:anymonth of short:small", a.day_month),
    Rule("( anyweekday comma? the? )? day:dayno ( dayunit:unit )? of? month:anymonth", a.day_month),
    Rule("( anyweekday comma? )? month:month day:cardinal ( comma? of|in? year:fullyear )? !measure|unit", a.day_month),
    Rule(
        "( anyweekday comma? )? month:anymonth comma|dot|slash|hyphen? the? day:dayno comma|hyphen|slash? of|"
        "in? year:fullyear",
        a.day_month,
    ),
    Rule(
        "( anyweekday comma? )? month:cuedmonth comma|dot|slash|hyphen? the? day:dayno ( open anyweekday close )?"
        " !unit|clock_unit|measure|dot",
        a.day_month,
    ),
    Rule("month:month_low day:nth !unit|clock_unit|measure", a.day_month),
    Rule(
        "on|by|until|since|before|after|from|to|of|for|anyweekday [ month:month_low day:small ] !measure", a.day_month
    ),
    Rule(
        "( anyweekday comma? )? month:cuedmonth comma|slash|hyphen? the? day:dayno !unit|clock_unit|measure",
        a.day_month,
    ),
    Rule("month:anymonth dot? comma|hyphen|slash? of|in? year:fullyear", a.month_year),
    Rule("month:anymonth of short:small", a.month_year),
    Rule("month:anymonth day:dayno comma? quote short:small", a.day_month),
    Rule("month:anymonth quote short:small", a.month_year),
    Rule("ym:yearmonth", a.yearmonth),
    Rule("rel? anyweekday comma|open? pair:pair|dotpair close? !ampm", a.pair),
    Rule("on|to|from|by [ pair:dotpair ] !ampm|measure|word", a.pair),
    Rule("pair:pair !measure", a.pair_alone),
    Rule("holiday:holiday comma? of|in? year:fullyear", p.holiday_year),
    Rule("holiday:holiday !word", p.holiday),
    Rule("holiday:holiday", p.holiday_alone),
    Rule("year:fullyear hyphen|comma? quarter_mark quarter:small", p.quarter),
    Rule("year:fullyear hyphen|comma? half_mark half:small", p.half),
    Rule("quarter_mark quarter:small comma|hyphen|slash? of? year:fullyear", p.quarter),
    Rule("half_mark half:small comma|hyphen|slash? of? year:fullyear", p.half),
    Rule("quarter_mark quarter:small", p.quarter_alone),
    Rule("half_mark half:small", p.half_alone),
    Rule("season:season comma? of|in? year:fullyear", p.season_year),
    Rule("fiscal_mark quote? short:small", p.fiscal_year),
    Rule("fiscal_mark|fiscal year:fullyear", p.fiscal_year),
    Rule("fiscal quarter_mark quarter:small ( comma|hyphen|slash? of? year:fullyear )?", f.fiscal_quarter),
    Rule("fiscal half_mark half:small ( comma|hyphen|slash? of? year:fullyear )?", f.fiscal_quarter),
    Rule("the? quarter:nth fiscal unit:unit ( of? year:fullyear )?", f.fiscal_quarter),
    Rule("the? calendar? unit:unit of? year:fullyear", p.unit_year),
    Rule("in own word? part? hyphen? quote? ( small decade_suffix | decade_word )", n.nothing),
    Rule("own part? hyphen? quote? ( small decade_suffix | decade_word ) !word", n.nothing),
    Rule("the? decade:fullyear decade_suffix", p.decade),
    Rule("the? quote? decade:small decade_suffix", p.decade),
    Rule("the? decade:decade_word", p.decade),
    Rule("the? quarter:nth unit:unit of|comma|hyphen? the? year:fullyear", p.quarter_named_maybe),
    Rule("the? nth:nth unit:unit", p.century),
    Rule("unit:unit week:small of|in? year:fullyear", p.week_number),
    Rule("unit:unit week:small !of|measure", p.week_number),
    # relative to now
    Rule("offset:relday in count:count unit:unit", o.day_in),
    Rule("offset:relday", k.relative_day),
    Rule("now", c.right_now),
    Rule("count:count unit:unit ago offset:relday", o.day_before),
    Rule("count:count unit:unit ago on weekday:anyweekday", o.weeks_ago_on),
    Rule("count:count weekday:weekday_many ago", o.weekdays_ago),
    Rule("count:count unit:unit ( and count2:count unit2:unit )? ago", k.ago),
    Rule("half:half_word a unit:unit ago", k.half_ago),
    Rule("a unit:unit and a half_word ago", k.more_half_ago),
    Rule("count:count unit:clock_unit ago", c.moment_ago),
    Rule("in count:count unit:unit on weekday:anyweekday", o.week_on_weekday),
    Rule("in count:count unit:unit ( and count2:count unit2:unit )? !from|after|since|before", k.ahead),
    Rule("in count:count unit:clock_unit !from|after", c.moment_ahead),
    Rule("count:count unit:unit ( and count2:count unit2:unit )? later !this|in", k.ahead),
    Rule("count:count unit:clock_unit later !this|in", c.moment_ahead),
    Rule("within the? last|past_word count:count unit:unit|clock_unit", u.last_units),
    Rule("within the? next? count:count unit:unit|clock_unit", u.within_units),
    Rule("for count:count unit:unit now", u.units_since),
    Rule("the? nth:nth|last weekday:anyweekday of|in the? month:anymonth of|in? year:fullyear", p.nth_weekday_in_month),
    Rule("the? nth:nth|last weekday:anyweekday of|in the? month:anymonth", p.nth_weekday_in_month),
    Rule("the? nth:nth|last weekday:anyweekday of|in? the? steps:rel unit:unit", p.nth_weekday_rel),
    Rule("steps:rel unit:unit quote decade_suffix nth:nth|last weekday:anyweekday", p.nth_weekday_rel),
    Rule("the? half:nth half_word of the? year:fullyear", p.half),
    Rule("the? half:nth half_word of the? steps:rel unit:unit", p.half_rel),
    Rule("year:fullyear half:nth half_word", p.half),
    Rule("half:small half_mark hyphen|of? year:fullyear", p.half),
    Rule("in|during|since|until|by|before|after [ the? quarter:nth unit:unit ] !of|in|year", p.quarter_cued),
    Rule("the? unit:unit after next", k.after_next),
    Rule("the? unit:unit before last", k.before_last),
    Rule("in|since|from|until|before|after|of [ quote short:small ] !decade_suffix", a.year_short),
    Rule("the? nth:nth|last unit:unit of|in the? month:anymonth of|in? year:fullyear", p.nth_in_month),
    Rule("the? nth:nth|last unit:unit of|in the? month:anymonth", p.nth_in_month),
    Rule("steps:rel calendar? unit:unit comma|hyphen? on? weekday:anyweekday", w.weekday_of_week),
    Rule("weekday:anyweekday of|in? the? steps:rel unit:unit", w.weekday_of_week),
    Rule("this? steps:past_word|hence weekday:anyweekday", w.weekday_coming),
    Rule("weekday:anyweekday in count:count unit:unit", o.weekday_in),
    Rule("steps:rel weekday:anyweekday", w.weekday_relative),
    Rule(
        "steps:rel|past_word|hence count:count unit:unit|clock_unit ( and count2:count unit2:unit"
        " ( and count3:count unit3:unit !ago|later|before )? !ago|later|before )? !of",
        u.rel_units,
    ),
    Rule("count:count steps:rel|past_word|hence unit:unit|clock_unit !of", u.rel_units),
    Rule("next unit:unit !of", o.next_unit),
    Rule("steps:rel|past_word|hence calendar? unit:unit !of", k.relative_unit),
    Rule("steps:rel|past_word|hence calendar? fiscal unit:unit", k.relative_fiscal),
    Rule("unit:unit to mark1", s.to_date),
    Rule("to|until [ mark1 ] !word", k.to_day),
    Rule("unit:part_noun", s.end_of_unit),
    Rule("weekday:anyweekday the? day:day !to|hyphen|oclock|ampm|unit|clock_unit|measure", w.weekday_and_day),
    Rule("steps:rel daypart:daypart", c.this_part),
    Rule("steps:relday daypart:daypart", c.this_part),
    Rule("daypart:day_word", c.this_part),
    # clocks
    Rule("hhmm:hhmm ampm:ampm", c.hour_minute),
    Rule("hhmm:hhmm", c.hour_minute),
    Rule("hour:small|cardinal minute:cardinal? oclock? ampm:ampm", c.hour_only),
    Rule("hour:number|fullyear ampm:ampm", c.hour_only),
    Rule("pair:pair ampm", n.nothing),
    Rule("dotpair:dotpair ampm:ampm", c.dotted),
    Rule("hour:small|cardinal oclock", c.hour_only),
    Rule("at dotpair:dotpair", c.dotted),
    Rule("at|around hour:small|cardinal oclock? ampm:ampm", c.hour_only),
    Rule("at|around hhmm:hhmm ampm:ampm?", c.hour_minute),
    Rule("at|around hour:small|cardinal !measure|unit|clock_unit|word", c.hour_only),
    # what needs a cue
    Rule("month:cuedmonth", a.month_alone),
    Rule("weekday:weekday !of", w.weekday_alone),
    Rule("on|by|until|since|before|after|from|to|hyphen|for|and|or [ weekday:weekday_soft ] !word|of", w.weekday_alone),
    Rule("season:season", p.season_alone),
    Rule(
        "on|by|until|since|before|after|around|of [ the day:ordinal|ordinal_word ] !of|word|unit|measure|anymonth",
        w.cued_day,
    ),
    Rule("on [ day:ordinal ] !the|of|word|unit|measure|anymonth", w.cued_day),
    Rule(
        "in|during|for|on [ the unit:unit ] !of|word|before|after|since|until|measure|hyphen|fullyear|last|next|this"
        "|past_word|hence|fiscal|calendar",
        k.the_unit,
    ),
    Rule("year:fullyear !measure", a.year_alone),
]

MADE_OF_DATES = [
    Rule(
        "from|between the? first:dayno to|until|hyphen|and the? second:dayno of|in the? anchor:date", s.days_of_period
    ),
    Rule("steps:rel|hence anchor:bare", a.shifted_anchor),
    Rule("steps:rel anchor:date", a.shifted_anchor),
    Rule("anchor:datelike comma|hyphen|slash? of|in? the? other:date", a.in_year_of),
    Rule("other:date comma? in|on|at the? anchor:datelike", a.in_year_of),
    Rule("other:date comma|hyphen|slash? anchor:bare", f.fiscal_part),
    Rule("the? half:nth half_word of|in? the? other:date", f.half_of_year),
    Rule("the? nth:nth count:count? unit:unit of|in the? anchor:anchor", p.nth_of),
    Rule("the? nth:last count:count? unit:unit of|in the? anchor:anchor", p.nth_of),
    Rule("the? nth:nth count:count? unit:unit of|in the? outer:unit", p.nth_of_unit),
    Rule("the? nth:last count:count? unit:unit of|in the? outer:unit", p.nth_of_unit),
    Rule("the? nth:nth|last weekday:anyweekday of|in the? anchor:anchor", p.nth_weekday_of),
    Rule("the? nth:nth|last weekday:anyweekday of|in the? outer:unit", p.nth_weekday_of_unit),
    Rule("the? day:nth of|in the? anchor:date", p.day_of),
    Rule("anchor:date from the? first:dayno to|until the? second:dayno !anymonth|unit|measure", s.days_of_period),
    Rule("the? week_begin the? anchor:datelike", p.week_of),
    Rule("the? unit:unit of the? anchor:datelike", p.unit_of),
    Rule("anchor:date unit:unit", p.weekend_of),
    Rule("part:part hyphen? the? anchor:anchor", s.part_of),
    Rule("part:part hyphen? the? unit:unit", s.part_of_unit),
    Rule("part:earlier|later in? the? anchor:date", s.so_far),
    Rule("part:earlier|later in? the? unit:unit", s.so_far_unit),
    Rule("count:count unit:unit ( and count2:count unit2:unit )? from|hence the? anchor:datelike", o.after_coming),
    Rule("count:count unit:unit ( and count2:count unit2:unit )? after the? anchor:datelike", k.after_anchor),
    Rule("count:count unit:unit ( and count2:count unit2:unit )? before the? anchor:datelike", k.before_anchor),
    Rule("count:count unit:unit since anchor:datelike", u.units_from),
]

ON_DAYS = [
    Rule("clock:clock in? the? daypart:daypart", c.with_daypart),
    Rule("anchor:datelike comma? in|on|at? the? daypart:daypart", c.part_of_day),
    Rule("the? daypart:daypart of? the? anchor:date", c.part_of_day),
    Rule("around clock:clock", c.keep_clock),
]

AT_CLOCKS = [
    Rule("anchor:datelike comma? from|between|at? one:clock to|until|hyphen|and other:clock", c.clock_range),
    Rule("from|between? one:clock to|until|hyphen|and other:clock comma? on? the? anchor:datelike", c.clock_range),
    Rule("anchor:datelike comma|hyphen? at|for|around? clock:clock", c.on_day),
    Rule("clock:clock comma? on|of? the? anchor:datelike", c.on_day),
]

STRETCHES = [
    Rule("than:than anchor:date", s.than_anchor),
    Rule("from|between the? one:anchor to|until|hyphen|and the? other:anchor", s.between),
    Rule("one:date|moment to|until|hyphen the? other:anchor|moment", s.between),
    Rule("one:bare to|until|hyphen the? other:date", s.between),
    Rule("one:bare|bareyear hyphen other:bare|bareyear !word|measure", s.between),
    Rule("one:bare|bareyear to|until the? other:bareyear|date", s.between),
    Rule("to anchor:date !word", s.until_now),
    Rule("from the? anchor:anchor on", s.since_ahead),
    Rule("for the? anchor:date", u.for_last_units),
    Rule("for count:count unit:unit now", u.units_since),
    Rule("since the? anchor:anchor|moment", s.since),
    Rule("from the? anchor:anchor|moment onwards", s.since_ahead),
    Rule("anchor:anchor|moment onwards", s.since_ahead),
    Rule("anchor:anchor|moment and|or later", s.since_ahead),
    Rule("until the? anchor:anchor|moment", s.until),
    Rule("before the? anchor:anchor|moment", s.before),
    Rule("after the? anchor:anchor|moment", s.after),
    Rule("around the? anchor:datelike", s.around),
    Rule("around of? anchor:bareyear !word|measure", s.around),
]

CUES = [
    Rule("in|during|on|from|for|of|by|around the? [ anchor:bare ]", a.cued),
    Rule("in|during|from [ anchor:bareyear ]", a.cued),
    Rule("of|for [ anchor:bareyear ] !word", a.cued),
    Rule("date|found|moment comma? and|or the? [ anchor:bare|bareyear ]", a.cued),
    Rule("[ anchor:bare ] and|or date|found", a.cued),
    Rule("equals [ anchor:bareyear ]", a.cued),
]

MORE_CUES = [
    Rule("other:date comma [ anchor:bare ]", a.listed),
    Rule("date|found|moment comma? and|or the? [ anchor:bare|bareyear ]", a.cued),
]

PASSES = (NUMBERS, DATES, MADE_OF_DATES, ON_DAYS, AT_CLOCKS, STRETCHES, CUES, MORE_CUES, MORE_CUES)


def passes(**own: list[Rule]) -> list[list[Rule]]:
    """Give the passes with a language's own rules, by the name of the pass, before the common ones."""
    names = ("numbers", "dates", "made_of_dates", "on_days", "at_clocks", "stretches", "cues", "more_cues", "")
    return [[*own.get(name, ()), *common] for name, common in zip(names, PASSES, strict=True)]
