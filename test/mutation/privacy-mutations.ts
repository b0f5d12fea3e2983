import type { Mutation } from '../../scripts/testing/mutation.ts';

export const PRIVACY_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'administrators do not see exact positions',
    file: 'src/features/scans/scan.view.ts',
    find: 'location: row.position ? { ...HIDDEN_POSITION, city, region, country } : null,',
    replace: 'location: row.position as never,',
    tests: [
      'test/features/scans/scan-location.test.ts#an administrator sees only the cities of a trail, and its positions by break-glass',
      'test/features/scans/scan-reading.test.ts#the credential decides which fields of a scan are visible',
    ],
  },
  {
    guard: 'a closed code shows nothing to guests',
    file: 'src/features/scans/scan.view.ts',
    find: 'if (!isOpen) return { profile: null, pictures: [], pinRequired: false, contactable: code.contactable };',
    replace: '',
    tests: [
      'test/features/scans/scan-reading.test.ts#the credential decides which fields of a scan are visible',
    ],
  },
  {
    guard: 'pictures of medical codes are audited',
    file: 'src/features/finder/gallery.ts',
    find: "if (context && code.kind === 'MEDICAL') {",
    replace: "if (context && code.kind === 'NONE') {",
    tests: [
      'test/features/finder/code-pictures.test.ts#pictures of a medical code are audited when they are opened without its page',
    ],
  },
  {
    guard: 'a block reaches cached codes',
    file: 'src/features/scans/insert-scan.repository.ts',
    find: 'coalesce(input_scans.owner_blocks, codes.owner_blocks)',
    replace: 'codes.owner_blocks',
    tests: [
      'test/features/scans/code-cache.test.ts#the first block of an owner reaches a cached code at once',
    ],
  },
  {
    guard: 'stored IPv4 addresses are truncated',
    file: 'src/shared/client-address.ts',
    find: ".slice(0, 3).join('.')}.0`",
    replace: ".slice(0, 4).join('.')}`",
    tests: ['test/shared/client-address.test.ts', 'test/features/scans/insert-scan.test.ts'],
  },
  {
    guard: 'stored IPv6 addresses are truncated',
    file: 'src/shared/client-address.ts',
    find: "return groups ? formatPrefix(groups, 3) : 'unknown';",
    replace: "return groups ? formatPrefix(groups, 8) : 'unknown';",
    tests: ['test/shared/client-address.test.ts', 'test/features/scans/insert-scan.test.ts'],
  },
  {
    guard: 'answers are not cached by default',
    file: 'src/platform/http/security-headers.ts',
    find: "      reply.header('cache-control', 'no-store');\n",
    replace: '',
    tests: ['test/platform/http/security-headers.test.ts'],
  },
  {
    guard: 'addresses are not sent as referrer',
    file: 'src/platform/http/security-headers.ts',
    find: "    'referrer-policy': 'no-referrer',\n",
    replace: '',
    tests: ['test/platform/http/security-headers.test.ts'],
  },
  {
    guard: 'contents are not sniffed',
    file: 'src/platform/http/security-headers.ts',
    find: "    'x-content-type-options': 'nosniff',\n",
    replace: '',
    tests: ['test/platform/http/security-headers.test.ts'],
  },
  {
    guard: 'pages are not indexed',
    file: 'src/platform/pages/page-frame.ts',
    find: "    .header('X-Robots-Tag', 'noindex')\n",
    replace: '',
    tests: ['test/features/finder/finder.test.ts#a finder opens the page of a code'],
  },
  {
    guard: 'pages escape what owners typed',
    file: 'src/shared/html.ts',
    find: "if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));",
    replace: "if (typeof value === 'string' || typeof value === 'number') return String(value);",
    tests: ['test/shared/html.test.ts', 'test/features/finder/page-safety.test.ts'],
  },
  {
    guard: 'a blocked finder starts no conversation',
    file: 'src/features/conversations/start-conversation.ts',
    find: '(await isFinderBlocked(tx, ownerId, finderHash))',
    replace: '(false as boolean)',
    tests: [
      'test/features/conversations/conversations.test.ts#rejects messages in an ended conversation, and conversations of a blocked finder only',
    ],
  },
  {
    guard: 'an owner who is not contactable is not contacted',
    file: 'src/features/conversations/start-conversation.ts',
    find: 'if (!qrCode.contactable ||',
    replace: 'if (',
    tests: [
      'test/features/conversations/conversations.test.ts#rejects invalid messages and invalid access with a reason',
      'test/features/conversations/conversations.test.ts',
    ],
  },
  {
    guard: 'nobody writes into an ended conversation',
    file: 'src/features/conversations/write-message.ts',
    find: "if (status !== 'OPEN' || isBlocked) throw",
    replace: 'if (isBlocked) throw',
    tests: [
      'test/features/conversations/conversations.test.ts#rejects messages in an ended conversation, and conversations of a blocked finder only',
    ],
  },
  {
    guard: 'enterprise accounts export encrypted only',
    file: 'src/features/identity/accounts/enterprise.rules.ts',
    find: "return isEnterprise ? 'ENCRYPTED_OR_REFUSED' : 'PLAIN';",
    replace: "return 'PLAIN';",
    tests: [
      'test/features/identity/accounts/enterprise.test.ts#exports must be encrypted in enterprise mode of the account or of the service',
    ],
  },
  {
    guard: 'a message of a login does not tell which part was wrong',
    file: 'src/features/identity/accounts/log-in.ts',
    find: 'const email = normalizeEmail(input.email) ?? `no address: ${input.email}`;',
    replace:
      "const email = normalizeEmail(input.email); if (email === null) throw new ServiceError('VALIDATION_FAILED');",
    tests: [
      'test/features/identity/accounts/log-in.test.ts#unknown address, wrong password, missing password and unverified address give the same 401',
      'test/features/identity/accounts/same-work.test.ts',
      'test/features/identity/accounts/log-in.test.ts#invalid email addresses do not delay each other',
    ],
  },
  {
    guard: 'stored responses of an erased user are deleted',
    file: 'src/platform/idempotency.repository.ts',
    find: 'WHERE requester = ${userId} OR content_owner_id = ${userId} LIMIT',
    replace: 'WHERE requester = ${userId} LIMIT',
    tests: [
      'test/features/personal-data/erasure.test.ts',
      'test/features/personal-data/erasure-canaries.test.ts',
      'test/platform/idempotency.test.ts',
    ],
  },
  {
    guard: 'notifications are read only by their user',
    file: 'src/features/notifications/notification.repository.ts',
    find: 'findFirst({ where: { id, userId, dismissedAt: null }',
    replace: 'findFirst({ where: { id, dismissedAt: null }',
    tests: [
      'test/features/notifications/notifications.test.ts#hides notifications of other users, and audits the attempt once',
    ],
  },
];
