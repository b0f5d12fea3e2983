-- qr_codes_updated_at_idx begins with the same column.
DROP INDEX qr_codes_account_id_fkey_idx;
