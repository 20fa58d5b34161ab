-- name: meta
-- A named setting of the database.
SELECT value FROM meta WHERE name = ?1;

-- name: head
-- A scope's number and counters, by its names.
SELECT id, rev, seq, last_said, last_recorded, registry_rev, pending, failed, base_rev, base_seq
FROM scopes WHERE namespace = ?1 AND user_id = ?2 AND agent_id = ?3;

-- name: head_and_registry
-- The same with the revision of the namespace's registry; one row always, whose first column may be NULL.
SELECT
    s.id, s.rev, s.seq, s.last_said, s.last_recorded, s.registry_rev, s.pending, s.failed, s.base_rev, s.base_seq,
    (SELECT rev FROM scopes WHERE namespace = ?1 AND user_id = '' AND agent_id = '')
FROM (SELECT 1)
LEFT JOIN scopes AS s ON s.namespace = ?1 AND s.user_id = ?2 AND s.agent_id = ?3;

-- name: head_by_id
-- A scope's names and counters, by its number.
SELECT namespace, user_id, agent_id, id, rev, seq, last_said, last_recorded, registry_rev, pending, failed, base_rev, base_seq
FROM scopes WHERE id = ?1;

-- name: scope_of_tag
-- The names of the scope a tag stands for.
SELECT namespace, user_id, agent_id FROM scopes WHERE tag = ?1;

-- name: namespaces
-- Every namespace, by one step of the index each: it costs the same however many scopes one has.
WITH RECURSIVE found (namespace) AS (
    SELECT min(namespace) FROM scopes
    UNION ALL
    SELECT (SELECT min(s.namespace) FROM scopes AS s WHERE s.namespace > found.namespace)
    FROM found WHERE found.namespace IS NOT NULL
)
SELECT namespace FROM found WHERE namespace IS NOT NULL ORDER BY namespace;

-- name: scopes
-- Heads in order, after a cursor, whose user_id lies in a range; the registry, which has no user_id, is not among them.
SELECT namespace, user_id, agent_id, id, rev, seq, last_said, last_recorded, registry_rev, pending, failed, base_rev, base_seq
FROM scopes
WHERE namespace = ?1 AND (user_id, agent_id) > (?2, ?3) AND user_id >= ?4 AND user_id > ''
ORDER BY user_id, agent_id LIMIT ?5;

-- name: scopes_below
-- The same, with an end of the range.
SELECT namespace, user_id, agent_id, id, rev, seq, last_said, last_recorded, registry_rev, pending, failed, base_rev, base_seq
FROM scopes
WHERE namespace = ?1 AND (user_id, agent_id) > (?2, ?3) AND user_id >= ?4 AND user_id < ?6
ORDER BY user_id, agent_id LIMIT ?5;

-- name: entries
-- A stretch of a log.
SELECT kind, rev, seq, recorded_at, said_at, extraction, body
FROM entries WHERE scope = ?1 AND rev > ?2 AND rev <= ?3 ORDER BY rev LIMIT ?4;

-- name: entries_of
-- The entries with a seq in a range; where to look for each kind of them the schema says.
SELECT kind, rev, seq, recorded_at, said_at, extraction, body FROM entries
WHERE scope = ?1 AND rev BETWEEN ?2 AND ?3 AND rev = seq AND kind <> 'message'
UNION ALL
SELECT kind, rev, seq, recorded_at, said_at, extraction, body FROM entries INDEXED BY entries_messages
WHERE scope = ?1 AND seq BETWEEN ?2 AND ?3 AND kind = 'message'
UNION ALL
SELECT kind, rev, seq, recorded_at, said_at, extraction, body FROM entries INDEXED BY entries_by_seq
WHERE scope = ?1 AND seq BETWEEN ?2 AND ?3 AND rev <> seq AND kind <> 'message'
ORDER BY rev;

-- name: episode
-- The entry that a seq is the number of.
SELECT kind, rev, seq, recorded_at, said_at, extraction, body FROM entries
WHERE scope = ?1 AND rev = ?2 AND seq = ?2 AND extraction = 0
    AND kind IN ('write', 'correction', 'reinstatement', 'review', 'erasure')
UNION ALL
SELECT kind, rev, seq, recorded_at, said_at, extraction, body FROM entries INDEXED BY entries_messages
WHERE scope = ?1 AND seq = ?2 AND kind = 'message'
UNION ALL
SELECT kind, rev, seq, recorded_at, said_at, extraction, body FROM entries INDEXED BY entries_by_seq
WHERE scope = ?1 AND seq = ?2 AND rev <> seq AND kind <> 'message' AND extraction = 0
    AND kind IN ('write', 'correction', 'reinstatement', 'review', 'erasure')
