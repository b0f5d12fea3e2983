-- How many codes an owner has in each status, kept in step with the codes, so that nobody counts 100,000 rows for a card.

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
);
-- A changed row stays on its page.
ALTER TABLE qr_code_counts SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
COMMENT ON TABLE qr_code_counts IS 'An owner''s codes counted by status; triggers of qr_codes keep it in step within the transaction of each change. One row an owner: there is one lock to wait for, and always after those of the codes.';
COMMENT ON COLUMN qr_code_counts.owner_id IS 'Whose codes; an owner who never had one has no row.';
COMMENT ON COLUMN qr_code_counts.active IS 'Codes of status ACTIVE, those that have expired too.';
COMMENT ON COLUMN qr_code_counts.paused IS 'Codes of status PAUSED, those that have expired too.';
COMMENT ON COLUMN qr_code_counts.lost IS 'Codes of status LOST, those that have expired too.';
COMMENT ON COLUMN qr_code_counts.unclaimed IS 'Codes of status UNCLAIMED, those that have expired too.';
COMMENT ON COLUMN qr_code_counts.deleted IS 'Codes of status DELETED.';

-- As the owner: the application reads the table alone.
CREATE FUNCTION count_qr_codes() RETURNS trigger
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
COMMENT ON FUNCTION count_qr_codes() IS 'Counts the codes that a statement made.';

CREATE FUNCTION discount_qr_codes() RETURNS trigger
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
COMMENT ON FUNCTION discount_qr_codes() IS 'Takes the codes that a statement removed out of the counts.';

CREATE FUNCTION recount_qr_code() RETURNS trigger
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
COMMENT ON FUNCTION recount_qr_code() IS 'Counts a code in its new status, or for its new owner.';

REVOKE EXECUTE ON FUNCTION count_qr_codes(), discount_qr_codes(), recount_qr_code() FROM PUBLIC;

-- Nothing is made or changed between the count of what is there and the triggers.
LOCK TABLE qr_codes IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO qr_code_counts (owner_id, active, paused, lost, unclaimed, deleted)
SELECT owner_id, count(*) FILTER (WHERE status = 'ACTIVE'), count(*) FILTER (WHERE status = 'PAUSED'),
       count(*) FILTER (WHERE status = 'LOST'), count(*) FILTER (WHERE status = 'UNCLAIMED'),
       count(*) FILTER (WHERE status = 'DELETED')
FROM qr_codes GROUP BY owner_id;

CREATE TRIGGER qr_codes_counted AFTER INSERT ON qr_codes
  REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION count_qr_codes();
COMMENT ON TRIGGER qr_codes_counted ON qr_codes IS 'Keeps qr_code_counts in step with what is made.';
CREATE TRIGGER qr_codes_discounted AFTER DELETE ON qr_codes
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION discount_qr_codes();
COMMENT ON TRIGGER qr_codes_discounted ON qr_codes IS 'Keeps qr_code_counts in step with what is removed.';
-- Of these columns alone: a scan updates its code and must not wait for another scan.
CREATE TRIGGER qr_codes_recounted AFTER UPDATE OF status, owner_id ON qr_codes
  FOR EACH ROW WHEN (OLD.status <> NEW.status OR OLD.owner_id <> NEW.owner_id) EXECUTE FUNCTION recount_qr_code();
COMMENT ON TRIGGER qr_codes_recounted ON qr_codes IS 'Keeps qr_code_counts in step with changes of status and owner.';

CREATE INDEX qr_codes_expiring_idx ON qr_codes (owner_id, expires_at DESC, id DESC) INCLUDE (status)
  WHERE expires_at IS NOT NULL AND status <> 'DELETED';
COMMENT ON INDEX qr_codes_expiring_idx IS 'Serves: an owner''s codes that have expired, counted by status and latest first.';
CREATE INDEX qr_codes_lost_idx ON qr_codes (owner_id, created_at DESC, id DESC) WHERE status = 'LOST';
COMMENT ON INDEX qr_codes_lost_idx IS 'Serves: an owner''s lost codes, newest first.';
COMMENT ON CONSTRAINT qr_code_counts_pkey ON qr_code_counts IS 'One row an owner.';
COMMENT ON CONSTRAINT qr_code_counts_owner_id_fkey ON qr_code_counts IS 'The counts go with the account.';
COMMENT ON CONSTRAINT qr_code_counts_not_negative ON qr_code_counts IS 'Never below zero.';
