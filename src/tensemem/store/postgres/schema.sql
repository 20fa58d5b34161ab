-- The tables of a PostgreSQL database, as of today: what the steps schema_1.sql, schema_2.sql … lead to. Every row belongs to one scope, and every key begins with it.
-- A scope's number is its tag, 64 bits made from its names, so no sequence is asked for one and the same scope has the
-- same number everywhere. Times are microseconds since 1970 in UTC; 9223372036854775807 stands for an open end.
-- Columns named `body` and `terms` are bytes: the first names their codec (0: UTF-8 text as it is).
-- Keys of any length are kept as bytes: up to 64 as they are, longer ones as their first 33 and a digest, with the
-- whole beside it where it is needed again (`long_…`); an index entry has little room, and bytes sort as SQLite sorts.

CREATE TABLE tensemem.meta (
    name text PRIMARY KEY,
    value text NOT NULL
);

-- Which role sees which namespace. Roles that own the tables see all.
CREATE TABLE tensemem.walls (
    role text NOT NULL,
    namespace text COLLATE "C" NOT NULL,
    PRIMARY KEY (role, namespace)
);

-- The head of a scope. Its row is the one lock: each transaction that writes to a scope takes it first.
-- `tx` is a number drawn by the newest of them, by which a commit is found again after a lost connection.
CREATE TABLE tensemem.scopes (
    id bigint PRIMARY KEY,
    namespace text COLLATE "C" NOT NULL,
    user_id text COLLATE "C" NOT NULL,
    agent_id text COLLATE "C" NOT NULL,
    rev bigint NOT NULL DEFAULT 0,
    seq bigint NOT NULL DEFAULT 0,
    last_said bigint NOT NULL DEFAULT -4611686018427387904,
    last_recorded bigint NOT NULL DEFAULT -4611686018427387904,
    registry_rev bigint NOT NULL DEFAULT 0,
    pending bigint NOT NULL DEFAULT 0,
    failed bigint NOT NULL DEFAULT 0,
    indexed_rev bigint NOT NULL DEFAULT 0,
    indexed_texts bigint NOT NULL DEFAULT 0,
    indexed_words bigint NOT NULL DEFAULT 0,
    tx bigint NOT NULL DEFAULT 0,
    base_rev bigint NOT NULL DEFAULT 0,
    base_seq bigint NOT NULL DEFAULT 0
);

-- Names are listed in order; the index holds their beginnings, for a name may be longer than an index entry.
CREATE INDEX scopes_in_order ON tensemem.scopes ((left(namespace, 128)), (left(user_id, 128)), (left(agent_id, 128)));

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

-- The log. Rows are appended, and removed where a person is forgotten; never changed.
CREATE TABLE tensemem.entries (
    scope bigint NOT NULL,
    rev bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    seq bigint NOT NULL,
    extraction bigint NOT NULL,
    recorded_at bigint NOT NULL,
    said_at bigint NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (scope, rev)
);

CREATE INDEX entries_by_seq ON tensemem.entries (scope, seq);

-- Messages alone: what was said just before one is found without walking over other entries.
CREATE INDEX entries_messages ON tensemem.entries (scope, seq) WHERE kind = 'message';

-- Extractions that took the place of older ones: few, and asked for by every conditional write.
CREATE INDEX entries_again ON tensemem.entries (scope, rev) WHERE extraction > 1;

CREATE FUNCTION tensemem.refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'an entry of the log is never updated';
END
$$;

CREATE TRIGGER entries_never_change BEFORE UPDATE ON tensemem.entries
FOR EACH ROW EXECUTE FUNCTION tensemem.refuse_update();

-- Idempotency and duplicate keys, with the episode each one stands for.
CREATE TABLE tensemem.keys (
    scope bigint NOT NULL,
    key bytea NOT NULL,
    long_key text,
    seq bigint NOT NULL,
    digest text NOT NULL,
    PRIMARY KEY (scope, key)
);

-- The projection: slots, their claims, and the facts they show.
CREATE TABLE tensemem.slots (
    scope bigint NOT NULL,
    id bigint NOT NULL,
    subject_key bytea NOT NULL,
    long_subject_key text,
    predicate_key bytea NOT NULL,
    long_predicate_key text,
    subject text NOT NULL,
    predicate text NOT NULL,
    horizon bigint NOT NULL,
    last_said bigint NOT NULL,
    last_seq bigint NOT NULL,
    plain boolean NOT NULL,
    named_at bigint NOT NULL,
    last_rev bigint NOT NULL,
    ordered_from bigint NOT NULL DEFAULT 9223372036854775807,
    whole boolean NOT NULL DEFAULT false,
    PRIMARY KEY (scope, id),
    UNIQUE (scope, subject_key, predicate_key)
);

CREATE INDEX slots_loose ON tensemem.slots (scope, id) WHERE NOT whole;

