-- Compatible with earlier versions: yes
-- Who requested an import or a print sheet, which a job makes: the audit trail names the member, and the account they acted for.
ALTER TABLE imports
  ADD COLUMN created_by text COLLATE "C" CONSTRAINT imports_created_by_fkey REFERENCES users (id) ON DELETE SET NULL;
COMMENT ON COLUMN imports.created_by IS 'The user who requested it for the account. Null for one of before: whoever had the personal account.';
COMMENT ON CONSTRAINT imports_created_by_fkey ON imports IS 'Rows of users are deleted only before the address is confirmed.';
ALTER TABLE print_sheets
  ADD COLUMN created_by text COLLATE "C" CONSTRAINT print_sheets_created_by_fkey REFERENCES users (id) ON DELETE SET NULL;
COMMENT ON COLUMN print_sheets.created_by IS 'The user who requested it for the account. Null for one of before: whoever had the personal account.';
COMMENT ON CONSTRAINT print_sheets_created_by_fkey ON print_sheets IS 'Rows of users are deleted only before the address is confirmed.';
