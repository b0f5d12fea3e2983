-- Compatible with earlier versions: yes
ALTER TABLE print_sheets
  ADD COLUMN decoded integer NOT NULL DEFAULT 0 CONSTRAINT print_sheets_decoded_in_range CHECK (decoded BETWEEN 0 AND 5000),
  ADD COLUMN failure jsonb;
COMMENT ON COLUMN print_sheets.decoded IS 'How many of its labels have been decoded from the drawn pages.';
COMMENT ON COLUMN print_sheets.failure IS 'The label that could not be decoded: code, page, label and advice. Null for a READY one, and where drawing failed.';
COMMENT ON CONSTRAINT print_sheets_decoded_in_range ON print_sheets IS 'At most 5,000 labels.';