-- A claim stands in one slot: where it is put again, it moves.
CREATE TABLE tensemem.claims (
    scope bigint NOT NULL,
    slot bigint NOT NULL,
    seq bigint NOT NULL,
    extraction bigint NOT NULL,
    number bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    outcome text COLLATE "C" NOT NULL,
    value_key bytea NOT NULL,
    long_value_key text,
    body bytea NOT NULL,
    PRIMARY KEY (scope, seq, extraction, number)
);

CREATE INDEX claims_by_slot ON tensemem.claims (scope, slot, seq, extraction, number);

CREATE INDEX claims_by_value ON tensemem.claims (scope, value_key) WHERE value_key <> '';

-- Claims that may hold values in their bodies which are not their own key.
CREATE INDEX claims_with_more_values ON tensemem.claims (scope, slot) WHERE kind IN ('replace', 'correction');

-- Retractions, denials and REPLACEs, which a history tells beside its facts.
CREATE INDEX claims_taking ON tensemem.claims (scope, slot) WHERE kind IN ('retract', 'deny', 'replace');

CREATE TABLE tensemem.facts (
    scope bigint NOT NULL,
    slot bigint NOT NULL,
    kind bigint NOT NULL,
    key bytea NOT NULL,
    start bigint NOT NULL,
    stop bigint NOT NULL,
    long_key text,
    body bytea NOT NULL,
    PRIMARY KEY (scope, slot, kind, key, start)
);

-- What a state is read from: it costs what it shows, however long the history behind it.
CREATE INDEX facts_by_stop ON tensemem.facts (scope, stop);

-- What an append in order needs of a slot: it costs the same beside a thousand older versions.
CREATE INDEX facts_by_slot_and_stop ON tensemem.facts (scope, slot, stop) WHERE kind = 0;

-- A history is in the order of valid time: a page of it costs what it gives.
CREATE INDEX facts_by_start ON tensemem.facts (scope, start) WHERE kind = 0;

CREATE INDEX facts_by_slot_and_start ON tensemem.facts (scope, slot, start) WHERE kind = 0;

-- Messages that are not settled.
CREATE TABLE tensemem.pending (
    scope bigint NOT NULL,
    seq bigint NOT NULL,
    state text COLLATE "C" NOT NULL,
    attempts bigint NOT NULL,
    not_before bigint NOT NULL,
    error text NOT NULL,
    PRIMARY KEY (scope, seq)
);

CREATE INDEX pending_waiting ON tensemem.pending (scope, not_before) WHERE state = 'waiting';

CREATE INDEX pending_failed ON tensemem.pending (scope, seq) WHERE state = 'failed';

CREATE INDEX pending_in_order ON tensemem.pending (scope, seq) WHERE state = 'waiting';

-- One row for each scope that has a waiting message: leasing costs the same however many messages or scopes wait.
-- `due` is the earliest not_before of its messages (0: at once); `place` orders those that are due at once.
CREATE TABLE tensemem.queue (
    scope bigint PRIMARY KEY,
    due bigint NOT NULL,
    place bigint NOT NULL
);

CREATE INDEX queue_order ON tensemem.queue (due, place);

CREATE TABLE tensemem.leases (
    scope bigint PRIMARY KEY,
    owner text COLLATE "C" NOT NULL,
    expires bigint NOT NULL
);

CREATE INDEX leases_by_owner ON tensemem.leases (owner);

-- What extractors have used over a scope's messages, summed up from its extraction entries; `used_by` is a digest of
-- the extractor's and the model's name.
CREATE TABLE tensemem.usage (
    scope bigint NOT NULL,
    used_by bytea NOT NULL,
    extractor text COLLATE "C" NOT NULL,
    model text COLLATE "C" NOT NULL,
    calls bigint NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    milliseconds bigint NOT NULL,
    PRIMARY KEY (scope, used_by)
);

-- Who works for the queue; everybody sees all of them, `role` is whose row it is.
CREATE TABLE tensemem.workers (
    id text COLLATE "C" PRIMARY KEY,
    role text NOT NULL DEFAULT current_user,
    host text NOT NULL,
    pid bigint NOT NULL,
    started text NOT NULL,
    beat bigint NOT NULL
);

-- The search index: texts, and for each term of a scope the texts that hold it.
CREATE TABLE tensemem.texts (
    scope bigint NOT NULL,
    id bigint NOT NULL,
    reference text COLLATE "C" NOT NULL,
    words bigint NOT NULL,
    terms bytea NOT NULL,
    PRIMARY KEY (scope, id),
    UNIQUE (scope, reference)
);

CREATE TABLE tensemem.postings (
    scope bigint NOT NULL,
    term bytea NOT NULL,
    text bigint NOT NULL,
    times bigint NOT NULL,
    PRIMARY KEY (scope, term, text)
);

