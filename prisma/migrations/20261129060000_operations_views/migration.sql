-- Compatible with earlier versions: yes
-- Views for those who operate the service. None has an address, a name, a text or a secret.

CREATE VIEW reporting.api_keys AS
SELECT id, account_id, scopes, array_length(allowed_networks, 1) IS NOT NULL AS has_networks,
       CASE WHEN revoked_at IS NOT NULL THEN 'REVOKED' WHEN expires_at <= now() THEN 'EXPIRED' ELSE 'ACTIVE' END AS status,
       last_used_at, rotated_at, expires_at, revoked_at, created_at
FROM api_keys;
COMMENT ON VIEW reporting.api_keys IS 'API keys of accounts, without their names, tokens and networks. A key is removed 90 days after it ended.';
COMMENT ON COLUMN reporting.api_keys.id IS 'Record id; it opens nothing.';
COMMENT ON COLUMN reporting.api_keys.account_id IS 'The owner: id in users.';
COMMENT ON COLUMN reporting.api_keys.scopes IS 'What it may call.';
COMMENT ON COLUMN reporting.api_keys.has_networks IS 'Whether it works from some networks only.';
COMMENT ON COLUMN reporting.api_keys.status IS 'ACTIVE, EXPIRED or REVOKED, as of now.';
COMMENT ON COLUMN reporting.api_keys.last_used_at IS 'When it was last used; null if never.';
COMMENT ON COLUMN reporting.api_keys.rotated_at IS 'When it got its last token; null for the first.';
COMMENT ON COLUMN reporting.api_keys.expires_at IS 'When it expires; null for never.';
COMMENT ON COLUMN reporting.api_keys.revoked_at IS 'When it was revoked; null if not.';
COMMENT ON COLUMN reporting.api_keys.created_at IS 'When it was created.';

CREATE VIEW reporting.imports AS
SELECT id, account_id, format, status, size AS bytes, bytes_read, created, updated, unchanged, failed,
       error ->> 'code' AS error_code, created_at, started_at, finished_at
FROM imports;
COMMENT ON VIEW reporting.imports IS 'Imports of codes from files, as long as they are stored: a week after their end. The errors of rows are not included.';
COMMENT ON COLUMN reporting.imports.id IS 'Record id; unique within the account.';
COMMENT ON COLUMN reporting.imports.account_id IS 'Whose import: id in users.';
COMMENT ON COLUMN reporting.imports.format IS 'csv or jsonl.';
COMMENT ON COLUMN reporting.imports.status IS 'WAITING, RUNNING, COMPLETED, FAILED or CANCELED.';
COMMENT ON COLUMN reporting.imports.bytes IS 'Bytes of the file.';
COMMENT ON COLUMN reporting.imports.bytes_read IS 'Bytes of the rows so far.';
COMMENT ON COLUMN reporting.imports.created IS 'Codes that were created.';
COMMENT ON COLUMN reporting.imports.updated IS 'Codes that were updated.';
COMMENT ON COLUMN reporting.imports.unchanged IS 'Codes that were equal before.';
COMMENT ON COLUMN reporting.imports.failed IS 'Rows that failed.';
COMMENT ON COLUMN reporting.imports.error_code IS 'Why it ended before the end of the file; null if it did not.';
COMMENT ON COLUMN reporting.imports.created_at IS 'When it was requested.';
COMMENT ON COLUMN reporting.imports.started_at IS 'When the first rows were stored; null if not yet.';
COMMENT ON COLUMN reporting.imports.finished_at IS 'When it ended; null if not yet.';

CREATE VIEW reporting.webhook_endpoints AS
SELECT id, account_id, event_types, is_verified, disabled_at IS NULL AS enabled, disabled_reason, disabled_at, failing_since,
       is_slow, paused_until, created_at
