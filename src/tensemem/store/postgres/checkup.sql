-- name: server
-- What serves, how it keeps what it is given, and whether it answers reads only.
SELECT version(), current_setting('server_version'), current_setting('fsync', true),
    current_setting('full_page_writes', true), current_setting('synchronous_commit', true), pg_is_in_recovery();

-- name: role
-- Who asks, and whether anything holds that role back from other namespaces.
SELECT current_user::text, r.rolsuper, r.rolbypassrls,
    pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = 'tensemem.scopes'::regclass), 'MEMBER'),
    (SELECT relrowsecurity FROM pg_class WHERE oid = 'tensemem.scopes'::regclass),
    (SELECT count(*) FROM tensemem.walls WHERE role = current_user)
FROM pg_roles AS r WHERE r.rolname = current_user;

-- name: channel
-- Whether what is sent can be read on the way, and whether it leaves the machine at all.
SELECT coalesce((SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()), false), host(inet_client_addr())
FROM (SELECT 1) AS one;

-- name: connections
-- How many there are of how many.
SELECT count(*), current_setting('max_connections')::int FROM pg_stat_activity WHERE backend_type = 'client backend';

-- name: idle
-- Transactions that somebody has left open: how many, and the seconds of the longest.
SELECT count(*), coalesce(max(extract(epoch FROM now() - state_change)), 0)::bigint FROM pg_stat_activity
WHERE datname = current_database() AND state LIKE 'idle in transaction%' AND now() - state_change > interval '60 s';

-- name: copies
-- Who has the log of the server: standbys, slots that nobody reads and the bytes kept for them, an archive that fails.
SELECT (SELECT count(*) FROM pg_stat_replication),
    (SELECT count(*) FROM pg_replication_slots WHERE NOT active),
    current_setting('archive_mode', true),
    (SELECT last_failed_time IS NOT NULL AND last_failed_time > coalesce(last_archived_time, '-infinity')
        FROM pg_stat_archiver);

-- name: upkeep
-- Rows that were changed or removed and not cleaned up, of how many, and how near the numbers of transactions are to
-- their end.
SELECT coalesce(sum(n_dead_tup), 0)::bigint, coalesce(sum(n_live_tup), 0)::bigint,
    (SELECT age(datfrozenxid) FROM pg_database WHERE datname = current_database())
FROM pg_stat_user_tables WHERE schemaname = $1;

-- name: size
-- Bytes of the tables with their indexes.
SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r';
