-- name: meta
-- A named setting of the database.
SELECT value FROM tensemem.meta WHERE name = $1;

-- name: head
-- A scope's counters; its names are compared, so that a number shared by two scopes would never mix them.
SELECT id, rev, seq, last_said, last_recorded, registry_rev, pending, failed, base_rev, base_seq, tx
FROM tensemem.scopes WHERE id = $1 AND namespace = $2 AND user_id = $3 AND agent_id = $4;

-- name: head_and_lock
-- The same, and the lock that whoever writes to the scope holds.
SELECT id, rev, seq, last_said, last_recorded, registry_rev, pending, failed, base_rev, base_seq, tx
FROM tensemem.scopes WHERE id = $1 AND namespace = $2 AND user_id = $3 AND agent_id = $4 FOR UPDATE;

-- name: head_and_registry
-- A scope's counters and, in a row of its own, those of its namespace's registry.
SELECT id, rev, seq, last_said, last_recorded, registry_rev, pending, failed, base_rev, base_seq, tx
FROM tensemem.scopes
WHERE (id = $1 AND namespace = $2 AND user_id = $3 AND agent_id = $4)
    OR (id = $5 AND namespace = $2 AND user_id = '' AND agent_id = '');

-- name: head_by_id
-- A scope's names and counters, by its number.
SELECT namespace, user_id, agent_id, id, rev, seq, last_said, last_recorded, registry_rev, pending, failed, base_rev, base_seq, tx
FROM tensemem.scopes WHERE id = $1;

-- name: namespaces
-- Every namespace there is.
-- fleet: who copies all of them has to know all of them.
SELECT DISTINCT namespace FROM tensemem.scopes ORDER BY namespace;

-- name: scopes
-- Heads in order, after a cursor, whose user_id lies in a range; the registry, which has no user_id, is not among them.
-- The conditions on beginnings say nothing new: they are what the index can answer.
-- fleet: it lists the scopes of a namespace.
SELECT namespace, user_id, agent_id, id, rev, seq, last_said, last_recorded, registry_rev, pending, failed, base_rev, base_seq, tx
FROM tensemem.scopes
WHERE left(namespace, 128) = left($1, 128) AND namespace = $1
    AND left(user_id, 128) >= left($2, 128) AND (user_id, agent_id) > ($2, $3)
    AND left(user_id, 128) >= left($4, 128) AND user_id >= $4 AND user_id > ''
    AND left(user_id, 128) <= left(coalesce($6::text, repeat(chr(1114111), 128)), 128)
    AND ($6::text IS NULL OR user_id < $6)
ORDER BY left(user_id, 128), user_id, agent_id LIMIT $5;

-- name: entries
-- A stretch of a log.
SELECT kind, rev, seq, recorded_at, said_at, extraction, body
FROM tensemem.entries WHERE scope = $1 AND rev > $2 AND rev <= $3 ORDER BY rev LIMIT $4;

-- name: entry
-- One entry, by its revision.
SELECT kind, rev, seq, recorded_at, said_at, extraction, body FROM tensemem.entries WHERE scope = $1 AND rev = $2;

-- name: entries_of
-- The entries with a seq in a range.
SELECT kind, rev, seq, recorded_at, said_at, extraction, body
FROM tensemem.entries WHERE scope = $1 AND seq BETWEEN $2 AND $3 ORDER BY rev;

-- name: episode
-- The entry that a seq is the number of.
SELECT kind, rev, seq, recorded_at, said_at, extraction, body
FROM tensemem.entries
WHERE scope = $1 AND seq = $2 AND extraction = 0
    AND kind IN ('message', 'write', 'correction', 'reinstatement', 'review', 'erasure')
ORDER BY rev LIMIT 1;

-- name: settlements
-- What was made of a message.
SELECT kind, rev, seq, recorded_at, said_at, extraction, body
FROM tensemem.entries WHERE scope = $1 AND seq = $2 AND kind IN ('extraction', 'skip') ORDER BY rev;

