-- What version 2 adds: forgetting.

-- A scope that begins anew after its person was forgotten counts on from where the former life ended, so that no
-- number of the one ever stands for something of the other.
ALTER TABLE scopes ADD COLUMN base_rev INTEGER NOT NULL DEFAULT 0;

ALTER TABLE scopes ADD COLUMN base_seq INTEGER NOT NULL DEFAULT 0;

-- What was forgotten, as keyed hashes: `scope` is the mark of whose it was, `mark` of what (of the scope again where
-- all of it went), `rev` and `seq` where its log ended, `at` when. Nothing in it can be read without meta's forget_key
-- and a guess to try.
CREATE TABLE forgotten (
    kind TEXT NOT NULL,
    scope TEXT NOT NULL,
    mark TEXT NOT NULL,
    rev INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (scope, kind, mark, at, rev)
) STRICT, WITHOUT ROWID;

-- Numbers of scopes that are gone, whose rows are still to be removed.
CREATE TABLE removals (
    scope INTEGER PRIMARY KEY
) STRICT;

INSERT INTO meta (name, value) VALUES ('forget_key', lower(hex(randomblob(32)))) ON CONFLICT (name) DO NOTHING;