ORDER BY rev LIMIT 1;

-- name: settlements
-- What was made of a message.
SELECT kind, rev, seq, recorded_at, said_at, extraction, body
FROM entries INDEXED BY entries_by_seq
WHERE scope = ?1 AND seq = ?2 AND rev <> seq AND kind <> 'message' AND kind IN ('extraction', 'skip')
UNION ALL
SELECT kind, rev, seq, recorded_at, said_at, extraction, body FROM entries
WHERE scope = ?1 AND rev = ?2 AND seq = ?2 AND kind IN ('extraction', 'skip')
ORDER BY rev;

-- name: extracted_again
-- The extractions after a revision that took the place of older ones.
SELECT kind, rev, seq, recorded_at, said_at, extraction, body
FROM entries INDEXED BY entries_again WHERE scope = ?1 AND rev > ?2 AND extraction > 1 ORDER BY rev;

-- name: messages_before
-- The messages just before a seq, newest first.
SELECT kind, rev, seq, recorded_at, said_at, extraction, body
FROM entries INDEXED BY entries_messages
WHERE scope = ?1 AND seq < ?2 AND kind = 'message' ORDER BY seq DESC LIMIT ?3;

-- name: last_rev
-- The newest revision of a log.
SELECT max(rev) FROM entries WHERE scope = ?1;

-- name: recorded_by_rev
-- The newest entry up to a revision, and when it was recorded.
SELECT rev, recorded_at FROM entries WHERE scope = ?1 AND rev <= ?2 ORDER BY rev DESC LIMIT 1;

-- name: find_key
-- The episode and content digest of an idempotency or duplicate key.
SELECT seq, digest FROM keys WHERE scope = ?1 AND key = ?2;

-- name: keys
-- Idempotency and duplicate keys behind one, with their episodes and content digests.
SELECT key, seq, digest FROM keys WHERE scope = ?1 AND key > ?2 ORDER BY key LIMIT ?3;

-- name: slots
-- All slots of a scope.
SELECT id, subject_key, predicate_key, subject, predicate, horizon, last_said, last_seq, plain, named_at, last_rev,
    ordered_from, whole
FROM slots WHERE scope = ?1 ORDER BY id;

-- name: slots_after
-- The slots with the next larger numbers.
SELECT id, subject_key, predicate_key, subject, predicate, horizon, last_said, last_seq, plain, named_at, last_rev,
    ordered_from, whole
FROM slots WHERE scope = ?1 AND id > ?2 ORDER BY id LIMIT ?3;

-- name: slot
-- One slot, by its keys.
SELECT id, subject_key, predicate_key, subject, predicate, horizon, last_said, last_seq, plain, named_at, last_rev,
    ordered_from, whole
FROM slots WHERE scope = ?1 AND subject_key = ?2 AND predicate_key = ?3;

-- name: slot_by_id
-- One slot, by its number.
SELECT id, subject_key, predicate_key, subject, predicate, horizon, last_said, last_seq, plain, named_at, last_rev,
    ordered_from, whole
FROM slots WHERE scope = ?1 AND id = ?2;

-- name: slots_of
-- The slots of a subject.
SELECT id, subject_key, predicate_key, subject, predicate, horizon, last_said, last_seq, plain, named_at, last_rev,
    ordered_from, whole
FROM slots WHERE scope = ?1 AND subject_key = ?2 ORDER BY id;

-- name: loose_slots
-- The slots of a scope whose history is more than their runs, or may be.
SELECT id, subject_key, predicate_key, subject, predicate, horizon, last_said, last_seq, plain, named_at, last_rev,
    ordered_from, whole
FROM slots INDEXED BY slots_loose WHERE scope = ?1 AND whole = 0 ORDER BY id;

-- name: claims
-- A slot's claims and amendments.
SELECT slot, seq, extraction, number, kind, outcome, value_key, body
FROM claims WHERE scope = ?1 AND slot = ?2 ORDER BY seq, extraction, number;

-- name: statements
-- The claims of a slot that take away: retractions, denials and REPLACEs.
SELECT slot, seq, extraction, number, kind, outcome, value_key, body FROM claims INDEXED BY claims_taking
WHERE scope = ?1 AND slot = ?2 AND kind IN ('retract', 'deny', 'replace') ORDER BY slot, seq, extraction, number;

-- name: all_statements
-- Those of a scope.
SELECT slot, seq, extraction, number, kind, outcome, value_key, body FROM claims INDEXED BY claims_taking
WHERE scope = ?1 AND kind IN ('retract', 'deny', 'replace') ORDER BY slot, seq, extraction, number;

