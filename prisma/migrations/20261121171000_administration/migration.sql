-- Administration: suspending and restoring people, finding them among many, and breaking the glass.

ALTER TABLE users ADD COLUMN status_before text;
ALTER TABLE users ADD CONSTRAINT users_status_before_known CHECK (status_before IN ('PENDING_VERIFICATION', 'VERIFIED', 'ACTIVE'));
ALTER TABLE users ADD CONSTRAINT users_status_before_of_suspended CHECK (status_before IS NULL OR status = 'SUSPENDED');
COMMENT ON COLUMN users.status_before IS 'The status of a suspended person before that: it comes back when they are restored.';

ALTER TABLE users ADD COLUMN search_text text NOT NULL GENERATED ALWAYS AS (
  lower(email || chr(10) || coalesce(first_name, '') || ' ' || coalesce(last_name, '') || chr(10) || coalesce(organization_name, ''))
) STORED;
COMMENT ON COLUMN users.search_text IS 'Address, name and organization in lower case, one a line, for search by staff.';
CREATE INDEX users_search_idx ON users USING gin (search_text gin_trgm_ops);
COMMENT ON INDEX users_search_idx IS 'Serves: staff looking for a person by three letters or more.';
CREATE INDEX users_status_idx ON users (status, id DESC);
COMMENT ON INDEX users_status_idx IS 'Serves: the people of a status, newest first, and their number.';

CREATE INDEX qr_codes_deleted_search_idx ON qr_codes USING gin (search_text gin_trgm_ops) WHERE status = 'DELETED';
COMMENT ON INDEX qr_codes_deleted_search_idx IS 'Serves: staff looking for a code by its title, among deleted ones too.';

CREATE TABLE break_glass_grants (
  id               text COLLATE "C" NOT NULL,
  administrator_id text COLLATE "C" NOT NULL,
  owner_id         text COLLATE "C" NOT NULL,
  resource_type    text NOT NULL,
  resource_id      text COLLATE "C" NOT NULL,
  reason           bytea NOT NULL,
  created_at       timestamptz(3) NOT NULL DEFAULT now(),
  expires_at       timestamptz(3) NOT NULL,
  CONSTRAINT break_glass_grants_pkey PRIMARY KEY (id),
  CONSTRAINT break_glass_grants_administrator_id_fkey FOREIGN KEY (administrator_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT break_glass_grants_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE RESTRICT,
  CONSTRAINT break_glass_grants_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT break_glass_grants_resource_type_known CHECK (resource_type IN ('QRCODE', 'SCAN')),
  CONSTRAINT break_glass_grants_ends CHECK (expires_at > created_at)
);
COMMENT ON TABLE break_glass_grants IS 'Emergencies in which an administrator reads one record that is not theirs, for a quarter of an hour.';
COMMENT ON COLUMN break_glass_grants.id IS 'Record id.';
COMMENT ON COLUMN break_glass_grants.administrator_id IS 'Who reads.';
COMMENT ON COLUMN break_glass_grants.owner_id IS 'Whose record; they are told.';
COMMENT ON COLUMN break_glass_grants.resource_type IS 'QRCODE or SCAN.';
COMMENT ON COLUMN break_glass_grants.resource_id IS 'The one record.';
COMMENT ON COLUMN break_glass_grants.reason IS 'The reason as the administrator stated it, encrypted.';
COMMENT ON COLUMN break_glass_grants.created_at IS 'When the glass was broken.';
COMMENT ON COLUMN break_glass_grants.expires_at IS 'End of the quarter of an hour.';
CREATE INDEX break_glass_grants_administrator_id_idx ON break_glass_grants (administrator_id, resource_id, expires_at DESC);
COMMENT ON INDEX break_glass_grants_administrator_id_idx IS 'Serves: may this administrator read this record now?';
CREATE INDEX break_glass_grants_owner_id_idx ON break_glass_grants (owner_id);
COMMENT ON INDEX break_glass_grants_owner_id_idx IS 'Serves: the deletion of a person.';
