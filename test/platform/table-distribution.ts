/**
 * How each table would be spread over a distributed PostgreSQL, such as Citus, where all rows of an owner are on one
 * node. docs/adr/0037-distribution-by-owner.md says what stands in the way.
 */
export type TableDistribution =
  /** By the owner; null: the table has no such column, its rows belong to those of another table. */
  | { by: 'OWNER'; column: string | null }
  /** By a key of its own: no statement joins it with rows of an owner. */
  | { by: 'KEY'; column: string }
  /** Small and rarely written: a copy on each node. */
  | { by: 'REFERENCE' }
  /** On one node: its rows are an order, a queue or a lookup of all owners. */
  | { by: 'NOTHING' };

const byOwner = (column: string | null): TableDistribution => ({ by: 'OWNER', column });
const byKey = (column: string): TableDistribution => ({ by: 'KEY', column });
const REFERENCE: TableDistribution = { by: 'REFERENCE' };
const NOTHING: TableDistribution = { by: 'NOTHING' };

export const TABLE_DISTRIBUTION: Readonly<Record<string, TableDistribution>> = {
  accounts: byOwner('id'),
  memberships: byOwner('account_id'),
  users: byOwner('id'),
  account_events: byOwner('account_id'),
  api_keys: byOwner('account_id'),
  blocked_finders: byOwner('account_id'),
  break_glass_grants: byOwner('account_id'),
  checkout_sessions: byOwner('account_id'),
  code_moves: byOwner('account_id'),
  conversation_messages: byOwner('account_id'),
  conversation_notes: byOwner('account_id'),
  conversation_reports: byOwner('account_id'),
  conversations: byOwner('account_id'),
  data_exports: byOwner('user_id'),
  deletions: byOwner('account_id'),
  document_accesses: byOwner('account_id'),
  document_grants: byOwner('account_id'),
  document_shares: byOwner('account_id'),
  document_versions: byOwner('account_id'),
  documents: byOwner('account_id'),
  erasures: byOwner('user_id'),
  batch_tags: byOwner('account_id'),
  batches: byOwner('account_id'),
  guest_book_entries: byOwner('account_id'),
  import_errors: byOwner('account_id'),
  imports: byOwner('account_id'),
  invitations: byOwner('account_id'),
  membership_folders: byOwner('account_id'),
  memory_tag_caretakers: byOwner('account_id'),
  memory_tags: byOwner('account_id'),
  notification_deliveries: byOwner('user_id'),
  notification_settings: byOwner('user_id'),
  notifications: byOwner('user_id'),
  owner_phones: byOwner('account_id'),
  owner_scan_counts: byOwner('account_id'),
  password_resets: byOwner('user_id'),
  payment_customers: byOwner('account_id'),
  payment_invoices: byOwner('account_id'),
  pending_logins: byOwner('user_id'),
  pending_registrations: byOwner('user_id'),
  deleted_pictures: byOwner('account_id'),
  pictures: byOwner('account_id'),
  print_sheets: byOwner('account_id'),
  push_devices: byOwner('user_id'),
  qr_code_appeals: byOwner('account_id'),
  qr_code_counts: byOwner('account_id'),
  qr_code_reports: byOwner('account_id'),
  qr_code_takedowns: byOwner('account_id'),
  qr_codes: byOwner('account_id'),
  recovery_codes: byOwner('user_id'),
  report_schedules: byOwner('account_id'),
  folders: byOwner('account_id'),
  saved_views: byOwner('account_id'),
  scan_locations: byOwner('account_id'),
  scans: byOwner('account_id'),
  second_factors: byOwner('user_id'),
  sessions: byOwner('user_id'),
  stored_files: byOwner('account_id'),
  subscriptions: byOwner('account_id'),
  user_identities: byOwner('user_id'),
  webhook_deliveries: byOwner('account_id'),
  webhook_endpoints: byOwner('account_id'),

  // Without a column of the owner: of files, sessions, identities, codes, subscriptions, and of codes or owners.
  erased_files: byOwner(null),
  picture_renditions: byOwner(null),
  realtime_events: byOwner(null),
  // Of a user or of a conversation.
  realtime_streams: byOwner(null),
  refresh_tokens: byOwner(null),
  scan_counts: byOwner(null),
  scan_dirty_buckets: byOwner(null),
  scan_rollup_months: byOwner(null),
  scan_rollups: byOwner(null),
  scan_visitors: byOwner(null),
  sign_in_codes: byOwner(null),
  subscription_changes: byOwner(null),
  test_links: byOwner(null),

  attempt_budgets: byKey('key'),
  code_drafts: byKey('id'),
  geocoded_cells: byKey('id'),
  idempotency_keys: byKey('requester'),
  login_delays: byKey('key'),
  rate_counters: byKey('key'),
  // Where a number leads is known before whose code it is.
  short_numbers: byKey('number'),
  used_sign_in_proofs: byKey('proof_hash'),
  webhook_events: byKey('event_id'),

  compatible_migrations: REFERENCE,
  encryption_keys: REFERENCE,
  payment_prices: REFERENCE,
  secret_checks: REFERENCE,
  subscription_package_versions: REFERENCE,
  subscription_packages: REFERENCE,

  // The audit trail is one chain of seals.
  audit_actors: NOTHING,
  audit_dropped_ranges: NOTHING,
  audit_entries: NOTHING,
  audit_origins: NOTHING,
  audit_retention: NOTHING,
  audit_seal_batches: NOTHING,
  audit_seals: NOTHING,
  audit_unsealed: NOTHING,
  daily_service_counts: NOTHING,
  geocoder_state: NOTHING,
  instances: NOTHING,
  mail_suppressions: NOTHING,
  outgoing_mails: NOTHING,
  payment_reconciliations: NOTHING,
  payment_syncs: NOTHING,
  repeated_accesses: NOTHING,
  scan_archives: NOTHING,
  scan_rollup_merge_state: NOTHING,
};

