-- Who floods a guest book displaces their own entries.

ALTER TABLE guest_book_entries ADD COLUMN network_hash bytea;
COMMENT ON COLUMN guest_book_entries.network_hash IS 'Keyed hash of owner and network that the entry came from; null for one of before.';
