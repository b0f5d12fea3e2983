import type { Mutation } from '../../scripts/testing/mutation.ts';

const AMOUNT_TESTS = [
  'test/platform/http/route-rate-limits.test.ts#each class has its number of requests a minute',
];
const PAGE_LIMIT_FILE = 'test/features/finder/page-limits.test.ts';

/** How much one network, account or record may use. */
export const QUOTA_MUTATIONS: readonly Mutation[] = [
  {
    guard: 'twenty uploads a minute from an address',
    file: 'src/platform/http/rate-limits.ts',
    find: '  upload: 20,',
    replace: '  upload: 2_000,',
    tests: AMOUNT_TESTS,
  },
  {
    guard: 'a hundred and twenty writes a minute from an address',
    file: 'src/platform/http/rate-limits.ts',
    find: '  write: 120,',
    replace: '  write: 12_000,',
    tests: AMOUNT_TESTS,
  },
  {
    guard: 'a request above its limit is refused',
    file: 'src/platform/http/rate-limits.ts',
    find: '    await limit.call(app, request, reply);\n',
    replace: '    void [limit, reply];\n',
    tests: [
      'test/platform/http/rate-limits.test.ts#limits logins to 20 per minute and address, with RateLimit headers and Retry-After',
    ],
  },
  {
    guard: 'an IPv6 site has ten times the limit of a client',
    file: 'src/platform/http/rate-limits.ts',
    find: '    if (principal === null) await limitIpv6Site(request);\n',
    replace: '    void limitIpv6Site;\n',
    tests: [
      'test/platform/http/rate-limits.test.ts#limits an IPv6 /48 to ten times a client, whichever /64 are used',
    ],
  },
  {
    guard: 'an IPv6 client is its /64',
    file: 'src/shared/client-address.ts',
    find: 'formatPrefix(groups, 4)',
    replace: 'formatPrefix(groups, 8)',
    tests: ['test/shared/client-address.test.ts'],
  },
  {
    guard: 'pages above the limit of an address end',
    file: 'src/platform/http/rate-limits.ts',
    find: 'const MAX_PAGES_ABOVE_LIMIT = { address: 300,',
    replace: 'const MAX_PAGES_ABOVE_LIMIT = { address: 300_000,',
    tests: ['test/platform/http/rate-limits.test.ts'],
  },
  {
    guard: 'pages above the limit of a code end',
    file: 'src/platform/http/rate-limits.ts',
    find: 'address: 300, code: 90 };',
    replace: 'address: 300, code: 90_000 };',
    tests: [PAGE_LIMIT_FILE],
  },
  {
    guard: 'sixty pages of unknown codes a minute',
    file: 'src/platform/http/rate-limits.ts',
    find: 'const MAX_UNKNOWN_PAGES = 60;',
    replace: 'const MAX_UNKNOWN_PAGES = 60_000;',
    tests: [`${PAGE_LIMIT_FILE}#unknown codes are refused after sixty a minute, while known ones are shown`],
  },
  {
    guard: 'one client does not fill the queue of all',
    file: 'src/shared/fair-limiter.ts',
    find: "if (tasks.length >= maxQueuedPerKey)\n        throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: RETRY_AFTER_SECONDS });",
    replace: 'void maxQueuedPerKey;',
    tests: ['test/shared/fair-limiter.test.ts'],
  },
  {
    guard: 'the queue of all has an end',
    file: 'src/shared/fair-limiter.ts',
    find: "if (queued >= maxQueued) throw new ServiceError('BUSY', { retryAfterSeconds: RETRY_AFTER_SECONDS });",
    replace: 'void maxQueued;',
    tests: ['test/shared/fair-limiter.test.ts'],
  },
  {
    guard: 'a queue has an end',
    file: 'src/shared/limiter.ts',
    find: "throw new ServiceError('BUSY', { retryAfterSeconds: limit.retryAfterSeconds });",
    replace: 'void limit.retryAfterSeconds;',
    tests: ['test/shared/limiter.test.ts'],
  },
  {
    guard: 'repeated accesses are counted, not recorded one by one',
    file: 'src/platform/repeated-access.repository.ts',
    find: 'export const MAX_SINGLE_ENTRIES = 10;',
    replace: 'export const MAX_SINGLE_ENTRIES = 10_000;',
    tests: [PAGE_LIMIT_FILE],
  },
  {
    guard: 'stored responses of a network take a bounded space',
    file: 'src/platform/idempotency.ts',
    find: 'return budgets.every(({ used }) => used <= MAX_STORED_KIB);',
    replace: 'return budgets.length > 0;',
    tests: ['test/platform/idempotency.test.ts#stores only so many bytes of one network'],
  },
  {
    guard: 'twenty confirmation mails an hour of a network',
    file: 'src/features/conversations/finder-email-confirmation.ts',
    find: 'const MAX_CONFIRMATIONS_PER_HOUR = 20;',
    replace: 'const MAX_CONFIRMATIONS_PER_HOUR = 20_000;',
    tests: [
      'test/features/conversations/reply-mails.test.ts#limits the confirmation mails of a network to different addresses',
    ],
  },
  {
    guard: 'ten caretakers of a memory tag',
    file: 'src/features/memory-tags/add-caretaker.ts',
    find: 'const MAX_CARETAKERS = 10;',
    replace: 'const MAX_CARETAKERS = 10_000;',
    tests: [
      'test/features/memory-tags/caretakers.test.ts#gives a caretaker access without revealing whether an address has an account',
    ],
  },
  {
    guard: 'twenty entries a day of a network in a guest book',
    file: 'src/features/memory-tags/sign-guest-book.ts',
    find: 'const MAX_ENTRIES_PER_NETWORK_AND_DAY = 20;',
    replace: 'const MAX_ENTRIES_PER_NETWORK_AND_DAY = 20_000;',
    tests: [
      'test/features/memory-tags/guest-book.test.ts#rejects bots and excessive entries, and keeps the input in the form',
    ],
  },
  {
    guard: 'five hundred pending entries of a guest book',
    file: 'src/features/memory-tags/sign-guest-book.ts',
    find: '  await deleteSurplusPendingEntries(tx, tag.id, MAX_PENDING_ENTRIES);\n',
    replace: '  void [deleteSurplusPendingEntries, MAX_PENDING_ENTRIES];\n',
    tests: [
      'test/features/memory-tags/guest-book.test.ts#rejects bots and excessive entries, and keeps the input in the form',
    ],
  },
  {
    guard: 'ten archives a day',
    file: 'src/features/personal-data/request-export.ts',
    find: 'const MAX_EXPORTS_PER_DAY = 10;',
    replace: 'const MAX_EXPORTS_PER_DAY = 10_000;',
    tests: ['test/features/personal-data/export.test.ts#a user can download ten archives a day'],
  },
  {
    guard: 'twenty versions of a document',
    file: 'src/features/documents/document-limits.rules.ts',
    find: 'export const MAX_DOCUMENT_VERSIONS = 20;',
    replace: 'export const MAX_DOCUMENT_VERSIONS = 20_000;',
    tests: ['test/features/documents/versions-and-limits.test.ts'],
  },
];