/**
 * Unique in the whole database, without the column by which their table would be distributed, in which case PostgreSQL
 * could not check them. Without the primary keys `id`: ids are random, and the owner can be added to the key.
 */
export const KEYS_WITHOUT_OWNER: readonly string[] = [
  // Of the whole service: each needs a lookup table, distributed by what is unique.
  'users: users_email_key',
  'users: users_profile_picture_key',
  'api_keys: api_keys_previous_token_hash_key',
  'api_keys: api_keys_token_hash_key',
  'user_identities: user_identities_issuer_subject_key',
  'code_drafts: code_drafts_secret_hash_key',
  'password_resets: password_resets_token_hash_key',
  'pending_logins: pending_logins_pkey',
  'push_devices: push_devices_token_hash_key',
  'document_shares: document_shares_token_hash_key',
  'invitations: invitations_token_hash_key',
  'checkout_sessions: checkout_sessions_session_key',
  'payment_customers: payment_customers_pkey',
  'payment_invoices: payment_invoices_provider_key',
  'short_numbers: short_numbers_qr_code_id_key',
  'subscriptions: subscriptions_provider_key',

  // The user of a personal account has the id of the account.
  'accounts: accounts_user_id_key',

  // Within rows of one owner: the owner can be added to the key.
  'batch_tags: batch_tags_qr_code_id_key',
  'conversation_reports: conversation_reports_side_key',
  'conversations: conversations_scan_id_key',
  'data_exports: data_exports_file_id_key',
  'deleted_pictures: deleted_pictures_file_id_key',
  'document_grants: document_grants_document_id_email_hash_key',
  'document_versions: document_versions_file_id_key',
  'document_versions: document_versions_number_key',
  'imports: imports_file_id_key',
  'memory_tag_caretakers: memory_tag_caretakers_email_key',
  'notification_deliveries: notification_deliveries_notification_channel_device_key',
  'pictures: pictures_file_id_key',
  'pictures: pictures_memory_tag_position_key',
  'pictures: pictures_qr_code_position_key',
  'print_sheets: print_sheets_file_id_key',
  'qr_code_appeals: qr_code_appeals_open_key',
  'qr_code_reports: qr_code_reports_open_key',
  'qr_code_takedowns: qr_code_takedowns_current_key',
  'qr_codes: qr_codes_image_file_key',
  'scan_locations: scan_locations_position_key',
  'stored_files: stored_files_name_key',

  // Of tables without a column of the owner.
  'erased_files: erased_files_pkey',
  'picture_renditions: picture_renditions_file_id_key',
  'picture_renditions: picture_renditions_pkey',
  'realtime_events: realtime_events_pkey',
  'realtime_events: realtime_events_stream_id_key',
  'realtime_streams: realtime_streams_pkey',
  'refresh_tokens: refresh_tokens_token_hash_key',
  'scan_counts: scan_counts_pkey',
  'scan_dirty_buckets: scan_dirty_buckets_pkey',
  'scan_rollup_months: scan_rollup_months_pkey',
  'scan_rollups: scan_rollups_pkey',
  'scan_visitors: scan_visitors_pkey',
  'sign_in_codes: sign_in_codes_code_hash_key',
  'subscription_changes: subscription_changes_pkey',
  'test_links: test_links_pkey',
];