-- Walls: a role that owns no table sees the namespaces it is named for in `walls`, and nothing else. The role that a
-- statement runs as decides (current_user): the one that logged in, or one that it is a member of, after SET ROLE. No
-- other setting changes that, so whoever is a member of nothing is nobody else.
ALTER TABLE tensemem.walls ENABLE ROW LEVEL SECURITY;
ALTER TABLE tensemem.workers ENABLE ROW LEVEL SECURITY;
ALTER TABLE tensemem.forgotten ENABLE ROW LEVEL SECURITY;
ALTER TABLE tensemem.scopes ENABLE ROW LEVEL SECURITY;
ALTER TABLE tensemem.entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE tensemem.keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE tensemem.slots ENABLE ROW LEVEL SECURITY;
ALTER TABLE tensemem.claims ENABLE ROW LEVEL SECURITY;
ALTER TABLE tensemem.facts ENABLE ROW LEVEL SECURITY;
ALTER TABLE tensemem.pending ENABLE ROW LEVEL SECURITY;
ALTER TABLE tensemem.queue ENABLE ROW LEVEL SECURITY;
ALTER TABLE tensemem.leases ENABLE ROW LEVEL SECURITY;
ALTER TABLE tensemem.usage ENABLE ROW LEVEL SECURITY;
ALTER TABLE tensemem.texts ENABLE ROW LEVEL SECURITY;
ALTER TABLE tensemem.postings ENABLE ROW LEVEL SECURITY;

CREATE POLICY own ON tensemem.walls FOR SELECT USING (role = current_user);
CREATE POLICY seen ON tensemem.workers FOR SELECT USING (true);
CREATE POLICY own ON tensemem.workers USING (role = current_user);
CREATE POLICY wall_of_forgotten ON tensemem.forgotten
USING (namespace IN (SELECT w.namespace FROM tensemem.walls AS w WHERE w.role = current_user));
CREATE POLICY wall ON tensemem.scopes USING (namespace IN (SELECT w.namespace FROM tensemem.walls AS w WHERE w.role = current_user));
CREATE POLICY wall ON tensemem.entries USING (EXISTS (SELECT 1 FROM tensemem.scopes AS s WHERE s.id = scope));
CREATE POLICY wall ON tensemem.keys USING (EXISTS (SELECT 1 FROM tensemem.scopes AS s WHERE s.id = scope));
CREATE POLICY wall ON tensemem.slots USING (EXISTS (SELECT 1 FROM tensemem.scopes AS s WHERE s.id = scope));
CREATE POLICY wall ON tensemem.claims USING (EXISTS (SELECT 1 FROM tensemem.scopes AS s WHERE s.id = scope));
CREATE POLICY wall ON tensemem.facts USING (EXISTS (SELECT 1 FROM tensemem.scopes AS s WHERE s.id = scope));
CREATE POLICY wall ON tensemem.pending USING (EXISTS (SELECT 1 FROM tensemem.scopes AS s WHERE s.id = scope));
CREATE POLICY wall ON tensemem.queue USING (EXISTS (SELECT 1 FROM tensemem.scopes AS s WHERE s.id = scope));
CREATE POLICY wall ON tensemem.leases USING (EXISTS (SELECT 1 FROM tensemem.scopes AS s WHERE s.id = scope));
CREATE POLICY wall ON tensemem.usage USING (EXISTS (SELECT 1 FROM tensemem.scopes AS s WHERE s.id = scope));
CREATE POLICY wall ON tensemem.texts USING (EXISTS (SELECT 1 FROM tensemem.scopes AS s WHERE s.id = scope));
CREATE POLICY wall ON tensemem.postings USING (EXISTS (SELECT 1 FROM tensemem.scopes AS s WHERE s.id = scope));

-- For people: times as timestamps, bodies as JSON text. Nothing in the library reads these.
CREATE VIEW tensemem.view_log WITH (security_invoker = true) AS
SELECT
    s.namespace, s.user_id, s.agent_id, e.rev, e.seq, e.kind, e.extraction,
    to_timestamp(e.recorded_at / 1e6) AS recorded_at, to_timestamp(e.said_at / 1e6) AS said_at,
    convert_from(substr(e.body, 2), 'UTF8') AS body
FROM tensemem.entries AS e JOIN tensemem.scopes AS s ON s.id = e.scope;

CREATE VIEW tensemem.view_facts WITH (security_invoker = true) AS
SELECT
    s.namespace, s.user_id, s.agent_id, p.subject, p.predicate,
    CASE f.kind WHEN 0 THEN 'run' WHEN 1 THEN 'candidate' ELSE 'plan' END AS kind,
    convert_from(substr(f.body, 2), 'UTF8')::json ->> 2 AS value,
    CASE WHEN f.kind = 0 AND f.start > -210000000000000000 THEN to_timestamp(f.start / 1e6) END AS valid_from,
    CASE WHEN f.kind = 0 AND f.stop < 9000000000000000000 THEN to_timestamp(f.stop / 1e6) END AS valid_to,
    convert_from(substr(f.body, 2), 'UTF8') AS body
FROM tensemem.facts AS f
JOIN tensemem.slots AS p ON p.scope = f.scope AND p.id = f.slot
JOIN tensemem.scopes AS s ON s.id = f.scope;
