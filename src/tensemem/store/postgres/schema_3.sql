-- What version 3 adds: reads that cost what they give.

-- Behind `ordered_from`, a revision, whatever speaks of a slot states one thing on a later time than all before it;
-- what each entry changed can then be told from the facts it began and ended. `whole`: a slot's history is its runs,
-- with retractions and the like in force, and nothing else. Neither is known of a slot until it is next written to.
ALTER TABLE tensemem.slots ADD COLUMN ordered_from bigint NOT NULL DEFAULT 9223372036854775807;

ALTER TABLE tensemem.slots ADD COLUMN whole boolean NOT NULL DEFAULT false;

CREATE INDEX slots_loose ON tensemem.slots (scope, id) WHERE NOT whole;

-- Retractions, denials and REPLACEs, which a history tells beside its facts.
CREATE INDEX claims_taking ON tensemem.claims (scope, slot) WHERE kind IN ('retract', 'deny', 'replace');

-- A history is in the order of valid time: a page of it costs what it gives.
CREATE INDEX facts_by_start ON tensemem.facts (scope, start) WHERE kind = 0;

CREATE INDEX facts_by_slot_and_start ON tensemem.facts (scope, slot, start) WHERE kind = 0;