/** Foreign keys that do not compare the columns by which both tables would be distributed. */
export const REFERENCES_WITHOUT_OWNER: readonly string[] = [
  // To another owner's row: no distributed database can check them.
  'api_keys: api_keys_created_by_fkey',
  'batches: batches_created_by_fkey',
  'break_glass_grants: break_glass_grants_administrator_id_fkey',
  'conversation_notes: conversation_notes_author_id_fkey',
  'conversations: conversations_assignee_id_fkey',
  'code_moves: code_moves_requested_by_fkey',
  'code_moves: code_moves_to_account_id_fkey',
  'document_accesses: document_accesses_reader_id_fkey',
  'imports: imports_created_by_fkey',
  'invitations: invitations_invited_by_fkey',
  'memberships: memberships_user_id_fkey',
  'memory_tag_caretakers: memory_tag_caretakers_user_id_fkey',
  'print_sheets: print_sheets_created_by_fkey',
  'scans: scans_scanner_id_fkey',

  // From a lookup table of the whole service.
  'short_numbers: short_numbers_qr_code_id_fkey',

  // A personal account has the id of its user.
  'accounts: accounts_user_id_fkey',

  // To a row of the same owner: the owner can be added to both sides.
  'conversation_messages: conversation_messages_conversation_id_fkey',
  'conversation_notes: conversation_notes_conversation_id_fkey',
  'conversation_reports: conversation_reports_conversation_id_fkey',
  'conversations: conversations_qr_code_id_fkey',
  'data_exports: data_exports_file_id_fkey',
  'deleted_pictures: deleted_pictures_file_id_fkey',
  'deleted_pictures: deleted_pictures_memory_tag_id_fkey',
  'deleted_pictures: deleted_pictures_qr_code_id_fkey',
  'document_accesses: document_accesses_document_id_fkey',
  'document_accesses: document_accesses_share_id_fkey',
  'document_grants: document_grants_document_id_fkey',
  'document_shares: document_shares_document_id_fkey',
  'document_shares: document_shares_qr_code_id_fkey',
  'document_versions: document_versions_document_id_fkey',
  'document_versions: document_versions_file_id_fkey',
  'guest_book_entries: guest_book_entries_memory_tag_id_fkey',
  'imports: imports_file_id_fkey',
  'memory_tag_caretakers: memory_tag_caretakers_memory_tag_id_fkey',
  'memory_tags: memory_tags_qr_code_id_fkey',
  'notification_deliveries: notification_deliveries_notification_id_fkey',
  'notifications: notifications_account_id_fkey',
  'payment_invoices: payment_invoices_subscription_id_fkey',
  'pending_logins: pending_logins_identity_id_fkey',
  'pictures: pictures_file_id_fkey',
  'pictures: pictures_memory_tag_id_fkey',
  'pictures: pictures_qr_code_id_fkey',
  'print_sheets: print_sheets_file_id_fkey',
  'push_devices: push_devices_session_id_fkey',
  'qr_code_appeals: qr_code_appeals_takedown_id_fkey',
  'qr_code_reports: qr_code_reports_qr_code_id_fkey',
  'qr_code_takedowns: qr_code_takedowns_qr_code_id_fkey',
  'report_schedules: report_schedules_qr_code_id_fkey',
  'report_schedules: report_schedules_recipient_fkey',
  'scans: scans_qr_code_id_fkey',

  // Of tables without a column of the owner.
  'erased_files: erased_files_erasure_id_fkey',
  'picture_renditions: picture_renditions_file_id_fkey',
  'picture_renditions: picture_renditions_picture_id_fkey',
  'realtime_events: realtime_events_stream_fkey',
  'realtime_streams: realtime_streams_conversation_id_fkey',
  'realtime_streams: realtime_streams_user_id_fkey',
  'refresh_tokens: refresh_tokens_session_id_fkey',
  'scan_counts: scan_counts_qr_code_id_fkey',
  'scan_visitors: scan_visitors_qr_code_id_fkey',
  'sign_in_codes: sign_in_codes_identity_id_fkey',
  'subscription_changes: subscription_changes_subscription_id_fkey',
  'test_links: test_links_qr_code_id_fkey',
  'test_links: test_links_user_id_fkey',
];

/** What statements of a scan do with tables of owners without naming the owner. */
export const SCAN_ACCESSES_WITHOUT_OWNER: readonly string[] = [
  'pictures: read without the owner',
  'qr_codes: read without the owner',
  'scan_counts: no column of the owner',
  'scan_dirty_buckets: no column of the owner',
  'scan_visitors: no column of the owner',
  'sessions: read without the owner',
];
