-- name: let_go_of_scope
-- A scope's number is to be worked off; its rows can't be reached from here on.
INSERT INTO removals (scope) VALUES (?1) ON CONFLICT (scope) DO NOTHING;

-- name: drop_head
-- The head of a scope.
DELETE FROM scopes WHERE id = ?1;

-- name: drop_queue
-- Its place in the queue.
DELETE FROM queue WHERE scope = ?1;

-- name: drop_lease
-- Its lease.
DELETE FROM leases WHERE scope = ?1;

-- name: drop_all_pending
-- Its messages that are not settled.
DELETE FROM pending WHERE scope = ?1;

-- name: worked_off
-- A number of which nothing is left.
DELETE FROM removals WHERE scope = ?1;

-- name: keep_forgotten
-- A line of the ledger, once.
INSERT INTO forgotten (kind, scope, mark, rev, seq, at, data) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
ON CONFLICT (scope, kind, mark, at, rev) DO NOTHING;

-- name: first_entries
-- The first entries of a scope: their places, and how long each is.
SELECT rev, length(body) FROM entries WHERE scope = ?1 ORDER BY rev LIMIT ?2;

-- name: remove_entries
-- Entries up to a place.
DELETE FROM entries WHERE scope = ?1 AND rev <= ?2;

-- name: first_claims
-- The same of claims.
SELECT slot, seq, extraction, number, length(body) FROM claims WHERE scope = ?1
ORDER BY slot, seq, extraction, number LIMIT ?2;

-- name: remove_claims
-- The same of claims.
DELETE FROM claims WHERE scope = ?1 AND (slot, seq, extraction, number) <= (?2, ?3, ?4, ?5);

-- name: first_facts
-- The same of facts.
SELECT slot, kind, start, key, length(body) FROM facts WHERE scope = ?1 ORDER BY slot, kind, start, key LIMIT ?2;

-- name: remove_facts
-- The same of facts.
DELETE FROM facts WHERE scope = ?1 AND (slot, kind, start, key) <= (?2, ?3, ?4, ?5);

-- name: first_slots
-- The same of slots.
SELECT id, length(subject) FROM slots WHERE scope = ?1 ORDER BY id LIMIT ?2;

-- name: remove_slots
-- The same of slots.
DELETE FROM slots WHERE scope = ?1 AND id <= ?2;

-- name: first_texts
-- The same of indexed texts.
SELECT id, length(terms) FROM texts WHERE scope = ?1 ORDER BY id LIMIT ?2;

-- name: remove_texts
-- The same of indexed texts.
DELETE FROM texts WHERE scope = ?1 AND id <= ?2;

-- name: first_postings
-- The same of postings.
SELECT term, text, 0 FROM postings WHERE scope = ?1 ORDER BY term, text LIMIT ?2;

-- name: remove_postings
-- The same of postings.
DELETE FROM postings WHERE scope = ?1 AND (term, text) <= (?2, ?3);

-- name: first_keys
-- The same of idempotency and duplicate keys.
SELECT key, length(key) FROM keys WHERE scope = ?1 ORDER BY key LIMIT ?2;

-- name: remove_keys
-- The same of idempotency and duplicate keys.
DELETE FROM keys WHERE scope = ?1 AND key <= ?2;

-- name: first_usage
-- The same of what extractors have used.
SELECT extractor, model, 0 FROM usage WHERE scope = ?1 ORDER BY extractor, model LIMIT ?2;

-- name: remove_usage
-- The same of what extractors have used.
DELETE FROM usage WHERE scope = ?1 AND (extractor, model) <= (?2, ?3);
