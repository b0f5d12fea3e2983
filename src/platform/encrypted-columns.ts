import { ENCRYPTED_COLUMNS } from '../catalogue.ts';
import type { EncryptedColumnDefinition } from '../shared/catalogue.ts';

export { ENCRYPTED_COLUMNS, type EncryptedColumnDefinition };

import type { EnvelopeAlgorithm } from '../shared/crypto/envelope.ts';

/** Other bytea columns (`table.column`) with the reason why they are not encrypted. */
export const UNENCRYPTED_BYTEA_COLUMNS: Readonly<Record<string, string>> = {
  'pending_registrations.otp_hash': 'a keyed hash',
  'pending_registrations.network_hash': 'a keyed hash',
  'refresh_tokens.token_hash': 'a keyed hash',
  'sessions.cookie_hash': 'a keyed hash',
  'api_keys.token_hash': 'a keyed hash',
  'api_keys.previous_token_hash': 'a keyed hash',
  'code_drafts.secret_hash': 'a keyed hash',
  'password_resets.token_hash': 'a hash of a random token',
  'test_links.token_hash': 'a hash of a random token',
  'recovery_codes.code_hash': 'a keyed hash',
  'pending_logins.token_hash': 'a hash of a random token',
  'pending_logins.login_fingerprint': 'a keyed hash',
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
  'guest_book_entries.network_hash': 'a keyed hash',
  'qr_code_reports.network_hash': 'a keyed hash',
  'mail_suppressions.recipient_hash': 'a keyed hash',
  'memory_tag_caretakers.email_hash': 'a keyed hash',
  'invitations.email_hash': 'a keyed hash',
  'invitations.token_hash': 'a hash of a random token',
  'scan_visitors.visitor_hash': 'a keyed hash that changes every day',
  'audit_entries.ip_hash': 'a salted hash',
  'audit_entries.user_agent_hash': 'a salted hash',
  'audit_origins.salt': 'the salt of those hashes',
  'audit_seals.seal_hash': 'a hash of the audit chain',
  'audit_seal_batches.last_hash': 'a hash of the audit chain',
  'audit_seal_batches.members': 'ids and hashes of the audit chain',
  'audit_seal_batches.signature': 'a signature',
};

/** Get the algorithm that a row's value must have; `marker` is the value of the deciding column. */
export function getExpectedEnvelopeAlgorithm(
  { algorithm }: EncryptedColumnDefinition,
  marker: string | null,
): EnvelopeAlgorithm {
  if (algorithm === 'GCM') return 'GCM';
  return marker === algorithm.cbcHmacWhere.value ? 'CBC_HMAC' : 'GCM';
}
