"""What Spanish, French, Italian and Portuguese share beside `latin`: the word that says which one may stand after."""

from __future__ import annotations

from . import amounts as u
from . import anchors as a
from . import clocks as c
from . import counted as k
from . import longer as p
from . import onward as o
from . import stretches as s
from . import weekdays as w
from .grammar import Rule

NO_DAY = (
    "!word|function|small|unit|measure|anymonth|of|hyphen|to|number|clock_unit|comma|last|next|"
    "hence|past_word|half_word"
)
"""What does not follow a bare day of the month."""
NEAR = "last|next|this|past_word|hence"

DATES = [
    Rule("of|from|between the? one:pair to|until|hyphen|and the? other:pair ( comma? year:fullyear )?", s.pairs),
    Rule(
        "from|of|between the? first:dayno|cardinal to|until|hyphen|and the? second:dayno|cardinal of? month:anymonth"
        " ( comma? of? year:fullyear )?",
        s.short_days,
    ),
    Rule(
        "( anyweekday comma? the? )? day:dayno|cardinal ( dayunit:unit )? of? month:month|month_soft dot?"
        " comma? of|in? the? year:fullyear",
        a.day_month,
    ),
    Rule("( anyweekday comma? the? )? day:dayno|cardinal of? month:month|month_soft of|quote short:small", a.day_month),
    Rule(
        "( anyweekday comma? the? )? day:dayno|cardinal ( dayunit:unit )? of? month:month|month_soft of? the? steps:rel"
        " unit:unit",
        a.day_month_rel,
    ),
    Rule("( anyweekday comma? the? )? day:dayno|cardinal of? month:month|month_soft", a.day_month),
    Rule(
        f"weekday:anyweekday the? day:dayno|cardinal {NO_DAY}",
        w.weekday_and_day,
    ),
    Rule("unit [ pair:pair ]", a.pair),
    Rule("the? dayunit:unit day:dayno|cardinal of? month:month ( comma? of? year:fullyear )?", a.day_month),
    Rule("the? dayunit:unit day:small|cardinal !of|unit|measure|and", w.day_called),
    Rule("( anyweekday comma? the? )? day:small of month:small of year:fullyear", a.day_month),
    Rule("( anyweekday comma? the? )? day:small hyphen month:month hyphen year:fullyear", a.day_month),
    Rule("( anyweekday comma? the? )? day:small hyphen month:month", a.day_month),
    Rule(f"unit:unit week:small of the? outer:unit steps:{NEAR}", p.week_number_rel),
    Rule("unit:unit week:small|cardinal of? the? year:fullyear", p.week_number),
    Rule("unit:unit week:small|cardinal !of|unit|measure|small", p.week_number),
    Rule("the? unit:unit calendar year:fullyear", p.unit_year),
    Rule("month:anymonth dot? comma|of|in? unit:unit year:fullyear", a.month_year),
    Rule("ago count:count unit:unit and half_word", k.more_half_ago),
    Rule("ago count:count unit:unit ( and count2:count unit2:unit )?", k.ago),
    Rule("ago half_word unit:unit", k.half_ago),
    Rule("in|from|of|since mark3 [ decade:small ] !word|unit|measure|clock_unit|of|month|hyphen|and", p.decade_bare),
    Rule("ago count:count unit:clock_unit", c.moment_ago),
    Rule("since ago? count:count unit:unit|clock_unit", u.units_since),
    Rule("in count:count unit:unit !from|after|since|before", k.ahead),
    Rule("in count:count unit:clock_unit !from|after|since|before", c.moment_ahead),
    Rule("in the|mark3 count:count unit:unit|clock_unit", u.within_units),
    Rule(f"weekday:anyweekday of? the? steps:{NEAR} unit:unit", w.weekday_of_week),
    Rule(f"weekday:anyweekday of? the? unit:unit steps:{NEAR}", w.weekday_of_week),
    Rule(f"the? steps:{NEAR} unit:unit comma? on|the|of? weekday:anyweekday", w.weekday_of_week),
    Rule(f"the? unit:unit steps:{NEAR} comma? on|the? weekday:anyweekday", w.weekday_of_week),
    Rule("this weekday:anyweekday steps:last|past_word|next", w.weekday_coming),
    Rule("weekday:anyweekday in count:count unit:unit", o.weekday_in_eight),
    Rule("offset:relday in count:count unit:unit", o.day_in_eight),
    Rule("offset:relday ago count:count unit:unit", o.day_before),
    Rule("on|in|for|of? [ weekday:anyweekday steps:next ] !unit", o.soonest_weekday),
    Rule(
        "next anyweekday comma? the? day:dayno|cardinal of? month:month|month_soft ( of? year:fullyear )?", a.day_month
    ),
    Rule("steps:next weekday:anyweekday !pair|dotpair", o.soonest_weekday),
    Rule("the? unit:unit next !count", o.next_unit),
    Rule(f"weekday:anyweekday steps:{NEAR} !unit", w.weekday_relative),
    Rule(f"count:count unit:unit|clock_unit steps:{NEAR}", u.rel_units),
    Rule(f"the? unit:unit steps:{NEAR} !count", k.relative_unit),
    Rule(f"the? steps:{NEAR} unit:unit fiscal", k.relative_fiscal),
    Rule("the? unit:unit fiscal of? year:fullyear", p.fiscal_named),
    Rule("daypart:daypart of the? anchor:relday", c.part_of_relday),
    Rule("anchor:relday in|on|at|of? the? daypart:daypart", c.part_of_relday),
    Rule("this daypart:daypart", c.this_day_part),
    Rule("the? unit:unit of the? day:small|ordinal !of|unit|measure|anymonth|hyphen|to", w.week_of_day),
    Rule("unit:unit of? the? decade:fullyear|small|decade_word", p.decade_named),
    Rule("unit:unit nth:roman|small", p.century),
    Rule("nth:roman unit:unit", p.century),
    Rule("mark3 unit:unit decade:fullyear", p.decade_of_years),
    Rule("the? season:season steps:last|next|past_word|hence", p.season_rel),
    Rule("quarter:ordinal|ordinal_word unit:unit ( of|comma|hyphen? the? year:fullyear )?", p.quarter_named_maybe),
]

MADE_OF_DATES = [
    Rule("the? day:small|ordinal of the? anchor:date", p.day_of_month),
    Rule(f"steps:{NEAR} anchor:bare", a.shifted_anchor),
    Rule("anchor:bare|date steps:last|next|past_word", a.shifted_anchor),
    Rule("part:part of? the? anchor:anchor", s.part_of),
    Rule("part:part of? the? unit:unit", s.part_of_unit),
    Rule("part:earlier of|in? the? anchor:date", s.so_far),
    Rule("part:earlier of|in? the? unit:unit", s.so_far_unit),
    Rule("count:count unit:unit since the? anchor:datelike", o.after_coming),
]

CUES = [Rule("anchor:bare", w.sure_weekday), Rule("the [ anchor:bare ]", w.sure_day)]

STRETCHES = [
    Rule("from|of|between the? one:anchor to|until|hyphen|and the? other:anchor", s.between),
    Rule("one:date|bare|moment to|until|hyphen the? other:date|bare|moment", s.between),
    Rule("since the? one:anchor|moment until|to the? other:anchor|moment", s.between),
    Rule("since|after the? anchor:anchor|moment onwards", s.since_ahead),
]
