-- QR codes, and their number by owner and status.

-- Vacuumed often: lists and searches are index-only scans.
CREATE TABLE qr_codes (
  id              text COLLATE "C" NOT NULL,
  owner_id        text COLLATE "C" NOT NULL,
  kind            text NOT NULL,
  mode            text NOT NULL,
  title           text NOT NULL,
  search_text     text NOT NULL GENERATED ALWAYS AS (lower(title || E'\n' || kind || E'\n' || replace(kind, '_', ' '))) STORED,
  slug            text NOT NULL,
  status          text NOT NULL DEFAULT 'ACTIVE',
  previous_status text,
  data            bytea,
  visibility      jsonb NOT NULL,
  design          jsonb NOT NULL,
  logo            bytea,
  adjusted        jsonb NOT NULL DEFAULT '[]',
  lost_details    bytea,
  pin_hash        text,
  image_file      text,
  contactable     boolean NOT NULL DEFAULT true,
  shows_page      boolean NOT NULL DEFAULT false,
  notify_on       text NOT NULL DEFAULT 'EVERY_SCAN',
  expires_at      timestamptz(3),
  deleted_at      timestamptz(3),
  version         integer NOT NULL DEFAULT 1,
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  updated_at      timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT qr_codes_pkey PRIMARY KEY (id),
  CONSTRAINT qr_codes_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT qr_codes_image_file_key UNIQUE (image_file),
  CONSTRAINT qr_codes_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT qr_codes_kind_shape CHECK (kind ~ '^[A-Z][A-Z_]{1,30}$'),
  CONSTRAINT qr_codes_mode_known CHECK (mode IN ('DYNAMIC', 'STATIC')),
  CONSTRAINT qr_codes_title_bounded CHECK (length(title) BETWEEN 1 AND 200),
  CONSTRAINT qr_codes_slug_shape CHECK (slug ~ '^[a-z0-9-]{1,40}$'),
  CONSTRAINT qr_codes_status_known CHECK (status IN ('ACTIVE', 'PAUSED', 'LOST', 'DELETED', 'UNCLAIMED')),
  CONSTRAINT qr_codes_previous_status_known CHECK (previous_status IN ('ACTIVE', 'PAUSED', 'LOST', 'UNCLAIMED')),
  CONSTRAINT qr_codes_previous_status_only_deleted CHECK (previous_status IS NULL OR status = 'DELETED'),
  CONSTRAINT qr_codes_deleted_complete CHECK ((status = 'DELETED') = (deleted_at IS NOT NULL)),
  CONSTRAINT qr_codes_static_has_no_pin_or_expiry CHECK (mode = 'DYNAMIC' OR (pin_hash IS NULL AND expires_at IS NULL)),
  CONSTRAINT qr_codes_purged_complete CHECK (data IS NOT NULL OR (status = 'DELETED' AND image_file IS NULL AND pin_hash IS NULL AND logo IS NULL AND lost_details IS NULL)),
  CONSTRAINT qr_codes_lost_details_only_lost CHECK (lost_details IS NULL OR coalesce(previous_status, status) = 'LOST'),
  CONSTRAINT qr_codes_image_file_shape CHECK (image_file ~ '^[a-z]+-[a-z0-9-]{0,60}-[0-9a-f]{24}-[0-9]{13}\.png$'),
  CONSTRAINT qr_codes_notify_on_known CHECK (notify_on IN ('EVERY_SCAN', 'FIRST_OF_DAY', 'ONLY_LOST', 'NEVER'))
) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01);
COMMENT ON TABLE qr_codes IS 'QR codes and what they hold. Content is encrypted; titles are not.';
COMMENT ON COLUMN qr_codes.id IS 'Record id; printed in the image of a dynamic code.';
COMMENT ON COLUMN qr_codes.owner_id IS 'Whose code.';
COMMENT ON COLUMN qr_codes.kind IS 'MEMORY_TAG, MEDICAL, CAR, LUGGAGE, PET, IDENTIFICATION, DOCUMENT, WIFI, URL, TEXT, VCARD, EMAIL, PHONE, SMS, LOCATION or EVENT; the application knows the list.';
COMMENT ON COLUMN qr_codes.mode IS 'DYNAMIC: the image holds the address of the page; STATIC: the content itself.';
COMMENT ON COLUMN qr_codes.title IS 'The owner''s name for it; searchable, not secret.';
COMMENT ON COLUMN qr_codes.search_text IS 'Title and kind in lower case, one a line, the kind with underscores and with spaces, for search.';
COMMENT ON COLUMN qr_codes.slug IS 'The part of the image''s file name made from the title, or chance for kinds whose title can be sensitive.';
COMMENT ON COLUMN qr_codes.status IS 'ACTIVE, PAUSED, LOST, DELETED or UNCLAIMED (printed before it has an owner); EXPIRED follows from expires_at.';
COMMENT ON COLUMN qr_codes.previous_status IS 'Status of a deleted code before its deletion; restored with the code.';
COMMENT ON COLUMN qr_codes.data IS 'Content, encrypted by the application; null once a deleted code was emptied.';
COMMENT ON COLUMN qr_codes.visibility IS 'Field to PUBLIC, PIN or PRIVATE, as the owner gave it; defaults are the kind''s.';
COMMENT ON COLUMN qr_codes.design IS 'Colours, error correction, margin and size of the image.';
COMMENT ON COLUMN qr_codes.logo IS 'Logo drawn in the middle, a PNG.';
COMMENT ON COLUMN qr_codes.adjusted IS 'What was changed in the design so that the image scans.';
COMMENT ON COLUMN qr_codes.lost_details IS 'Message, reward and last place of a lost code, encrypted.';
COMMENT ON COLUMN qr_codes.pin_hash IS '<pepper id>:<bcrypt>, over a keyed hash of the PIN.';
COMMENT ON COLUMN qr_codes.image_file IS 'File name below uploads/qrcodes.';
COMMENT ON COLUMN qr_codes.contactable IS 'Whether a finder may write to the owner.';
COMMENT ON COLUMN qr_codes.shows_page IS 'For kind URL: whether the page is shown before going on.';
COMMENT ON COLUMN qr_codes.notify_on IS 'Which human scans notify the owner: EVERY_SCAN, FIRST_OF_DAY (in their time zone), ONLY_LOST or NEVER.';
COMMENT ON COLUMN qr_codes.expires_at IS 'From when on it answers 410.';
COMMENT ON COLUMN qr_codes.deleted_at IS 'When it was deleted; it can be brought back for 30 days.';
COMMENT ON COLUMN qr_codes.version IS 'Grows by one with each change by the owner.';
COMMENT ON COLUMN qr_codes.created_at IS 'When the row was made.';
COMMENT ON COLUMN qr_codes.updated_at IS 'When the owner last changed it.';
COMMENT ON CONSTRAINT qr_codes_kind_shape ON qr_codes IS 'The form of a kind''s name; the application knows the list.';
COMMENT ON CONSTRAINT qr_codes_title_bounded ON qr_codes IS 'From 1 to 200 characters.';
COMMENT ON CONSTRAINT qr_codes_slug_shape ON qr_codes IS 'Small letters, digits and hyphens, 40 at the most.';
COMMENT ON CONSTRAINT qr_codes_previous_status_known ON qr_codes IS 'A status that a deleted code can be restored to.';
COMMENT ON CONSTRAINT qr_codes_previous_status_only_deleted ON qr_codes IS 'Only a deleted code has a previous status.';
COMMENT ON CONSTRAINT qr_codes_deleted_complete ON qr_codes IS 'A deleted code, and no other, has the time of its deletion.';
COMMENT ON CONSTRAINT qr_codes_static_has_no_pin_or_expiry ON qr_codes IS 'A static code has neither a PIN nor an expiry: nothing could check them.';
COMMENT ON CONSTRAINT qr_codes_purged_complete ON qr_codes IS 'Only a deleted code is without content, and then without image, PIN, logo and details of a loss.';
COMMENT ON CONSTRAINT qr_codes_lost_details_only_lost ON qr_codes IS 'Only a lost code has details of a loss.';
COMMENT ON CONSTRAINT qr_codes_image_file_shape ON qr_codes IS 'A file name that the service makes, and no path.';
COMMENT ON CONSTRAINT qr_codes_notify_on_known ON qr_codes IS 'EVERY_SCAN, FIRST_OF_DAY, ONLY_LOST or NEVER.';
CREATE INDEX qr_codes_owner_id_idx ON qr_codes (owner_id, created_at DESC, id DESC) INCLUDE (search_text) WHERE status <> 'DELETED';
COMMENT ON INDEX qr_codes_owner_id_idx IS 'Serves: an owner''s list, its total, and searches for what many titles have, without a look at the table.';
CREATE INDEX qr_codes_owner_id_fkey_idx ON qr_codes (owner_id);
COMMENT ON INDEX qr_codes_owner_id_fkey_idx IS 'Serves: the deletion of a user, which looks for codes in any state.';
CREATE INDEX qr_codes_search_idx ON qr_codes USING gin (owner_id, search_text gin_trgm_ops) WHERE status <> 'DELETED';
COMMENT ON INDEX qr_codes_search_idx IS 'Serves: an owner''s search of three letters or more for what few titles have.';
CREATE INDEX qr_codes_owner_id_deleted_idx ON qr_codes (owner_id, created_at DESC, id DESC) WHERE status = 'DELETED';
COMMENT ON INDEX qr_codes_owner_id_deleted_idx IS 'Serves: what an owner can bring back.';
CREATE INDEX qr_codes_deleted_at_idx ON qr_codes (deleted_at) WHERE status = 'DELETED' AND data IS NOT NULL;
COMMENT ON INDEX qr_codes_deleted_at_idx IS 'Serves: the job that empties codes deleted 30 days ago.';
CREATE INDEX qr_codes_deleted_search_idx ON qr_codes USING gin (search_text gin_trgm_ops) WHERE status = 'DELETED';
COMMENT ON INDEX qr_codes_deleted_search_idx IS 'Serves: staff looking for a code by its title, among deleted ones too.';
CREATE INDEX qr_codes_kind_idx ON qr_codes (kind, status, expires_at);
COMMENT ON INDEX qr_codes_kind_idx IS 'Serves: how many codes there are by kind and status, without a look at the table.';
CREATE INDEX qr_codes_expires_at_idx ON qr_codes (expires_at) WHERE expires_at IS NOT NULL AND status <> 'DELETED';
COMMENT ON INDEX qr_codes_expires_at_idx IS 'Serves: codes that have expired.';
CREATE INDEX qr_codes_created_at_idx ON qr_codes (created_at DESC, id DESC);
COMMENT ON INDEX qr_codes_created_at_idx IS 'Serves: all codes, newest first, for administrators.';
CREATE INDEX qr_codes_expiring_idx ON qr_codes (owner_id, expires_at DESC, id DESC) INCLUDE (status)
  WHERE expires_at IS NOT NULL AND status <> 'DELETED';
