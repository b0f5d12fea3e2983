-- The audit trail: entries, the chain of seals that proves them, and retention.

-- ---------------------------------------------------------------------------------------------
-- Entries
-- ---------------------------------------------------------------------------------------------

CREATE TABLE audit_entries (
  id                text COLLATE "C" NOT NULL,
  action            text NOT NULL,
  severity          text NOT NULL,
  resource_type     text NOT NULL,
  resource_id       text COLLATE "C",
  actor_reference   text COLLATE "C",
  subject_reference text COLLATE "C",
  outcome           text NOT NULL,
  operation         text NOT NULL,
  ip_hash           bytea,
  user_agent_hash   bytea,
  request_id        text NOT NULL,
  changes           text[] NOT NULL DEFAULT '{}',
  created_at        timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT audit_entries_pkey PRIMARY KEY (id),
  CONSTRAINT audit_entries_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT audit_entries_action_shape CHECK (action ~ '^[A-Z][A-Z0-9_]{2,60}$'),
  CONSTRAINT audit_entries_severity_known CHECK (severity IN ('LOW', 'MEDIUM', 'HIGH', 'CRITICAL')),
  CONSTRAINT audit_entries_outcome_known CHECK (outcome IN ('SUCCESS', 'DENIED', 'FAILURE'))
);
COMMENT ON TABLE audit_entries IS 'The audit trail: written in the transaction of what it records, never changed.';
COMMENT ON COLUMN audit_entries.id IS 'Record id.';
COMMENT ON COLUMN audit_entries.action IS 'What was done.';
COMMENT ON COLUMN audit_entries.severity IS 'LOW, MEDIUM, HIGH or CRITICAL.';
COMMENT ON COLUMN audit_entries.resource_type IS 'USER, QRCODE, SCAN, …';
COMMENT ON COLUMN audit_entries.resource_id IS 'Id of the resource; for a user, their reference.';
COMMENT ON COLUMN audit_entries.actor_reference IS 'Random reference of the actor (audit_actors); null for the public and the service itself.';
COMMENT ON COLUMN audit_entries.subject_reference IS 'Random reference of the user whose data the entry is about (audit_actors); null if nobody''s.';
COMMENT ON COLUMN audit_entries.outcome IS 'SUCCESS, DENIED or FAILURE.';
COMMENT ON COLUMN audit_entries.operation IS 'The operation or command by which it was done.';
COMMENT ON COLUMN audit_entries.ip_hash IS 'Salted SHA-256 of the address (audit_origins).';
COMMENT ON COLUMN audit_entries.user_agent_hash IS 'Salted SHA-256 of the agent (audit_origins).';
COMMENT ON COLUMN audit_entries.request_id IS 'Id of the request, as in the log.';
COMMENT ON COLUMN audit_entries.changes IS 'Names of changed fields, never values.';
COMMENT ON COLUMN audit_entries.created_at IS 'When it was done.';
COMMENT ON CONSTRAINT audit_entries_action_shape ON audit_entries IS 'The form of an action''s name; the application knows the list.';
CREATE INDEX audit_entries_actor_reference_idx ON audit_entries (actor_reference, created_at DESC, id DESC);
COMMENT ON INDEX audit_entries_actor_reference_idx IS 'Serves: what somebody did, newest first, for auditors.';
CREATE INDEX audit_entries_resource_idx ON audit_entries (resource_type, resource_id, created_at DESC, id DESC);
COMMENT ON INDEX audit_entries_resource_idx IS 'Serves: what was done to something, newest first, for auditors.';
CREATE INDEX audit_entries_subject_reference_idx ON audit_entries (subject_reference, created_at DESC, id DESC) WHERE subject_reference IS NOT NULL;
COMMENT ON INDEX audit_entries_subject_reference_idx IS 'Serves: what happened to somebody''s data, newest first, for themselves.';
CREATE INDEX audit_entries_action_idx ON audit_entries (action, created_at DESC, id DESC);
COMMENT ON INDEX audit_entries_action_idx IS 'Serves: entries of an action, newest first, for auditors.';
CREATE INDEX audit_entries_high_severity_idx ON audit_entries (severity, created_at DESC, id DESC) WHERE severity IN ('HIGH', 'CRITICAL');
COMMENT ON INDEX audit_entries_high_severity_idx IS 'Serves: entries of severity HIGH and CRITICAL, newest first, for auditors; most entries have a lower severity.';
CREATE INDEX audit_entries_created_at_idx ON audit_entries (created_at DESC, id DESC);
COMMENT ON INDEX audit_entries_created_at_idx IS 'Serves: the whole trail, or a time of it, newest first, for auditors.';

