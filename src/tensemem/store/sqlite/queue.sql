-- name: add_pending
-- A message that waits, due at once.
INSERT INTO pending (scope, seq, state, attempts, not_before, error) VALUES (?1, ?2, 'waiting', 0, 0, '')
ON CONFLICT (scope, seq) DO UPDATE SET state = 'waiting', attempts = 0, not_before = 0, error = '';

-- name: save_pending
-- A queued message's attempts, state and error.
UPDATE pending SET state = ?3, attempts = ?4, not_before = ?5, error = ?6 WHERE scope = ?1 AND seq = ?2;

-- name: drop_pending
-- A message that waits no more.
DELETE FROM pending WHERE scope = ?1 AND seq = ?2;

-- name: enqueue
-- The scope's row in the queue says when its first waiting message is due; one newly due at once goes to the end.
-- ORDER BY and LIMIT, not min(): inside another statement SQLite would go through every waiting message for that.
INSERT INTO queue (scope, due, place)
SELECT ?1, max(first, 0), CASE WHEN first > 0 THEN 0 ELSE (SELECT coalesce(max(place), 0) + 1 FROM queue WHERE due = 0) END
FROM (SELECT not_before AS first FROM pending WHERE scope = ?1 AND state = 'waiting' ORDER BY not_before LIMIT 1)
WHERE true
ON CONFLICT (scope) DO UPDATE
SET due = excluded.due, place = CASE WHEN due = 0 AND excluded.due = 0 THEN place ELSE excluded.place END
WHERE due <> excluded.due;

-- name: dequeue
-- A scope where nothing waits leaves the queue.
DELETE FROM queue
WHERE scope = ?1 AND NOT EXISTS (SELECT 1 FROM pending WHERE pending.scope = ?1 AND state = 'waiting');

-- name: next_due
-- The scope to work on: one whose retry is due, oldest first, else the first in the queue. Passed over are scopes in
-- ?4 (a JSON array) and those that somebody else holds, unless that owner is in ?3 (a JSON array). Of namespace ?5, if
-- there is one.
SELECT scope FROM (
    SELECT q.scope FROM queue AS q LEFT JOIN leases AS l ON l.scope = q.scope
    WHERE q.due > 0 AND q.due <= ?1
        AND (l.scope IS NULL OR l.expires <= ?1 OR l.owner = ?2 OR l.owner IN (SELECT value FROM json_each(?3)))
        AND q.scope NOT IN (SELECT value FROM json_each(?4))
        AND (?5 IS NULL OR EXISTS (SELECT 1 FROM scopes AS s WHERE s.id = q.scope AND s.namespace = ?5))
    ORDER BY q.due, q.place LIMIT 1
)
UNION ALL
SELECT scope FROM (
    SELECT q.scope FROM queue AS q LEFT JOIN leases AS l ON l.scope = q.scope
    WHERE q.due = 0
        AND (l.scope IS NULL OR l.expires <= ?1 OR l.owner = ?2 OR l.owner IN (SELECT value FROM json_each(?3)))
        AND q.scope NOT IN (SELECT value FROM json_each(?4))
        AND (?5 IS NULL OR EXISTS (SELECT 1 FROM scopes AS s WHERE s.id = q.scope AND s.namespace = ?5))
    ORDER BY q.place LIMIT 1
)
LIMIT 1;

-- name: to_the_end
-- A leased scope goes behind the others that are due at once, so that each gets its turn.
UPDATE queue SET place = (SELECT max(place) + 1 FROM queue WHERE due = 0) WHERE scope = ?1 AND due = 0;

-- name: take_lease
-- A scope's lease, whoever held it before.
INSERT INTO leases (scope, owner, expires) VALUES (?1, ?2, ?3)
ON CONFLICT (scope) DO UPDATE SET owner = excluded.owner, expires = excluded.expires;

-- name: renew
-- A longer lease, for its owner.
UPDATE leases SET expires = ?3 WHERE scope = ?1 AND owner = ?2;

-- name: release
-- A lease given back by its owner.
DELETE FROM leases WHERE scope = ?1 AND owner = ?2;

-- name: release_all
-- All leases of an owner.
DELETE FROM leases WHERE owner = ?1;

-- name: holder
-- Who holds a scope's lease, and until when.
SELECT owner, expires FROM leases WHERE scope = ?1;
