-- Administrators take down single codes; owners appeal.

ALTER TABLE qr_codes ADD COLUMN taken_down_at timestamptz(3);
COMMENT ON COLUMN qr_codes.taken_down_at IS 'Since when administrators withhold it from finders; null otherwise. Independent of the status, which is the owner''s.';
COMMENT ON COLUMN qr_codes.version IS 'Grows by one with each change by the owner, a take-down and its end.';
CREATE INDEX qr_codes_taken_down_idx ON qr_codes (created_at DESC, id DESC) WHERE taken_down_at IS NOT NULL;
COMMENT ON INDEX qr_codes_taken_down_idx IS 'Serves: the codes that are taken down, newest first, for administrators.';

CREATE TABLE qr_code_takedowns (
  id         text COLLATE "C" NOT NULL,
  qr_code_id text COLLATE "C" NOT NULL,
  owner_id   text COLLATE "C" NOT NULL,
  category   text NOT NULL,
  reason     bytea NOT NULL,
  ended_at   timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT qr_code_takedowns_pkey PRIMARY KEY (id),
  CONSTRAINT qr_code_takedowns_qr_code_id_fkey FOREIGN KEY (qr_code_id) REFERENCES qr_codes (id) ON DELETE CASCADE,
  CONSTRAINT qr_code_takedowns_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT qr_code_takedowns_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT qr_code_takedowns_category_known CHECK (category IN ('FRAUD', 'HARASSMENT', 'ILLEGAL', 'PRIVACY', 'OTHER'))
);
COMMENT ON TABLE qr_code_takedowns IS 'Take-downs of codes by administrators; deleted 180 days after their end, or after the code was purged.';
COMMENT ON COLUMN qr_code_takedowns.id IS 'Record id.';
COMMENT ON COLUMN qr_code_takedowns.qr_code_id IS 'The code.';
COMMENT ON COLUMN qr_code_takedowns.owner_id IS 'The owner of the code.';
COMMENT ON COLUMN qr_code_takedowns.category IS 'FRAUD, HARASSMENT, ILLEGAL, PRIVACY or OTHER.';
COMMENT ON COLUMN qr_code_takedowns.reason IS 'What the administrator writes to the owner about it, encrypted.';
COMMENT ON COLUMN qr_code_takedowns.ended_at IS 'When the code was reinstated; null while it is taken down.';
COMMENT ON COLUMN qr_code_takedowns.created_at IS 'When it was taken down; who did is in the audit trail.';
COMMENT ON CONSTRAINT qr_code_takedowns_pkey ON qr_code_takedowns IS 'One row for each id.';
COMMENT ON CONSTRAINT qr_code_takedowns_qr_code_id_fkey ON qr_code_takedowns IS 'With its code.';
COMMENT ON CONSTRAINT qr_code_takedowns_owner_id_fkey ON qr_code_takedowns IS 'With the owner of the code.';
COMMENT ON CONSTRAINT qr_code_takedowns_id_shape ON qr_code_takedowns IS 'A record id: 24 hexadecimal digits.';
COMMENT ON CONSTRAINT qr_code_takedowns_category_known ON qr_code_takedowns IS 'One of the five categories.';
CREATE UNIQUE INDEX qr_code_takedowns_current_key ON qr_code_takedowns (qr_code_id) WHERE ended_at IS NULL;
COMMENT ON INDEX qr_code_takedowns_current_key IS 'A code is taken down once at a time.';
CREATE INDEX qr_code_takedowns_qr_code_id_idx ON qr_code_takedowns (qr_code_id, created_at DESC, id DESC);
COMMENT ON INDEX qr_code_takedowns_qr_code_id_idx IS 'Serves: the last take-down of a code.';
CREATE INDEX qr_code_takedowns_owner_id_idx ON qr_code_takedowns (owner_id, created_at DESC, id DESC);
COMMENT ON INDEX qr_code_takedowns_owner_id_idx IS 'Serves: the export and the erasure of an account.';
CREATE INDEX qr_code_takedowns_ended_at_idx ON qr_code_takedowns (ended_at) WHERE ended_at IS NOT NULL;
COMMENT ON INDEX qr_code_takedowns_ended_at_idx IS 'Serves: the deletion of old take-downs.';
CREATE TRIGGER qr_code_takedowns_erasure_guard BEFORE INSERT ON qr_code_takedowns
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('owner_id');
COMMENT ON TRIGGER qr_code_takedowns_erasure_guard ON qr_code_takedowns IS 'No row is stored for an erased account.';

