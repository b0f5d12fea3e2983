-- Conversations between a finder and the owner of a code. Neither learns how to reach the other outside of them.

CREATE TABLE conversations (
  id              text COLLATE "C" NOT NULL,
  qr_code_id      text COLLATE "C" NOT NULL,
  owner_id        text COLLATE "C" NOT NULL,
  scan_id         text COLLATE "C" NOT NULL,
  from_scan       boolean NOT NULL DEFAULT true,
  finder_hash     bytea NOT NULL,
  finder_name     bytea,
  finder_email    bytea,
  finder_language text NOT NULL DEFAULT 'en',
  status          text NOT NULL DEFAULT 'OPEN',
  ended_by        text,
  ended_at        timestamptz(3),
  last_message_at timestamptz(3) NOT NULL,
  expires_at      timestamptz(3) NOT NULL,
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT conversations_pkey PRIMARY KEY (id),
  CONSTRAINT conversations_qr_code_id_fkey FOREIGN KEY (qr_code_id) REFERENCES qr_codes (id) ON DELETE CASCADE,
  CONSTRAINT conversations_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT conversations_scan_id_key UNIQUE (scan_id),
  CONSTRAINT conversations_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT conversations_scan_id_shape CHECK (scan_id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT conversations_status_known CHECK (status IN ('OPEN', 'ENDED')),
  CONSTRAINT conversations_end_complete CHECK ((status = 'ENDED') = (ended_at IS NOT NULL) AND (status = 'ENDED') = (ended_by IS NOT NULL)),
  CONSTRAINT conversations_ended_by_known CHECK (ended_by IN ('FINDER', 'OWNER', 'ADMINISTRATION'))
);
COMMENT ON TABLE conversations IS 'A conversation between whoever scanned a code and its owner; removed 90 days after its last message, or later once what was reported of it is decided, at most 180 days after the report.';
COMMENT ON COLUMN conversations.id IS 'Record id.';
COMMENT ON COLUMN conversations.qr_code_id IS 'The code that was scanned.';
COMMENT ON COLUMN conversations.owner_id IS 'Its owner.';
COMMENT ON COLUMN conversations.scan_id IS 'The scan that it was begun from, or the visit where from_scan is false. Without a foreign key: scans are dropped a month at a time.';
COMMENT ON COLUMN conversations.from_scan IS 'Whether it was begun from a scan; false where the code was paused or expired, so that there is none.';
COMMENT ON COLUMN conversations.finder_hash IS 'Keyed hash of owner, address and agent: by which an owner blocks a finder.';
COMMENT ON COLUMN conversations.finder_name IS 'What the finder calls themselves, encrypted; null where they do not say.';
COMMENT ON COLUMN conversations.finder_email IS 'Where the finder hears of an answer, encrypted; null where they do not want to, or no more.';
COMMENT ON COLUMN conversations.finder_language IS 'The language that the finder''s browser asked for (BCP 47).';
COMMENT ON COLUMN conversations.status IS 'OPEN, or ENDED: nobody can write in it any more.';
COMMENT ON COLUMN conversations.ended_by IS 'FINDER, OWNER, or ADMINISTRATION after a report; null while it is open.';
COMMENT ON COLUMN conversations.ended_at IS 'When it was ended.';
COMMENT ON COLUMN conversations.last_message_at IS 'When the last message was written.';
COMMENT ON COLUMN conversations.expires_at IS 'When it is removed.';
COMMENT ON COLUMN conversations.created_at IS 'When the row was made.';
COMMENT ON CONSTRAINT conversations_pkey ON conversations IS 'One row a record id.';
COMMENT ON CONSTRAINT conversations_qr_code_id_fkey ON conversations IS 'With its code.';
COMMENT ON CONSTRAINT conversations_owner_id_fkey ON conversations IS 'With the owner of its code.';
COMMENT ON CONSTRAINT conversations_scan_id_key ON conversations IS 'A scan, or a visit without one, has one conversation.';
COMMENT ON CONSTRAINT conversations_status_known ON conversations IS 'OPEN or ENDED.';
COMMENT ON CONSTRAINT conversations_end_complete ON conversations IS 'What has ended says when and by whom, what is open says neither.';
COMMENT ON CONSTRAINT conversations_ended_by_known ON conversations IS 'FINDER, OWNER or ADMINISTRATION.';
CREATE INDEX conversations_owner_id_idx ON conversations (owner_id, last_message_at DESC, id DESC);
COMMENT ON INDEX conversations_owner_id_idx IS 'Serves: an owner''s conversations, the last one written in first, and the erasure of an account.';
CREATE INDEX conversations_qr_code_id_idx ON conversations (qr_code_id);
COMMENT ON INDEX conversations_qr_code_id_idx IS 'Serves: the conversations of a code.';
CREATE INDEX conversations_expires_at_idx ON conversations (expires_at);
COMMENT ON INDEX conversations_expires_at_idx IS 'Serves: the removal of what is old.';
CREATE TRIGGER conversations_erasure_guard BEFORE INSERT ON conversations
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('owner_id');
COMMENT ON TRIGGER conversations_erasure_guard ON conversations IS 'No conversation is started with an erased account.';

CREATE TABLE conversation_messages (
  id              text COLLATE "C" NOT NULL,
  conversation_id text COLLATE "C" NOT NULL,
  owner_id        text COLLATE "C" NOT NULL,
  sender          text NOT NULL,
  content         bytea NOT NULL,
  read_at         timestamptz(3),
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT conversation_messages_pkey PRIMARY KEY (id),
  CONSTRAINT conversation_messages_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations (id) ON DELETE CASCADE,
  CONSTRAINT conversation_messages_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT conversation_messages_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT conversation_messages_sender_known CHECK (sender IN ('FINDER', 'OWNER'))
);
COMMENT ON TABLE conversation_messages IS 'The messages of conversations; written and never changed.';
COMMENT ON COLUMN conversation_messages.id IS 'Record id.';
COMMENT ON COLUMN conversation_messages.conversation_id IS 'The conversation.';
COMMENT ON COLUMN conversation_messages.owner_id IS 'The owner of the code that it is about.';
COMMENT ON COLUMN conversation_messages.sender IS 'FINDER or OWNER.';
COMMENT ON COLUMN conversation_messages.content IS 'A ready sentence by its name, and a text, encrypted.';
COMMENT ON COLUMN conversation_messages.read_at IS 'When the other side read it.';
COMMENT ON COLUMN conversation_messages.created_at IS 'When it was written.';
COMMENT ON CONSTRAINT conversation_messages_pkey ON conversation_messages IS 'One row a record id.';
COMMENT ON CONSTRAINT conversation_messages_conversation_id_fkey ON conversation_messages IS 'With its conversation.';
COMMENT ON CONSTRAINT conversation_messages_owner_id_fkey ON conversation_messages IS 'With the owner of the code.';
COMMENT ON CONSTRAINT conversation_messages_sender_known ON conversation_messages IS 'FINDER or OWNER.';
CREATE INDEX conversation_messages_conversation_id_idx ON conversation_messages (conversation_id, created_at DESC, id DESC);
COMMENT ON INDEX conversation_messages_conversation_id_idx IS 'Serves: the messages of a conversation, newest first.';
CREATE INDEX conversation_messages_unread_idx ON conversation_messages (owner_id, conversation_id) WHERE read_at IS NULL AND sender = 'FINDER';
COMMENT ON INDEX conversation_messages_unread_idx IS 'Serves: how many messages an owner has not read.';
CREATE INDEX conversation_messages_owner_id_idx ON conversation_messages (owner_id, id);
COMMENT ON INDEX conversation_messages_owner_id_idx IS 'Serves: the erasure of an account.';

CREATE TABLE blocked_finders (
  owner_id    text COLLATE "C" NOT NULL,
  finder_hash bytea NOT NULL,
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT blocked_finders_pkey PRIMARY KEY (owner_id, finder_hash),
  CONSTRAINT blocked_finders_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE
);
COMMENT ON TABLE blocked_finders IS 'Finders who begin no further conversation with an owner.';
COMMENT ON COLUMN blocked_finders.owner_id IS 'Who wants no message from them.';
COMMENT ON COLUMN blocked_finders.finder_hash IS 'Keyed hash of owner, address and agent.';
COMMENT ON COLUMN blocked_finders.created_at IS 'When they were blocked.';
COMMENT ON CONSTRAINT blocked_finders_pkey ON blocked_finders IS 'A finder is blocked once by an owner.';
COMMENT ON CONSTRAINT blocked_finders_owner_id_fkey ON blocked_finders IS 'With the owner.';

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
  CONSTRAINT conversation_reports_decision_complete CHECK ((decision IS NULL) = (decided_at IS NULL) AND (decision IS NOT NULL OR decision_note IS NULL))
);
COMMENT ON TABLE conversation_reports IS 'Conversations that one of their sides reported to the administration; gone with them, which stay as long as one is not decided, for 180 days at most.';
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
COMMENT ON CONSTRAINT conversation_reports_side_known ON conversation_reports IS 'FINDER or OWNER.';
COMMENT ON CONSTRAINT conversation_reports_reason_known ON conversation_reports IS 'One of the five reasons.';
COMMENT ON CONSTRAINT conversation_reports_decision_known ON conversation_reports IS 'One of the three decisions.';
COMMENT ON CONSTRAINT conversation_reports_decision_complete ON conversation_reports IS 'What is decided says when, what is not has no note of it.';
CREATE INDEX conversation_reports_created_at_idx ON conversation_reports (created_at DESC, id DESC);
COMMENT ON INDEX conversation_reports_created_at_idx IS 'Serves: all reports, newest first.';
CREATE INDEX conversation_reports_open_idx ON conversation_reports (created_at DESC, id DESC) WHERE decision IS NULL;
COMMENT ON INDEX conversation_reports_open_idx IS 'Serves: the reports that are to be decided, and how many they are.';
CREATE INDEX conversation_reports_owner_id_idx ON conversation_reports (owner_id, id);
COMMENT ON INDEX conversation_reports_owner_id_idx IS 'Serves: the erasure of an account.';
CREATE TRIGGER conversation_reports_erasure_guard BEFORE INSERT ON conversation_reports
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('owner_id');
COMMENT ON TRIGGER conversation_reports_erasure_guard ON conversation_reports IS 'No row is stored for an erased account.';