-- name: extracted_again
-- The extractions after a revision that took the place of older ones.
SELECT kind, rev, seq, recorded_at, said_at, extraction, body
FROM tensemem.entries WHERE scope = $1 AND rev > $2 AND extraction > 1 ORDER BY rev;

-- name: messages_before
-- The messages just before a seq, newest first.
SELECT kind, rev, seq, recorded_at, said_at, extraction, body
FROM tensemem.entries WHERE scope = $1 AND seq < $2 AND kind = 'message' ORDER BY seq DESC LIMIT $3;

-- name: last_rev
-- The newest revision of a log.
SELECT max(rev) FROM tensemem.entries WHERE scope = $1;

-- name: recorded_by_rev
-- The newest entry up to a revision, and when it was recorded.
SELECT rev, recorded_at FROM tensemem.entries WHERE scope = $1 AND rev <= $2 ORDER BY rev DESC LIMIT 1;

-- name: find_key
-- The episode and content digest of an idempotency or duplicate key.
SELECT seq, digest FROM tensemem.keys WHERE scope = $1 AND key = $2;

-- name: keys
-- Idempotency and duplicate keys behind one, with their episodes and content digests.
SELECT key, long_key, seq, digest FROM tensemem.keys WHERE scope = $1 AND key > $2 ORDER BY key LIMIT $3;

-- name: slots
-- All slots of a scope.
SELECT id, subject_key, long_subject_key, predicate_key, long_predicate_key,
    subject, predicate, horizon, last_said, last_seq, plain, named_at, last_rev,
    ordered_from, whole
FROM tensemem.slots WHERE scope = $1 ORDER BY id;

-- name: slots_after
-- The slots with the next larger numbers.
SELECT id, subject_key, long_subject_key, predicate_key, long_predicate_key,
    subject, predicate, horizon, last_said, last_seq, plain, named_at, last_rev,
    ordered_from, whole
FROM tensemem.slots WHERE scope = $1 AND id > $2 ORDER BY id LIMIT $3;

-- name: slot
-- One slot, by its keys.
SELECT id, subject_key, long_subject_key, predicate_key, long_predicate_key,
    subject, predicate, horizon, last_said, last_seq, plain, named_at, last_rev,
    ordered_from, whole
FROM tensemem.slots WHERE scope = $1 AND subject_key = $2 AND predicate_key = $3;

-- name: slot_by_id
-- One slot, by its number.
SELECT id, subject_key, long_subject_key, predicate_key, long_predicate_key,
    subject, predicate, horizon, last_said, last_seq, plain, named_at, last_rev,
    ordered_from, whole
FROM tensemem.slots WHERE scope = $1 AND id = $2;

-- name: slots_of
-- The slots of a subject.
SELECT id, subject_key, long_subject_key, predicate_key, long_predicate_key,
    subject, predicate, horizon, last_said, last_seq, plain, named_at, last_rev,
    ordered_from, whole
FROM tensemem.slots WHERE scope = $1 AND subject_key = $2 ORDER BY id;

-- name: loose_slots
-- The slots of a scope whose history is more than their runs, or may be.
SELECT id, subject_key, long_subject_key, predicate_key, long_predicate_key,
    subject, predicate, horizon, last_said, last_seq, plain, named_at, last_rev,
    ordered_from, whole
FROM tensemem.slots WHERE scope = $1 AND NOT whole ORDER BY id;

-- name: claims
-- A slot's claims and amendments.
SELECT slot, seq, extraction, number, kind, outcome, value_key, long_value_key, body
FROM tensemem.claims WHERE scope = $1 AND slot = $2 ORDER BY seq, extraction, number;

-- name: statements
-- The claims of a slot that take away: retractions, denials and REPLACEs.
SELECT slot, seq, extraction, number, kind, outcome, value_key, long_value_key, body
FROM tensemem.claims WHERE scope = $1 AND slot = $2 AND kind IN ('retract', 'deny', 'replace') ORDER BY slot, seq, extraction, number;

