-- What version 2 adds: forgetting.

-- A scope that begins anew after its person was forgotten counts on from where the former life ended, so that no
-- number of the one ever stands for something of the other.
ALTER TABLE tensemem.scopes ADD COLUMN base_rev bigint NOT NULL DEFAULT 0;

ALTER TABLE tensemem.scopes ADD COLUMN base_seq bigint NOT NULL DEFAULT 0;

-- What was forgotten, as keyed hashes: `scope` is the mark of whose it was, `mark` of what (of the scope again where
-- all of it went), `rev` and `seq` where its log ended, `at` when. Nothing in it can be read without meta's forget_key
-- and a guess to try. `namespace` is there for the walls; it is empty where a line came from elsewhere.
CREATE TABLE tensemem.forgotten (
    namespace text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    scope text COLLATE "C" NOT NULL,
    mark text COLLATE "C" NOT NULL,
    rev bigint NOT NULL,
    seq bigint NOT NULL,
    at bigint NOT NULL,
    data text NOT NULL,
    PRIMARY KEY (scope, kind, mark, at, rev)
);

ALTER TABLE tensemem.forgotten ENABLE ROW LEVEL SECURITY;

CREATE POLICY wall_of_forgotten ON tensemem.forgotten
USING (namespace IN (SELECT w.namespace FROM tensemem.walls AS w WHERE w.role = current_user));
