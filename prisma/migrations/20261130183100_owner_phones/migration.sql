-- Compatible with earlier versions: yes
CREATE TABLE owner_phones (
  account_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  access_epoch integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_scanned_on date,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT owner_phones_pkey PRIMARY KEY (account_id, id),
  CONSTRAINT owner_phones_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE,
  CONSTRAINT owner_phones_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT owner_phones_name_length CHECK (char_length(name) <= 100)
);
COMMENT ON TABLE owner_phones IS 'Phones that owners have marked as theirs: a cookie has the id. Deleting a row ends the mark.';
COMMENT ON COLUMN owner_phones.account_id IS 'Whose phone it is: its scans of the codes of this account notify nobody.';
COMMENT ON COLUMN owner_phones.id IS 'Record id, in the signed cookie of the phone.';
COMMENT ON COLUMN owner_phones.name IS 'Browser and operating system without versions.';
COMMENT ON COLUMN owner_phones.access_epoch IS 'Of the owner when it was marked: another one ends the mark.';
COMMENT ON COLUMN owner_phones.created_at IS 'When it was marked.';
COMMENT ON COLUMN owner_phones.last_scanned_on IS 'The last day (UTC) on which it opened a page of a code; null for none.';
COMMENT ON COLUMN owner_phones.expires_at IS 'When its cookie ends.';
COMMENT ON CONSTRAINT owner_phones_pkey ON owner_phones IS 'One row a record id.';
COMMENT ON CONSTRAINT owner_phones_account_id_fkey ON owner_phones IS 'Deleted with its account.';
COMMENT ON CONSTRAINT owner_phones_id_shape ON owner_phones IS '24 hexadecimal digits.';
COMMENT ON CONSTRAINT owner_phones_name_length ON owner_phones IS 'Up to 100 characters.';
CREATE TRIGGER owner_phones_erasure_guard BEFORE INSERT ON owner_phones
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('account_id');
COMMENT ON TRIGGER owner_phones_erasure_guard ON owner_phones IS 'No phone is stored for an erased account.';