-- name: all_statements
-- Those of a scope.
SELECT slot, seq, extraction, number, kind, outcome, value_key, long_value_key, body
FROM tensemem.claims WHERE scope = $1 AND kind IN ('retract', 'deny', 'replace') ORDER BY slot, seq, extraction, number;

-- name: claims_between
-- The claims and amendments of the slots with numbers in a range.
SELECT slot, seq, extraction, number, kind, outcome, value_key, long_value_key, body
FROM tensemem.claims WHERE scope = $1 AND slot BETWEEN $2 AND $3 ORDER BY slot, seq, extraction, number;

-- name: claims_made
-- The claims and amendments of a range of episodes.
SELECT slot, seq, extraction, number, kind, outcome, value_key, long_value_key, body
FROM tensemem.claims WHERE scope = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq, extraction, number;

-- name: claims_of
-- The claims made from one episode.
SELECT slot, seq, extraction, number, kind, outcome, value_key, long_value_key, body
FROM tensemem.claims WHERE scope = $1 AND seq = $2 ORDER BY seq, extraction, number;

-- name: slots_with_values
-- The slots that may speak of one of these value keys: by a claim's own key, or inside a REPLACE or a correction, whose
-- other values stand in their bodies.
SELECT slot FROM tensemem.claims WHERE scope = $1 AND value_key = ANY ($2) AND value_key <> ''
UNION
SELECT slot FROM tensemem.claims WHERE scope = $1 AND kind IN ('replace', 'correction')
ORDER BY slot;

-- name: facts
-- All fact rows of a slot.
SELECT slot, kind, key, long_key, start, stop, body FROM tensemem.facts WHERE scope = $1 AND slot = $2;

-- name: facts_between
-- The fact rows of the slots with numbers in a range.
SELECT slot, kind, key, long_key, start, stop, body
FROM tensemem.facts WHERE scope = $1 AND slot BETWEEN $2 AND $3;

-- name: runs_from
-- The first runs of a slot that begin at a moment or later.
SELECT slot, kind, key, long_key, start, stop, body
FROM tensemem.facts WHERE scope = $1 AND slot = $2 AND kind = 0 AND start >= $3 ORDER BY start LIMIT $4;

-- name: all_runs_from
-- Those of a scope.
SELECT slot, kind, key, long_key, start, stop, body
FROM tensemem.facts WHERE scope = $1 AND kind = 0 AND start >= $2 ORDER BY start LIMIT $3;

-- name: run_at
-- The run of a value that begins last up to a moment.
SELECT slot, kind, key, long_key, start, stop, body
FROM tensemem.facts WHERE scope = $1 AND slot = $2 AND kind = 0 AND key = $3 AND start <= $4 ORDER BY start DESC LIMIT 1;

-- name: tail
-- The runs of a slot that end after a moment.
SELECT slot, kind, key, long_key, start, stop, body
FROM tensemem.facts WHERE scope = $1 AND slot = $2 AND kind = 0 AND stop > $3;

-- name: touching
-- The runs of a slot that end at a moment, and those of some values that begin there.
SELECT slot, kind, key, long_key, start, stop, body
FROM tensemem.facts WHERE scope = $1 AND slot = $2 AND kind = 0 AND key = ANY ($4) AND start = $3
UNION ALL
SELECT slot, kind, key, long_key, start, stop, body
FROM tensemem.facts WHERE scope = $1 AND slot = $2 AND kind = 0 AND stop = $3;

-- name: live
-- Every fact row of a scope that ends after a moment, beside its slot.
SELECT
    f.slot, f.kind, f.key, f.long_key, f.start, f.stop, f.body,
    s.id, s.subject_key, s.long_subject_key, s.predicate_key, s.long_predicate_key,
    s.subject, s.predicate, s.horizon, s.last_said, s.last_seq, s.plain, s.named_at, s.last_rev,
    s.ordered_from, s.whole