CREATE TABLE audit_origins (
  entry_id   text COLLATE "C" NOT NULL,
  salt       bytea NOT NULL,
  ip         text NOT NULL,
  user_agent text NOT NULL,
  CONSTRAINT audit_origins_pkey PRIMARY KEY (entry_id),
  CONSTRAINT audit_origins_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES audit_entries (id) ON DELETE RESTRICT,
  CONSTRAINT audit_origins_user_agent_bounded CHECK (length(user_agent) <= 512)
);
COMMENT ON TABLE audit_origins IS 'Address and agent of an audited request in clear, with the salt of their hashes. May be emptied; the trail stays whole.';
COMMENT ON COLUMN audit_origins.entry_id IS 'The audit entry.';
COMMENT ON COLUMN audit_origins.salt IS 'Salt of the two hashes; without it they say nothing.';
COMMENT ON COLUMN audit_origins.ip IS 'Address, truncated but for log-ins.';
COMMENT ON COLUMN audit_origins.user_agent IS 'Agent, cut to 512 characters.';

-- ---------------------------------------------------------------------------------------------
-- References
-- ---------------------------------------------------------------------------------------------

CREATE TABLE audit_actors (
  reference text COLLATE "C" NOT NULL,
  user_id   text COLLATE "C" NOT NULL,
  CONSTRAINT audit_actors_pkey PRIMARY KEY (reference),
  CONSTRAINT audit_actors_user_id_key UNIQUE (user_id),
  CONSTRAINT audit_actors_reference_shape CHECK (reference ~ '^[0-9a-f]{24}$')
);
COMMENT ON TABLE audit_actors IS 'Which user a reference in the trail stands for. Erasure deletes the row and leaves the trail intact.';
COMMENT ON COLUMN audit_actors.reference IS 'Random reference used in the trail.';
COMMENT ON COLUMN audit_actors.user_id IS 'The user.';
COMMENT ON CONSTRAINT audit_actors_reference_shape ON audit_actors IS '24 random hexadecimal digits.';

CREATE FUNCTION create_audit_actor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_actors (reference, user_id)
  VALUES (left(replace(gen_random_uuid()::text, '-', ''), 24), NEW.id);
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION create_audit_actor() IS 'Creates the random reference that stands for a new account in the audit trail.';

CREATE TRIGGER users_create_audit_actor AFTER INSERT ON users
  FOR EACH ROW EXECUTE FUNCTION create_audit_actor();
COMMENT ON TRIGGER users_create_audit_actor ON users IS 'An account and its audit reference are created in one transaction.';

