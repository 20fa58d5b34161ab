"""English."""

from __future__ import annotations

from ..language import Language

_IRREGULAR = """
am are be is was/were been being
have have have has had had having
do do do does did done doing
go go go goes went gone going
live live live lives lived lived living
move move move moves moved moved moving
relocate relocate relocate relocates relocated relocated relocating
work work work works worked worked working
get get get gets got gotten/got getting
own own own owns owned owned owning
speak speak speak speaks spoke spoken speaking
write write write writes wrote written writing
read read read reads read read reading
eat eat eat eats ate eaten eating
drink drink drink drinks drank drunk drinking
drive drive drive drives drove driven driving
ride ride ride rides rode ridden riding
run run run runs ran run running
swim swim swim swims swam swum swimming
sing sing sing sings sang sung singing
wear wear wear wears wore worn wearing
teach teach teach teaches taught taught teaching
study study study studies studied studied studying
attend attend attend attends attended attended attending
begin begin begin begins began begun beginning
buy buy buy buys bought bought buying
become become become becomes became become becoming
turn turn turn turns turned turned turning
start start start starts started started starting
join join join joins joined joined joining
leave leave leave leaves left left leaving
quit quit quit quits quit quit quitting
make make make makes made made making
build build build builds built built building
take take take takes took taken taking
keep keep keep keeps kept kept keeping
grow grow grow grows grew grown growing
come come come comes came come coming
know know know knows knew known knowing
like like like likes liked liked liking
love love love loves loved loved loving
adore adore adore adores adored adored adoring
enjoy enjoy enjoy enjoys enjoyed enjoyed enjoying
prefer prefer prefer prefers preferred preferred preferring
hate hate hate hates hated hated hating
dislike dislike dislike dislikes disliked disliked disliking
detest detest detest detests detested detested detesting
loathe loathe loathe loathes loathed loathed loathing
despise despise despise despises despised despised despising
use use use uses used used using
switch switch switch switches switched switched switching
migrate migrate migrate migrates migrated migrated migrating
deploy deploy deploy deploys deployed deployed deploying
host host host hosts hosted hosted hosting
adopt adopt adopt adopts adopted adopted adopting
marry marry marry marries married married marrying
date date date dates dated dated dating
play play play plays played played playing
collect collect collect collects collected collected collecting
follow follow follow follows followed followed following
reside reside reside resides resided resided residing
settle settle settle settles settled settled settling
hail hail hail hails hailed hailed hailing
find find find finds found found finding
upgrade upgrade upgrade upgrades upgraded upgraded upgrading
manage manage manage manages managed managed managing
lead lead lead leads led led leading
store store store stores stored stored storing
call call call calls called called calling
change change change changes changed changed changing
need need need needs needed needed needing
want want want wants wanted wanted wanting
practice practice practice practices practiced practiced practicing
train train train trains trained trained training
identify identify identify identifies identified identified identifying
think think think thinks thought thought thinking
tell tell tell tells told told telling
say say say says said said saying
help help help helps helped helped helping
give give give gives gave given giving
hope hope hope hopes hoped hoped hoping
"""