FROM tensemem.facts AS f
JOIN tensemem.slots AS s ON s.scope = f.scope AND s.id = f.slot
WHERE f.scope = $1 AND f.stop > $2;

-- name: live_in
-- The fact rows of a slot that end after a moment; what waits has no end.
SELECT slot, kind, key, long_key, start, stop, body
FROM tensemem.facts WHERE scope = $1 AND slot = $2 AND kind = 0 AND stop > $3
UNION ALL
SELECT slot, kind, key, long_key, start, stop, body FROM tensemem.facts WHERE scope = $1 AND slot = $2 AND kind > 0;

-- name: pending
-- The messages of a scope that are not settled.
SELECT scope, seq, state, attempts, not_before, error FROM tensemem.pending WHERE scope = $1 ORDER BY seq;

-- name: next_waiting
-- The waiting message with the smallest seq behind $2; due by $3, where that is given.
SELECT scope, seq, state, attempts, not_before, error FROM tensemem.pending
WHERE scope = $1 AND seq > $2 AND state = 'waiting' AND ($3::bigint IS NULL OR not_before <= $3)
ORDER BY seq LIMIT 1;

-- name: pending_row
-- One message that is not settled.
SELECT scope, seq, state, attempts, not_before, error FROM tensemem.pending WHERE scope = $1 AND seq = $2;

-- name: failed
-- The messages that were given up.
SELECT scope, seq, state, attempts, not_before, error FROM tensemem.pending
WHERE scope = $1 AND state = 'failed' ORDER BY seq;

-- name: all_pending
-- The messages of a namespace that are not settled, behind one of a scope, with the names of their scopes.
-- fleet: it lists what waits in a namespace.
SELECT s.namespace, s.user_id, s.agent_id, p.scope, p.seq, p.state, p.attempts, p.not_before, p.error
FROM tensemem.pending AS p JOIN tensemem.scopes AS s ON s.id = p.scope
WHERE s.namespace = $1 AND (p.scope, p.seq) > ($3, $4) ORDER BY p.scope, p.seq LIMIT $2;

-- name: is_work_due
-- Whether any scope, or any of namespace $2, has a message that is due.
-- fleet: work is looked for everywhere.
SELECT 1 FROM tensemem.queue AS q
WHERE q.due <= $1
    AND ($2::text IS NULL OR EXISTS (
        SELECT 1 FROM tensemem.scopes AS s WHERE s.id = q.scope AND s.namespace = $2
    ))
LIMIT 1;

-- name: unprojected
-- The slots of a namespace that hold refused operations.
-- fleet: it counts what the scopes of a namespace propose.
SELECT s.scope, s.id, s.predicate_key, s.long_predicate_key, s.predicate
FROM tensemem.scopes AS o JOIN tensemem.slots AS s ON s.scope = o.id
WHERE o.namespace = $1 AND EXISTS (
    SELECT 1 FROM tensemem.claims AS c WHERE c.scope = s.scope AND c.slot = s.id AND c.outcome = 'refused'
)
ORDER BY s.scope, s.id;

-- name: workers
-- The processes that said they extract.
SELECT id, host, pid, started, beat FROM tensemem.workers ORDER BY id;

-- name: owners
-- Who holds leases.
-- fleet: leases of processes that are gone are found anywhere.
SELECT DISTINCT owner FROM tensemem.leases ORDER BY owner;

-- name: counts
-- Sizes of a namespace, its registry left out; a head tells how many entries and episodes its scope has.
-- fleet: it adds up a namespace.
WITH mine AS (
    SELECT s.id, s.rev - s.base_rev AS entries, s.seq - s.base_seq AS episodes, s.pending, s.failed
    FROM tensemem.scopes AS s WHERE s.namespace = $1 AND s.user_id > ''
)
SELECT
    count(*), coalesce(sum(mine.entries), 0)::bigint, coalesce(sum(mine.episodes), 0)::bigint,
    (SELECT count(*) FROM mine AS m JOIN tensemem.facts AS f ON f.scope = m.id),
    (SELECT count(*) FROM mine AS m JOIN tensemem.claims AS c ON c.scope = m.id),
    coalesce(sum(mine.pending), 0)::bigint, coalesce(sum(mine.failed), 0)::bigint