CREATE TABLE qr_code_appeals (
  id          text COLLATE "C" NOT NULL,
  takedown_id text COLLATE "C" NOT NULL,
  owner_id    text COLLATE "C" NOT NULL,
  message     bytea NOT NULL,
  decision    text,
  answer      bytea,
  decided_at  timestamptz(3),
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT qr_code_appeals_pkey PRIMARY KEY (id),
  CONSTRAINT qr_code_appeals_takedown_id_fkey FOREIGN KEY (takedown_id) REFERENCES qr_code_takedowns (id) ON DELETE CASCADE,
  CONSTRAINT qr_code_appeals_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT qr_code_appeals_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT qr_code_appeals_decision_known CHECK (decision IN ('REINSTATED', 'REJECTED')),
  CONSTRAINT qr_code_appeals_decision_complete CHECK ((decision IS NULL) = (decided_at IS NULL) AND (decision IS NOT NULL OR answer IS NULL))
);
COMMENT ON TABLE qr_code_appeals IS 'Appeals of owners against take-downs; deleted with these.';
COMMENT ON COLUMN qr_code_appeals.id IS 'Record id.';
COMMENT ON COLUMN qr_code_appeals.takedown_id IS 'The take-down.';
COMMENT ON COLUMN qr_code_appeals.owner_id IS 'The owner, who appealed.';
COMMENT ON COLUMN qr_code_appeals.message IS 'What the owner writes, encrypted.';
COMMENT ON COLUMN qr_code_appeals.decision IS 'REINSTATED or REJECTED; null while it is not decided.';
COMMENT ON COLUMN qr_code_appeals.answer IS 'What the administrator answers, encrypted; null without an answer.';
COMMENT ON COLUMN qr_code_appeals.decided_at IS 'When it was decided; who did is in the audit trail.';
COMMENT ON COLUMN qr_code_appeals.created_at IS 'When the owner appealed.';
COMMENT ON CONSTRAINT qr_code_appeals_pkey ON qr_code_appeals IS 'One row for each id.';
COMMENT ON CONSTRAINT qr_code_appeals_takedown_id_fkey ON qr_code_appeals IS 'With its take-down.';
COMMENT ON CONSTRAINT qr_code_appeals_owner_id_fkey ON qr_code_appeals IS 'With the owner.';
COMMENT ON CONSTRAINT qr_code_appeals_id_shape ON qr_code_appeals IS 'A record id: 24 hexadecimal digits.';
COMMENT ON CONSTRAINT qr_code_appeals_decision_known ON qr_code_appeals IS 'REINSTATED or REJECTED.';
COMMENT ON CONSTRAINT qr_code_appeals_decision_complete ON qr_code_appeals IS 'What is decided says when, what is not has no answer.';
CREATE UNIQUE INDEX qr_code_appeals_open_key ON qr_code_appeals (takedown_id) WHERE decision IS NULL;
COMMENT ON INDEX qr_code_appeals_open_key IS 'A take-down has one open appeal at a time.';
CREATE INDEX qr_code_appeals_takedown_id_idx ON qr_code_appeals (takedown_id, created_at DESC, id DESC);
COMMENT ON INDEX qr_code_appeals_takedown_id_idx IS 'Serves: the appeals against a take-down.';
CREATE INDEX qr_code_appeals_created_at_idx ON qr_code_appeals (created_at DESC, id DESC);
COMMENT ON INDEX qr_code_appeals_created_at_idx IS 'Serves: all appeals, newest first.';
CREATE INDEX qr_code_appeals_open_idx ON qr_code_appeals (created_at DESC, id DESC) WHERE decision IS NULL;
COMMENT ON INDEX qr_code_appeals_open_idx IS 'Serves: the appeals that are to be decided.';
CREATE INDEX qr_code_appeals_owner_id_idx ON qr_code_appeals (owner_id);
COMMENT ON INDEX qr_code_appeals_owner_id_idx IS 'Serves: the erasure of an account.';
CREATE TRIGGER qr_code_appeals_erasure_guard BEFORE INSERT ON qr_code_appeals
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('owner_id');
COMMENT ON TRIGGER qr_code_appeals_erasure_guard ON qr_code_appeals IS 'No row is stored for an erased account.';
