-- Compatible with earlier versions: yes
-- For which organization somebody acted.
CREATE OR REPLACE VIEW reporting.audit AS
SELECT seal.sequence, entry.created_at AS happened_at, entry.action, entry.severity, entry.outcome, entry.resource_type,
       code.kind AS code_kind, entry.operation, entry.actor_reference, entry.changes, account.user_id AS account_id
FROM audit_entries AS entry LEFT JOIN audit_seals AS seal ON seal.entry_id = entry.id
LEFT JOIN qr_codes AS code ON code.id = entry.resource_id
LEFT JOIN audit_actors AS account ON account.reference = entry.account_reference;
COMMENT ON COLUMN reporting.audit.resource_type IS 'What it was done to: USER, ORGANIZATION, SESSION, QRCODE, SCAN, CONVERSATION, NOTIFICATION, MEMORY_TAG, DOCUMENT, SUBSCRIPTION or SYSTEM.';
COMMENT ON COLUMN reporting.audit.account_id IS 'The organization that it was done for: id in accounts. Null where somebody acted for their own account, and for the public and the service itself.';

CREATE OR REPLACE VIEW reporting.medical_reads WITH (security_barrier) AS
SELECT entry.id, entry.created_at AS happened_at, entry.action, entry.outcome, entry.actor_reference AS reader_reference,
       subject.user_id AS account_id, entry.resource_type, code.id AS code_id, document.id AS document_id,
       reader_account.user_id AS reader_account_id
FROM audit_entries AS entry
LEFT JOIN audit_actors AS subject ON subject.reference = entry.subject_reference
LEFT JOIN audit_actors AS reader_account ON reader_account.reference = entry.account_reference
LEFT JOIN qr_codes AS code ON code.id = entry.resource_id AND entry.resource_type = 'QRCODE'
LEFT JOIN documents AS document ON document.id = entry.resource_id AND entry.resource_type = 'DOCUMENT'
WHERE entry.actor_reference IS DISTINCT FROM entry.subject_reference
  AND (entry.action IN ('MEDICAL_DATA_READ', 'MEDICAL_DATA_LISTED', 'MEDICAL_DATA_SCANNED', 'HEALTH_DOCUMENT_VIEWED', 'HEALTH_DOCUMENT_LISTED')
    OR entry.action = 'BREAK_GLASS_QRCODE_READ' AND (code.id IS NULL OR code.kind = 'MEDICAL')
    OR entry.action IN ('DOCUMENT_READ', 'GRANTED_DOCUMENT_READ', 'DOCUMENT_SHARE_OPENED') AND (document.id IS NULL OR document.kind = 'HEALTH'));
COMMENT ON VIEW reporting.medical_reads IS 'Who other than the owner read whose medical data: medical codes and documents of kind HEALTH, by the audit trail. What users read of their own account is not included; what members read of their organization is. Condition for a time: happened_at.';
COMMENT ON COLUMN reporting.medical_reads.account_id IS 'Whose data: id in accounts; null for an erased user.';
COMMENT ON COLUMN reporting.medical_reads.reader_account_id IS 'The organization that the reader acted for: id in accounts. The same as account_id for its members; null for everybody else.';