FROM mine;

-- name: usage
-- What each extractor and model has used in a namespace.
-- fleet: it adds up a namespace.
SELECT
    u.extractor, u.model, sum(u.calls)::bigint, sum(u.input_tokens)::bigint, sum(u.output_tokens)::bigint,
    sum(u.milliseconds)::bigint
FROM tensemem.scopes AS s JOIN tensemem.usage AS u ON u.scope = s.id
WHERE s.namespace = $1 GROUP BY u.extractor, u.model ORDER BY u.extractor, u.model;

-- name: usage_of
-- What each extractor and model has used over a scope's messages.
SELECT extractor, model, calls, input_tokens, output_tokens, milliseconds
FROM tensemem.usage WHERE scope = $1 ORDER BY extractor, model;

-- name: indexed_rev
-- How far a scope's texts are in the index.
SELECT indexed_rev FROM tensemem.scopes WHERE id = $1;

-- name: sizes
-- How many texts of a scope are in the index, and how many words they have.
SELECT indexed_texts, indexed_words FROM tensemem.scopes WHERE id = $1;

-- name: frequencies
-- In how many texts of a scope each term stands.
SELECT term, count(*) FROM tensemem.postings WHERE scope = $1 AND term = ANY ($2) GROUP BY term ORDER BY term;

-- name: best
-- The best texts for weighted terms, by BM25 with its usual constants; $4 is the mean number of words. Rounded, so that
-- the order of additions decides nothing.
SELECT t.reference, round(sum(
    w.weight * p.times * 2.2 / (p.times + 1.2 * (0.25 + 0.75 * t.words / $4::float8))
)::numeric, 9)::float8 AS score
FROM unnest($2::bytea[], $3::float8[]) AS w (term, weight)
JOIN tensemem.postings AS p ON p.scope = $1 AND p.term = w.term
JOIN tensemem.texts AS t ON t.scope = $1 AND t.id = p.text
GROUP BY t.id, t.reference ORDER BY score DESC, t.reference LIMIT $5;

-- name: settings
-- What the server says of itself: how it keeps what it acknowledges, whether it takes writes, and whether its tables
-- are spread over others, which leaves them without a unique index here. Null for what another engine does not know.
SELECT
    current_setting('fsync', true), current_setting('synchronous_commit', true), version(),
    current_setting('server_version_num', true)::bigint, pg_is_in_recovery(), current_setting('server_encoding', true),
    EXISTS (
        SELECT 1 FROM pg_catalog.pg_class AS c
        WHERE c.oid = to_regclass('tensemem.scopes') AND c.relkind = 'p'
            AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_index AS i WHERE i.indrelid = c.oid AND i.indisunique)
    );

-- name: last_text
-- The highest number of a scope's texts.
SELECT coalesce(max(id), 0) FROM tensemem.texts WHERE scope = $1;

-- name: find_texts
-- Texts that are in the index already, by their references.
SELECT id, words, terms FROM tensemem.texts WHERE scope = $1 AND reference = ANY ($2) ORDER BY id;

-- name: token
-- The lock of a scope, and which transaction wrote to it last.
SELECT tx FROM tensemem.scopes WHERE id = $1 FOR UPDATE;

-- name: forgotten
-- Lines of the ledger behind one.
SELECT kind, scope, mark, rev, seq, at, data FROM tensemem.forgotten
WHERE (scope, kind, mark, at, rev) > ($1, $2, $3, $4, $5) ORDER BY scope, kind, mark, at, rev LIMIT $6;

-- name: forgotten_of
-- The lines of one scope, by its mark.
SELECT kind, scope, mark, rev, seq, at, data
FROM tensemem.forgotten WHERE scope = $1 ORDER BY kind, mark, at, rev;