FROM webhook_endpoints;
COMMENT ON VIEW reporting.webhook_endpoints IS 'Webhook endpoints of accounts, without their addresses and secrets.';
COMMENT ON COLUMN reporting.webhook_endpoints.id IS 'Record id.';
COMMENT ON COLUMN reporting.webhook_endpoints.account_id IS 'The owner: id in users.';
COMMENT ON COLUMN reporting.webhook_endpoints.event_types IS 'Types of events that it gets; * for all.';
COMMENT ON COLUMN reporting.webhook_endpoints.is_verified IS 'Whether its address returned the challenge, or did not have to.';
COMMENT ON COLUMN reporting.webhook_endpoints.enabled IS 'Whether events are stored for it.';
COMMENT ON COLUMN reporting.webhook_endpoints.disabled_reason IS 'OWNER, FAILING or GONE; null while it is enabled.';
COMMENT ON COLUMN reporting.webhook_endpoints.disabled_at IS 'When it was disabled; null while it is enabled.';
COMMENT ON COLUMN reporting.webhook_endpoints.failing_since IS 'First failure since the last success; null if there is none.';
COMMENT ON COLUMN reporting.webhook_endpoints.is_slow IS 'Whether its mean response takes longer than two seconds.';
COMMENT ON COLUMN reporting.webhook_endpoints.paused_until IS 'Until when nothing is sent to it after failures, or for a limit; null if it does not wait.';
COMMENT ON COLUMN reporting.webhook_endpoints.created_at IS 'When it was created.';

CREATE VIEW reporting.webhook_deliveries AS
SELECT account_id, endpoint_id, event_id, event_type, status, failures,
       jsonb_array_length(attempts) AS attempts,
       (attempts -> -1 ->> 'statusCode')::int AS last_status_code, attempts -> -1 ->> 'error' AS last_error,
       event_at, next_attempt_at, created_at
FROM webhook_deliveries;
COMMENT ON VIEW reporting.webhook_deliveries IS 'Events sent to webhook endpoints, one row for each endpoint and event, for 30 days.';
COMMENT ON COLUMN reporting.webhook_deliveries.account_id IS 'Whose event: id in users.';
COMMENT ON COLUMN reporting.webhook_deliveries.endpoint_id IS 'The endpoint: id in webhook_endpoints, where it was not deleted.';
COMMENT ON COLUMN reporting.webhook_deliveries.event_id IS 'The event; begins with its time.';
COMMENT ON COLUMN reporting.webhook_deliveries.event_type IS 'What happened.';
COMMENT ON COLUMN reporting.webhook_deliveries.status IS 'PENDING, DELIVERED or FAILED (no attempts are left).';
COMMENT ON COLUMN reporting.webhook_deliveries.failures IS 'Failures since it was created or replayed.';
COMMENT ON COLUMN reporting.webhook_deliveries.attempts IS 'Attempts that are stored: the last 20.';
COMMENT ON COLUMN reporting.webhook_deliveries.last_status_code IS 'Status of the last response; null without one.';
COMMENT ON COLUMN reporting.webhook_deliveries.last_error IS 'Why the last attempt failed, as a word; null if it did not.';
COMMENT ON COLUMN reporting.webhook_deliveries.event_at IS 'When the event happened.';
COMMENT ON COLUMN reporting.webhook_deliveries.next_attempt_at IS 'When it is sent next; null after the last attempt.';
COMMENT ON COLUMN reporting.webhook_deliveries.created_at IS 'When the delivery was stored.';

CREATE VIEW reporting.daily_login_counts WITH (security_barrier) AS
SELECT days.day::date AS day, counted.action, counted.outcome, counted.attempts
FROM generate_series((SELECT date_trunc('day', min(created_at) AT TIME ZONE 'UTC') FROM audit_entries),
                     now() AT TIME ZONE 'UTC', interval '1 day') AS days (day)
CROSS JOIN LATERAL (
  SELECT action, outcome, count(*) AS attempts FROM audit_entries
  WHERE action IN ('LOGIN_SUCCEEDED', 'LOGIN_FAILED', 'MFA_REQUIRED', 'MFA_VERIFIED', 'MFA_REJECTED', 'RECOVERY_CODE_USED',
                   'IDENTITY_LOGIN_SUCCEEDED', 'IDENTITY_SIGN_IN_REJECTED', 'REFRESH_TOKEN_REUSED')
    AND created_at >= days.day AT TIME ZONE 'UTC' AND created_at < (days.day + interval '1 day') AT TIME ZONE 'UTC'
  GROUP BY action, outcome) AS counted;
COMMENT ON VIEW reporting.daily_login_counts IS 'Log-ins and their failures by UTC day, as long as the audit trail is stored.';
COMMENT ON COLUMN reporting.daily_login_counts.day IS 'UTC day.';
COMMENT ON COLUMN reporting.daily_login_counts.action IS 'LOGIN_SUCCEEDED or LOGIN_FAILED (password), MFA_REQUIRED, MFA_VERIFIED, MFA_REJECTED or RECOVERY_CODE_USED (second factor), IDENTITY_LOGIN_SUCCEEDED or IDENTITY_SIGN_IN_REJECTED (provider), REFRESH_TOKEN_REUSED (a stolen token).';
COMMENT ON COLUMN reporting.daily_login_counts.outcome IS 'SUCCESS, DENIED or FAILURE.';
COMMENT ON COLUMN reporting.daily_login_counts.attempts IS 'How many.';

