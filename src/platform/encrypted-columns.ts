import type { ResourceType } from '../shared/audit-actions.ts';
import type { EnvelopeAlgorithm } from '../shared/crypto/envelope.ts';

/** A column of envelopes (docs/security/encryption.md), and what they are bound to. */
export interface EncryptedColumn {
  table: string;
  column: string;
  /** Column of the row id: unique, text, and with an index in its order. */
  rowId: string;
  /** Column of the owner's id, or null where the rows are nobody's. */
  owner: string | null;
  /** GCM, or CBC_HMAC for the rows whose `column` holds `value`. */
  algorithm: 'GCM' | { cbcHmacWhere: { column: string; value: string } };
  /** What the audit trail calls the record whose id is the row id; SYSTEM where it has no name for it. */
  resourceType: ResourceType;
}

/** Every encrypted column of the database: what `keys:rotate` writes anew and `keys:retire` looks through. */
export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  { table: 'users', column: 'phone', rowId: 'id', owner: 'id', algorithm: 'GCM', resourceType: 'USER' },
  {
    table: 'pending_registrations',
    column: 'profile',
    rowId: 'id',
    owner: 'user_id',
    algorithm: 'GCM',
    resourceType: 'SYSTEM',
  },
  {
    table: 'qr_codes',
    column: 'data',
    rowId: 'id',
    owner: 'owner_id',
    algorithm: { cbcHmacWhere: { column: 'kind', value: 'MEDICAL' } },
    resourceType: 'QRCODE',
  },
  {
    table: 'qr_codes',
    column: 'lost_details',
    rowId: 'id',
    owner: 'owner_id',
    algorithm: 'GCM',
    resourceType: 'QRCODE',
  },
  {
    table: 'scans',
    column: 'position',
    rowId: 'id',
    owner: 'owner_id',
    algorithm: 'GCM',
    resourceType: 'SCAN',
  },
  {
    table: 'scans',
    column: 'address',
    rowId: 'id',
    owner: 'owner_id',
    algorithm: 'GCM',
    resourceType: 'SCAN',
  },
  {
    table: 'scan_locations',
    column: 'position',
    rowId: 'id',
    owner: 'owner_id',
    algorithm: 'GCM',
    resourceType: 'SYSTEM',
  },
  {
    table: 'scan_locations',
    column: 'address',
    rowId: 'id',
    owner: 'owner_id',
    algorithm: 'GCM',
    resourceType: 'SYSTEM',
  },
  {
    table: 'conversations',
    column: 'finder_name',
    rowId: 'id',
    owner: 'owner_id',
    algorithm: 'GCM',
    resourceType: 'CONVERSATION',
  },
  {
    table: 'conversations',
    column: 'finder_email',
    rowId: 'id',
    owner: 'owner_id',
    algorithm: 'GCM',
    resourceType: 'CONVERSATION',
  },
  {
    table: 'conversation_messages',
    column: 'content',
    rowId: 'id',
    owner: 'owner_id',
    algorithm: 'GCM',
    resourceType: 'SYSTEM',
  },
  {
    table: 'conversation_reports',
    column: 'note',
    rowId: 'id',
    owner: 'owner_id',
    algorithm: 'GCM',
    resourceType: 'CONVERSATION_REPORT',
  },
  {
    table: 'conversation_reports',
    column: 'decision_note',
    rowId: 'id',
    owner: 'owner_id',
    algorithm: 'GCM',
    resourceType: 'CONVERSATION_REPORT',
  },
  {
    table: 'guest_book_entries',
    column: 'content',
    rowId: 'id',
    owner: 'owner_id',
    algorithm: 'GCM',
    resourceType: 'SYSTEM',
  },
  {
    table: 'memory_tag_caretakers',
    column: 'email',
    rowId: 'id',
    owner: 'owner_id',
    algorithm: 'GCM',
    resourceType: 'SYSTEM',
  },
  {
    table: 'geocoded_cells',
    column: 'place',
    rowId: 'id',
    owner: null,
    algorithm: 'GCM',
    resourceType: 'SYSTEM',
  },
  {
    table: 'outgoing_mails',
    column: 'content',
    rowId: 'id',
    owner: null,
    algorithm: 'GCM',
    resourceType: 'SYSTEM',
  },
  {
    table: 'break_glass_grants',
    column: 'reason',
    rowId: 'id',
    owner: 'administrator_id',
    algorithm: 'GCM',
    resourceType: 'SYSTEM',
  },
  {
    table: 'data_exports',
    column: 'file_key',
    rowId: 'id',
    owner: 'user_id',
    algorithm: 'GCM',
    resourceType: 'SYSTEM',
  },
  {
    table: 'stored_files',
    column: 'file_key',
    rowId: 'id',
    owner: 'owner_id',
    algorithm: 'GCM',
    resourceType: 'SYSTEM',
  },
  {
    table: 'documents',
    column: 'note',
    rowId: 'id',
    owner: 'owner_id',
    algorithm: 'GCM',
    resourceType: 'DOCUMENT',
  },
  {
    table: 'document_versions',
    column: 'file_name',
    rowId: 'id',
    owner: 'owner_id',
    algorithm: 'GCM',
    resourceType: 'SYSTEM',
  },
  {
    table: 'document_grants',
    column: 'email',
    rowId: 'id',
    owner: 'owner_id',
    algorithm: 'GCM',
    resourceType: 'SYSTEM',
  },
  {
    table: 'second_factors',
    column: 'secret',
    rowId: 'user_id',
    owner: 'user_id',
    algorithm: 'GCM',
    resourceType: 'USER',
  },
  {
    table: 'push_devices',
    column: 'token',
    rowId: 'id',
    owner: 'user_id',
    algorithm: 'GCM',
    resourceType: 'SYSTEM',
  },
  {
    table: 'idempotency_keys',
    column: 'response',
    rowId: 'id',
    owner: 'requester',
    algorithm: 'GCM',
    resourceType: 'SYSTEM',
  },
];