CREATE FUNCTION audit_subject(resource_type text, resource_id text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT reference FROM audit_actors WHERE user_id = CASE resource_type
    WHEN 'USER' THEN resource_id
    WHEN 'SESSION' THEN (SELECT user_id FROM sessions WHERE id = resource_id)
    WHEN 'QRCODE' THEN (SELECT owner_id FROM qr_codes WHERE id = resource_id)
    WHEN 'SCAN' THEN (SELECT owner_id FROM scans WHERE id = resource_id)
    WHEN 'CONVERSATION' THEN (SELECT owner_id FROM conversations WHERE id = resource_id)
    WHEN 'NOTIFICATION' THEN (SELECT user_id FROM notifications WHERE id = resource_id)
    WHEN 'MEMORY_TAG' THEN (SELECT owner_id FROM memory_tags WHERE id = resource_id)
    WHEN 'SUBSCRIPTION' THEN (SELECT user_id FROM subscriptions WHERE id = resource_id)
    WHEN 'DOCUMENT' THEN (SELECT owner_id FROM documents WHERE id = resource_id)
  END
$$;
COMMENT ON FUNCTION audit_subject(text, text) IS 'The reference of the user that a record belongs to; null if it belongs to nobody or was deleted.';

-- ---------------------------------------------------------------------------------------------
-- Seals
-- ---------------------------------------------------------------------------------------------

-- Vacuumed often: its rows come and go.
CREATE TABLE audit_unsealed (
  entry_id text COLLATE "C" NOT NULL,
  CONSTRAINT audit_unsealed_pkey PRIMARY KEY (entry_id)
) WITH (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0);
COMMENT ON TABLE audit_unsealed IS 'Audit entries that the sealer has still to seal; a row comes and goes with each.';
COMMENT ON COLUMN audit_unsealed.entry_id IS 'The audit entry. No foreign key: an entry that was removed before it was sealed must show.';

-- SECURITY DEFINER: the application may delete rows, not insert them. The name is qualified because SET search_path would cost
-- time with every entry.
CREATE FUNCTION queue_unsealed_entry() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO public.audit_unsealed (entry_id) VALUES (NEW.id);
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION queue_unsealed_entry() IS 'Queues each new audit entry for the sealer.';

CREATE TRIGGER audit_entries_queue_unsealed AFTER INSERT ON audit_entries
  FOR EACH ROW EXECUTE FUNCTION queue_unsealed_entry();
COMMENT ON TRIGGER audit_entries_queue_unsealed ON audit_entries IS 'Every committed entry is queued for the sealer, whatever the order of ids and clocks.';

CREATE TABLE audit_seals (
  sequence  bigint NOT NULL,
  entry_id  text COLLATE "C" NOT NULL,
  seal_hash bytea NOT NULL,
  CONSTRAINT audit_seals_pkey PRIMARY KEY (sequence),
  CONSTRAINT audit_seals_entry_id_key UNIQUE (entry_id),
  CONSTRAINT audit_seals_sequence_positive CHECK (sequence > 0),
  CONSTRAINT audit_seals_seal_hash_length CHECK (octet_length(seal_hash) = 32)
);
COMMENT ON TABLE audit_seals IS 'The place of each audit entry in the chain, in the order in which the sealer saw them committed. Never changed.';
COMMENT ON COLUMN audit_seals.sequence IS 'Place in the chain, from 1, without gaps.';
COMMENT ON COLUMN audit_seals.entry_id IS 'The audit entry. No foreign key: a seal whose entry was removed must show.';
COMMENT ON COLUMN audit_seals.seal_hash IS 'SHA-256 over the seal before and the canonical form of the entry (docs/security/audit-trail.md).';
COMMENT ON CONSTRAINT audit_seals_sequence_positive ON audit_seals IS 'The trail begins with 1.';

CREATE TABLE audit_seal_batches (
  last_sequence  bigint NOT NULL,
  first_sequence bigint NOT NULL,
  last_hash      bytea NOT NULL,
  members        bytea NOT NULL,
  signed_at      timestamptz(3) NOT NULL,
  key_id         text COLLATE "C" NOT NULL,
  signature      bytea NOT NULL,
  CONSTRAINT audit_seal_batches_pkey PRIMARY KEY (last_sequence),
  CONSTRAINT audit_seal_batches_first_sequence_key UNIQUE (first_sequence),
  CONSTRAINT audit_seal_batches_range CHECK (first_sequence BETWEEN 1 AND last_sequence),
  CONSTRAINT audit_seal_batches_last_hash_length CHECK (octet_length(last_hash) = 32),
  CONSTRAINT audit_seal_batches_members_length CHECK (octet_length(members) = 20 * (last_sequence - first_sequence + 1)),
  CONSTRAINT audit_seal_batches_key_id_shape CHECK (key_id ~ '^[0-9a-f]{16}$'),
  CONSTRAINT audit_seal_batches_signature_length CHECK (octet_length(signature) = 64)
);
-- Ids and hashes are random: compressing them gains nothing. (CREATE TABLE takes STORAGE from PostgreSQL 16 on.)
ALTER TABLE audit_seal_batches ALTER COLUMN members SET STORAGE EXTERNAL;
COMMENT ON TABLE audit_seal_batches IS 'What was sealed together, signed. Never changed.';
COMMENT ON COLUMN audit_seal_batches.last_sequence IS 'Place of the last entry of the batch.';
COMMENT ON COLUMN audit_seal_batches.first_sequence IS 'Place of its first entry: that after the last of the batch before.';
COMMENT ON COLUMN audit_seal_batches.last_hash IS 'Seal of its last entry.';
COMMENT ON COLUMN audit_seal_batches.members IS 'Its entries in order, 20 bytes each: the id (12 bytes) and the first 8 bytes of the seal. They name what was tampered with.';
COMMENT ON COLUMN audit_seal_batches.signed_at IS 'When it was sealed.';
COMMENT ON COLUMN audit_seal_batches.key_id IS 'First 16 hexadecimal digits of SHA-256 over the public key.';
COMMENT ON COLUMN audit_seal_batches.signature IS 'Ed25519 over all of the above (docs/security/audit-trail.md).';
COMMENT ON CONSTRAINT audit_seal_batches_range ON audit_seal_batches IS 'From the first to the last, and from 1 on.';
COMMENT ON CONSTRAINT audit_seal_batches_members_length ON audit_seal_batches IS 'Twenty bytes for each entry of the batch.';
COMMENT ON CONSTRAINT audit_seal_batches_key_id_shape ON audit_seal_batches IS '16 hexadecimal digits.';
COMMENT ON CONSTRAINT audit_seal_batches_signature_length ON audit_seal_batches IS 'An Ed25519 signature: 64 bytes.';

-- ---------------------------------------------------------------------------------------------
-- Retention
-- ---------------------------------------------------------------------------------------------

CREATE TABLE audit_retention (
  singleton boolean NOT NULL DEFAULT true,
  days      integer NOT NULL,
  CONSTRAINT audit_retention_pkey PRIMARY KEY (singleton),
  CONSTRAINT audit_retention_single_row CHECK (singleton),
  CONSTRAINT audit_retention_days_bounded CHECK (days BETWEEN 90 AND 36500)
);
COMMENT ON TABLE audit_retention IS 'How long audit entries are kept; without a row for ever. Written by the owner of the schema alone.';
COMMENT ON COLUMN audit_retention.singleton IS 'Always true: the table has at most one row.';
COMMENT ON COLUMN audit_retention.days IS 'Age in days from which entries may be dropped.';
COMMENT ON CONSTRAINT audit_retention_single_row ON audit_retention IS 'There is one row at most.';
COMMENT ON CONSTRAINT audit_retention_days_bounded ON audit_retention IS 'From 90 days to a hundred years.';

CREATE TABLE audit_dropped_ranges (
  last_sequence  bigint NOT NULL,
  first_sequence bigint NOT NULL,
  checkpoint     jsonb NOT NULL,
  dropped_at     timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT audit_dropped_ranges_pkey PRIMARY KEY (last_sequence),
  CONSTRAINT audit_dropped_ranges_range CHECK (first_sequence BETWEEN 1 AND last_sequence),
  CONSTRAINT audit_dropped_ranges_checkpoint_fits CHECK (
    (checkpoint ->> 'sequence') = last_sequence::text AND (checkpoint ->> 'sealHash') ~ '^[0-9a-f]{64}$'
    AND checkpoint ? 'signature' AND checkpoint ? 'keyId')
);
COMMENT ON TABLE audit_dropped_ranges IS 'Ranges of the trail that were dropped because of their age. Never changed; the rest is provable from the newest.';
COMMENT ON COLUMN audit_dropped_ranges.last_sequence IS 'Place of the last entry dropped.';
COMMENT ON COLUMN audit_dropped_ranges.first_sequence IS 'Place of the first entry dropped.';
COMMENT ON COLUMN audit_dropped_ranges.checkpoint IS 'The signed checkpoint of the last entry dropped (docs/security/audit-trail.md).';
COMMENT ON COLUMN audit_dropped_ranges.dropped_at IS 'When it was dropped.';
COMMENT ON CONSTRAINT audit_dropped_ranges_range ON audit_dropped_ranges IS 'From the first to the last, and from 1 on.';
COMMENT ON CONSTRAINT audit_dropped_ranges_checkpoint_fits ON audit_dropped_ranges IS 'The checkpoint is whole and of the last entry dropped.';

CREATE FUNCTION check_dropped_range() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  kept_since timestamptz;
  expected   bigint;
  present    bigint;
  newest     timestamptz;
BEGIN
  SELECT now() - make_interval(days => days) INTO kept_since FROM audit_retention;
  IF kept_since IS NULL THEN
    RAISE EXCEPTION 'the audit trail is kept for ever' USING ERRCODE = 'insufficient_privilege';
  END IF;
  SELECT coalesce(max(last_sequence), 0) + 1 INTO expected FROM audit_dropped_ranges;
  IF NEW.first_sequence <> expected OR NOT EXISTS (
       SELECT FROM audit_seal_batches
       WHERE last_sequence = NEW.last_sequence AND last_hash = decode(NEW.checkpoint ->> 'sealHash', 'hex'))
     OR NOT EXISTS (SELECT FROM audit_seal_batches WHERE last_sequence > NEW.last_sequence) THEN
    RAISE EXCEPTION 'only the oldest signed batches are dropped, and never the last one'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  SELECT count(*), max(entry.created_at) INTO present, newest
  FROM audit_seals AS seal JOIN audit_entries AS entry ON entry.id = seal.entry_id
  WHERE seal.sequence BETWEEN NEW.first_sequence AND NEW.last_sequence;
  IF present <> NEW.last_sequence - NEW.first_sequence + 1 THEN
    RAISE EXCEPTION 'a range that is not whole is not dropped' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF newest >= kept_since THEN
    RAISE EXCEPTION 'audit entries younger than the limit are not dropped' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
COMMENT ON FUNCTION check_dropped_range() IS 'Lets a range be recorded as dropped only where all of it is older than audit_retention allows.';

CREATE TRIGGER audit_dropped_ranges_check BEFORE INSERT ON audit_dropped_ranges
  FOR EACH ROW EXECUTE FUNCTION check_dropped_range();
COMMENT ON TRIGGER audit_dropped_ranges_check ON audit_dropped_ranges IS 'The age is checked here, against the owner''s limit, whoever asks.';

-- SECURITY DEFINER: the application may call it, and may not delete entries itself.
CREATE FUNCTION drop_audit_range(checkpoint jsonb) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  start   bigint;
  ending  bigint := (checkpoint ->> 'sequence')::bigint;
  dropped bigint;
BEGIN
  LOCK TABLE audit_dropped_ranges IN SHARE ROW EXCLUSIVE MODE;
  SELECT coalesce(max(last_sequence), 0) + 1 INTO start FROM audit_dropped_ranges;
  INSERT INTO audit_dropped_ranges (first_sequence, last_sequence, checkpoint) VALUES (start, ending, checkpoint);
  DELETE FROM audit_origins USING audit_seals AS seal
  WHERE audit_origins.entry_id = seal.entry_id AND seal.sequence BETWEEN start AND ending;
  DELETE FROM audit_entries USING audit_seals AS seal
  WHERE audit_entries.id = seal.entry_id AND seal.sequence BETWEEN start AND ending;
  GET DIAGNOSTICS dropped = ROW_COUNT;
  DELETE FROM audit_seals WHERE sequence BETWEEN start AND ending;
  DELETE FROM audit_seal_batches WHERE last_sequence <= ending;
  RETURN dropped;
END
$$;
COMMENT ON FUNCTION drop_audit_range(jsonb) IS 'Drops the oldest part of the trail up to the signed checkpoint given, where all of it is older than audit_retention allows; answers the number of entries.';

REVOKE ALL ON FUNCTION drop_audit_range(jsonb) FROM PUBLIC;

-- ---------------------------------------------------------------------------------------------
-- Append-only, also for the owner of the tables
-- ---------------------------------------------------------------------------------------------

CREATE FUNCTION reject_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries are never changed' USING ERRCODE = 'insufficient_privilege';
END
$$;
COMMENT ON FUNCTION reject_audit_change() IS 'Rejects changes: the audit trail is append-only.';

CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION reject_audit_change();
COMMENT ON TRIGGER audit_entries_append_only ON audit_entries IS 'Refuses every change to what was recorded.';
CREATE TRIGGER audit_seals_append_only BEFORE UPDATE OR TRUNCATE ON audit_seals
  FOR EACH STATEMENT EXECUTE FUNCTION reject_audit_change();
COMMENT ON TRIGGER audit_seals_append_only ON audit_seals IS 'Refuses every change to what was sealed.';
CREATE TRIGGER audit_seal_batches_append_only BEFORE UPDATE OR TRUNCATE ON audit_seal_batches
  FOR EACH STATEMENT EXECUTE FUNCTION reject_audit_change();
COMMENT ON TRIGGER audit_seal_batches_append_only ON audit_seal_batches IS 'Refuses every change to what was signed.';
CREATE TRIGGER audit_dropped_ranges_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_dropped_ranges
  FOR EACH STATEMENT EXECUTE FUNCTION reject_audit_change();
COMMENT ON TRIGGER audit_dropped_ranges_append_only ON audit_dropped_ranges IS 'Refuses every change to what was recorded of dropped ranges.';

CREATE FUNCTION reject_audit_removal() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  dropped    bigint := coalesce((SELECT max(last_sequence) FROM audit_dropped_ranges), 0);
  kept_since timestamptz := (SELECT now() - make_interval(days => days) FROM audit_retention);
  refused    boolean;
BEGIN
  IF TG_TABLE_NAME = 'audit_entries' THEN
    SELECT EXISTS (
      SELECT FROM gone LEFT JOIN audit_seals AS seal ON seal.entry_id = gone.id
      WHERE seal.sequence IS NULL OR seal.sequence > dropped OR kept_since IS NULL OR gone.created_at >= kept_since
    ) INTO refused;
  ELSIF TG_TABLE_NAME = 'audit_seals' THEN
    SELECT EXISTS (SELECT FROM gone WHERE sequence > dropped) INTO refused;
  ELSE
    SELECT EXISTS (SELECT FROM gone WHERE last_sequence > dropped) INTO refused;
  END IF;
  IF refused THEN
    RAISE EXCEPTION 'audit entries are never removed before their time' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION reject_audit_removal() IS 'Rejects every deletion from the trail except of a range recorded in audit_dropped_ranges.';

CREATE TRIGGER audit_entries_removal_guard AFTER DELETE ON audit_entries
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION reject_audit_removal();
COMMENT ON TRIGGER audit_entries_removal_guard ON audit_entries IS 'Only ranges with a checkpoint in audit_dropped_ranges can be deleted.';
CREATE TRIGGER audit_seals_removal_guard AFTER DELETE ON audit_seals
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION reject_audit_removal();
COMMENT ON TRIGGER audit_seals_removal_guard ON audit_seals IS 'Only ranges with a checkpoint in audit_dropped_ranges can be deleted.';
CREATE TRIGGER audit_seal_batches_removal_guard AFTER DELETE ON audit_seal_batches
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION reject_audit_removal();
COMMENT ON TRIGGER audit_seal_batches_removal_guard ON audit_seal_batches IS 'Only ranges with a checkpoint in audit_dropped_ranges can be deleted.';
