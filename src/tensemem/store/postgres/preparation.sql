-- What comes before the first step: the SQL schema, and the table of the steps that were run.
-- Whoever runs them holds its row 0.
CREATE SCHEMA IF NOT EXISTS tensemem;

CREATE TABLE IF NOT EXISTS tensemem.schema_version (
    version bigint PRIMARY KEY,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now()
);

INSERT INTO tensemem.schema_version (version, checksum) VALUES (0, '') ON CONFLICT (version) DO NOTHING;
