-- Compatible with earlier versions: yes
-- Owners and managers change roles at the same time: each change names the version that it has read.
ALTER TABLE memberships
  ADD COLUMN version integer NOT NULL DEFAULT 1,
  ADD COLUMN updated_at timestamptz(3) NOT NULL DEFAULT now();
COMMENT ON COLUMN memberships.version IS 'Counts changes of the role.';
COMMENT ON COLUMN memberships.updated_at IS 'When the role was last changed.';
