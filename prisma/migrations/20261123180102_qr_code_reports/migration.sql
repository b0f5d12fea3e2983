-- Strangers report codes to the administrators.

CREATE TABLE qr_code_reports (
  id           text COLLATE "C" NOT NULL,
  qr_code_id   text COLLATE "C" NOT NULL,
  owner_id     text COLLATE "C" NOT NULL,
  network_hash bytea NOT NULL,
  category     text NOT NULL,
  note         bytea,
  count        integer NOT NULL DEFAULT 1,
  decision     text,
  decided_at   timestamptz(3),
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT qr_code_reports_pkey PRIMARY KEY (id),
  CONSTRAINT qr_code_reports_qr_code_id_fkey FOREIGN KEY (qr_code_id) REFERENCES qr_codes (id) ON DELETE CASCADE,
  CONSTRAINT qr_code_reports_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT qr_code_reports_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT qr_code_reports_network_hash_length CHECK (octet_length(network_hash) = 32),
  CONSTRAINT qr_code_reports_category_known CHECK (category IN ('FRAUD', 'HARASSMENT', 'ILLEGAL', 'PRIVACY', 'OTHER')),
  CONSTRAINT qr_code_reports_count_positive CHECK (count > 0),
  CONSTRAINT qr_code_reports_decision_known CHECK (decision IN ('DISMISSED', 'TAKEN_DOWN')),
  CONSTRAINT qr_code_reports_decision_complete CHECK ((decision IS NULL) = (decided_at IS NULL))
);
COMMENT ON TABLE qr_code_reports IS 'Reports of codes by strangers; deleted 90 days after the decision, undecided ones after 180 days.';
COMMENT ON COLUMN qr_code_reports.id IS 'Record id.';
COMMENT ON COLUMN qr_code_reports.qr_code_id IS 'The code.';
COMMENT ON COLUMN qr_code_reports.owner_id IS 'The owner of the code, who never learns of the report.';
COMMENT ON COLUMN qr_code_reports.network_hash IS 'Keyed hash of code and network that the report came from: a network has one undecided report of a code.';
COMMENT ON COLUMN qr_code_reports.category IS 'FRAUD, HARASSMENT, ILLEGAL, PRIVACY or OTHER.';
COMMENT ON COLUMN qr_code_reports.note IS 'What the reporter writes, encrypted; null without a text.';
COMMENT ON COLUMN qr_code_reports.count IS 'How often it was reported, with repeats that are not stored.';
COMMENT ON COLUMN qr_code_reports.decision IS 'DISMISSED or TAKEN_DOWN; null while it is not decided.';
COMMENT ON COLUMN qr_code_reports.decided_at IS 'When it was decided; who did is in the audit trail.';
COMMENT ON COLUMN qr_code_reports.created_at IS 'When it was first reported.';
COMMENT ON CONSTRAINT qr_code_reports_pkey ON qr_code_reports IS 'One row for each id.';
COMMENT ON CONSTRAINT qr_code_reports_qr_code_id_fkey ON qr_code_reports IS 'With its code.';
COMMENT ON CONSTRAINT qr_code_reports_owner_id_fkey ON qr_code_reports IS 'With the owner of the code.';
COMMENT ON CONSTRAINT qr_code_reports_id_shape ON qr_code_reports IS 'A record id: 24 hexadecimal digits.';
COMMENT ON CONSTRAINT qr_code_reports_network_hash_length ON qr_code_reports IS 'A SHA-256: 32 bytes.';
COMMENT ON CONSTRAINT qr_code_reports_category_known ON qr_code_reports IS 'One of the five categories.';
COMMENT ON CONSTRAINT qr_code_reports_count_positive ON qr_code_reports IS 'At least the report itself.';
COMMENT ON CONSTRAINT qr_code_reports_decision_known ON qr_code_reports IS 'DISMISSED or TAKEN_DOWN.';
COMMENT ON CONSTRAINT qr_code_reports_decision_complete ON qr_code_reports IS 'What is decided says when.';
CREATE UNIQUE INDEX qr_code_reports_open_key ON qr_code_reports (qr_code_id, network_hash) WHERE decision IS NULL;
COMMENT ON INDEX qr_code_reports_open_key IS 'A network has one undecided report of a code.';
CREATE INDEX qr_code_reports_qr_code_id_idx ON qr_code_reports (qr_code_id, created_at DESC, id DESC);
COMMENT ON INDEX qr_code_reports_qr_code_id_idx IS 'Serves: the reports of a code, newest first, and the deletion of a code.';
CREATE INDEX qr_code_reports_created_at_idx ON qr_code_reports (created_at);
COMMENT ON INDEX qr_code_reports_created_at_idx IS 'Serves: the deletion of old reports.';
CREATE INDEX qr_code_reports_owner_id_idx ON qr_code_reports (owner_id);
COMMENT ON INDEX qr_code_reports_owner_id_idx IS 'Serves: the erasure of an account.';
CREATE TRIGGER qr_code_reports_erasure_guard BEFORE INSERT ON qr_code_reports
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('owner_id');
COMMENT ON TRIGGER qr_code_reports_erasure_guard ON qr_code_reports IS 'No row is stored for an erased account.';
