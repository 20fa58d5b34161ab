-- name: set_meta
-- Keep a named setting.
INSERT INTO meta (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value;

-- name: add_scope
-- A new scope's head; gives its number.
INSERT INTO scopes
    (namespace, user_id, agent_id, tag, rev, seq, last_said, last_recorded, registry_rev, pending, failed, base_rev, base_seq)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) RETURNING id;

-- name: save_head
-- A scope's counters.
UPDATE scopes
SET rev = ?2, seq = ?3, last_said = ?4, last_recorded = ?5, registry_rev = ?6, pending = ?7, failed = ?8,
    base_rev = ?9, base_seq = ?10
WHERE id = ?1;

-- name: append
-- One entry at the end of a log.
INSERT INTO entries (scope, rev, kind, seq, extraction, recorded_at, said_at, body)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8);

-- name: drop_entry
-- One entry of a log, in the place of which another is put.
DELETE FROM entries WHERE scope = ?1 AND rev = ?2;

-- name: drop_key
-- An idempotency or duplicate key.
DELETE FROM keys WHERE scope = ?1 AND key = ?2;

-- name: remember_key
-- An idempotency or duplicate key.
INSERT INTO keys (scope, key, seq, digest) VALUES (?1, ?2, ?3, ?4)
ON CONFLICT (scope, key) DO UPDATE SET seq = excluded.seq, digest = excluded.digest;

-- name: add_slot
-- A new slot; gives the number it gets in its scope.
INSERT INTO slots
    (scope, id, subject_key, predicate_key, subject, predicate, horizon, last_said, last_seq, plain, named_at, last_rev,
    ordered_from, whole)
VALUES (?1, (SELECT coalesce(max(id), 0) + 1 FROM slots WHERE scope = ?1), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,
    ?12, ?13)
RETURNING id;

-- name: save_slot
-- A slot's columns.
UPDATE slots
SET subject = ?3, predicate = ?4, horizon = ?5, last_said = ?6, last_seq = ?7, plain = ?8, named_at = ?9, last_rev = ?10,
    ordered_from = ?13, whole = ?14
WHERE scope = ?1 AND id = ?2 AND subject_key = ?11 AND predicate_key = ?12;

-- name: save_slot_keys
-- The same where its keys have changed, which its index must follow.
UPDATE slots
SET subject = ?3, predicate = ?4, horizon = ?5, last_said = ?6, last_seq = ?7, plain = ?8, named_at = ?9, last_rev = ?10,
    ordered_from = ?13, whole = ?14, subject_key = ?11, predicate_key = ?12
WHERE scope = ?1 AND id = ?2;

-- name: add_claim
-- A claim in its slot, unless there is one of the same number.
INSERT INTO claims (scope, slot, seq, extraction, number, kind, outcome, value_key, body)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT DO NOTHING;

-- name: change_claim
-- A claim in the place of the one of the same number.
UPDATE claims SET slot = ?2, kind = ?6, outcome = ?7, value_key = ?8, body = ?9
WHERE scope = ?1 AND seq = ?3 AND extraction = ?4 AND number = ?5;

-- name: drop_claims
-- The claims made from one episode.
DELETE FROM claims WHERE scope = ?1 AND seq = ?2;

-- name: drop_claims_of_kinds
-- Those of some kinds, given as a JSON array.
DELETE FROM claims WHERE scope = ?1 AND seq = ?2 AND kind IN (SELECT value FROM json_each(?3));

-- name: add_fact
-- A fact row, unless there is one in its place.
INSERT INTO facts (scope, slot, kind, key, start, stop, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT DO NOTHING;

-- name: change_fact
-- A fact row in the place of the one that is there.
UPDATE facts SET stop = ?6, body = ?7 WHERE scope = ?1 AND slot = ?2 AND kind = ?3 AND key = ?4 AND start = ?5;

-- name: drop_fact
-- One fact row.
DELETE FROM facts WHERE scope = ?1 AND slot = ?2 AND kind = ?3 AND key = ?4 AND start = ?5;

-- name: drop_slot
-- One slot.
DELETE FROM slots WHERE scope = ?1 AND id = ?2;

-- name: drop_claims_of_slot
-- Its claims.
DELETE FROM claims WHERE scope = ?1 AND slot = ?2;

-- name: drop_facts_of_slot
-- Its facts.
DELETE FROM facts WHERE scope = ?1 AND slot = ?2;

-- name: drop_slots
-- All slots of a scope.
DELETE FROM slots WHERE scope = ?1;

-- name: drop_all_claims
-- All claims of a scope.
DELETE FROM claims WHERE scope = ?1;

-- name: drop_facts
-- All facts of a scope.
DELETE FROM facts WHERE scope = ?1;

-- name: beat
-- A worker, and when it last said that it lives.
INSERT INTO workers (id, host, pid, started, beat) VALUES (?1, ?2, ?3, ?4, ?5)
ON CONFLICT (id) DO UPDATE
SET host = excluded.host, pid = excluded.pid, started = excluded.started, beat = excluded.beat;

-- name: drop_worker
-- A worker.
DELETE FROM workers WHERE id = ?1;

-- name: add_usage
-- More that an extractor has used over a scope's messages.
INSERT INTO usage (scope, extractor, model, calls, input_tokens, output_tokens, milliseconds)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (scope, extractor, model) DO UPDATE
SET calls = calls + excluded.calls, input_tokens = input_tokens + excluded.input_tokens,
    output_tokens = output_tokens + excluded.output_tokens, milliseconds = milliseconds + excluded.milliseconds;

-- name: add_sizes
-- Facts and claims that a scope has more, or fewer, as its namespace has.
UPDATE sizes SET facts = facts + ?2, claims = claims + ?3
WHERE namespace = (SELECT s.namespace FROM scopes AS s WHERE s.id = ?1 AND s.user_id > '');

-- name: drop_sizes
-- The sums of every namespace.
DELETE FROM sizes;

-- name: recount_sizes
-- Those sums anew, from what there is.
INSERT INTO sizes (namespace, scopes, entries, episodes, facts, claims, pending, failed)
SELECT
    s.namespace, count(*), sum(s.rev - s.base_rev), sum(s.seq - s.base_seq),
    sum((SELECT count(*) FROM facts AS f WHERE f.scope = s.id)),
    sum((SELECT count(*) FROM claims AS c WHERE c.scope = s.id)), sum(s.pending), sum(s.failed)
FROM scopes AS s WHERE s.user_id > '' GROUP BY s.namespace;

-- name: drop_used
-- What extractors have used in every namespace.
DELETE FROM used;

-- name: recount_used
-- The same anew.
INSERT INTO used (namespace, extractor, model, scopes, calls, input_tokens, output_tokens, milliseconds)
SELECT
    s.namespace, u.extractor, u.model, count(*), sum(u.calls), sum(u.input_tokens), sum(u.output_tokens),
    sum(u.milliseconds)
FROM scopes AS s JOIN usage AS u ON u.scope = s.id GROUP BY s.namespace, u.extractor, u.model;