-- name: claims_between
-- The claims and amendments of the slots with numbers in a range.
SELECT slot, seq, extraction, number, kind, outcome, value_key, body
FROM claims WHERE scope = ?1 AND slot BETWEEN ?2 AND ?3 ORDER BY slot, seq, extraction, number;

-- name: claims_made
-- The claims and amendments of a range of episodes.
SELECT slot, seq, extraction, number, kind, outcome, value_key, body
FROM claims INDEXED BY claims_by_place
WHERE scope = ?1 AND seq BETWEEN ?2 AND ?3 ORDER BY seq, extraction, number;

-- name: claims_of
-- The claims made from one episode.
SELECT slot, seq, extraction, number, kind, outcome, value_key, body
FROM claims INDEXED BY claims_by_place WHERE scope = ?1 AND seq = ?2 ORDER BY seq, extraction, number;

-- name: slots_with_values
-- The slots that may speak of one of these value keys, given as a JSON array: by a claim's own key, or inside a
-- REPLACE or a correction, whose other values stand in their bodies.
SELECT slot FROM claims
WHERE scope = ?1 AND value_key IN (SELECT value FROM json_each(?2)) AND value_key <> ''
UNION
SELECT slot FROM claims INDEXED BY claims_with_more_values WHERE scope = ?1 AND kind IN ('replace', 'correction')
ORDER BY slot;

-- name: facts
-- All fact rows of a slot.
SELECT slot, kind, key, start, stop, body FROM facts WHERE scope = ?1 AND slot = ?2 ORDER BY kind, key, start;

-- name: facts_between
-- The fact rows of the slots with numbers in a range.
SELECT slot, kind, key, start, stop, body
FROM facts WHERE scope = ?1 AND slot BETWEEN ?2 AND ?3 ORDER BY slot, kind, key, start;

-- name: runs_from
-- The first runs of a slot that begin at a moment or later.
SELECT slot, kind, key, start, stop, body FROM facts
WHERE scope = ?1 AND slot = ?2 AND kind = 0 AND start >= ?3 ORDER BY start LIMIT ?4;

-- name: all_runs_from
-- Those of a scope.
SELECT slot, kind, key, start, stop, body FROM facts INDEXED BY facts_by_start
WHERE scope = ?1 AND kind = 0 AND start >= ?2 ORDER BY start LIMIT ?3;

-- name: run_at
-- The run of a value that begins last up to a moment.
SELECT slot, kind, key, start, stop, body FROM facts
WHERE scope = ?1 AND slot = ?2 AND kind = 0 AND start <= ?4 AND key = ?3 ORDER BY start DESC LIMIT 1;

-- name: tail
-- The runs of a slot that end after a moment.
SELECT slot, kind, key, start, stop, body FROM facts INDEXED BY facts_by_slot_and_stop
WHERE scope = ?1 AND slot = ?2 AND kind = 0 AND stop > ?3 ORDER BY key, start;

-- name: touching
-- The runs of a slot that end at a moment, and those of some values, given as a JSON array, that begin there.
SELECT slot, kind, key, start, stop, body FROM facts
WHERE scope = ?1 AND slot = ?2 AND kind = 0 AND start = ?3 AND key IN (SELECT value FROM json_each(?4))
UNION ALL
SELECT slot, kind, key, start, stop, body FROM facts INDEXED BY facts_by_slot_and_stop
WHERE scope = ?1 AND slot = ?2 AND stop = ?3 AND kind = 0
ORDER BY key, start;

-- name: live
-- Every fact row of a scope that ends after a moment, beside its slot; slot by slot, so that what ended is not read.
SELECT
    f.slot, f.kind, f.key, f.start, f.stop, f.body,
    s.id, s.subject_key, s.predicate_key, s.subject, s.predicate, s.horizon, s.last_said, s.last_seq, s.plain, s.named_at,
    s.last_rev, s.ordered_from, s.whole
FROM slots AS s
CROSS JOIN facts AS f INDEXED BY facts_by_slot_and_stop ON f.scope = ?1 AND f.slot = s.id AND f.stop > ?2
WHERE s.scope = ?1;

-- name: live_in
-- The fact rows of a slot that end after a moment; what waits has no end.
SELECT slot, kind, key, start, stop, body FROM facts INDEXED BY facts_by_slot_and_stop
WHERE scope = ?1 AND slot = ?2 AND stop > ?3 ORDER BY kind, key, start;

-- name: pending
-- The messages of a scope that are not settled.
SELECT scope, seq, state, attempts, not_before, error FROM pending WHERE scope = ?1 ORDER BY seq;

