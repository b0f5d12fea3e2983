-- Compatible with earlier versions: yes
CREATE TABLE saved_views (
  account_id text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  name       text NOT NULL,
  query      jsonb NOT NULL,
  position   integer NOT NULL,
  version    integer NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at timestamptz(3),
  CONSTRAINT saved_views_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT saved_views_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE,
  CONSTRAINT saved_views_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT saved_views_name_length CHECK (char_length(name) BETWEEN 1 AND 60),
  CONSTRAINT saved_views_query_is_object CHECK (jsonb_typeof(query) = 'object'),
  CONSTRAINT saved_views_position_in_range CHECK (position BETWEEN 1 AND 1000)
);
COMMENT ON TABLE saved_views IS 'Filters and sort of the list of codes that an account saved under a name.';
COMMENT ON COLUMN saved_views.account_id IS 'Whose codes it lists.';
COMMENT ON COLUMN saved_views.id IS 'Record id.';
COMMENT ON COLUMN saved_views.name IS 'What the account calls it.';
COMMENT ON COLUMN saved_views.query IS 'Parameters of the list: one value of each. They are validated again when they are used.';
COMMENT ON COLUMN saved_views.position IS 'Where it stands among the others; equal ones by their ids.';
COMMENT ON COLUMN saved_views.version IS 'Incremented by each update, for If-Match.';
COMMENT ON COLUMN saved_views.created_at IS 'When it was saved.';
COMMENT ON COLUMN saved_views.updated_at IS 'When it was last changed.';
COMMENT ON COLUMN saved_views.deleted_at IS 'When it was deleted; it can be restored for a day. Null for one that is listed.';
COMMENT ON CONSTRAINT saved_views_pkey ON saved_views IS 'One row a record id.';
COMMENT ON CONSTRAINT saved_views_account_id_fkey ON saved_views IS 'Deleted with its account.';
COMMENT ON CONSTRAINT saved_views_id_shape ON saved_views IS '24 hexadecimal digits.';
COMMENT ON CONSTRAINT saved_views_name_length ON saved_views IS '1 to 60 characters.';
COMMENT ON CONSTRAINT saved_views_query_is_object ON saved_views IS 'Names with values.';
COMMENT ON CONSTRAINT saved_views_position_in_range ON saved_views IS '1 to 1,000.';
CREATE TRIGGER saved_views_erasure_guard BEFORE INSERT ON saved_views
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('account_id');
COMMENT ON TRIGGER saved_views_erasure_guard ON saved_views IS 'No view is stored for an erased account.';
