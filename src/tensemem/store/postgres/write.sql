-- name: set_meta
-- Keep a named setting.
INSERT INTO tensemem.meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value;

-- name: add_scope
-- A new scope's head, unless somebody else makes it at the same time.
INSERT INTO tensemem.scopes (id, namespace, user_id, agent_id) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING;

-- name: save_head
-- A scope's counters.
UPDATE tensemem.scopes
SET rev = $2, seq = $3, last_said = $4, last_recorded = $5, registry_rev = $6, pending = $7, failed = $8,
    base_rev = $9, base_seq = $10, tx = $11
WHERE id = $1;

-- name: append
-- One entry at the end of a log.
INSERT INTO tensemem.entries (scope, rev, kind, seq, extraction, recorded_at, said_at, body)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: count_entries
-- How many of some entries are there.
SELECT count(*) FROM tensemem.entries WHERE scope = $1 AND rev = ANY ($2);

-- name: drop_entries
-- Entries of a log, in the place of which others are put.
DELETE FROM tensemem.entries WHERE scope = $1 AND rev = ANY ($2);

-- name: drop_key
-- An idempotency or duplicate key.
DELETE FROM tensemem.keys WHERE scope = $1 AND key = $2;

-- name: remember_key
-- An idempotency or duplicate key.
INSERT INTO tensemem.keys (scope, key, long_key, seq, digest) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (scope, key) DO UPDATE SET seq = excluded.seq, digest = excluded.digest;

-- name: last_slot
-- The highest number of a scope's slots.
SELECT coalesce(max(id), 0) FROM tensemem.slots WHERE scope = $1;

-- name: add_slot
-- A new slot.
INSERT INTO tensemem.slots (
    scope, id, subject_key, long_subject_key, predicate_key, long_predicate_key,
    subject, predicate, horizon, last_said, last_seq, plain, named_at, last_rev, ordered_from, whole
)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16);

-- name: save_slot
-- A slot's columns. Keys that have not changed cost nothing: the index follows values, not names.
UPDATE tensemem.slots
SET subject_key = $3, long_subject_key = $4, predicate_key = $5, long_predicate_key = $6, subject = $7, predicate = $8,
    horizon = $9, last_said = $10, last_seq = $11, plain = $12, named_at = $13, last_rev = $14,
    ordered_from = $15, whole = $16
WHERE scope = $1 AND id = $2;

-- name: put_claim
-- A claim in its slot, instead of an older one of the same number.
INSERT INTO tensemem.claims (scope, slot, seq, extraction, number, kind, outcome, value_key, long_value_key, body)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (scope, seq, extraction, number) DO UPDATE
SET slot = excluded.slot, kind = excluded.kind, outcome = excluded.outcome, value_key = excluded.value_key,
    long_value_key = excluded.long_value_key, body = excluded.body;

-- name: drop_claims
-- The claims made from one episode.
DELETE FROM tensemem.claims WHERE scope = $1 AND seq = $2;

-- name: drop_claims_of_kinds
-- Those of some kinds.
DELETE FROM tensemem.claims WHERE scope = $1 AND seq = $2 AND kind = ANY ($3);

-- name: put_fact
-- A fact row, instead of an older one in the same place.
INSERT INTO tensemem.facts (scope, slot, kind, key, long_key, start, stop, body) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (scope, slot, kind, key, start) DO UPDATE SET stop = excluded.stop, body = excluded.body;

-- name: drop_fact
-- One fact row.
DELETE FROM tensemem.facts WHERE scope = $1 AND slot = $2 AND kind = $3 AND key = $4 AND start = $5;

-- name: drop_some_slots
-- Some slots.
DELETE FROM tensemem.slots WHERE scope = $1 AND id = ANY ($2);

-- name: drop_claims_of_slots
-- Their claims.
DELETE FROM tensemem.claims WHERE scope = $1 AND slot = ANY ($2);

-- name: drop_facts_of_slots
-- Their facts.
DELETE FROM tensemem.facts WHERE scope = $1 AND slot = ANY ($2);

-- name: drop_slots
-- All slots of a scope.
DELETE FROM tensemem.slots WHERE scope = $1;

-- name: drop_all_claims
-- All claims of a scope.
DELETE FROM tensemem.claims WHERE scope = $1;

-- name: drop_facts
-- All facts of a scope.
DELETE FROM tensemem.facts WHERE scope = $1;

-- name: beat
-- A worker, and when it last said that it lives.
INSERT INTO tensemem.workers (id, host, pid, started, beat) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (id) DO UPDATE
SET host = excluded.host, pid = excluded.pid, started = excluded.started, beat = excluded.beat;