-- name: all_pending
-- The messages of a namespace that are not settled, behind one of a scope, with the names of their scopes.
SELECT s.namespace, s.user_id, s.agent_id, p.scope, p.seq, p.state, p.attempts, p.not_before, p.error
FROM pending AS p CROSS JOIN scopes AS s ON s.id = p.scope
WHERE s.namespace = ?1 AND (p.scope, p.seq) > (?3, ?4) ORDER BY p.scope, p.seq LIMIT ?2;

-- name: workers
-- The processes that said they extract.
SELECT id, host, pid, started, beat FROM workers ORDER BY id;

-- name: owners
-- Who holds leases.
SELECT DISTINCT owner FROM leases ORDER BY owner;

-- name: counts
-- Sizes of a namespace, its registry left out; the schema says how they are kept.
SELECT scopes, entries, episodes, facts, claims, pending, failed FROM sizes WHERE namespace = ?1;

-- name: sizes_that_differ
-- How many of the sums that are kept are not what there is.
WITH counted AS (
    SELECT
        s.namespace, count(*), sum(s.rev - s.base_rev), sum(s.seq - s.base_seq),
        sum((SELECT count(*) FROM facts AS f WHERE f.scope = s.id)),
        sum((SELECT count(*) FROM claims AS c WHERE c.scope = s.id)), sum(s.pending), sum(s.failed)
    FROM scopes AS s WHERE s.user_id > '' GROUP BY s.namespace
), spent AS (
    SELECT
        s.namespace, u.extractor, u.model, count(*), sum(u.calls), sum(u.input_tokens), sum(u.output_tokens),
        sum(u.milliseconds)
    FROM scopes AS s JOIN usage AS u ON u.scope = s.id GROUP BY s.namespace, u.extractor, u.model
)
SELECT
    (SELECT count(*) FROM (SELECT * FROM sizes EXCEPT SELECT * FROM counted))
    + (SELECT count(*) FROM (SELECT * FROM counted EXCEPT SELECT * FROM sizes))
    + (SELECT count(*) FROM (SELECT * FROM used EXCEPT SELECT * FROM spent))
    + (SELECT count(*) FROM (SELECT * FROM spent EXCEPT SELECT * FROM used));

-- name: usage
-- What each extractor and model has used in a namespace.
SELECT extractor, model, calls, input_tokens, output_tokens, milliseconds
FROM used WHERE namespace = ?1 ORDER BY extractor, model;

-- name: usage_of
-- What each extractor and model has used over a scope's messages.
SELECT extractor, model, calls, input_tokens, output_tokens, milliseconds
FROM usage WHERE scope = ?1 ORDER BY extractor, model;

-- name: next_waiting
-- The waiting message with the smallest seq behind ?2; due by ?3, where that is given.
SELECT scope, seq, state, attempts, not_before, error FROM pending
WHERE scope = ?1 AND seq > ?2 AND state = 'waiting' AND (?3 IS NULL OR not_before <= ?3)
ORDER BY seq LIMIT 1;

-- name: pending_row
-- One message that is not settled.
SELECT scope, seq, state, attempts, not_before, error FROM pending WHERE scope = ?1 AND seq = ?2;

-- name: failed
-- The messages that were given up.
SELECT scope, seq, state, attempts, not_before, error FROM pending
WHERE scope = ?1 AND state = 'failed' ORDER BY seq;

-- name: is_work_due
-- Whether any scope, or any of namespace ?2, has a message that is due.
SELECT 1 FROM queue AS q
WHERE q.due <= ?1
    AND (?2 IS NULL OR EXISTS (SELECT 1 FROM scopes AS s WHERE s.id = q.scope AND s.namespace = ?2))
LIMIT 1;

-- name: unprojected
-- The slots of a namespace that hold refused operations.
SELECT s.scope, s.id, s.predicate_key, s.predicate FROM scopes AS o JOIN slots AS s ON s.scope = o.id
WHERE o.namespace = ?1 AND EXISTS (
    SELECT 1 FROM claims AS c WHERE c.scope = s.scope AND c.slot = s.id AND c.outcome = 'refused'
)
ORDER BY s.scope, s.id;

-- name: removals
-- Numbers of scopes that are gone, whose rows are still to be removed.
SELECT scope FROM removals WHERE scope > 0 ORDER BY scope;

-- name: forgotten
-- Lines of the ledger behind one.
SELECT kind, scope, mark, rev, seq, at, data FROM forgotten
WHERE (scope, kind, mark, at, rev) > (?1, ?2, ?3, ?4, ?5) ORDER BY scope, kind, mark, at, rev LIMIT ?6;

-- name: forgotten_of
-- The lines of one scope, by its mark.
SELECT kind, scope, mark, rev, seq, at, data FROM forgotten WHERE scope = ?1 ORDER BY kind, mark, at, rev;