CREATE VIEW reporting.code_reports AS
SELECT id, qr_code_id AS code_id, account_id, category, count AS reports, decision, decided_at, created_at
FROM qr_code_reports;
COMMENT ON VIEW reporting.code_reports IS 'Reports of codes by visitors, without their texts and networks. Equal ones of a network are one row.';
COMMENT ON COLUMN reporting.code_reports.id IS 'Record id.';
COMMENT ON COLUMN reporting.code_reports.code_id IS 'The code: id in codes.';
COMMENT ON COLUMN reporting.code_reports.account_id IS 'The owner of the code: id in users.';
COMMENT ON COLUMN reporting.code_reports.category IS 'What is wrong, as the visitor chose it.';
COMMENT ON COLUMN reporting.code_reports.reports IS 'How often it was reported.';
COMMENT ON COLUMN reporting.code_reports.decision IS 'DISMISSED or TAKEN_DOWN; null while it is open.';
COMMENT ON COLUMN reporting.code_reports.decided_at IS 'When it was decided; null while it is open.';
COMMENT ON COLUMN reporting.code_reports.created_at IS 'When it was first reported.';

CREATE VIEW reporting.code_takedowns WITH (security_barrier) AS
SELECT takedown.id, takedown.qr_code_id AS code_id, takedown.account_id, takedown.category,
       (SELECT count(*) FROM qr_code_appeals AS appeal WHERE appeal.takedown_id = takedown.id) AS appeals,
       (SELECT count(*) FROM qr_code_appeals AS appeal WHERE appeal.takedown_id = takedown.id AND appeal.decided_at IS NULL) AS open_appeals,
       takedown.ended_at, takedown.created_at
FROM qr_code_takedowns AS takedown;
COMMENT ON VIEW reporting.code_takedowns IS 'Codes that the administration withholds or withheld, without texts.';
COMMENT ON COLUMN reporting.code_takedowns.id IS 'Record id.';
COMMENT ON COLUMN reporting.code_takedowns.code_id IS 'The code: id in codes.';
COMMENT ON COLUMN reporting.code_takedowns.account_id IS 'The owner of the code: id in users.';
COMMENT ON COLUMN reporting.code_takedowns.category IS 'Why it was taken down.';
COMMENT ON COLUMN reporting.code_takedowns.appeals IS 'Appeals of the owner so far.';
COMMENT ON COLUMN reporting.code_takedowns.open_appeals IS 'Appeals that are not decided.';
COMMENT ON COLUMN reporting.code_takedowns.ended_at IS 'When the code was reinstated; null while it is withheld.';
COMMENT ON COLUMN reporting.code_takedowns.created_at IS 'When it was taken down.';

CREATE VIEW reporting.mails AS
SELECT id, template, status, reason, attempts, created_at, sent_at
FROM outgoing_mails;
COMMENT ON VIEW reporting.mails IS 'Emails that the service sends, without address and content, as long as they are stored.';
COMMENT ON COLUMN reporting.mails.id IS 'Record id; begins with its time (function scan_id_at).';
COMMENT ON COLUMN reporting.mails.template IS 'Which email it is.';
COMMENT ON COLUMN reporting.mails.status IS 'WAITING, SENT (accepted by the mail server) or FAILED.';
COMMENT ON COLUMN reporting.mails.reason IS 'Why it waits or was not sent, as a word; null if there is nothing to explain.';
COMMENT ON COLUMN reporting.mails.attempts IS 'Number of attempts so far.';
COMMENT ON COLUMN reporting.mails.created_at IS 'When it was written.';
COMMENT ON COLUMN reporting.mails.sent_at IS 'When the mail server accepted it; null if it did not.';

CREATE VIEW reporting.medical_reads WITH (security_barrier) AS
SELECT entry.id, entry.created_at AS happened_at, entry.action, entry.outcome, entry.actor_reference AS reader_reference,
       subject.user_id AS account_id, entry.resource_type, code.id AS code_id, document.id AS document_id
