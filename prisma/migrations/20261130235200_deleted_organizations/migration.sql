-- Organizations can be deleted: after a time in which their owners can restore them, they are erased as accounts of users are.
ALTER TABLE accounts
  ADD COLUMN delete_after timestamptz(3)
    CONSTRAINT accounts_deletion_of_organization CHECK (delete_after IS NULL OR type = 'ORGANIZATION');
COMMENT ON COLUMN accounts.delete_after IS 'When an organization is erased that an owner has deleted; null for all others.';
COMMENT ON CONSTRAINT accounts_deletion_of_organization ON accounts IS 'A personal account is erased with its user, at once.';

-- An erased organization has no name.
ALTER TABLE accounts DROP CONSTRAINT accounts_organization_has_name;
ALTER TABLE accounts ADD CONSTRAINT accounts_organization_has_name
  CHECK ((type = 'ORGANIZATION' AND status <> 'DELETED') = (name IS NOT NULL));
COMMENT ON CONSTRAINT accounts_organization_has_name ON accounts IS 'An organization has a name until it is erased, a personal account has none.';
COMMENT ON COLUMN accounts.name IS 'Name of an organization until it is erased; null for a personal account, whose user has one.';

ALTER TABLE erasures DROP CONSTRAINT erasures_user_id_fkey;
ALTER TABLE erasures ADD CONSTRAINT erasures_user_id_fkey FOREIGN KEY (user_id) REFERENCES accounts (id) ON DELETE CASCADE;
COMMENT ON COLUMN erasures.user_id IS 'The anonymous row that remains of the account, which for a personal one is that of its user too.';
COMMENT ON CONSTRAINT erasures_user_id_fkey ON erasures IS 'Deleted with the account.';
