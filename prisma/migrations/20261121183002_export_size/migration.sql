-- Without a key of the person's own the file is encrypted at rest alone, and a little longer than what is fetched.

COMMENT ON COLUMN data_exports.size IS 'Bytes of what is fetched.';
