from tests.laws.playing import *
from tests.laws.scenarios import *
def rebuild(s):
    with Player(s) as p:
        for a in p.play():
            r=p.mem.verify()
            assert r.identical, "verify"
            if r.scopes: assert r.digest==p.mem.digest("ann"), "digest"
def refold(s):
    with Player(s) as player:
        shown = player.play_all().view()
    with without_appending(), Player(s) as other:
        v=other.play_all().view()
        for k in v: assert v[k]==shown[k], k
def plain(s):
    with Player(s) as player:
        shown = player.play_all().view()
    with on_plain_stores(), Player(s) as other:
        v=other.play_all().view()
        for k in v: assert v[k]==shown[k], k
        assert other.mem.verify().identical
import random
from dataclasses import replace
from tests.laws.feeding import *
from tensemem.model.entry import EPISODES
EMPTY=Scenario((),(),())
def random_order(logs, rng):
    n=len(logs.entries)
    starts={e.seq:i for i,e in enumerate(logs.entries) if e.kind in EPISODES}
    placed=[]
    for i,e in enumerate(logs.entries):
        b=starts[e.seq]; p=b if e.kind in EPISODES else max(b,rng.randint(0,n))
        placed.append((p,1+i,e))
    learnt=sorted(rng.randint(0,n) for _ in logs.registry)
    placed+=[(p,0,e) for p,e in zip(learnt,logs.registry)]
    return [e for *_,e in sorted(placed,key=lambda x:x[:2])]
def order(s):
    with Player(s) as player:
        shown = player.play_all().view(); logs=logs_of(player.engine,player.scope)
        for i in range(4):
          with Player(EMPTY) as other:
            o=random_order(logs,random.Random(f"{i}"))
            other.clock.now=player.clock.now
            for _ in feed(other.engine,other.scope,o): pass
            v=other.view()
            for k in v: assert v[k]==shown[k], k+"\n"+"\n".join(f"{e.kind} seq {e.seq} {dict(e.body)}" for e in o)+f"\nplayed {shown[k]}\nfed {v[k]}"
            assert other.mem.verify().identical, "verify\n"+"\n".join(f"{e.kind} seq {e.seq} {dict(e.body)}" for e in o)
def copy(s):
    with Player(s) as player, Player(EMPTY) as other:
        player.play_all()
        copy_logs(other.engine, logs_of(player.engine, player.scope))
        other.clock.now = player.clock.now
        other.mem.rebuild()
        assert other.view() == player.view()
        assert other.facts() == player.facts()
        assert other.mem.verify().identical
def flushing(s):
    rng=random.Random(1)
    lasting = [a for a in s.actions if is_free_of_state(a)]
    promptly = [replace(a, at_once=True) if isinstance(a, Say) else a for a in lasting]
    late = [replace(a, at_once=False) if isinstance(a, Say) else a for a in lasting]
    mixed = [x for one in late for x in (one, *[Settle(rng.randint(0,5)) for _ in range(rng.randint(0,2))])]
    seen=[]
    for actions in (promptly, late, mixed):
        with Player(replace(s, actions=(*actions, Settle()))) as p: seen.append(p.play_all().view())
    for v in seen[1:]:
        for k in v: assert v[k]==seen[0][k], k+f"\n{v[k]}\n{seen[0][k]}"
from tests.laws.test_moments import *
from tests.laws import test_corrections as TC
def moments(s):
    rng=random.Random(3)
    with Player(s) as player:
        player.play_all()
        newest = player.revs()[0]
        for known_at in (None, *sorted({rng.randint(0,newest) for _ in range(3)})):
            facts = player.facts(known_at=known_at)
            assert_one_at_a_time(player, facts)
            unknown = {fact.id for fact in facts if fact.valid_from is None}
            ms = boundaries(facts) or [day(8)]
            for moment in [rng.choice(ms) for _ in range(4)]:
                state = player.mem.state(USER, at=moment, known_at=known_at)
                told = {fact.id for fact in state.facts} - unknown
                want = {fact.id for fact in shown(facts) if holds(fact, moment)} - unknown
                assert told == want, (known_at, newest, moment, [str(f) for f in state.facts], [(str(f),f.valid_from,f.valid_to,f.id) for f in facts])
                assert all(str(fact.status) == "active" for fact in state.facts)
def past(s): TM.test_what_was_believed_at_a_revision_stays_what_was_believed_then.hypothesis.inner_test(s,[day(4),day(8),day(12)])
import tests.laws.test_moments as TM
def _tc(name,*a):
    from hypothesis.errors import UnsatisfiedAssumption
    def f(s):
        for pick in range(3):
            try: getattr(TC,name).hypothesis.inner_test(s,pick,*a)
            except UnsatisfiedAssumption: pass
    return f
late_=[(0,0),(1,1),(2,3)]
nolate=_tc("test_no_late_message_shows_a_corrected_value_again",late_)
notlost=_tc("test_what_a_corrected_value_showed_elsewhere_is_not_lost")
backonce=_tc("test_a_correction_taken_back_at_once_leaves_no_trace_in_the_state")
backlater=_tc("test_a_correction_taken_back_later_is_as_if_it_had_never_been_made",late_)
