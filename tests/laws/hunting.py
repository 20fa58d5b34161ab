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
