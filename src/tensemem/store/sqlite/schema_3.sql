-- What version 3 adds: reads that cost what they give.

-- Behind `ordered_from`, a revision, whatever speaks of a slot states one thing on a later time than all before it;
-- what each entry changed can then be told from the facts it began and ended. `whole`: a slot's history is its runs,
-- with retractions and the like in force, and nothing else. Neither is known of a slot until it is next written to.
ALTER TABLE slots ADD COLUMN ordered_from INTEGER NOT NULL DEFAULT 9223372036854775807;

ALTER TABLE slots ADD COLUMN whole INTEGER NOT NULL DEFAULT 0;

CREATE INDEX slots_loose ON slots (scope, id) WHERE whole = 0;

-- Retractions, denials and REPLACEs, which a history tells beside its facts.
CREATE INDEX claims_taking ON claims (scope, slot) WHERE kind IN ('retract', 'deny', 'replace');

-- A history is in the order of valid time: a page of it costs what it gives.
CREATE INDEX facts_by_start ON facts (scope, start) WHERE kind = 0;

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

INSERT INTO sizes (namespace, scopes, entries, episodes, facts, claims, pending, failed)
SELECT
    s.namespace, count(*), sum(s.rev - s.base_rev), sum(s.seq - s.base_seq),
    sum((SELECT count(*) FROM facts AS f WHERE f.scope = s.id)),
    sum((SELECT count(*) FROM claims AS c WHERE c.scope = s.id)), sum(s.pending), sum(s.failed)
FROM scopes AS s WHERE s.user_id > '' GROUP BY s.namespace;

INSERT INTO used (namespace, extractor, model, scopes, calls, input_tokens, output_tokens, milliseconds)
SELECT
    s.namespace, u.extractor, u.model, count(*), sum(u.calls), sum(u.input_tokens), sum(u.output_tokens),
    sum(u.milliseconds)
FROM scopes AS s JOIN usage AS u ON u.scope = s.id GROUP BY s.namespace, u.extractor, u.model;

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
