-- An account owns, users act. Every user has a personal account with the id of the user.
CREATE TABLE accounts (
  id text COLLATE "C" CONSTRAINT accounts_pkey PRIMARY KEY,
  user_id text COLLATE "C" CONSTRAINT accounts_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT accounts_personal_id CHECK (user_id = id)
);
CREATE UNIQUE INDEX accounts_user_id_key ON accounts (user_id);
COMMENT ON INDEX accounts_user_id_key IS 'Deletes the personal account with its user.';
COMMENT ON TABLE accounts IS 'Owns codes, documents, memory tags and all that belongs to them. Users act for it.';
COMMENT ON COLUMN accounts.id IS 'Of a personal account the id of its user.';
COMMENT ON COLUMN accounts.user_id IS 'The user whose personal account it is.';
COMMENT ON COLUMN accounts.created_at IS 'When it was created.';

INSERT INTO accounts (id, user_id, created_at) SELECT id, id, created_at FROM users;

CREATE FUNCTION create_personal_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO accounts (id, user_id, created_at) VALUES (NEW.id, NEW.id, NEW.created_at);
  RETURN NULL;
END $$;
COMMENT ON FUNCTION create_personal_account() IS 'Creates the personal account of a new user.';
CREATE TRIGGER users_create_personal_account AFTER INSERT ON users
  FOR EACH ROW EXECUTE FUNCTION create_personal_account();
COMMENT ON TRIGGER users_create_personal_account ON users IS 'A user and the personal account are created in one transaction.';
COMMENT ON CONSTRAINT accounts_pkey ON accounts IS 'One row per account.';
COMMENT ON CONSTRAINT accounts_user_id_fkey ON accounts IS 'A personal account goes with its user.';
COMMENT ON CONSTRAINT accounts_personal_id ON accounts IS 'A personal account has the id of its user.';

-- What has an owner has an account.
ALTER TABLE account_events RENAME COLUMN user_id TO account_id;
ALTER TABLE api_keys RENAME COLUMN user_id TO account_id;
ALTER TABLE blocked_finders RENAME COLUMN owner_id TO account_id;
ALTER TABLE break_glass_grants RENAME COLUMN owner_id TO account_id;
ALTER TABLE checkout_sessions RENAME COLUMN user_id TO account_id;
ALTER TABLE conversation_messages RENAME COLUMN owner_id TO account_id;
ALTER TABLE conversation_reports RENAME COLUMN owner_id TO account_id;
ALTER TABLE conversations RENAME COLUMN owner_id TO account_id;
ALTER TABLE deletions RENAME COLUMN user_id TO account_id;
ALTER TABLE document_accesses RENAME COLUMN owner_id TO account_id;
ALTER TABLE document_grants RENAME COLUMN owner_id TO account_id;
ALTER TABLE document_shares RENAME COLUMN owner_id TO account_id;
ALTER TABLE document_versions RENAME COLUMN owner_id TO account_id;
ALTER TABLE documents RENAME COLUMN owner_id TO account_id;
ALTER TABLE guest_book_entries RENAME COLUMN owner_id TO account_id;
ALTER TABLE import_errors RENAME COLUMN owner_id TO account_id;
ALTER TABLE imports RENAME COLUMN owner_id TO account_id;
ALTER TABLE memory_tag_caretakers RENAME COLUMN owner_id TO account_id;
ALTER TABLE memory_tags RENAME COLUMN owner_id TO account_id;
ALTER TABLE owner_scan_counts RENAME COLUMN owner_id TO account_id;
ALTER TABLE payment_customers RENAME COLUMN user_id TO account_id;
ALTER TABLE payment_invoices RENAME COLUMN user_id TO account_id;
ALTER TABLE pictures RENAME COLUMN owner_id TO account_id;
ALTER TABLE qr_code_appeals RENAME COLUMN owner_id TO account_id;
ALTER TABLE qr_code_counts RENAME COLUMN owner_id TO account_id;
ALTER TABLE qr_code_reports RENAME COLUMN owner_id TO account_id;
ALTER TABLE qr_code_takedowns RENAME COLUMN owner_id TO account_id;
ALTER TABLE qr_codes RENAME COLUMN owner_id TO account_id;
ALTER TABLE report_schedules RENAME COLUMN user_id TO account_id;
ALTER TABLE scan_locations RENAME COLUMN owner_id TO account_id;
ALTER TABLE scans RENAME COLUMN owner_id TO account_id;
ALTER TABLE stored_files RENAME COLUMN owner_id TO account_id;
ALTER TABLE subscriptions RENAME COLUMN user_id TO account_id;
ALTER TABLE webhook_deliveries RENAME COLUMN user_id TO account_id;
ALTER TABLE webhook_endpoints RENAME COLUMN user_id TO account_id;
ALTER TABLE idempotency_keys RENAME COLUMN content_owner_id TO content_account_id;

