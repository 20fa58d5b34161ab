-- The tables of an access store and all that is asked of them, for a file and for a PostgreSQL database alike.
-- Times are microseconds since 1970 in UTC; lists are JSON.

-- name: make_in_file
-- The tables of a file.
CREATE TABLE access_keys (
    id TEXT NOT NULL PRIMARY KEY,
    label TEXT NOT NULL,
    role TEXT NOT NULL,
    namespaces TEXT,
    users TEXT,
    salt BLOB NOT NULL,
    hash BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
);
CREATE TABLE access_acts (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    key_id TEXT NOT NULL,
    label TEXT NOT NULL,
    act TEXT NOT NULL,
    outcome TEXT NOT NULL,
    namespace TEXT,
    person TEXT,
    about TEXT
);
CREATE TABLE access_meta (
    name TEXT NOT NULL PRIMARY KEY,
    value BLOB NOT NULL
);

-- name: make_schema
-- The SQL schema of a database.
CREATE SCHEMA IF NOT EXISTS tensemem_access;

-- name: make_keys
-- A database's keys.
CREATE TABLE IF NOT EXISTS tensemem_access.access_keys (
    id text PRIMARY KEY,
    label text NOT NULL,
    role text NOT NULL,
    namespaces text,
    users text,
    salt bytea NOT NULL,
    hash bytea NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint,
    revoked_at bigint
);

-- name: make_acts
-- A database's log of administrative acts.
CREATE TABLE IF NOT EXISTS tensemem_access.access_acts (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at bigint NOT NULL,
    key_id text NOT NULL,
    label text NOT NULL,
    act text NOT NULL,
    outcome text NOT NULL,
    namespace text,
    person text,
    about text
);

-- name: make_meta
-- A database's own secret and the version of these tables.
CREATE TABLE IF NOT EXISTS tensemem_access.access_meta (
    name text PRIMARY KEY,
    value bytea NOT NULL
);

-- name: hold
-- The lock that lets one write at a time in a database; a file's transaction has it anyway.
LOCK TABLE tensemem_access.access_keys IN SHARE ROW EXCLUSIVE MODE;

-- name: meta
-- What stands under a name.
SELECT value FROM tensemem_access.access_meta WHERE name = $1;

-- name: add_meta
-- Something under a name, unless there is something.
INSERT INTO tensemem_access.access_meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING;

-- name: find
-- One key.
SELECT id, label, role, namespaces, users, salt, hash, created_at, expires_at, revoked_at
FROM tensemem_access.access_keys WHERE id = $1;

-- name: all
-- Every key there ever was, the oldest first.
SELECT id, label, role, namespaces, users, salt, hash, created_at, expires_at, revoked_at
FROM tensemem_access.access_keys ORDER BY created_at, id;

-- name: count
-- How many keys there ever were.
SELECT count(*) FROM tensemem_access.access_keys;

-- name: add
-- A new key.
INSERT INTO tensemem_access.access_keys
    (id, label, role, namespaces, users, salt, hash, created_at, expires_at, revoked_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- name: revoke
-- A key opens no more.
UPDATE tensemem_access.access_keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL;

-- name: limited
-- Keys that are limited to users.
SELECT id, label, role, namespaces, users, salt, hash, created_at, expires_at, revoked_at
FROM tensemem_access.access_keys WHERE users IS NOT NULL;

-- name: set_users
-- Other users that a key is limited to.
UPDATE tensemem_access.access_keys SET users = $1 WHERE id = $2;

-- name: write_act
-- One more line of the log.
INSERT INTO tensemem_access.access_acts (at, key_id, label, act, outcome, namespace, person, about)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: acts
-- Lines of the log behind a cursor.
SELECT seq, at, key_id, label, act, outcome, namespace, person, about
FROM tensemem_access.access_acts WHERE seq > $1 ORDER BY seq LIMIT $2;

-- name: last_acts
-- The newest lines of the log.
SELECT seq, at, key_id, label, act, outcome, namespace, person, about
FROM tensemem_access.access_acts ORDER BY seq DESC LIMIT $1;

-- name: prune
-- Away with lines of the log from before a moment.
DELETE FROM tensemem_access.access_acts WHERE at < $1;
