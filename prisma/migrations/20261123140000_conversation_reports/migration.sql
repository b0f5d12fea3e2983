-- Conversations that one of their sides reported to the administration, and what it decided.

CREATE TABLE conversation_reports (
  id              text COLLATE "C" NOT NULL,
  conversation_id text COLLATE "C" NOT NULL,
  owner_id        text COLLATE "C" NOT NULL,
  side            text NOT NULL,
  reason          text NOT NULL,
  note            bytea,
  decision        text,
  decision_note   bytea,
  decided_at      timestamptz(3),
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT conversation_reports_pkey PRIMARY KEY (id),
  CONSTRAINT conversation_reports_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations (id) ON DELETE CASCADE,
  CONSTRAINT conversation_reports_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT conversation_reports_side_key UNIQUE (conversation_id, side),
  CONSTRAINT conversation_reports_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT conversation_reports_side_known CHECK (side IN ('FINDER', 'OWNER')),
  CONSTRAINT conversation_reports_reason_known CHECK (reason IN ('SPAM', 'THREAT', 'HARASSMENT', 'FRAUD', 'OTHER')),
  CONSTRAINT conversation_reports_decision_known CHECK (decision IN ('DISMISSED', 'CONVERSATION_CLOSED', 'FINDER_BLOCKED')),
  CONSTRAINT conversation_reports_decision_whole CHECK ((decision IS NULL) = (decided_at IS NULL) AND (decision IS NOT NULL OR decision_note IS NULL))
);
COMMENT ON TABLE conversation_reports IS 'Conversations that one of their sides reported to the administration; gone with them, which stay as long as one is not decided.';
COMMENT ON COLUMN conversation_reports.id IS 'Record id.';
COMMENT ON COLUMN conversation_reports.conversation_id IS 'The conversation.';
COMMENT ON COLUMN conversation_reports.owner_id IS 'The owner of the code that it is about.';
COMMENT ON COLUMN conversation_reports.side IS 'Who reported it: FINDER or OWNER.';
COMMENT ON COLUMN conversation_reports.reason IS 'SPAM, THREAT, HARASSMENT, FRAUD or OTHER.';
COMMENT ON COLUMN conversation_reports.note IS 'What they say about it, encrypted; null where they do not.';
COMMENT ON COLUMN conversation_reports.decision IS 'DISMISSED, CONVERSATION_CLOSED or FINDER_BLOCKED; null while it is not decided.';
COMMENT ON COLUMN conversation_reports.decision_note IS 'What the administration notes about it for itself, encrypted.';
COMMENT ON COLUMN conversation_reports.decided_at IS 'When it was decided; who did is in the audit trail.';
COMMENT ON COLUMN conversation_reports.created_at IS 'When it was reported.';
COMMENT ON CONSTRAINT conversation_reports_pkey ON conversation_reports IS 'One row a record id.';
COMMENT ON CONSTRAINT conversation_reports_conversation_id_fkey ON conversation_reports IS 'With its conversation.';
COMMENT ON CONSTRAINT conversation_reports_owner_id_fkey ON conversation_reports IS 'With the owner of the code.';
COMMENT ON CONSTRAINT conversation_reports_side_key ON conversation_reports IS 'Each side reports a conversation once.';
COMMENT ON CONSTRAINT conversation_reports_id_shape ON conversation_reports IS 'A record id: 24 hexadecimal digits.';
COMMENT ON CONSTRAINT conversation_reports_side_known ON conversation_reports IS 'FINDER or OWNER.';
COMMENT ON CONSTRAINT conversation_reports_reason_known ON conversation_reports IS 'One of the five reasons.';
COMMENT ON CONSTRAINT conversation_reports_decision_known ON conversation_reports IS 'One of the three decisions.';
COMMENT ON CONSTRAINT conversation_reports_decision_whole ON conversation_reports IS 'What is decided says when, what is not has no note of it.';
CREATE INDEX conversation_reports_created_at_idx ON conversation_reports (created_at DESC, id DESC);
COMMENT ON INDEX conversation_reports_created_at_idx IS 'Serves: all reports, newest first.';
CREATE INDEX conversation_reports_open_idx ON conversation_reports (created_at DESC, id DESC) WHERE decision IS NULL;
COMMENT ON INDEX conversation_reports_open_idx IS 'Serves: the reports that are to be decided, and how many they are.';
CREATE INDEX conversation_reports_owner_id_idx ON conversation_reports (owner_id, id);
COMMENT ON INDEX conversation_reports_owner_id_idx IS 'Serves: the erasure of an account.';
CREATE TRIGGER conversation_reports_of_living BEFORE INSERT ON conversation_reports
  FOR EACH ROW EXECUTE FUNCTION refuse_for_erased('owner_id');
COMMENT ON TRIGGER conversation_reports_of_living ON conversation_reports IS 'Nothing new is kept of an erased account.';

ALTER TABLE conversations DROP CONSTRAINT conversations_ended_by_known,
  ADD CONSTRAINT conversations_ended_by_known CHECK (ended_by IN ('FINDER', 'OWNER', 'ADMINISTRATION'));
COMMENT ON CONSTRAINT conversations_ended_by_known ON conversations IS 'FINDER, OWNER or ADMINISTRATION.';
COMMENT ON COLUMN conversations.ended_by IS 'FINDER, OWNER, or ADMINISTRATION after a report; null while it is open.';
COMMENT ON TABLE conversations IS 'A conversation between whoever scanned a code and its owner; removed 90 days after its last message, or once what was reported of it is decided.';