ALTER INDEX account_events_user_id_idx RENAME TO account_events_account_id_idx;
ALTER INDEX api_keys_user_id_idx RENAME TO api_keys_account_id_idx;
ALTER INDEX break_glass_grants_owner_id_idx RENAME TO break_glass_grants_account_id_idx;
ALTER INDEX checkout_sessions_user_id_idx RENAME TO checkout_sessions_account_id_idx;
ALTER INDEX conversation_messages_owner_id_idx RENAME TO conversation_messages_account_id_idx;
ALTER INDEX conversation_reports_owner_id_idx RENAME TO conversation_reports_account_id_idx;
ALTER INDEX conversations_owner_id_idx RENAME TO conversations_account_id_idx;
ALTER INDEX deletions_user_id_idx RENAME TO deletions_account_id_idx;
ALTER INDEX document_accesses_owner_id_idx RENAME TO document_accesses_account_id_idx;
ALTER INDEX document_grants_owner_id_idx RENAME TO document_grants_account_id_idx;
ALTER INDEX document_shares_owner_id_idx RENAME TO document_shares_account_id_idx;
ALTER INDEX document_versions_owner_id_idx RENAME TO document_versions_account_id_idx;
ALTER INDEX documents_owner_id_idx RENAME TO documents_account_id_idx;
ALTER INDEX guest_book_entries_owner_id_idx RENAME TO guest_book_entries_account_id_idx;
ALTER INDEX idempotency_keys_content_owner_id_idx RENAME TO idempotency_keys_content_account_id_idx;
ALTER INDEX imports_owner_id_idx RENAME TO imports_account_id_idx;
ALTER INDEX memory_tag_caretakers_owner_id_idx RENAME TO memory_tag_caretakers_account_id_idx;
ALTER INDEX memory_tags_owner_id_idx RENAME TO memory_tags_account_id_idx;
ALTER INDEX payment_customers_user_id_idx RENAME TO payment_customers_account_id_idx;
ALTER INDEX payment_invoices_user_id_idx RENAME TO payment_invoices_account_id_idx;
ALTER INDEX pictures_owner_id_idx RENAME TO pictures_account_id_idx;
ALTER INDEX qr_code_appeals_owner_id_idx RENAME TO qr_code_appeals_account_id_idx;
ALTER INDEX qr_code_reports_owner_id_idx RENAME TO qr_code_reports_account_id_idx;
ALTER INDEX qr_code_takedowns_owner_id_idx RENAME TO qr_code_takedowns_account_id_idx;
ALTER INDEX qr_codes_owner_id_deleted_idx RENAME TO qr_codes_account_id_deleted_idx;
ALTER INDEX qr_codes_owner_id_fkey_idx RENAME TO qr_codes_account_id_fkey_idx;
ALTER INDEX qr_codes_owner_id_idx RENAME TO qr_codes_account_id_idx;
ALTER INDEX scan_locations_owner_id_idx RENAME TO scan_locations_account_id_idx;
ALTER INDEX scans_owner_id_idx RENAME TO scans_account_id_idx;
ALTER INDEX stored_files_owner_id_idx RENAME TO stored_files_account_id_idx;
ALTER INDEX stored_files_owner_idx RENAME TO stored_files_account_idx;
ALTER INDEX subscriptions_user_id_idx RENAME TO subscriptions_account_id_idx;
ALTER INDEX webhook_endpoints_user_id_idx RENAME TO webhook_endpoints_account_id_idx;

DO $$
DECLARE
  name text;
BEGIN
  FOR name IN
    SELECT relname FROM pg_class
    WHERE relnamespace = 'partitions'::regnamespace AND relkind = 'i' AND relname ~ '_owner_id_'
  LOOP
    EXECUTE format('ALTER INDEX partitions.%I RENAME TO %I', name, replace(name, '_owner_id_', '_account_id_'));
  END LOOP;
END $$;

DO $$
DECLARE
  reference record;