/** The other columns of bytes, `table.column`, each with the reason why it is not encrypted. */
export const UNENCRYPTED_BYTEA_COLUMNS: Readonly<Record<string, string>> = {
  'pending_registrations.otp_hash': 'a keyed hash',
  'pending_registrations.picture': 'a picture that will be served to anybody who has its address',
  'refresh_tokens.token_hash': 'a keyed hash',
  'password_resets.token_hash': 'a hash of a random token',
  'test_links.token_hash': 'a hash of a random token',
  'recovery_codes.code_hash': 'a keyed hash',
  'pending_logins.token_hash': 'a hash of a random token',
  'pending_logins.password_state': 'a keyed hash',
  'sign_in_codes.code_hash': 'a hash of a random code',
  'used_sign_in_proofs.proof_hash': 'a hash',
  'outgoing_mails.recipient_hash': 'a keyed hash',
  'push_devices.token_hash': 'a keyed hash',
  'idempotency_keys.key_hash': 'a keyed hash',
  'idempotency_keys.body_hash': 'a keyed hash',
  'document_shares.token_hash': 'a keyed hash',
  'document_grants.email_hash': 'a keyed hash',
  'qr_codes.logo': 'a picture that is part of the printed code',
  'scans.visitor_hash': 'a keyed hash that changes every day',
  'scan_locations.position_hash': 'a keyed hash',
  'conversations.finder_hash': 'a keyed hash',
  'blocked_finders.finder_hash': 'a keyed hash',
  'memory_tag_caretakers.email_hash': 'a keyed hash',
  'scan_visitors.visitor_hash': 'a keyed hash that changes every day',
  'audit_entries.ip_hash': 'a salted hash',
  'audit_entries.user_agent_hash': 'a salted hash',
  'audit_origins.salt': 'the salt of those hashes',
  'audit_seals.seal_hash': 'a hash that the proof of the trail is made of',
  'audit_seal_batches.last_hash': 'a hash that the proof of the trail is made of',
  'audit_seal_batches.members': 'ids and hashes that the proof of the trail is made of',
  'audit_seal_batches.signature': 'a signature',
};

/** The algorithm in which a row's value must be: `marker` is what its deciding column holds, where one decides. */
export function getEnvelopeAlgorithm(
  { algorithm }: EncryptedColumn,
  marker: string | null,
): EnvelopeAlgorithm {
  if (algorithm === 'GCM') return 'GCM';
  return marker === algorithm.cbcHmacWhere.value ? 'CBC_HMAC' : 'GCM';
}
