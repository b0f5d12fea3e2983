-- Whose data an entry is about, so that people can be told who saw what is theirs; and what auditors look for.

-- Entries before this one say nothing of it; none was sealed.
ALTER TABLE audit_entries ADD COLUMN subject_reference text COLLATE "C";
COMMENT ON COLUMN audit_entries.subject_reference IS 'Random reference of the person whose data it is about (audit_people); null where it is nobody''s.';
CREATE INDEX audit_entries_subject_reference_idx ON audit_entries (subject_reference, id DESC) WHERE subject_reference IS NOT NULL;
COMMENT ON INDEX audit_entries_subject_reference_idx IS 'Serves: what happened to somebody''s data, newest first, for themselves.';
CREATE INDEX audit_entries_action_idx ON audit_entries (action, id DESC);
COMMENT ON INDEX audit_entries_action_idx IS 'Serves: entries of an action, newest first, for auditors.';
CREATE INDEX audit_entries_grave_idx ON audit_entries (severity, id DESC) WHERE severity IN ('HIGH', 'CRITICAL');
COMMENT ON INDEX audit_entries_grave_idx IS 'Serves: entries of a high severity, newest first, for auditors; the others are most of all.';

CREATE FUNCTION audit_subject(resource_type text, resource_id text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT reference FROM audit_people WHERE user_id = CASE resource_type
    WHEN 'USER' THEN resource_id
    WHEN 'SESSION' THEN (SELECT user_id FROM sessions WHERE id = resource_id)
    WHEN 'QRCODE' THEN (SELECT owner_id FROM qr_codes WHERE id = resource_id)
    WHEN 'SCAN' THEN (SELECT owner_id FROM scans WHERE id = resource_id)
    WHEN 'NOTIFICATION' THEN (SELECT user_id FROM notifications WHERE id = resource_id)
    WHEN 'MEMORY_TAG' THEN (SELECT owner_id FROM memory_tags WHERE id = resource_id)
  END
$$;
COMMENT ON FUNCTION audit_subject(text, text) IS 'The reference of the person a record belongs to; null where it belongs to nobody, or is gone.';
