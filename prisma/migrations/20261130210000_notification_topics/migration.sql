-- Compatible with earlier versions: yes
-- Which account a notification is about, and what each member of an account is notified of.
ALTER TABLE memberships
  ADD COLUMN topics text[] NOT NULL DEFAULT '{SCANS,MESSAGES,DOCUMENTS,CODES,BILLING,DEVELOPERS}'
    CONSTRAINT memberships_topics_known CHECK (topics <@ '{SCANS,MESSAGES,DOCUMENTS,CODES,BILLING,DEVELOPERS}'::text[]);
COMMENT ON COLUMN memberships.topics IS 'What the user is notified of in this account, as far as the role allows it: SCANS, MESSAGES, DOCUMENTS, CODES, BILLING, DEVELOPERS.';
COMMENT ON CONSTRAINT memberships_topics_known ON memberships IS 'Topics of notifications.';

ALTER TABLE notifications ADD COLUMN account_id text COLLATE "C";
COMMENT ON COLUMN notifications.account_id IS 'The account that it is about: for what concerns the recipient alone, the personal account.';
