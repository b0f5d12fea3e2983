-- Lists that are newest first are in the order of time, and of ids within a millisecond: an id alone has the second and
-- then chance.

DROP INDEX audit_entries_actor_reference_idx;
CREATE INDEX audit_entries_actor_reference_idx ON audit_entries (actor_reference, created_at DESC, id DESC);
COMMENT ON INDEX audit_entries_actor_reference_idx IS 'Serves: what somebody did, newest first, for auditors.';
DROP INDEX audit_entries_resource_idx;
CREATE INDEX audit_entries_resource_idx ON audit_entries (resource_type, resource_id, created_at DESC, id DESC);
COMMENT ON INDEX audit_entries_resource_idx IS 'Serves: what was done to something, newest first, for auditors.';
DROP INDEX audit_entries_subject_reference_idx;
CREATE INDEX audit_entries_subject_reference_idx ON audit_entries (subject_reference, created_at DESC, id DESC) WHERE subject_reference IS NOT NULL;
COMMENT ON INDEX audit_entries_subject_reference_idx IS 'Serves: what happened to somebody''s data, newest first, for themselves.';
DROP INDEX audit_entries_action_idx;
CREATE INDEX audit_entries_action_idx ON audit_entries (action, created_at DESC, id DESC);
COMMENT ON INDEX audit_entries_action_idx IS 'Serves: entries of an action, newest first, for auditors.';
DROP INDEX audit_entries_grave_idx;
CREATE INDEX audit_entries_grave_idx ON audit_entries (severity, created_at DESC, id DESC) WHERE severity IN ('HIGH', 'CRITICAL');
COMMENT ON INDEX audit_entries_grave_idx IS 'Serves: entries of a high severity, newest first, for auditors; the others are most of all.';
CREATE INDEX audit_entries_created_at_idx ON audit_entries (created_at DESC, id DESC);
COMMENT ON INDEX audit_entries_created_at_idx IS 'Serves: the whole trail, or a time of it, newest first, for auditors.';

DROP INDEX users_status_idx;
CREATE INDEX users_status_idx ON users (status, created_at DESC, id DESC);
COMMENT ON INDEX users_status_idx IS 'Serves: the people of a status, newest first, and their number.';
CREATE INDEX users_created_at_idx ON users (created_at DESC, id DESC);
COMMENT ON INDEX users_created_at_idx IS 'Serves: all people, newest first, for administrators.';
CREATE INDEX qr_codes_created_at_idx ON qr_codes (created_at DESC, id DESC);
COMMENT ON INDEX qr_codes_created_at_idx IS 'Serves: all codes, newest first, for administrators.';
CREATE INDEX break_glass_grants_created_at_idx ON break_glass_grants (created_at DESC, id DESC);
COMMENT ON INDEX break_glass_grants_created_at_idx IS 'Serves: all emergencies, newest first, for auditors.';