FROM audit_entries AS entry
LEFT JOIN audit_actors AS subject ON subject.reference = entry.subject_reference
LEFT JOIN qr_codes AS code ON code.id = entry.resource_id AND entry.resource_type = 'QRCODE'
LEFT JOIN documents AS document ON document.id = entry.resource_id AND entry.resource_type = 'DOCUMENT'
WHERE entry.actor_reference IS DISTINCT FROM entry.subject_reference
  AND (entry.action IN ('MEDICAL_DATA_READ', 'MEDICAL_DATA_LISTED', 'MEDICAL_DATA_SCANNED', 'HEALTH_DOCUMENT_VIEWED', 'HEALTH_DOCUMENT_LISTED')
    OR entry.action = 'BREAK_GLASS_QRCODE_READ' AND (code.id IS NULL OR code.kind = 'MEDICAL')
    OR entry.action IN ('DOCUMENT_READ', 'GRANTED_DOCUMENT_READ', 'DOCUMENT_SHARE_OPENED') AND (document.id IS NULL OR document.kind = 'HEALTH'));
COMMENT ON VIEW reporting.medical_reads IS 'Who other than the owner read whose medical data: medical codes and documents of kind HEALTH, by the audit trail. What owners read themselves is not included. Condition for a time: happened_at.';
COMMENT ON COLUMN reporting.medical_reads.id IS 'Id of the entry of the audit trail.';
COMMENT ON COLUMN reporting.medical_reads.happened_at IS 'When it was read.';
COMMENT ON COLUMN reporting.medical_reads.action IS 'MEDICAL_DATA_SCANNED (by a visitor), BREAK_GLASS_QRCODE_READ (by an administrator), GRANTED_DOCUMENT_READ, DOCUMENT_SHARE_OPENED or another action that shows medical data. Of a deleted code or document its kind is not known: it is included.';
COMMENT ON COLUMN reporting.medical_reads.outcome IS 'SUCCESS, DENIED or FAILURE.';
COMMENT ON COLUMN reporting.medical_reads.reader_reference IS 'Who read it: actor_reference in audit, which an auditor can resolve; null for a visitor.';
COMMENT ON COLUMN reporting.medical_reads.account_id IS 'Whose data: id in users; null for an erased user.';
COMMENT ON COLUMN reporting.medical_reads.resource_type IS 'QRCODE or DOCUMENT.';
COMMENT ON COLUMN reporting.medical_reads.code_id IS 'The code: id in codes; null for a document and for a deleted code.';
COMMENT ON COLUMN reporting.medical_reads.document_id IS 'The document: id in documents; null for a code and for a deleted document.';

-- What counts towards the limit, complete.
CREATE OR REPLACE VIEW reporting.storage WITH (security_barrier) AS
SELECT account_id AS owner_id, type, files, bytes, counts_towards_limit, account_id FROM (
  SELECT account_id, 'DOCUMENT' AS type, count(*) AS files, sum(size)::bigint AS bytes, true AS counts_towards_limit
  FROM document_versions GROUP BY account_id
  UNION ALL
  SELECT account_id, CASE WHEN qr_code_id IS NULL THEN 'MEMORY_TAG_PICTURE' ELSE 'CODE_PICTURE' END, count(*), sum(size)::bigint, true
  FROM pictures GROUP BY account_id, qr_code_id IS NULL
  UNION ALL
  SELECT file.account_id, 'PICTURE_RENDITION', count(*), sum(file.size)::bigint, false
  FROM stored_files AS file JOIN picture_renditions AS rendition ON rendition.file_id = file.id
  WHERE file.state = 'STORED' GROUP BY file.account_id
  UNION ALL
  SELECT file.account_id, 'DATA_EXPORT', count(*), sum(file.size)::bigint, false
  FROM stored_files AS file JOIN data_exports AS export ON export.file_id = file.id
  WHERE file.state = 'STORED' GROUP BY file.account_id
  UNION ALL
  SELECT account_id, 'IMPORT', count(*), sum(size)::bigint, false
  FROM imports WHERE file_id IS NOT NULL GROUP BY account_id
  UNION ALL
  SELECT account_id, 'IMPORT_ERRORS', count(*), sum(pg_column_size(errors))::bigint, true
  FROM import_errors GROUP BY account_id) AS stored;
COMMENT ON COLUMN reporting.storage.type IS 'DOCUMENT (every version), MEMORY_TAG_PICTURE, CODE_PICTURE, PICTURE_RENDITION (a smaller size of a picture), DATA_EXPORT (an archive of the user''s data), IMPORT (the file of an import of codes that has not ended) or IMPORT_ERRORS (the errors of its rows, a part each).';
