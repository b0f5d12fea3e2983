-- Compatible with earlier versions: yes
-- What statements read of an account, and which users act for it.
ALTER TABLE accounts
  ADD COLUMN type text NOT NULL DEFAULT 'PERSONAL'
    CONSTRAINT accounts_type_known CHECK (type IN ('PERSONAL', 'ORGANIZATION'))
    CONSTRAINT accounts_personal_has_user CHECK ((type = 'ORGANIZATION') = (user_id IS NULL)),
  ADD COLUMN name text
    CONSTRAINT accounts_name_bounded CHECK (length(name) BETWEEN 1 AND 200)
    CONSTRAINT accounts_organization_has_name CHECK ((type = 'PERSONAL') = (name IS NULL)),
  ADD COLUMN status text NOT NULL DEFAULT 'ACTIVE'
    CONSTRAINT accounts_status_known CHECK (status IN ('ACTIVE', 'SUSPENDED', 'DELETED')),
  ADD COLUMN language text NOT NULL DEFAULT 'en',
  ADD COLUMN time_zone text NOT NULL DEFAULT 'UTC',
  ADD COLUMN enterprise_mode boolean NOT NULL DEFAULT false,
  ADD COLUMN updated_at timestamptz(3) NOT NULL DEFAULT now();
COMMENT ON TABLE accounts IS 'Owns codes, documents, memory tags and all that belongs to them. Users act for it.';
COMMENT ON COLUMN accounts.user_id IS 'The user whose personal account it is; null for an organization.';
COMMENT ON COLUMN accounts.type IS 'PERSONAL: of one user; ORGANIZATION: of its members.';
COMMENT ON COLUMN accounts.name IS 'Name of an organization; null for a personal account, whose user has one.';
COMMENT ON COLUMN accounts.status IS 'ACTIVE, SUSPENDED or DELETED. Of a personal account: that of its user, where one without a profile is ACTIVE too.';
COMMENT ON COLUMN accounts.language IS 'Language for what belongs to the account (BCP 47). Of a personal account: that of its user.';
COMMENT ON COLUMN accounts.time_zone IS 'Time zone (IANA) by which its days are counted. Of a personal account: that of its user.';
COMMENT ON COLUMN accounts.enterprise_mode IS 'Whether the rules of enterprise mode hold for it. Of a personal account: as for its user.';
COMMENT ON COLUMN accounts.updated_at IS 'When it was last changed.';
COMMENT ON CONSTRAINT accounts_type_known ON accounts IS 'PERSONAL or ORGANIZATION.';
COMMENT ON CONSTRAINT accounts_personal_has_user ON accounts IS 'A personal account has a user, an organization has none.';
COMMENT ON CONSTRAINT accounts_name_bounded ON accounts IS '1 to 200 characters.';
COMMENT ON CONSTRAINT accounts_organization_has_name ON accounts IS 'An organization has a name, a personal account has none.';
COMMENT ON CONSTRAINT accounts_status_known ON accounts IS 'ACTIVE, SUSPENDED or DELETED.';

CREATE TABLE memberships (
  account_id text COLLATE "C" NOT NULL CONSTRAINT memberships_account_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
  user_id text COLLATE "C" NOT NULL CONSTRAINT memberships_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
  role text NOT NULL
    CONSTRAINT memberships_role_known CHECK (role IN ('OWNER', 'MANAGER', 'EDITOR', 'RESPONDER', 'VIEWER', 'BILLING')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT memberships_pkey PRIMARY KEY (account_id, user_id)
);
CREATE INDEX memberships_user_id_idx ON memberships (user_id, account_id);
COMMENT ON TABLE memberships IS 'Which users act for which account, and what they may do there. A personal account has its user as OWNER.';
COMMENT ON COLUMN memberships.account_id IS 'The account.';
COMMENT ON COLUMN memberships.user_id IS 'The user who acts for it.';
COMMENT ON COLUMN memberships.role IS 'OWNER, MANAGER, EDITOR, RESPONDER, VIEWER or BILLING.';
COMMENT ON COLUMN memberships.created_at IS 'Since when.';
COMMENT ON CONSTRAINT memberships_pkey ON memberships IS 'One membership per account and user.';
COMMENT ON CONSTRAINT memberships_account_id_fkey ON memberships IS 'Memberships go with their account.';
COMMENT ON CONSTRAINT memberships_user_id_fkey ON memberships IS 'Memberships go with their user; rows of users are deleted only before the address is confirmed.';
COMMENT ON CONSTRAINT memberships_role_known ON memberships IS 'A role of an account.';
COMMENT ON INDEX memberships_user_id_idx IS 'Lists the accounts of a user.';
