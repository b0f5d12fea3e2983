-- Compatible with earlier versions: yes
-- Organizations are changed by several members: each change names the version that it has read.
ALTER TABLE accounts ADD COLUMN version integer NOT NULL DEFAULT 1;
COMMENT ON COLUMN accounts.version IS 'Counts changes of an organization; of a personal account it stays 1.';
