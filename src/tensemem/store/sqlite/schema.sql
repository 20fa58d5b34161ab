-- The tables of a database, as of today: what the steps schema_1.sql, schema_2.sql … lead to. Every row belongs to one scope, and every key begins with it.
-- Times are microseconds since 1970 in UTC; 9223372036854775807 stands for an open end.
-- Columns named `body` and `terms` are bytes: the first names their codec (0: UTF-8 text as it is), so that a text can
-- be kept another way later without another table. Views named view_* show the same for people.

CREATE TABLE meta (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- AUTOINCREMENT: the number of a scope that is gone is never given to another. A scope that begins anew after its
-- person was forgotten counts on from `base_rev` and `base_seq`, where the former life ended.
CREATE TABLE scopes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    namespace TEXT NOT NULL,
    user_id TEXT NOT NULL,
    agent_id TEXT NOT NULL,
    tag TEXT NOT NULL UNIQUE,
    rev INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    last_said INTEGER NOT NULL,
    last_recorded INTEGER NOT NULL,
    registry_rev INTEGER NOT NULL,
    pending INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    indexed_rev INTEGER NOT NULL DEFAULT 0,
    indexed_texts INTEGER NOT NULL DEFAULT 0,
    indexed_words INTEGER NOT NULL DEFAULT 0,
    base_rev INTEGER NOT NULL DEFAULT 0,
    base_seq INTEGER NOT NULL DEFAULT 0,
    UNIQUE (namespace, user_id, agent_id)
) STRICT;

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

-- The log. Rows are appended, and removed where a person is forgotten; never changed.
CREATE TABLE entries (
    scope INTEGER NOT NULL,
    rev INTEGER NOT NULL,
    kind TEXT NOT NULL,
    seq INTEGER NOT NULL,
    extraction INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    said_at INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (scope, rev)
) STRICT, WITHOUT ROWID;

-- Where an entry is found by its seq: messages here, which also tells what was said just before one, the others below;
-- those whose seq is their rev, as it is until a message comes, are found by that and need no index.
CREATE INDEX entries_messages ON entries (scope, seq) WHERE kind = 'message';

CREATE INDEX entries_by_seq ON entries (scope, seq) WHERE kind <> 'message' AND rev <> seq;

-- Extractions that took the place of older ones: few, and asked for by every conditional write.
CREATE INDEX entries_again ON entries (scope, rev) WHERE extraction > 1;

CREATE TRIGGER entries_never_change BEFORE UPDATE ON entries
BEGIN
    SELECT RAISE(ABORT, 'an entry of the log is never updated');
END;