COMMENT ON INDEX qr_codes_expiring_idx IS 'Serves: an owner''s codes that have expired, counted by status and latest first.';
CREATE INDEX qr_codes_lost_idx ON qr_codes (owner_id, created_at DESC, id DESC) WHERE status = 'LOST';
COMMENT ON INDEX qr_codes_lost_idx IS 'Serves: an owner''s lost codes, newest first.';
CREATE TRIGGER qr_codes_erasure_guard BEFORE INSERT ON qr_codes
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('owner_id');
COMMENT ON TRIGGER qr_codes_erasure_guard ON qr_codes IS 'No code is created for an erased account.';

CREATE TABLE test_links (
  token_hash bytea NOT NULL,
  qr_code_id text COLLATE "C" NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  used_at    timestamptz(3),
  CONSTRAINT test_links_pkey PRIMARY KEY (token_hash),
  CONSTRAINT test_links_qr_code_id_fkey FOREIGN KEY (qr_code_id) REFERENCES qr_codes (id) ON DELETE CASCADE
);
COMMENT ON TABLE test_links IS 'One-time links by which an owner marks a phone as their own, so that trying a code alarms nobody.';
COMMENT ON COLUMN test_links.token_hash IS 'SHA-256 of the token in the link.';
COMMENT ON COLUMN test_links.qr_code_id IS 'The code to try.';
COMMENT ON COLUMN test_links.expires_at IS 'End of the link.';
COMMENT ON COLUMN test_links.used_at IS 'When it was opened.';
CREATE INDEX test_links_qr_code_id_idx ON test_links (qr_code_id);
COMMENT ON INDEX test_links_qr_code_id_idx IS 'Serves: the deletion of a code.';

