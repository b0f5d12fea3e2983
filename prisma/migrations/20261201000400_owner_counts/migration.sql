-- Compatible with earlier versions: yes
-- An organization has an owner, also where two leave at once. Until now each has had one, whoever created it.
ALTER TABLE accounts
  ADD COLUMN owner_count integer NOT NULL DEFAULT 1
    CONSTRAINT accounts_has_owner CHECK (owner_count >= 1 OR status = 'DELETED');
COMMENT ON COLUMN accounts.owner_count IS 'Members with the role OWNER, counted by the statements that change memberships; of a personal account it stays 1.';
COMMENT ON CONSTRAINT accounts_has_owner ON accounts IS 'Somebody can always decide on an account, until it is erased.';