-- name: drop_worker
-- A worker.
DELETE FROM tensemem.workers WHERE id = $1;

-- name: add_usage
-- More that an extractor has used over a scope's messages.
INSERT INTO tensemem.usage AS u (scope, used_by, extractor, model, calls, input_tokens, output_tokens, milliseconds)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (scope, used_by) DO UPDATE
SET calls = u.calls + excluded.calls, input_tokens = u.input_tokens + excluded.input_tokens,
    output_tokens = u.output_tokens + excluded.output_tokens, milliseconds = u.milliseconds + excluded.milliseconds;

-- name: add_text
-- A text, and the terms it is found by.
INSERT INTO tensemem.texts (scope, id, reference, words, terms) VALUES ($1, $2, $3, $4, $5);

-- name: add_posting
-- That a term stands in a text, and how often.
INSERT INTO tensemem.postings (scope, term, text, times) VALUES ($1, $2, $3, $4);

-- name: drop_text
-- One text.
DELETE FROM tensemem.texts WHERE scope = $1 AND id = $2;

-- name: drop_postings
-- The terms of one text.
DELETE FROM tensemem.postings WHERE scope = $1 AND term = ANY ($2) AND text = $3;

-- name: save_sizes
-- How far the index reaches, and how much more it holds.
UPDATE tensemem.scopes
SET indexed_rev = $2, indexed_texts = indexed_texts + $3, indexed_words = indexed_words + $4 WHERE id = $1;

-- name: clear_texts
-- All texts of a scope.
DELETE FROM tensemem.texts WHERE scope = $1;

-- name: clear_postings
-- All terms of a scope.
DELETE FROM tensemem.postings WHERE scope = $1;

-- name: clear_sizes
-- An index that holds nothing.
UPDATE tensemem.scopes SET indexed_rev = 0, indexed_texts = 0, indexed_words = 0 WHERE id = $1;

-- name: add_pending
-- A message that waits, due at once.
INSERT INTO tensemem.pending (scope, seq, state, attempts, not_before, error) VALUES ($1, $2, 'waiting', 0, 0, '')
ON CONFLICT (scope, seq) DO UPDATE SET state = 'waiting', attempts = 0, not_before = 0, error = '';

-- name: save_pending
-- A queued message's attempts, state and error.
UPDATE tensemem.pending SET state = $3, attempts = $4, not_before = $5, error = $6 WHERE scope = $1 AND seq = $2;

-- name: drop_pending
-- A message that waits no more.
DELETE FROM tensemem.pending WHERE scope = $1 AND seq = $2;

-- name: enqueue
-- The scope's row in the queue says when its first waiting message is due; one newly due at once goes to the end. Its
-- place is the server's clock, which is good enough for taking turns and asks no other scope for a number.
INSERT INTO tensemem.queue AS q (scope, due, place)
SELECT $1, greatest(w.not_before, 0),
    CASE WHEN w.not_before > 0 THEN 0 ELSE (extract(epoch FROM clock_timestamp()) * 1000000)::bigint END
FROM (
    SELECT p.not_before FROM tensemem.pending AS p
    WHERE p.scope = $1 AND p.state = 'waiting' ORDER BY p.not_before LIMIT 1
) AS w
ON CONFLICT (scope) DO UPDATE
SET due = excluded.due, place = CASE WHEN q.due = 0 AND excluded.due = 0 THEN q.place ELSE excluded.place END
WHERE q.due <> excluded.due;

-- name: dequeue
-- A scope where nothing waits leaves the queue.
DELETE FROM tensemem.queue AS q
WHERE q.scope = $1 AND NOT EXISTS (
    SELECT 1 FROM tensemem.pending AS p WHERE p.scope = $1 AND p.state = 'waiting'
);

-- name: candidates
-- Scopes that may be worked on: whose retry is due, oldest first, then those first in the queue. Passed over are scopes
-- in $4 and those that somebody else holds, unless that owner is in $3; of namespace $5, if there is one. Nothing is
-- locked yet.
-- fleet: work is looked for everywhere.
SELECT c.scope FROM (
    (
        SELECT q.scope, q.due, q.place, 0 AS turn
        FROM tensemem.queue AS q LEFT JOIN tensemem.leases AS l ON l.scope = q.scope
        WHERE q.due > 0 AND q.due <= $1
            AND (l.scope IS NULL OR l.expires <= $1 OR l.owner = $2 OR l.owner = ANY ($3)) AND q.scope <> ALL ($4)
            AND ($5::text IS NULL OR EXISTS (
                SELECT 1 FROM tensemem.scopes AS s WHERE s.id = q.scope AND s.namespace = $5
            ))
        ORDER BY q.due, q.place LIMIT 16
    )
    UNION ALL
    (
        SELECT q.scope, q.due, q.place, 1 AS turn
        FROM tensemem.queue AS q LEFT JOIN tensemem.leases AS l ON l.scope = q.scope
        WHERE q.due = 0
            AND (l.scope IS NULL OR l.expires <= $1 OR l.owner = $2 OR l.owner = ANY ($3)) AND q.scope <> ALL ($4)
            AND ($5::text IS NULL OR EXISTS (
                SELECT 1 FROM tensemem.scopes AS s WHERE s.id = q.scope AND s.namespace = $5
            ))
        ORDER BY q.place LIMIT 16
    )
) AS c
ORDER BY c.turn, c.due, c.place;

