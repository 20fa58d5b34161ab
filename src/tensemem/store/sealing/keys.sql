-- The tables of a key store and all that is asked of them, for a file and for a PostgreSQL database alike.

-- name: make_in_file
-- The tables of a file.
CREATE TABLE doors (
    store TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    salt BLOB NOT NULL,
    locked BLOB NOT NULL
) STRICT;
CREATE TABLE keys (
    name BLOB NOT NULL PRIMARY KEY,
    wrapped BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- name: make_schema
-- The SQL schema of a database.
CREATE SCHEMA IF NOT EXISTS tensemem_keys;

-- name: make_doors
-- A database's doors.
CREATE TABLE IF NOT EXISTS tensemem_keys.doors (
    store text NOT NULL,
    epoch bigint NOT NULL,
    salt bytea NOT NULL,
    locked bytea NOT NULL
);

-- name: make_keys
-- A database's keys.
CREATE TABLE IF NOT EXISTS tensemem_keys.keys (
    name bytea PRIMARY KEY,
    wrapped bytea NOT NULL
);

-- name: hold_doors
-- The lock that keeps the doors of a database as they are until a transaction ends; a file's transaction has it anyway.
LOCK TABLE tensemem_keys.doors IN SHARE ROW EXCLUSIVE MODE;

-- name: doors
-- What the secret is locked in.
SELECT store, epoch, salt, locked FROM tensemem_keys.doors ORDER BY epoch DESC;

-- name: drop_doors
-- Away with all of them.
DELETE FROM tensemem_keys.doors;

-- name: add_door
-- One more.
INSERT INTO tensemem_keys.doors (store, epoch, salt, locked) VALUES ($1, $2, $3, $4);

-- name: find
-- The wrapped key of a name.
SELECT wrapped FROM tensemem_keys.keys WHERE name = $1;

-- name: add
-- A new key, unless there is one.
INSERT INTO tensemem_keys.keys (name, wrapped) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING;

-- name: drop
-- A key is destroyed.
DELETE FROM tensemem_keys.keys WHERE name = $1;

-- name: page
-- Keys in order of their names.
SELECT name, wrapped FROM tensemem_keys.keys WHERE name > $1 ORDER BY name LIMIT $2;

-- name: replace
-- A key is wrapped anew.
UPDATE tensemem_keys.keys SET wrapped = $1 WHERE name = $2;

-- name: count
-- How many keys there are.
SELECT count(*) FROM tensemem_keys.keys;
