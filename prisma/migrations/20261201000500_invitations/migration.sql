-- Compatible with earlier versions: yes
CREATE TABLE invitations (
  account_id   text COLLATE "C" NOT NULL,
  id           text COLLATE "C" NOT NULL,
  email        bytea NOT NULL,
  email_hash   bytea NOT NULL,
  role         text NOT NULL,
  status       text NOT NULL DEFAULT 'PENDING',
  token_hash   bytea NOT NULL,
  invited_by   text COLLATE "C",
  sends        integer NOT NULL DEFAULT 1,
  last_sent_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at   timestamptz(3) NOT NULL,
  ended_at     timestamptz(3),
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT invitations_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT invitations_id_key UNIQUE (id),
  CONSTRAINT invitations_token_hash_key UNIQUE (token_hash),
  CONSTRAINT invitations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE,
  CONSTRAINT invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users (id) ON DELETE SET NULL,
  CONSTRAINT invitations_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT invitations_role_known CHECK (role IN ('MANAGER', 'EDITOR', 'RESPONDER', 'VIEWER', 'BILLING')),
  CONSTRAINT invitations_status_known CHECK (status IN ('PENDING', 'ACCEPTED', 'DECLINED', 'REVOKED')),
  CONSTRAINT invitations_ended CHECK ((status = 'PENDING') = (ended_at IS NULL)),
  CONSTRAINT invitations_sends_positive CHECK (sends >= 1)
);
COMMENT ON TABLE invitations IS 'Who is invited to an organization, by an address that may or may not have an account.';
COMMENT ON COLUMN invitations.account_id IS 'The organization.';
COMMENT ON COLUMN invitations.id IS 'Record id.';
COMMENT ON COLUMN invitations.email IS 'The invited address, encrypted.';
COMMENT ON COLUMN invitations.email_hash IS 'Keyed hash of the address.';
COMMENT ON COLUMN invitations.role IS 'What the member becomes. An owner is never invited: owners make a member one.';
COMMENT ON COLUMN invitations.status IS 'PENDING until it is answered or revoked, also when it has expired.';
COMMENT ON COLUMN invitations.token_hash IS 'Hash of the random token in the link of the newest email.';
COMMENT ON COLUMN invitations.invited_by IS 'Who sent the newest email. It counts as long as they may invite; null once they are gone.';
COMMENT ON COLUMN invitations.sends IS 'How many emails were sent.';
COMMENT ON COLUMN invitations.last_sent_at IS 'When the newest email was sent.';
COMMENT ON COLUMN invitations.expires_at IS 'Until when the link of the newest email works.';
COMMENT ON COLUMN invitations.ended_at IS 'When it was answered or revoked; null while it is pending.';
COMMENT ON COLUMN invitations.created_at IS 'When the address was invited first.';
COMMENT ON CONSTRAINT invitations_pkey ON invitations IS 'One row a record id.';
COMMENT ON CONSTRAINT invitations_id_key ON invitations IS 'The rotation of keys walks along it.';
COMMENT ON CONSTRAINT invitations_token_hash_key ON invitations IS 'The link finds one invitation, whatever its organization is.';
COMMENT ON CONSTRAINT invitations_account_id_fkey ON invitations IS 'Deleted with its organization.';
COMMENT ON CONSTRAINT invitations_invited_by_fkey ON invitations IS 'A user.';
COMMENT ON CONSTRAINT invitations_id_shape ON invitations IS '24 hexadecimal digits.';
COMMENT ON CONSTRAINT invitations_role_known ON invitations IS 'Roles of members, without OWNER.';
COMMENT ON CONSTRAINT invitations_status_known ON invitations IS 'Known states.';
COMMENT ON CONSTRAINT invitations_ended ON invitations IS 'Whatever is not pending has ended at a time.';
COMMENT ON CONSTRAINT invitations_sends_positive ON invitations IS 'Sent at least once.';
CREATE UNIQUE INDEX invitations_pending_key ON invitations (account_id, email_hash) WHERE status = 'PENDING';
COMMENT ON INDEX invitations_pending_key IS 'An address has one pending invitation to an organization.';
