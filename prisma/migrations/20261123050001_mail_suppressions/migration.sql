-- Addresses that want no mails which anybody can cause, and addresses of finders that were confirmed.

CREATE TABLE mail_suppressions (
  recipient_hash bytea NOT NULL,
  created_at     timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT mail_suppressions_pkey PRIMARY KEY (recipient_hash)
);
COMMENT ON TABLE mail_suppressions IS 'Addresses that get no mails which anybody can cause by typing the address.';
COMMENT ON COLUMN mail_suppressions.recipient_hash IS 'Keyed hash of the address.';
COMMENT ON COLUMN mail_suppressions.created_at IS 'When the link in a mail was used.';
COMMENT ON CONSTRAINT mail_suppressions_pkey ON mail_suppressions IS 'One row an address.';

ALTER TABLE conversations ADD COLUMN finder_email_confirmed_at timestamptz(3);
COMMENT ON COLUMN conversations.finder_email_confirmed_at IS 'When the finder opened the link in the mail to their address; before that nothing else is sent there.';

COMMENT ON COLUMN conversations.finder_hash IS 'Keyed hash of owner and network: by which an owner blocks a finder.';
COMMENT ON COLUMN blocked_finders.finder_hash IS 'Keyed hash of owner and network.';
