-- The statements that another form of is used where the tables are spread over servers by postgres_fdw: a partitioned
-- table over foreign ones has no unique index of its own, so ON CONFLICT finds nothing to go by. Each looks for the row
-- first and adds it where there is none, under the lock of the scope; where two still add the same one, the server that
-- keeps it refuses the second, which is then done again.

-- name: add_scope
-- A new scope's head, unless somebody else makes it at the same time.
INSERT INTO tensemem.scopes (id, namespace, user_id, agent_id) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING;

-- name: remember_key
-- An idempotency or duplicate key.
WITH changed AS (
    UPDATE tensemem.keys SET long_key = $3, seq = $4, digest = $5 WHERE scope = $1 AND key = $2 RETURNING scope
)
INSERT INTO tensemem.keys (scope, key, long_key, seq, digest)
SELECT $1, $2, $3, $4, $5 WHERE NOT EXISTS (SELECT 1 FROM changed);

-- name: put_claim
-- A claim in its slot, instead of an older one of the same number.
WITH changed AS (
    UPDATE tensemem.claims
    SET slot = $2, kind = $6, outcome = $7, value_key = $8, long_value_key = $9, body = $10
    WHERE scope = $1 AND seq = $3 AND extraction = $4 AND number = $5 RETURNING scope
)
INSERT INTO tensemem.claims (scope, slot, seq, extraction, number, kind, outcome, value_key, long_value_key, body)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10 WHERE NOT EXISTS (SELECT 1 FROM changed);

-- name: put_fact
-- A fact row, instead of an older one in the same place.
WITH changed AS (
    UPDATE tensemem.facts SET long_key = $5, stop = $7, body = $8
    WHERE scope = $1 AND slot = $2 AND kind = $3 AND key = $4 AND start = $6 RETURNING scope
)
INSERT INTO tensemem.facts (scope, slot, kind, key, long_key, start, stop, body)
SELECT $1, $2, $3, $4, $5, $6, $7, $8 WHERE NOT EXISTS (SELECT 1 FROM changed);

-- name: add_usage
-- More that an extractor has used over a scope's messages.
WITH changed AS (
    UPDATE tensemem.usage
    SET calls = calls + $5, input_tokens = input_tokens + $6, output_tokens = output_tokens + $7,
        milliseconds = milliseconds + $8
    WHERE scope = $1 AND used_by = $2 RETURNING scope
)
INSERT INTO tensemem.usage (scope, used_by, extractor, model, calls, input_tokens, output_tokens, milliseconds)
SELECT $1, $2, $3, $4, $5, $6, $7, $8 WHERE NOT EXISTS (SELECT 1 FROM changed);

-- name: add_pending
-- A message that waits, due at once.
WITH changed AS (
    UPDATE tensemem.pending SET state = 'waiting', attempts = 0, not_before = 0, error = ''
    WHERE scope = $1 AND seq = $2 RETURNING scope
)
INSERT INTO tensemem.pending (scope, seq, state, attempts, not_before, error)
SELECT $1, $2, 'waiting', 0, 0, '' WHERE NOT EXISTS (SELECT 1 FROM changed);

-- name: enqueue
-- The scope's row in the queue says when its first waiting message is due; one newly due at once goes to the end.
WITH wanted AS (
    SELECT greatest(p.not_before, 0) AS due, CASE
        WHEN p.not_before > 0 THEN 0 ELSE (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
    END AS place
    FROM tensemem.pending AS p WHERE p.scope = $1 AND p.state = 'waiting' ORDER BY p.not_before LIMIT 1
), known AS (
    SELECT q.scope FROM tensemem.queue AS q WHERE q.scope = $1
), changed AS (
    UPDATE tensemem.queue AS q
    SET due = w.due, place = CASE WHEN q.due = 0 AND w.due = 0 THEN q.place ELSE w.place END
    FROM wanted AS w WHERE q.scope = $1 AND q.due <> w.due RETURNING q.scope
)
INSERT INTO tensemem.queue (scope, due, place)
SELECT $1, w.due, w.place FROM wanted AS w
WHERE NOT EXISTS (SELECT 1 FROM known) AND NOT EXISTS (SELECT 1 FROM changed);

-- name: take_lease
-- A scope's lease, unless somebody else has it at $4 who is not in $5.
WITH gone AS (
    DELETE FROM tensemem.leases WHERE scope = $1 AND (owner = $2 OR owner = ANY ($5) OR expires <= $4) RETURNING scope
)
INSERT INTO tensemem.leases (scope, owner, expires)
SELECT $1, $2, $3 FROM (SELECT count(*) AS number FROM gone) AS first
WHERE NOT EXISTS (
    SELECT 1 FROM tensemem.leases AS l
    WHERE l.scope = $1 AND l.owner <> $2 AND l.owner <> ALL ($5) AND l.expires > $4
);