-- name: seize
-- A candidate's row in the queue, if nobody else is just taking it.
SELECT due FROM tensemem.queue WHERE scope = $1 FOR UPDATE SKIP LOCKED;

-- name: seize_lease
-- Its lease, if nobody is just using it.
SELECT owner, expires FROM tensemem.leases WHERE scope = $1 FOR UPDATE SKIP LOCKED;

-- name: to_the_end
-- A leased scope goes behind the others that are due at once, so that each gets its turn.
UPDATE tensemem.queue SET place = (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
WHERE scope = $1 AND due = 0;

-- name: take_lease
-- A scope's lease, unless somebody else has it at $4 who is not in $5: who comes second, however close, gets nothing.
INSERT INTO tensemem.leases AS l (scope, owner, expires) VALUES ($1, $2, $3)
ON CONFLICT (scope) DO UPDATE SET owner = excluded.owner, expires = excluded.expires
WHERE l.owner = excluded.owner OR l.owner = ANY ($5) OR l.expires <= $4;

-- name: renew
-- A longer lease, for its owner.
UPDATE tensemem.leases SET expires = $3 WHERE scope = $1 AND owner = $2;

-- name: release
-- A lease given back by its owner.
DELETE FROM tensemem.leases WHERE scope = $1 AND owner = $2;

-- name: release_all
-- All leases of an owner.
-- fleet: an owner that signs off lets go of what it holds anywhere.
DELETE FROM tensemem.leases WHERE owner = $1;

-- name: holder
-- Who holds a scope's lease, and until when.
SELECT owner, expires FROM tensemem.leases WHERE scope = $1;

-- name: hold
-- The same; it stays so until this transaction ends.
SELECT owner, expires FROM tensemem.leases WHERE scope = $1 FOR UPDATE;

-- name: sign
-- Our number on a scope's head, where its counters have not changed.
UPDATE tensemem.scopes SET tx = $2 WHERE id = $1;

-- name: sign_again
-- A head as it is, written anew: this COMMIT is then waited for as that of any write.
UPDATE tensemem.scopes SET tx = tx WHERE id = $1;

-- name: keep_forgotten
-- A line of the ledger, once.
INSERT INTO tensemem.forgotten (namespace, kind, scope, mark, rev, seq, at, data)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (scope, kind, mark, at, rev) DO NOTHING;

-- name: remove_pending
-- All rows of a scope that is forgotten.
DELETE FROM tensemem.pending WHERE scope = $1;

-- name: remove_queue
-- All rows of a scope that is forgotten.
DELETE FROM tensemem.queue WHERE scope = $1;

-- name: remove_leases
-- All rows of a scope that is forgotten.
DELETE FROM tensemem.leases WHERE scope = $1;

-- name: remove_entries
-- All rows of a scope that is forgotten.
DELETE FROM tensemem.entries WHERE scope = $1;

-- name: remove_claims
-- All rows of a scope that is forgotten.
DELETE FROM tensemem.claims WHERE scope = $1;

-- name: remove_facts
-- All rows of a scope that is forgotten.
DELETE FROM tensemem.facts WHERE scope = $1;

-- name: remove_slots
-- All rows of a scope that is forgotten.
DELETE FROM tensemem.slots WHERE scope = $1;

-- name: remove_texts
-- All rows of a scope that is forgotten.
DELETE FROM tensemem.texts WHERE scope = $1;

-- name: remove_postings
-- All rows of a scope that is forgotten.
DELETE FROM tensemem.postings WHERE scope = $1;

-- name: remove_keys
-- All rows of a scope that is forgotten.
DELETE FROM tensemem.keys WHERE scope = $1;

-- name: remove_usage
-- All rows of a scope that is forgotten.
DELETE FROM tensemem.usage WHERE scope = $1;

-- name: remove_head
-- Its head.
DELETE FROM tensemem.scopes WHERE id = $1;
