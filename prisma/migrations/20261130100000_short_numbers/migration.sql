-- Compatible with earlier versions: yes
-- A table of its own: the wide rows of codes need neither a lock nor an update when existing ones get their numbers.
CREATE TABLE short_numbers (
  number     text COLLATE "C" NOT NULL,
  qr_code_id text COLLATE "C" NOT NULL,
  CONSTRAINT short_numbers_pkey PRIMARY KEY (number),
  CONSTRAINT short_numbers_qr_code_id_key UNIQUE (qr_code_id),
  CONSTRAINT short_numbers_qr_code_id_fkey FOREIGN KEY (qr_code_id) REFERENCES qr_codes (id) ON DELETE CASCADE,
  CONSTRAINT short_numbers_number_shape CHECK (number ~ '^[0-9A-HJKMNP-TV-Z]{12}$')
);
COMMENT ON TABLE short_numbers IS 'Numbers that people read and type in place of scanning a code. A job adds those of codes that were created before.';
COMMENT ON COLUMN short_numbers.number IS 'Eleven random symbols of Crockford base 32 and their check symbol, without hyphens.';
COMMENT ON COLUMN short_numbers.qr_code_id IS 'The code that it opens.';
COMMENT ON CONSTRAINT short_numbers_pkey ON short_numbers IS 'A number is of one code.';
COMMENT ON CONSTRAINT short_numbers_qr_code_id_key ON short_numbers IS 'A code has one number.';
COMMENT ON CONSTRAINT short_numbers_qr_code_id_fkey ON short_numbers IS 'Removed with the row of its code.';
COMMENT ON CONSTRAINT short_numbers_number_shape ON short_numbers IS 'Twelve symbols of Crockford base 32.';