-- Idempotency and duplicate keys, with the episode each one stands for.
CREATE TABLE keys (
    scope INTEGER NOT NULL,
    key TEXT NOT NULL,
    seq INTEGER NOT NULL,
    digest TEXT NOT NULL,
    PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID;

-- The projection: slots, their claims, and the facts they show.
CREATE TABLE slots (
    scope INTEGER NOT NULL,
    id INTEGER NOT NULL,
    subject_key TEXT NOT NULL,
    predicate_key TEXT NOT NULL,
    subject TEXT NOT NULL,
    predicate TEXT NOT NULL,
    horizon INTEGER NOT NULL,
    last_said INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    plain INTEGER NOT NULL,
    named_at INTEGER NOT NULL,
    last_rev INTEGER NOT NULL,
    ordered_from INTEGER NOT NULL DEFAULT 9223372036854775807,
    whole INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (scope, id),
    UNIQUE (scope, subject_key, predicate_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX slots_loose ON slots (scope, id) WHERE whole = 0;

CREATE TABLE claims (
    scope INTEGER NOT NULL,
    slot INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    extraction INTEGER NOT NULL,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    outcome TEXT NOT NULL,
    value_key TEXT NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (scope, slot, seq, extraction, number)
) STRICT, WITHOUT ROWID;

-- A claim stands in one slot: where it is put again, it moves.
CREATE UNIQUE INDEX claims_by_place ON claims (scope, seq, extraction, number);

-- Claims that may hold values in their bodies which are not their own key.
CREATE INDEX claims_with_more_values ON claims (scope, slot) WHERE kind IN ('replace', 'correction');

-- Retractions, denials and REPLACEs, which a history tells beside its facts.
CREATE INDEX claims_taking ON claims (scope, slot) WHERE kind IN ('retract', 'deny', 'replace');

CREATE TABLE facts (
    scope INTEGER NOT NULL,
    slot INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    key TEXT NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (scope, slot, kind, start, key)
) STRICT, WITHOUT ROWID;

-- What a slot shows from a moment on: both a state and an append in order cost the same however long the history is.
CREATE INDEX facts_by_slot_and_stop ON facts (scope, slot, stop);

-- A history is in the order of valid time: a page of it costs what it gives.
CREATE INDEX facts_by_start ON facts (scope, start) WHERE kind = 0;

-- Messages that are not settled.
CREATE TABLE pending (
    scope INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    not_before INTEGER NOT NULL,
    error TEXT NOT NULL,
    PRIMARY KEY (scope, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX pending_waiting ON pending (scope, not_before) WHERE state = 'waiting';

CREATE INDEX pending_failed ON pending (scope, seq) WHERE state = 'failed';

CREATE INDEX pending_in_order ON pending (scope, seq) WHERE state = 'waiting';

-- One row for each scope that has a waiting message: leasing costs the same however many messages or scopes wait.
-- `due` is the earliest not_before of its messages (0: at once); `place` orders those that are due at once.
CREATE TABLE queue (
    scope INTEGER PRIMARY KEY,
    due INTEGER NOT NULL,
    place INTEGER NOT NULL
) STRICT;

CREATE INDEX queue_order ON queue (due, place);

CREATE TABLE leases (
    scope INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    expires INTEGER NOT NULL
) STRICT;

-- What extractors have used over a scope's messages, summed up from its extraction entries.
CREATE TABLE usage (
    scope INTEGER NOT NULL,
    extractor TEXT NOT NULL,
    model TEXT NOT NULL,
    calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    milliseconds INTEGER NOT NULL,
    PRIMARY KEY (scope, extractor, model)
) STRICT, WITHOUT ROWID;

CREATE TABLE workers (
    id TEXT NOT NULL PRIMARY KEY,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    started TEXT NOT NULL,
    beat INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The search index: texts, and for each term of a scope the texts that hold it.
CREATE TABLE texts (
    scope INTEGER NOT NULL,
    id INTEGER NOT NULL,
    reference TEXT NOT NULL,
    words INTEGER NOT NULL,
    terms BLOB NOT NULL,
    PRIMARY KEY (scope, id),
    UNIQUE (scope, reference)
) STRICT, WITHOUT ROWID;

CREATE TABLE postings (
    scope INTEGER NOT NULL,
    term TEXT NOT NULL,
    text INTEGER NOT NULL,
    times INTEGER NOT NULL,
    PRIMARY KEY (scope, term, text)
) STRICT, WITHOUT ROWID;

-- How much a namespace holds, its registry left out, and what extractors have used in it: the sums of its heads and of
-- their rows, kept so that `stats` costs the same however many scopes there are. A head tells how many entries and
-- episodes its scope has; facts and claims are added by whoever writes them, once for a transaction.
CREATE TABLE sizes (
    namespace TEXT NOT NULL PRIMARY KEY,
    scopes INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    episodes INTEGER NOT NULL,
    facts INTEGER NOT NULL,
    claims INTEGER NOT NULL,
    pending INTEGER NOT NULL,
    failed INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE used (
    namespace TEXT NOT NULL,
    extractor TEXT NOT NULL,
    model TEXT NOT NULL,
    scopes INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    milliseconds INTEGER NOT NULL,
    PRIMARY KEY (namespace, extractor, model)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER sizes_of_new_scope AFTER INSERT ON scopes WHEN NEW.user_id > ''
BEGIN
    INSERT INTO sizes (namespace, scopes, entries, episodes, facts, claims, pending, failed)
    VALUES (
        NEW.namespace, 1, NEW.rev - NEW.base_rev, NEW.seq - NEW.base_seq, 0, 0, NEW.pending, NEW.failed
    )
    ON CONFLICT (namespace) DO UPDATE
    SET scopes = scopes + 1, entries = entries + excluded.entries, episodes = episodes + excluded.episodes,
        pending = pending + excluded.pending, failed = failed + excluded.failed;
END;

CREATE TRIGGER sizes_of_scope AFTER UPDATE OF rev, seq, base_rev, base_seq, pending, failed ON scopes
WHEN NEW.user_id > ''
BEGIN
    UPDATE sizes
    SET entries = entries + NEW.rev - NEW.base_rev - OLD.rev + OLD.base_rev,
        episodes = episodes + NEW.seq - NEW.base_seq - OLD.seq + OLD.base_seq,
        pending = pending + NEW.pending - OLD.pending, failed = failed + NEW.failed - OLD.failed
    WHERE namespace = NEW.namespace;
END;

CREATE TRIGGER sizes_of_gone_scope AFTER DELETE ON scopes WHEN OLD.user_id > ''
BEGIN
    UPDATE sizes
    SET scopes = scopes - 1, entries = entries - OLD.rev + OLD.base_rev, episodes = episodes - OLD.seq + OLD.base_seq,
        facts = facts - (SELECT count(*) FROM facts AS f WHERE f.scope = OLD.id),
        claims = claims - (SELECT count(*) FROM claims AS c WHERE c.scope = OLD.id),
        pending = pending - OLD.pending, failed = failed - OLD.failed
    WHERE namespace = OLD.namespace;
    DELETE FROM sizes WHERE namespace = OLD.namespace AND scopes = 0;
    UPDATE used
    SET scopes = used.scopes - 1, calls = used.calls - u.calls, input_tokens = used.input_tokens - u.input_tokens,
        output_tokens = used.output_tokens - u.output_tokens, milliseconds = used.milliseconds - u.milliseconds
    FROM usage AS u
    WHERE u.scope = OLD.id AND used.namespace = OLD.namespace AND used.extractor = u.extractor
        AND used.model = u.model;
    DELETE FROM used WHERE namespace = OLD.namespace AND scopes = 0;
END;

CREATE TRIGGER used_first AFTER INSERT ON usage
BEGIN
    INSERT INTO used (namespace, extractor, model, scopes, calls, input_tokens, output_tokens, milliseconds)
    SELECT
        s.namespace, NEW.extractor, NEW.model, 1, NEW.calls, NEW.input_tokens, NEW.output_tokens, NEW.milliseconds
    FROM scopes AS s WHERE s.id = NEW.scope
    ON CONFLICT (namespace, extractor, model) DO UPDATE
    SET scopes = scopes + 1, calls = calls + excluded.calls, input_tokens = input_tokens + excluded.input_tokens,
        output_tokens = output_tokens + excluded.output_tokens, milliseconds = milliseconds + excluded.milliseconds;
END;

CREATE TRIGGER used_more AFTER UPDATE ON usage
BEGIN
    UPDATE used
    SET calls = calls + NEW.calls - OLD.calls, input_tokens = input_tokens + NEW.input_tokens - OLD.input_tokens,
        output_tokens = output_tokens + NEW.output_tokens - OLD.output_tokens,
        milliseconds = milliseconds + NEW.milliseconds - OLD.milliseconds
    WHERE namespace = (SELECT s.namespace FROM scopes AS s WHERE s.id = NEW.scope) AND extractor = NEW.extractor
        AND model = NEW.model;
END;

CREATE TRIGGER used_no_more AFTER DELETE ON usage
BEGIN
    UPDATE used
    SET scopes = scopes - 1, calls = calls - OLD.calls, input_tokens = input_tokens - OLD.input_tokens,
        output_tokens = output_tokens - OLD.output_tokens, milliseconds = milliseconds - OLD.milliseconds
    WHERE namespace = (SELECT s.namespace FROM scopes AS s WHERE s.id = OLD.scope) AND extractor = OLD.extractor
        AND model = OLD.model;
    DELETE FROM used
    WHERE scopes = 0 AND namespace = (SELECT s.namespace FROM scopes AS s WHERE s.id = OLD.scope)
        AND extractor = OLD.extractor AND model = OLD.model;
END;

-- For people: times as ISO 8601 text, bodies as JSON text. Nothing in the library reads these.
CREATE VIEW view_scopes AS
SELECT
    id AS scope, namespace, user_id, agent_id, tag, rev, seq, pending, failed,
    strftime('%Y-%m-%dT%H:%M:%fZ', last_recorded / 1e6, 'unixepoch') AS last_recorded
FROM scopes;

CREATE VIEW view_log AS
SELECT
    s.namespace, s.user_id, s.agent_id, e.rev, e.seq, e.kind, e.extraction,
    strftime('%Y-%m-%dT%H:%M:%fZ', e.recorded_at / 1e6, 'unixepoch') AS recorded_at,
    strftime('%Y-%m-%dT%H:%M:%fZ', e.said_at / 1e6, 'unixepoch') AS said_at,
    json_extract(CAST(substr(e.body, 2) AS TEXT), '$.content') AS content,
    CAST(substr(e.body, 2) AS TEXT) AS body
FROM entries AS e JOIN scopes AS s ON s.id = e.scope;

CREATE VIEW view_claims AS
SELECT
    s.namespace, s.user_id, s.agent_id, p.subject, p.predicate, c.seq, c.extraction, c.number, c.kind, c.outcome,
    c.value_key, CAST(substr(c.body, 2) AS TEXT) AS body
FROM claims AS c
JOIN slots AS p ON p.scope = c.scope AND p.id = c.slot
JOIN scopes AS s ON s.id = c.scope;

CREATE VIEW view_facts AS
SELECT
    s.namespace, s.user_id, s.agent_id, p.subject, p.predicate,
    CASE f.kind WHEN 0 THEN 'run' WHEN 1 THEN 'candidate' ELSE 'plan' END AS kind,
    json_extract(CAST(substr(f.body, 2) AS TEXT), '$[2]') AS value,
    CASE f.kind WHEN 0 THEN strftime('%Y-%m-%dT%H:%M:%fZ', f.start / 1e6, 'unixepoch') END AS valid_from,
    CASE f.kind WHEN 0 THEN strftime('%Y-%m-%dT%H:%M:%fZ', f.stop / 1e6, 'unixepoch') END AS valid_to,
    CAST(substr(f.body, 2) AS TEXT) AS body
FROM facts AS f
JOIN slots AS p ON p.scope = f.scope AND p.id = f.slot
JOIN scopes AS s ON s.id = f.scope;

CREATE VIEW view_pending AS
SELECT
    s.namespace, s.user_id, s.agent_id, p.seq, p.state, p.attempts,
    strftime('%Y-%m-%dT%H:%M:%fZ', p.not_before / 1e6, 'unixepoch') AS not_before, p.error, l.owner AS leased_by
FROM pending AS p
JOIN scopes AS s ON s.id = p.scope
LEFT JOIN leases AS l ON l.scope = p.scope;