LANGUAGE = Language(
    code="en",
    words="""
        here, introduce, ended, home, raised, divorced, dumped, pronouns, allergies, learned, everything,
        never, could, stand, phone, number, mobile, cell, new, time, zone, timezone, birthday, date, age,
        aged, do, free, got, started, database, db, runtime, framework, frontend, backend, project, app,
        stack, deployment, goes, target, branch, branches, rule, policy, always, all, every, nobody, main,
        prs, package, manager, licensed, under, ci, favorite, favourite,
        i, my, me, we, our, is, am, are, the, a, an, to, at, in, on, of, for, with, from, not, and, name, live,
        work, was, been, have, has, born, call, by, use, it, this, that, no, into, as, 's, speak, based, good, at,
        years, old""",
    me="i",
    group="we",
    my="my, our",
    bare="mum, mom, dad, mommy, daddy, grandma, grandpa, granny",
    near="",
    possessive="'s",
    fillers="""
        now, currently, presently, actually, really, also, still, just, already, always, finally, mostly, mainly,
        usually, personally, recently, officially, both, happily, proudly, definitely, absolutely, truly, simply,
        basically, normally, generally, primarily, these days, nowadays, at the moment, right now, at present, as of
        now, as of today, literally, very much, so much, very, quite, pretty, rather, especially, particularly,
        lately, newly, freshly, permanently, full-time, part-time, full time, part time, together, happily, again,
        today, since then, as well, too, too much, even, super, totally, severely, highly, extremely, terribly,
        mildly, badly, slightly, originally, indeed, in fact, honestly, frankly, all, myself, mad, alone, here,
        proud, well, in particular, more or less, by now, at last, for good, a bit of, a little, a little bit of,
        some, fluent, native, daily, for a living, from now on, as a rule, strictly, purely, exclusively, up,
        remotely, back, over, down, once again""",
    marks={
        "not": "not, cannot",
        "never": "never, never ever, not ever",
        "ended": "no longer, not any longer, not anymore, not any more, no more",
        "used": "used to, formerly, previously, once upon a time",
        "planned": """
            will, shall, going to, gonna, plan to, plans to, planning to, planning on, intend to, intends to, about to,
            am set to, will soon, soon""",
        "wish": """
            would, could, might, may, should, must, can, ought to, want to, wants to, wanted to, wanna, hope to, hopes
            to, hoping to, wish to, wish, wished, wants, would like to, would love to, dream of, dreamt of, dreamed of,
            thinking of, thinking about, considering, tempted to, trying to, try to, tried to, need to, needs to, have
            to, has to, had to, got to, gotta, supposed to, meant to, like to, love to, prefer to, afraid of, refuse to,
            tend to, pretend to, pretending to, seem to, appear to, happen to""",
        "doubt": """
            maybe, perhaps, probably, possibly, almost, nearly, practically, virtually, barely, hardly, scarcely,
            supposedly, allegedly, apparently, seldom, rarely, sometimes, occasionally, kind of, sort of, kinda, sorta,
            so-called, temporarily, briefly, technically, theoretically, somehow, half, sort of, like, low-key, lowkey,
            barely even, about""",
        "perfect": "have, has",
        "pastperfect": "had",
        "doing": "am, are, is, been, be, 's",
        "wasdoing": "was, were",
        "did": "do, does",
        "did+past": "did",
        "since": """
            my whole life, all my life, since forever, since day one, since the beginning, since the start, from day
            one, my entire life, since birth""",
        "spell": """
            for a week, for two weeks, for three weeks, for a month, for two months, for three months, for a few, for a
            couple, for two, for three, for four, for five, for six, for seven, for eight, for nine, for ten, for
            eleven, for twelve, for many, for several, for about, for almost, for over, for nearly, for more, for some,
            for like, for the last, for the past, for half, for years, for ages, for decades, for a while, for the
            summer, for the season""",
        "only": "only, exclusively, nothing but",
    },
    openers="""hi, hello, hey, hiya, yo, heya, hi there, hey there, hello there, good morning, good afternoon, good
        evening, morning, evening, greetings, yes, yeah, yep, yup, no, nope, nah, ok, okay, well, oh, ah, so, and,
        but, also, anyway, anyways, btw, by the way, fyi, for your information, for the record, for context, just so
        you know, so you know, as you know, actually, honestly, frankly, to be honest, tbh, in fact, now, currently,
        these days, nowadays, at the moment, right now, as of now, as of today, today, recently, lately, finally,
        guess what, good news, big news, great news, news, update, quick update, small update, correction, quick
        correction, sorry, sorry for the confusion, wait, hmm, um, uh, right, sure, thanks, thank you, thx, cheers,
        please note, please note that, note, note that, please remember, please remember that, remember, remember
        that, keep in mind, keep in mind that, heads up, reminder, reminder that, just a reminder, ps, p.s, edit,
        one more thing, quick note, side note, note to self, first of all, first, second, then, besides, plus,
        additionally, furthermore, moreover, however, still, although, though, because, cause, since, as, while,
        whereas, and now, but now, about me, a bit about me, me, myself, personally, as for me, for me, on my side,
        on our side, on my end, here, at work, at home, in my case, in our case, in this project, in our project,
        for this project, for work, the thing is, i should mention, i should mention that, i should add, i should
        add that, i forgot to mention, i forgot to mention that, forgot to mention, i want you to know, i want you
        to know that, i just want you to know that, let me introduce myself, please save, save this, please store,
        don't forget, do not forget, don't forget that, just to let you know, let me tell you, you should know, you
        should know that, you know, look, listen, basically, seriously, obviously, of course, clearly,
        unfortunately, sadly, luckily, happily, thankfully, fortunately, it turns out, turns out, after all, all in
        all, in general, generally, in short, long story short, before i forget, quick one, hope you're well, nice
        to meet you, dear assistant, team, folks, guys, everyone, hey everyone, hi all, hi everyone, hello everyone,
        from now on, as of this week, after the merger, after the wedding, after graduation, after university, after
        college, that's wrong, no wait, my bad, oops, for now, in case it matters, in case you need it, if it
        matters, if it helps, in case it helps, if that helps, if you must know, ever since, i can confirm that, i
        can confirm, confirmed, yes indeed, great, cool, nice, awesome, perfect, surprise, lol, haha, omg, ugh, for
        what it's worth, fwiw, in real life, irl, outside of work, outside work, in my free time, in my spare time,
        on weekends, interview went well, dev env, stack, setup, our stack, my setup, tech stack, intro, bio""",
    conjunctions="and, but, so, because, cause, since, while, whereas, although, though, plus, &, yet, then",
    resets="but, however, instead",
    strangers="he, she, they, his, her, hers, their, theirs, him, them",
    during="for",
    joiners="and, &, or, plus",
    articles="a, an, the, some, any",
    stops="""but, because, cause, since, so, which, who, whom, whose, where, when, while, whenever, if, unless, as,
        though, although, until, till, after, before, yesterday, today, tonight, tomorrow, last week, last month,
        last year, next week, next month, next year, this week, this month, this year, currently, please, instead,
        then, yet, however, except, despite, rather than, instead of, than, thanks, thank you, thx, cheers, lol,
        haha, hahaha, btw, by the way, fyi, tbh, actually, though, right, ok, okay, anyway, again, now, these days,
        nowadays, at the moment, right now, at present, anymore, any more, any longer, since then, for now, for
        good, for years, for ages, for a while, for over, for about, for almost, for nearly, for the last, for the
        past, for like, too, either, also, as well, a lot, very much, so much, the most, best, most of all, hands
        down, with passion, and i, and we, and my, or anything, or something, or whatever, mostly, mainly,
        especially, particularly, recently, already, once, twice, every, each, is, are, was, were, has, have, had,
        will, would, can, could, should, may, might, does, did, do, am, be, 's, that""",
    empties="""neither, nor,
        it, that, this, these, those, them, him, her, he, she, they, you, us, me, myself, yourself, everything,
        anything, nothing, something, someone, somebody, anyone, everyone, nobody, none, how, what, when, where,
        why, who, which, whether, to, not, no, your, his, their, its, being, having, if, than, there, here, so, too,
        such, same, one, ones, other, another, each, every, more, most, less, much, many, all, both, either, way,
        idea, fact, lot, bit, kind, sort, think, thought, thoughts, sound, look, looks, question, problem, feeling,
        do, does, did, is, are, was, be, been, as, of, off, out, up, down, over, about, on, at, by, for, from, into,
        in, with, without, and, or, but, just, even, ever, still, maybe, perhaps, thanks, please, sorry, lol, again,
        instead, yet, then, because, i, we, my, our""",
    connectors="""
        of, de, la, del, da, do, dos, van, von, der, den, and, y, the, on, upon, en, le, les, di, du, el, al, for,
        sur, am, im, &, bin, ibn, zu, st""",
    followers="""named, called,
        last, this, next, late, early, and, or, with, near, for, in, at, on, by, from, to, just, not, only, like,
        right, close, next, outside, working, studying, living, together, where, if, doing, as, who, of course, ,,
        here, there, downtown, area, now, plus, via, through, using, under, over, around, since, all, almost, some,
        ever, speaking, again, time, myself, alone, permanently, full-time, part-time, remotely, directly, there,
        per, every, btw, once, up, out, back, online, because""",
    blocks="""
        if, unless, suppose, supposing, suppose that, imagine, imagine that, imagine if, pretend, pretend that,
        assume, assume that, assuming, assuming that, let's say, let us say, say i, what if, as if, as though, wish,
        only if, even if, in case, provided, provided that, providing, once i, once we, as soon as, when i'm, when i
        am, when i was, when we, when i get, when i grow, when i retire, when i finish, whenever, would be, would
        love, would rather, could be, might be, wouldn't, hypothetically, in theory, had i, were i, should i, should
        we, otherwise, or else, whether, depending on, translate, translate to, in my dream, in my dreams, in a
        dream, dreamt, dreamed, i dreamt, i dreamed, in another life, in the game, in my game, in this game, in the
        story, in my story, in my novel, in the novel, in the book, in the movie, in the film, in the play, in the
        show, in the scene, in the role, in character, for example, for instance, e.g, such as if, example, an
        example, sample, write, write a, draft, compose, rewrite, rephrase, paraphrase, proofread, summarize,
        summarise, correct, fix, a sentence, sentence like, sentences like, the sentence, the phrase, the line, the
        lyrics, the song, a song, regex, parse, test, unit test, test case, assert, log line, log says, tweet,
        caption, slogan, headline, subject line, cover letter, pitch, elevator pitch, you are, you're, you play, you
        act, answer like, answer as if, talk to me as, respond as, reply as, tell people, tell him, tell her, tell
        them, tell everyone, told people, told everyone, told him, told her, told them, said that, says that, say
        that, says, said, claims, claimed, claims that, claimed that, thinks, thinks that, thought, thought that,
        believes, believes that, believed, heard that, rumor, rumour, rumors, according to, apparently, allegedly,
        supposedly, reportedly, wrote, wrote that, writes, my file, my profile says, my horoscope, horoscope,
        mistakenly, wrongly, falsely, they say, people say, some say, as they say, someone said, somebody said,
        somebody, he says, she says, he said, she said, i said, i told, i was told, i would say, i'd say, i'll say,
        i lied, lied, lie, lying, joked, joking, kidding, joke, pro tip, tip, advice, you should, you could, you
        can, you must, never tell, don't say, do not say, don't tell, how do i say, how do you say, how to say, how
        to, what does, why do, why does, which, who else, where do, where can, where is, would you, could you, do
        you, does anyone, did you, is it, are there, is there, should, almost, nearly, this close, so close, close
        to, about to, on the verge, not that, it's not that, not because, it's not like, not like, nobody, no one,
        no wonder, none of, neither, nor, without, instead of, far from, used to think, back when, back then, in
        those days, in the old days, in a past life, as a kid, as a child, as a teenager, when i were""",
    voids="""
        just kidding, jk, j/k, lyrics, karaoke, in my dreams, would be nice, would be great, would be
        cool, would be so nice, as a joke, sarcasm, sarcastically, psych, as the saying goes, as they say, proverb,
        for the sake of argument, hypothetically speaking, hypothetically, rumor has it, rumour has it, fictional,
        fiction, in-game, npc, the protagonist, protagonist, the narrator, narrator, main character, my character,
        the character, a character, this character, chapter, monologue, screenplay, role-play, roleplay, role play,
        yeah right, queen of england, fake name, fake, placeholder, lorem ipsum, foo, dummy""",
    jokes="""
        just kidding, kidding, i'm kidding, only joking, just joking, i'm joking, joking aside, jk, j/k, only messing,
        just messing, pulling your leg""",
    scenes="""
        let's role play, let's roleplay, let's role-play, role play, roleplay, role-play, roleplay time, let's
        pretend, let us pretend, pretend you are, pretend you're, pretend to be, let's rehearse, let us rehearse,
        rehearse, rehearsal, rehearsing, let's practice, let's practise, practicing my, practising my, practice
        dialogue, practice conversation, mock interview, let's play a game, let's play, you are a, you are the, you
        are an, you're a, you're the, you're an, you play, you will play, i play the role, i play the part, and i
        play a, i will play a, i'll play a, i'll play the, act as, act like, acting as, in character, write a story,
        write me a story, write a poem, write a song, write a scene, write a dialogue, write a dialog, write a short
        story, tell me a story, story time, continue the story, continue the scene, once upon a time, the following
        dialogue, the following text, the following story, translate the following, translate this, translate to,
        translate into, translate, proofread this, proofread, correct this, correct my, check my grammar, rewrite
        this, rewrite, rephrase, paraphrase, example input, example dialogue, example conversation, sample
        conversation, sample data, test data, test input, lyrics, chapter one, chapter 1, dear diary, speech draft,
        my speech, for my elevator pitch, elevator pitch, audition, monologue, my lines, script, screenplay, imagine
        that, imagine, suppose, for the sake of argument, forwarded message, transcript, interview transcript, quote
        of the day, here is what he wrote, here is what she wrote, here's what he wrote, here's what she wrote, he
        wrote, she wrote, he said, she said, from his profile, from her profile, from their profile, her bio, his
        bio, author bio, their bio, fill in the form for, persona""",
    tails="""
        jk, just kidding, kidding, lol jk, in my dreams, in theory, or so, or not, i think, i guess, i suppose, i
        believe, i heard, he said, she said, he says, she says, they said, they say, said the, says my, according
        to, would be, if only, if i, if we, if you, if it, if the, if they, if he, if she, if my, if only, if
        needed, if necessary, if possible, if everything, if all, unless, for the weekend, for the week, for a week,
        for a few days, for a couple of days, for two days, for three days, for two weeks, for a month, for the
        night, for one night, for the summer, for the holidays, for vacation, for holiday, on vacation, on holiday,
        on a trip, on business, for a conference, for work this week, this week, this weekend, until sunday,
        temporarily, supposedly, allegedly, apparently, someday, some day, one day, eventually, maybe, perhaps,
        probably, hopefully, sometimes, from time to time, now and then, in a dream, in the game, in the story, in
        the novel, in the movie, in the play, is a lie, isn't true, is not true, was a lie, isn't for me, is wrong,
        but not really, not really, said nobody, said no one, is what, was what""",
    courtesies="""
        anymore, any more, any longer,
        if you must know, if that helps, if it helps, if it matters, if that matters, if you're curious, if you are
        curious, if you need it, if you need, if you want to know, if you're wondering, if you were wondering, if
        you didn't know, if you remember, if i haven't mentioned, if i'm being honest, not far from, not the, no
        regrets, no problem, no big deal, no kidding, not too far from, not bad, no joke, right next to, right by,
        right now, right outside, right behind, right in, no idea""",
    scopes="""
        only, just, merely, solely, exclusively, simply, well, much, very, often, always, really, fluently,
        perfectly, properly, usually, mainly, mostly, primarily, entirely, exactly, precisely, necessarily,
        particularly, especially, alone, together, full-time, part-time, full time, part time, all, good,
        enough, daily, every, permanently, completely, totally, strictly, a lot, all that, that much, too, so,
        as much, as well, like a native, by choice, on purpose, yet""",
    parts="""
        near, nearby, close to, around, downtown, centre, center, heart, middle, outskirts, suburbs, suburb,
        edge, north, south, east, west, northern, southern, eastern, western, proper, itself, part""",
    reasons="""
        for, because, with, without, to, since, by, out of, due to, in order, under""",
    takebacks="""
        that's not true, that isn't true, not true, that's a lie, that was a lie, i lied, i'm lying, used to, i
        used to, formerly, previously, i wish i did, or so i say, or so i tell people, in my dreams, until
        recently, not, not really, not quite, not exactly, not at all, not anymore, not any more, not yet,
        almost, nearly, practically, i wish, you wish, we wish, i'm kidding, kidding, joking, just joking, as
        if, yeah right, if only, or not, or maybe not, maybe not, psych, no, nope, nah, sort of, kind of, kinda,
        in a way, so to speak, never, ha not, as if i could, dream on, i dream, one can dream, a man can dream,
        someday, one day, soon, in spirit, in my head, at heart""",
    asks="""what, where, when, who, why, how, which, whose, can, could, do, does, did, is, are, was, were, should,
        shall, will, would, any, am, has, have, does that, may, need, got, know, thoughts, ideas, tips, suggestions,
        recommendations, worth, won't, isn't, aren't, don't, doesn't""",
    speech="""
        says, said, say, claims, claimed, thinks, thought, wrote, writes, told, tells, believes, heard, insists,
        mentioned, swears, assumes, asked, replied, answered, sings, sang, quoted, goes, yelled, shouted, reads,
        called""",
    columns=("present1", "presentp", "inf", "present3", "past", "part", "ing"),
    verbs=_IRREGULAR,
    regular=(
        ("ied", ("y", "y", "y", "ies", "ied", "ied", "ying")),
        ("ed", ("/e", "/e", "/e", "s/es", "ed", "ed", "ing")),
        ("ch", ("ch", "ch", "ch", "ches", "ched", "ched", "ching")),
        ("sh", ("sh", "sh", "sh", "shes", "shed", "shed", "shing")),
        ("ss", ("ss", "ss", "ss", "sses", "ssed", "ssed", "ssing")),
        ("x", ("x", "x", "x", "xes", "xed", "xed", "xing")),
        ("ay", ("ay", "ay", "ay", "ays", "ayed", "ayed", "aying")),
        ("oy", ("oy", "oy", "oy", "oys", "oyed", "oyed", "oying")),
        ("y", ("y", "y", "y", "ies", "ied", "ied", "ying")),
        ("e", ("e", "e", "e", "es", "ed", "ed", "ing")),
        ("", ("", "", "", "s", "ed", "ed", "ing")),
    ),
    changes="move relocate switch migrate adopt join start become turn change settle leave quit upgrade marry",
    alike="""you=u is='s a=an an=a favorite=favourite|fav|fave favourite=favorite|fav|fave email=e-mail|mail mum=mom
    license=licence licence=license""",
    numbers="""
        zero=0 one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 thirteen=13
        fourteen=14 fifteen=15 sixteen=16 seventeen=17 eighteen=18 nineteen=19 twenty=20 thirty=30 forty=40 fifty=50
        sixty=60 seventy=70 eighty=80 ninety=90""",
)
