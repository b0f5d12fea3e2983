/** What export and erasure do with a table. */
export interface PersonalTable {
  table: string;
  /** Where in an archive its rows are; null where they are not, with the reason. */
  exported: { in: string } | { not: string };
  /** What becomes of a person's rows when their account is erased. */
  erased: 'DELETED' | 'EMPTIED' | 'KEPT' | 'NOT_PERSONAL';
  /** By which rule, for readers; of kept rows why. */
  how: string;
  /** Of emptied rows, what stays and what goes: together every column of the table. */
  columns?: { kept: readonly string[]; emptied: readonly string[] };
}

/**
 * Every table of the database, and what export and erasure do with it. A test compares it with the database, so that a
 * new table or a new column of an emptied row is decided about before it is there. `npm run docs` writes
 * docs/reference/personal-data.md from it.
 */
export const PERSONAL_TABLES: readonly PersonalTable[] = [
  {
    table: 'users',
    exported: { in: 'profile, pictures/' },
    erased: 'EMPTIED',
    how: 'At once. An id without a person remains, for codes and their counts to belong to; the picture’s file is removed.',
    columns: {
      kept: ['id', 'status', 'access_epoch', 'version', 'created_at', 'updated_at'],
      emptied: [
        ...['email', 'password_hash', 'role', 'first_name', 'last_name', 'account_type', 'organization_name'],
        ...[
          'phone',
          'language',
          'time_zone',
          'profile_picture',
          'previous_status',
          'search_text',
          'enterprise_mode',
        ],
      ],
    },
  },
  defineDeletedTable('pending_registrations', { not: 'waits for a confirmation; there is no account yet' }),
  defineDeletedTable('sessions', { in: 'sessions' }),
  defineDeletedTable('refresh_tokens', { not: 'hashes of tokens' }, 'With their sessions.'),
  defineDeletedTable('password_resets', { not: 'hashes of tokens' }),
  defineDeletedTable('user_identities', { in: 'identities' }),
  defineDeletedTable('sign_in_codes', { not: 'hashes of codes' }, 'With their identities.'),
  defineKeptTable(
    'used_sign_in_proofs',
    'hashes of what was used to sign in',
    'Name nobody; forgotten within the hour.',
  ),
  defineDeletedTable('second_factors', { not: 'a secret; whether there is one is in `profile`' }),
  defineDeletedTable('recovery_codes', { not: 'keyed hashes' }, 'With the second factor.'),
  defineDeletedTable('pending_logins', { not: 'hashes of tokens' }, 'With the second factor.'),
  defineKeptTable(
    'attempt_budgets',
    'keyed hashes of what is guarded, and counts',
    'Name nobody; forgotten a day after they end.',
  ),
  defineKeptTable(
    'login_delays',
    'keyed hashes of addresses, and counts',
    'That of the address is deleted at once.',
  ),
  defineKeptTable(
    'rate_counters',
    'counts by address of the network',
    'Name nobody; forgotten within minutes.',
  ),
  defineDeletedTable(
    'idempotency_keys',
    { not: 'answers that were given already, kept for a day' },
    'Those kept for the account, and those given to others that show its content.',
  ),
  {
    table: 'qr_codes',
    exported: { in: 'qrCodes, qrcodes/' },
    erased: 'EMPTIED',
    how: 'At once; beyond 1,000 by the job, and nobody can scan them meanwhile. No 30 days of grace. The images’ files are removed.',
    columns: {
      kept: [
        ...['id', 'owner_id', 'kind', 'mode', 'status'],
        ...['deleted_at', 'version', 'created_at', 'updated_at'],
      ],
      emptied: [
        ...[
          'title',
          'search_text',
          'slug',
          'previous_status',
          'data',
          'visibility',
          'design',
          'logo',
          'adjusted',
        ],
        ...['lost_details', 'pin_hash', 'image_file', 'contactable', 'shows_page', 'notify_on', 'expires_at'],
      ],
    },
  },
  defineKeptTable('qr_code_counts', 'counts of codes by status', 'Numbers alone, of codes whose rows stay.'),
  {
    table: 'scan_counts',
    exported: { in: 'qrCodes' },
    erased: 'KEPT',
    how: 'Numbers alone, of codes whose rows stay.',
  },
  defineDeletedTable('test_links', { not: 'hashes of tokens' }, 'With their codes.'),
  {
    table: 'scans',
    exported: { in: 'scansOfYourCodes, yourScans' },
    erased: 'EMPTIED',
    how: 'Of the account’s codes, so that counts stay. A scan that the account made of somebody else’s code loses `scanner_id` alone: it is the other’s.',
    columns: {
      kept: [
        ...['id', 'qr_code_id', 'owner_id', 'type', 'class', 'class_rule', 'city', 'region', 'country'],
        ...['is_unique', 'device', 'os', 'browser', 'unlocked_at', 'unlocked_version', 'scanned_at'],
      ],
      emptied: ['scanner_id', 'visitor_hash', 'position', 'address', 'ip_truncated', 'user_agent'],
    },
  },
  defineDeletedTable(
    'scan_locations',
    { in: 'scansOfYourCodes, as the `trail` of each' },
    'Once no code remains that one could be given for.',
  ),
  defineNonPersonalTable('geocoded_cells', 'Addresses by keyed hashes of cells; of no scan and nobody.'),
  defineNonPersonalTable('geocoder_state', 'When a geocoding server was asked last.'),
  defineDeletedTable(
    'scan_visitors',
    { not: 'keyed hashes of visitors, kept for days' },
    'With their codes.',
  ),
  defineKeptTable(
    'scan_rollups',
    'counts of the scans that are in the archive',
    'Counts by code, time, place and kind of device, so that sums stay; by an id alone.',
  ),
  defineKeptTable('owner_scan_counts', 'their sums', 'Numbers alone, so that sums stay.'),
  defineNonPersonalTable('scan_dirty_buckets', 'Which counts are to be made again.'),
  defineDeletedTable('conversations', { in: 'conversations' }),
  defineDeletedTable('conversation_messages', { in: 'conversations' }, 'With their conversations.'),
  defineDeletedTable(
    'conversation_reports',
    { in: 'conversations' },
    'With their conversations. The archive has those that the person made, and not what a finder reported.',
  ),
  defineDeletedTable('blocked_finders', { not: 'keyed hashes' }),
  defineDeletedTable('notifications', { in: 'notifications' }),
  defineDeletedTable(
    'realtime_streams',
    { not: 'numbers alone' },
    'The account’s, and with their conversations those of the finders.',
  ),
  defineDeletedTable(
    'realtime_events',
    { not: 'ids of what is in the archive, kept for seven days' },
    'The account’s, and with their conversations those of the finders.',
  ),
  defineDeletedTable('notification_deliveries', { in: 'notifications' }, 'With their notifications.'),
  defineDeletedTable('notification_settings', { in: 'notificationSettings' }),
  defineDeletedTable('push_devices', { in: 'devices' }, 'Every device of the account, with its token.'),
  defineDeletedTable('memory_tags', { in: 'memoryTags' }),
  defineDeletedTable('documents', { in: 'documents, documents/' }),
  defineDeletedTable(
    'document_versions',
    { in: 'documents, documents/' },
    'With their documents, and their files.',
  ),
  defineDeletedTable('document_shares', { in: 'documents' }, 'With their documents: the links open nothing.'),
  defineDeletedTable(
    'document_grants',
    { in: 'documents, documentsGivenToYou' },
    'With their documents; and what others gave to the address.',
  ),
  defineDeletedTable(
    'document_accesses',
    { in: 'documentReadings' },
    'With their documents. A reading of somebody else’s document loses `reader_id` alone: it is the other’s.',
  ),
  defineDeletedTable(
    'memory_tag_pictures',
    { in: 'memoryTagPictures, memory-tags/' },
    'Also those that somebody else added, who helps with a memory tag of the account.',
  ),
  defineDeletedTable(
    'picture_renditions',
    { not: 'smaller sizes of pictures that are in it' },
    'With their pictures.',
  ),
  defineDeletedTable('guest_book_entries', { in: 'memoryTags' }, 'Those of the account’s memory tags.'),
  defineDeletedTable(
    'memory_tag_caretakers',
    { in: 'memoryTags, memoryTagsCaredFor' },
    'Those of the account’s memory tags, and those of others that name the account or its address.',
  ),
  defineNonPersonalTable(
    'subscription_packages',
    'What is on offer; the person’s package is in `package` of the archive.',
  ),
  defineNonPersonalTable('subscription_package_versions', 'What was on offer.'),
  defineNonPersonalTable('payment_prices', 'What a payment provider calls the prices.'),
  defineDeletedTable(
    'payment_customers',
    { not: 'what a payment provider calls the person' },
    'With what the provider knows of the person.',
  ),
  defineDeletedTable('checkout_sessions', { not: 'pages to pay on, by ids' }),
  {
    table: 'subscriptions',
    exported: { in: 'subscriptions' },
    erased: 'KEPT',
    how: 'What was sold is kept for the books; by an id alone. What still runs is ended.',
  },
  {
    table: 'payment_invoices',
    exported: { in: 'invoices' },
    erased: 'KEPT',
    how: 'What was paid is kept for the books; by an id alone.',
  },
  defineKeptTable('webhook_events', 'ids of a payment provider', 'Name nobody; forgotten after 90 days.'),
  defineKeptTable('payment_syncs', 'ids of a payment provider', 'Name nobody.'),
  defineNonPersonalTable('payment_reconciliations', 'When everything was compared with a payment provider.'),
  {
    table: 'outgoing_mails',
    exported: { not: 'went to the person' },
    erased: 'EMPTIED',
    how: 'Mails that wait for the address are given up, with their content; only the one that tells of the erasure is sent.',
    columns: {
      kept: ['id', 'template', 'status', 'attempts', 'reason', 'created_at', 'sent_at'],
      emptied: ['content', 'recipient_hash'],
    },
  },
  defineNonPersonalTable('daily_service_counts', 'Counts of the whole service by day.'),
  defineNonPersonalTable('encryption_keys', 'Check values of keys.'),
  defineNonPersonalTable('instances', 'Which keys the running instances have.'),
  {
    table: 'break_glass_grants',
    exported: { in: 'events' },
    erased: 'KEPT',
    how: 'Evidence of what an administrator read in an emergency, for auditors; by ids alone, the reason encrypted.',
  },
  {
    table: 'audit_entries',
    exported: { in: 'events' },
    erased: 'KEPT',
    how: 'Whole and verifiable. They name a person by a random reference, which leads nowhere afterwards.',
  },
  defineNonPersonalTable('audit_unsealed', 'Entries that wait for their seal.'),
  defineNonPersonalTable('audit_seals', 'The chain of hashes over the trail.'),
  defineNonPersonalTable('audit_seal_batches', 'Its signatures.'),
  defineNonPersonalTable('audit_retention', 'How long the trail is kept.'),
  defineNonPersonalTable('audit_dropped_ranges', 'What of it was dropped because of its age.'),
  defineDeletedTable(
    'audit_actors',
    { not: 'the reference itself' },
    'At once: the only way from a reference to a person.',
  ),
  defineDeletedTable(
    'audit_origins',
    { in: 'events, those of the person’s own doing' },
    'Addresses and agents of what the person did, and of failed log-ins to the account.',
  ),
  defineDeletedTable(
    'stored_files',
    { not: 'keys of files; the files themselves are in the archive' },
    'Their keys at once, so that nothing opens them; their bytes by the job.',
  ),
  defineDeletedTable('data_exports', { not: 'the archives themselves' }, 'With their files.'),
  defineKeptTable(
    'erasures',
    'made by an erasure',
    'That an id was erased, and when; the reference is forgotten at the end.',
  ),
  defineDeletedTable('erased_files', { not: 'made by an erasure' }, 'As the files are removed.'),
  defineNonPersonalTable('_prisma_migrations', 'The history of the schema.'),
];

function defineDeletedTable(
  table: string,
  exported: PersonalTable['exported'],
  how = 'Every row of the account.',
): PersonalTable {
  return { table, exported, erased: 'DELETED', how };
}

function defineKeptTable(table: string, not: string, how: string): PersonalTable {
  return { table, exported: { not }, erased: 'KEPT', how };
}

function defineNonPersonalTable(table: string, how: string): PersonalTable {
  return { table, exported: { not: 'nobody’s' }, erased: 'NOT_PERSONAL', how };
}
