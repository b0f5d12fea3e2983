-- An earlier version would go on showing deleted entries.
ALTER TABLE guest_book_entries ADD COLUMN deleted_at timestamptz(3);
COMMENT ON COLUMN guest_book_entries.deleted_at IS 'When the owner deleted it; it can be restored for 30 days. Null if it is not deleted.';

CREATE OR REPLACE VIEW reporting.memory_tags WITH (security_barrier) AS
SELECT tag.id, tag.account_id AS owner_id, tag.qr_code_id AS code_id, tag.subject, tag.guest_book_open,
       (SELECT count(*) FROM guest_book_entries WHERE memory_tag_id = tag.id AND deleted_at IS NULL) AS entries,
       (SELECT count(*) FROM guest_book_entries
        WHERE memory_tag_id = tag.id AND state = 'APPROVED' AND deleted_at IS NULL) AS approved_entries,
       (SELECT count(*) FROM memory_tag_caretakers WHERE memory_tag_id = tag.id) AS caretakers,
       tag.created_at, tag.account_id
FROM memory_tags AS tag;