BEGIN
  FOR reference IN
    SELECT conrelid::regclass AS relation, conname AS name, pg_get_constraintdef(pg_constraint.oid) AS definition,
           obj_description(pg_constraint.oid, 'pg_constraint') AS comment
    FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND conkey = ARRAY[attnum]
    WHERE contype = 'f' AND confrelid = 'users'::regclass AND conparentid = 0 AND attname = 'account_id'
  LOOP
    EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I, ADD CONSTRAINT %I %s', reference.relation, reference.name,
                   regexp_replace(reference.name, '_(owner|user)_id_', '_account_id_'),
                   replace(reference.definition, 'users(id)', 'accounts(id)'));
    EXECUTE format('COMMENT ON CONSTRAINT %I ON %s IS %L',
                   regexp_replace(reference.name, '_(owner|user)_id_', '_account_id_'), reference.relation, reference.comment);
  END LOOP;
END $$;

-- Guards against rows for erased accounts name the column.
CREATE OR REPLACE FUNCTION skip_erased_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF is_erased(to_jsonb(NEW) ->> coalesce(TG_ARGV[0], 'user_id')) THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;

DO $$
DECLARE
  guard record;
BEGIN
  FOR guard IN
    SELECT tgrelid::regclass AS relation, tgname AS name, obj_description(pg_trigger.oid, 'pg_trigger') AS comment,
           regexp_replace(pg_get_triggerdef(pg_trigger.oid), '\((''\w+'')?\)$', '(''account_id'')') AS definition
    FROM pg_trigger JOIN pg_attribute ON attrelid = tgrelid AND attname = 'account_id'
    WHERE tgfoid IN ('reject_erased_account()'::regprocedure, 'skip_erased_account()'::regprocedure)
  LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', guard.name, guard.relation);
    EXECUTE guard.definition;
    EXECUTE format('COMMENT ON TRIGGER %I ON %s IS %L', guard.name, guard.relation, guard.comment);
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION audit_subject(resource_type text, resource_id text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $$
  SELECT reference FROM audit_actors WHERE user_id = CASE resource_type
    WHEN 'USER' THEN resource_id
    WHEN 'SESSION' THEN (SELECT user_id FROM sessions WHERE id = resource_id)
    WHEN 'QRCODE' THEN (SELECT account_id FROM qr_codes WHERE id = resource_id)
    WHEN 'SCAN' THEN (SELECT account_id FROM scans WHERE id = resource_id)
    WHEN 'CONVERSATION' THEN (SELECT account_id FROM conversations WHERE id = resource_id)
    WHEN 'NOTIFICATION' THEN (SELECT user_id FROM notifications WHERE id = resource_id)
    WHEN 'MEMORY_TAG' THEN (SELECT account_id FROM memory_tags WHERE id = resource_id)
    WHEN 'SUBSCRIPTION' THEN (SELECT account_id FROM subscriptions WHERE id = resource_id)
    WHEN 'DOCUMENT' THEN (SELECT account_id FROM documents WHERE id = resource_id)
  END
$$;

CREATE OR REPLACE FUNCTION count_deleted_qr_codes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
AS $$
BEGIN
  PERFORM FROM qr_code_counts WHERE account_id IN (SELECT account_id FROM removed) ORDER BY account_id FOR UPDATE;
  UPDATE qr_code_counts AS kept SET
    active = kept.active - gone.active, paused = kept.paused - gone.paused, lost = kept.lost - gone.lost,
    unclaimed = kept.unclaimed - gone.unclaimed, deleted = kept.deleted - gone.deleted
  FROM (SELECT account_id, count(*) FILTER (WHERE status = 'ACTIVE') AS active,
               count(*) FILTER (WHERE status = 'PAUSED') AS paused, count(*) FILTER (WHERE status = 'LOST') AS lost,
               count(*) FILTER (WHERE status = 'UNCLAIMED') AS unclaimed,
               count(*) FILTER (WHERE status = 'DELETED') AS deleted
        FROM removed GROUP BY account_id) AS gone
  WHERE kept.account_id = gone.account_id;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION count_inserted_qr_codes()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
AS $$
BEGIN
  INSERT INTO qr_code_counts AS kept (account_id, active, paused, lost, unclaimed, deleted)
  SELECT account_id, count(*) FILTER (WHERE status = 'ACTIVE'), count(*) FILTER (WHERE status = 'PAUSED'),
         count(*) FILTER (WHERE status = 'LOST'), count(*) FILTER (WHERE status = 'UNCLAIMED'),
         count(*) FILTER (WHERE status = 'DELETED')
  FROM made GROUP BY account_id ORDER BY account_id
  ON CONFLICT (account_id) DO UPDATE SET
    active = kept.active + excluded.active, paused = kept.paused + excluded.paused, lost = kept.lost + excluded.lost,
    unclaimed = kept.unclaimed + excluded.unclaimed, deleted = kept.deleted + excluded.deleted;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION count_updated_qr_code()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
AS $$
BEGIN
  IF OLD.account_id <> NEW.account_id THEN
    INSERT INTO qr_code_counts (account_id) VALUES (NEW.account_id) ON CONFLICT (account_id) DO NOTHING;
    PERFORM FROM qr_code_counts WHERE account_id IN (OLD.account_id, NEW.account_id) ORDER BY account_id FOR UPDATE;
  END IF;
  UPDATE qr_code_counts AS kept SET
    active = kept.active + change.active, paused = kept.paused + change.paused, lost = kept.lost + change.lost,
    unclaimed = kept.unclaimed + change.unclaimed, deleted = kept.deleted + change.deleted
  FROM (SELECT account_id, sum(sign * (status = 'ACTIVE')::integer) AS active,
               sum(sign * (status = 'PAUSED')::integer) AS paused, sum(sign * (status = 'LOST')::integer) AS lost,
               sum(sign * (status = 'UNCLAIMED')::integer) AS unclaimed,
               sum(sign * (status = 'DELETED')::integer) AS deleted
        FROM (VALUES (OLD.account_id, OLD.status, -1), (NEW.account_id, NEW.status, 1)) AS code (account_id, status, sign)
        GROUP BY account_id) AS change
  WHERE kept.account_id = change.account_id;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION count_scans_in_quarter_hour(of_owner text, bucket_start timestamp with time zone, OUT total bigint, OUT humans bigint, OUT uniques bigint)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'pg_catalog', 'public'
 SET plan_cache_mode TO 'force_generic_plan'
AS $$
BEGIN
  SELECT count(*), count(*) FILTER (WHERE class = 'HUMAN'), count(*) FILTER (WHERE is_unique) INTO total, humans, uniques
  FROM scans
  WHERE account_id = of_owner AND scanned_at >= bucket_start AND scanned_at < bucket_start + interval '15 minutes'
    AND id >= lpad(to_hex(extract(epoch FROM bucket_start)::bigint), 8, '0')
    AND id < lpad(to_hex(extract(epoch FROM bucket_start)::bigint + 900), 8, '0');
END
$$;

-- Jobs that wait name the account, too. The tables of the queue are newer than the first migrations.
DO $$
BEGIN
  IF to_regclass('pgboss.job') IS NOT NULL THEN
    UPDATE pgboss.job SET data = data - 'ownerId' || jsonb_build_object('accountId', data -> 'ownerId')
    WHERE data ? 'ownerId';
  END IF;
END $$;

-- Version 2 of the contract: account_id beside owner_id, and beside user_id where it means an owner.
DO $$
DECLARE
  earlier record;
BEGIN
  FOR earlier IN
    SELECT view.oid, view.relname AS name, attname AS column, col_description(view.oid, attnum) AS comment,
           coalesce('WITH (' || array_to_string(reloptions, ', ') || ')', '') AS options
    FROM pg_class AS view JOIN pg_attribute ON attrelid = view.oid
    WHERE relnamespace = 'reporting'::regnamespace AND relkind = 'v'
      AND (attname = 'owner_id' OR attname = 'user_id' AND relname IN
           ('invoices', 'paid_subscriptions', 'recurring_revenue_changes', 'subscriptions'))
  LOOP
    EXECUTE format('CREATE OR REPLACE VIEW reporting.%I %s AS SELECT earlier.*, earlier.%I AS account_id FROM (%s) AS earlier',
                   earlier.name, earlier.options, earlier.column, rtrim(pg_get_viewdef(earlier.oid), ';'));
    EXECUTE format('COMMENT ON COLUMN reporting.%I.account_id IS %L', earlier.name,
                   replace(earlier.comment, 'id in users', 'the account'));
    EXECUTE format('COMMENT ON COLUMN reporting.%I.%I IS %L', earlier.name, earlier.column, 'Deprecated: account_id.');
  END LOOP;
END $$;

CREATE OR REPLACE VIEW reporting.contract AS
SELECT version, since, changes
FROM (VALUES
  (1, DATE '2026-11-21', 'The first version.'),
  (2, DATE '2026-11-29', 'account_id beside owner_id, and beside user_id of invoices and subscriptions, which are deprecated.')
) AS versions (version, since, changes);
