CREATE TABLE tokenctl.store (
  id text NOT NULL,
  key_check text NOT NULL
);

-- A row is locked for the length of a commit of its tenant. revision: the highest one of the tenant.
CREATE TABLE tokenctl.tenant_locks (
  tenant_id text COLLATE "C" PRIMARY KEY,
  revision bigint NOT NULL
) WITH (fillfactor = 50);

-- The number of the last batch of each process, by which one whose connection was cut learns what became of it.
CREATE TABLE tokenctl.writers (
  id text PRIMARY KEY,
  batch bigint NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now()
);

-- How often what processes keep in memory has changed: the sum of a few rows (shared-store.ts).
CREATE TABLE tokenctl.document_changes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  total bigint NOT NULL
);

-- key: a hash of collection, tenant and id. record: JSON text, secret properties encrypted. created, time_n: milliseconds
-- since 1970. hashes: of the index terms; the first of them, as many as counted says, are those of the table counts.
CREATE TABLE tokenctl.records (
  key text COLLATE "C" PRIMARY KEY,
  collection text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  created bigint NOT NULL,
  time_1 bigint,
  time_2 bigint,
  time_3 bigint,
  time_4 bigint,
  hashes text COLLATE "C" NOT NULL,
  counted integer NOT NULL,
  record text NOT NULL
);
CREATE INDEX records_by_creation ON tokenctl.records (collection, tenant_id, created DESC, id);
CREATE INDEX records_by_time_1 ON tokenctl.records (collection, time_1) WHERE time_1 IS NOT NULL;
CREATE INDEX records_by_time_2 ON tokenctl.records (collection, time_2) WHERE time_2 IS NOT NULL;
CREATE INDEX records_by_time_3 ON tokenctl.records (collection, time_3) WHERE time_3 IS NOT NULL;
CREATE INDEX records_by_time_4 ON tokenctl.records (collection, time_4) WHERE time_4 IS NOT NULL;

-- A hash stands for a collection, tenant, term and value. text: the value of a metadata key, for wildcards.
CREATE TABLE tokenctl.terms (
  hash text COLLATE "C" NOT NULL,
  created bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  text text COLLATE "C"
);
CREATE UNIQUE INDEX terms_by_creation ON tokenctl.terms (hash, created DESC, id);

-- How many records have a term that most records share, or belong to a collection and tenant.
CREATE TABLE tokenctl.counts (
  hash text COLLATE "C" PRIMARY KEY,
  total bigint NOT NULL
) WITH (fillfactor = 50);

-- content: encrypted as a whole; of a state and a message, JSON.
CREATE TABLE tokenctl.snapshots (
  name text COLLATE "C" PRIMARY KEY,
  content bytea NOT NULL
);
CREATE TABLE tokenctl.state (
  name text COLLATE "C" PRIMARY KEY,
  content bytea NOT NULL
);

-- What each process did, for the others to show; kept for a minute.
CREATE UNLOGGED TABLE tokenctl.messages (
  id text COLLATE "C" PRIMARY KEY,
  owner text NOT NULL,
  published timestamptz NOT NULL DEFAULT now(),
  content bytea NOT NULL
);
CREATE INDEX messages_by_time ON tokenctl.messages (published);

-- What one process does at a time. A claim whose process has ended holds until its time.
CREATE TABLE tokenctl.claims (
  name text COLLATE "C" PRIMARY KEY,
  owner text NOT NULL,
  until timestamptz NOT NULL
);

-- Requests per client and scope; times in milliseconds since 1970. A crash of the server may empty it.
CREATE UNLOGGED TABLE tokenctl.request_windows (
  name text COLLATE "C" PRIMARY KEY,
  starts bigint NOT NULL,
  ends bigint NOT NULL,
  requests integer NOT NULL
) WITH (fillfactor = 50);