-- ---------------------------------------------------------------------------------------------
-- Counts by status
-- ---------------------------------------------------------------------------------------------

-- Half of a page is left free for HOT updates: each change of a code updates a row.
CREATE TABLE qr_code_counts (
  owner_id  text COLLATE "C" NOT NULL,
  active    integer NOT NULL DEFAULT 0,
  paused    integer NOT NULL DEFAULT 0,
  lost      integer NOT NULL DEFAULT 0,
  unclaimed integer NOT NULL DEFAULT 0,
  deleted   integer NOT NULL DEFAULT 0,
  CONSTRAINT qr_code_counts_pkey PRIMARY KEY (owner_id),
  CONSTRAINT qr_code_counts_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT qr_code_counts_not_negative CHECK (least(active, paused, lost, unclaimed, deleted) >= 0)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
COMMENT ON TABLE qr_code_counts IS 'An owner''s codes counted by status; triggers of qr_codes keep it in step within the transaction of each change. One row an owner: there is one lock to wait for, and always after those of the codes.';
COMMENT ON COLUMN qr_code_counts.owner_id IS 'Whose codes; an owner who never had one has no row.';
COMMENT ON COLUMN qr_code_counts.active IS 'Codes of status ACTIVE, those that have expired too.';
COMMENT ON COLUMN qr_code_counts.paused IS 'Codes of status PAUSED, those that have expired too.';
COMMENT ON COLUMN qr_code_counts.lost IS 'Codes of status LOST, those that have expired too.';
COMMENT ON COLUMN qr_code_counts.unclaimed IS 'Codes of status UNCLAIMED, those that have expired too.';
COMMENT ON COLUMN qr_code_counts.deleted IS 'Codes of status DELETED.';
COMMENT ON CONSTRAINT qr_code_counts_pkey ON qr_code_counts IS 'One row an owner.';
COMMENT ON CONSTRAINT qr_code_counts_owner_id_fkey ON qr_code_counts IS 'The counts go with the account.';

-- SECURITY DEFINER, as in the next two: the application may only read qr_code_counts.
CREATE FUNCTION count_inserted_qr_codes() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  INSERT INTO qr_code_counts AS kept (owner_id, active, paused, lost, unclaimed, deleted)
  SELECT owner_id, count(*) FILTER (WHERE status = 'ACTIVE'), count(*) FILTER (WHERE status = 'PAUSED'),
         count(*) FILTER (WHERE status = 'LOST'), count(*) FILTER (WHERE status = 'UNCLAIMED'),
         count(*) FILTER (WHERE status = 'DELETED')
  FROM made GROUP BY owner_id ORDER BY owner_id
  ON CONFLICT (owner_id) DO UPDATE SET
    active = kept.active + excluded.active, paused = kept.paused + excluded.paused, lost = kept.lost + excluded.lost,
    unclaimed = kept.unclaimed + excluded.unclaimed, deleted = kept.deleted + excluded.deleted;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION count_inserted_qr_codes() IS 'Adds the codes that a statement inserted to the counts.';

CREATE FUNCTION count_deleted_qr_codes() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  PERFORM FROM qr_code_counts WHERE owner_id IN (SELECT owner_id FROM removed) ORDER BY owner_id FOR UPDATE;
  UPDATE qr_code_counts AS kept SET
    active = kept.active - gone.active, paused = kept.paused - gone.paused, lost = kept.lost - gone.lost,
    unclaimed = kept.unclaimed - gone.unclaimed, deleted = kept.deleted - gone.deleted
  FROM (SELECT owner_id, count(*) FILTER (WHERE status = 'ACTIVE') AS active,
               count(*) FILTER (WHERE status = 'PAUSED') AS paused, count(*) FILTER (WHERE status = 'LOST') AS lost,
               count(*) FILTER (WHERE status = 'UNCLAIMED') AS unclaimed,
               count(*) FILTER (WHERE status = 'DELETED') AS deleted
        FROM removed GROUP BY owner_id) AS gone
  WHERE kept.owner_id = gone.owner_id;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION count_deleted_qr_codes() IS 'Subtracts the codes that a statement deleted from the counts.';

CREATE FUNCTION count_updated_qr_code() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
BEGIN
  IF OLD.owner_id <> NEW.owner_id THEN
    INSERT INTO qr_code_counts (owner_id) VALUES (NEW.owner_id) ON CONFLICT (owner_id) DO NOTHING;
    PERFORM FROM qr_code_counts WHERE owner_id IN (OLD.owner_id, NEW.owner_id) ORDER BY owner_id FOR UPDATE;
  END IF;
  UPDATE qr_code_counts AS kept SET
    active = kept.active + change.active, paused = kept.paused + change.paused, lost = kept.lost + change.lost,
    unclaimed = kept.unclaimed + change.unclaimed, deleted = kept.deleted + change.deleted
  FROM (SELECT owner_id, sum(sign * (status = 'ACTIVE')::integer) AS active,
               sum(sign * (status = 'PAUSED')::integer) AS paused, sum(sign * (status = 'LOST')::integer) AS lost,
               sum(sign * (status = 'UNCLAIMED')::integer) AS unclaimed,
               sum(sign * (status = 'DELETED')::integer) AS deleted
        FROM (VALUES (OLD.owner_id, OLD.status, -1), (NEW.owner_id, NEW.status, 1)) AS code (owner_id, status, sign)
        GROUP BY owner_id) AS change
  WHERE kept.owner_id = change.owner_id;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION count_updated_qr_code() IS 'Moves a code to the count of its new status or owner.';

REVOKE EXECUTE ON FUNCTION count_inserted_qr_codes(), count_deleted_qr_codes(), count_updated_qr_code() FROM PUBLIC;

CREATE TRIGGER qr_codes_count_inserted AFTER INSERT ON qr_codes
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION count_inserted_qr_codes();
COMMENT ON TRIGGER qr_codes_count_inserted ON qr_codes IS 'Updates qr_code_counts when codes are inserted.';
CREATE TRIGGER qr_codes_count_deleted AFTER DELETE ON qr_codes
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_deleted_qr_codes();
COMMENT ON TRIGGER qr_codes_count_deleted ON qr_codes IS 'Updates qr_code_counts when codes are deleted.';
-- Of these two columns only: no other change of a code may wait for the row of its owner.
CREATE TRIGGER qr_codes_count_updated AFTER UPDATE OF status, owner_id ON qr_codes
  FOR EACH ROW WHEN (OLD.status <> NEW.status OR OLD.owner_id <> NEW.owner_id) EXECUTE FUNCTION count_updated_qr_code();
COMMENT ON TRIGGER qr_codes_count_updated ON qr_codes IS 'Updates qr_code_counts when status or owner of a code change.';
