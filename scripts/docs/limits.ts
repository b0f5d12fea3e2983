import {
  MAX_MAILS_PER_CLIENT,
  MAX_MAILS_PER_IPV6_SITE,
} from '../../src/features/identity/accounts/mail-quota.ts';
import {
  API_KEYS_FACTOR,
  MAX_REFRESHES_PER_SESSION,
  MAX_REQUESTS_PER_API_KEY,
  MAX_REQUESTS_PER_CLIENT,
  MAX_REQUESTS_PER_CODE,
  MAX_STORED_REQUESTS_PER_DAY,
  SHARED_ADDRESS_FACTOR,
} from '../../src/platform/http/rate-limit-numbers.ts';
import { LIFETIMES_SECONDS } from '../../src/shared/lifetimes.ts';
import { code, formatDocument, formatTable } from './markdown.ts';

const INTRODUCTION = `
What one client, one account and one process may do. Beyond a limit the response is 429 or 503 with \`Retry-After\`, or 403 \`PLAN_LIMIT_REACHED\`.

- \`GET /api/subscription/all\` has the limits of each package: codes, memory tags, documents, members, bytes and days of scans. [Billing](../guides/billing.md) explains them.
- The OpenAPI document has the limits of each field and file.
- The [threat model](../security/threat-model.md) has the attempts at passwords, PINs and codes, and the emails to an address.
`;

const CLASSES: Record<string, string> = {
  read: 'reads with a credential',
  write: 'changes with a credential',
  auth: 'registration, login, passwords, second factor, erasure',
  refresh: 'refreshed tokens without a MAC',
  'public-read': 'public reads',
  'public-scan': 'scans',
  upload: 'uploads, imports and bulk requests',
  static: 'public images',
  page: 'pages of codes, documents and conversations',
  webhook: 'events of the payment provider',
  'not-found': 'unknown paths',
};

const CLIENTS = [
  ['an account', 'the access token is valid and not expired, and the operation uses it'],
  [
    'an API key',
    'the key is valid; the first request from an address counts for its token, or for the address where the token was made before tokens had a MAC',
  ],
  ['a session', 'the request refreshes it, and the token has its MAC'],
  [
    'an IPv4 address or an IPv6 /64; the networks of a /48 together have ten times as many',
    'all else, such as registration, login, scans without an account, and forged or expired tokens',
  ],
] as const;

const HEADERS = `
Responses have the headers of [draft-ietf-httpapi-ratelimit-headers-11](https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/11/) and the older ones:

\`\`\`text
RateLimit-Policy: "read";q=300;w=60
RateLimit: "read";r=299;t=42
X-RateLimit-Limit: 300
X-RateLimit-Remaining: 299
X-RateLimit-Reset: 42
\`\`\`

\`t\` and \`X-RateLimit-Reset\` are seconds from now.
`;

const LIFETIMES: readonly (readonly [keyof typeof LIFETIMES_SECONDS, string])[] = [
  ['accessToken', 'access token'],
  ['enterpriseAccessToken', 'access token in enterprise mode'],
  ['refreshToken', 'refresh token, and a session without a refresh'],
  ['maxSession', 'session, however often it is refreshed'],
  ['enterpriseSession', 'session in enterprise mode, however often it is refreshed'],
  ['idleSession', 'session in enterprise mode without a request'],
  ['freshSession', 'login that counts as recent for a change, an export or an erasure of the account'],
  ['apiKey', 'API key, unless its user chose another expiry'],
  [
    'rotationOverlap',
    'token of an API key or secret of a webhook endpoint after its rotation, unless the rotation says otherwise',
  ],
  ['deviceToken', 'token of a known device'],
  ['pendingLogin', 'login that waits for its second factor'],
  ['enrollment', 'second factor that waits for its first code'],
  ['oneTimeCode', 'one-time code in a mail'],
  ['passwordResetLink', 'link that resets a password'],
  ['signInAttempt', 'sign-in at a provider'],
  ['signInCode', 'code that ends a sign-in at a provider'],
  ['scanToken', 'token of a scan'],
  ['conversation', 'conversation without a message'],
  ['documentTicket', 'download address of a document'],
  ['maxShareLink', 'share link of a document, at most'],
  ['idempotentResponse', 'stored answer of an idempotent request'],
  ['breakGlass', 'emergency access of an administrator'],
  ['dataExport', 'archive of personal data'],
  ['finishedImport', 'import that has ended, its errors and rejected rows'],
  ['importDraft', 'file uploaded in a page that is not imported yet; three an account'],
  ['claimUndo', 'claimed tag, to give it back; its claim code'],
  ['deletedSavedView', 'deleted saved view of the list of codes, for its restoration'],
  ['printSheet', 'print sheet that has ended, with its PDF'],
];

const EXPENSIVE_WORK = [
  [
    'hashing passwords and PINs',
    'as many at once as there are cores, less one; a bounded queue',
    '503',
    'test/platform/password-hasher.test.ts',
  ],
  [
    'decoding and drawing pictures',
    'a process of its own, two at once, a bounded queue with a share for each account',
    '503',
    'test/features/files/pictures/process-upload.test.ts',
  ],
  [
    'drawing QR images',
    'two at once, a queue with a share for each account',
    '503',
    'test/features/codes/drawing-process.test.ts',
  ],
  ['forms with files', '64 MiB of memory for all', '503', 'test/platform/http/multipart.test.ts'],
  [
    'storing scans',
    'groups of one statement each, a bounded queue',
    '503',
    'test/platform/group-commit.test.ts',
  ],
  [
    'scan reports',
    'a thread of its own, two at once, eight waiting',
    '503',
    'test/features/scans/reports/report.test.ts',
  ],
  [
    'exports of scans, codes, audit entries and errors of imports',
    'three exports an account; two batches at once',
    '429',
    'test/platform/table-export.test.ts',
  ],
  [
    'imports of codes',
    'one batch at a time; three and three uploads an account, 50 a day, 100,000 rows, 100 MiB and 1,000 stored errors each; one workbook is read at a time, of 20 MiB, in a thread with 512 MiB and 60 seconds',
    '409, 413 or 429',
    'test/features/codes/imports.test.ts',
  ],
  [
    'print sheets',
    'one at a time; three waiting and 20 kept an account, 5,000 codes each and 50,000 labels a day',
    '409 or 429',
    'test/features/codes/print-sheets/print-sheets.test.ts',
  ],
  [
    'batches of tags',
    'one at a time; two in progress and 500 kept an account, 100,000 tags each, which count towards the package',
    '403 or 409',
    'test/features/codes/batches/batches.test.ts',
  ],
  [
    'archives of personal data',
    'one a user and two a process at once; a large one becomes a job',
    '202',
    'test/features/personal-data/export-load.system.test.ts',
  ],
  [
    'counts for administrators',
    'statements with a time limit',
    'the last complete day',
    'test/features/administration/administration.test.ts',
  ],
  [
    'malware scans',
    'a time limit below that of the client',
    '503, or held',
    'test/features/documents/malware.test.ts',
  ],
  [
    'calls of providers',
    'a time and size limit for each; jobs with bounded concurrency',
    'a later attempt',
    'test/shared/http-client.test.ts',
  ],
  [
    'webhooks',
    '10 endpoints an account, 3 served at once; 5 requests of 10 s at once to one',
    'a later attempt',
    'test/features/webhooks/webhooks.test.ts',
  ],
  [
    'requests to a domain of webhooks',
    '20 a second and 5,000 an hour, half of it of one account; 30 challenges an account and hour',
    'a later attempt, or 429',
    'test/features/webhooks/verification.test.ts',
  ],
  [
    'connections',
    '10,000 an instance; a tenth an address, three tenths an IPv6 /48; idle ones end above 8,000',
    'closed',
    'test/platform/http/server-options.test.ts',
  ],
  [
    'sockets',
    '10 an account, 50 an address; 20 messages a second, 60 for an account',
    'closed with 4429 or 1008',
    'test/features/realtime/safety.system.test.ts',
  ],
] as const;

/** Format docs/reference/limits.md: limits of requests, lifetimes and expensive work. */
export function formatLimits(): string {
  const perCode: Partial<Record<string, number>> = MAX_REQUESTS_PER_CODE;
  const requests = Object.entries(MAX_REQUESTS_PER_CLIENT).map(([name, max]) => {
    const ofOneCode = perCode[name] === undefined ? '' : `, ${perCode[name]} of one code`;
    return [CLASSES[name] ?? name, `${max.toLocaleString('en')}${ofOneCode}`];
  });
  requests.push(['refreshed tokens of a session', String(MAX_REFRESHES_PER_SESSION)]);
  requests.push([
    'requests that send an email: registration, a new code, a reset link',
    `${MAX_MAILS_PER_CLIENT} an hour, ${MAX_MAILS_PER_IPV6_SITE} of an IPv6 /48`,
  ]);
  return formatDocument(
    'Limits',
    INTRODUCTION,
    '## Requests',
    'In a minute, unless the row says otherwise, by client. `RATE_LIMIT_SCALE` multiplies them.',
    formatTable(['client', 'when'], CLIENTS),
    formatTable(['what', 'requests'], requests),
    `An API key has ${MAX_REQUESTS_PER_API_KEY.read} reads and ${MAX_REQUESTS_PER_API_KEY.write} changes. All keys of an account together have ${API_KEYS_FACTOR} times as many as one. All accounts, keys and sessions of an IPv4 address or an IPv6 /48 together have ${SHARED_ADDRESS_FACTOR} times as many as a client.`,
    HEADERS,
    `In a day a client leaves at most ${MAX_STORED_REQUESTS_PER_DAY.toLocaleString('en')} things behind without an account: recorded visits of pages, and requests of public routes that are not reads. Pages are still shown beyond it, and logins have the same limit apart.`,
    '## Lifetimes',
    formatTable(
      ['what', 'lasts'],
      LIFETIMES.map(([name, meaning]) => [meaning, formatDuration(LIFETIMES_SECONDS[name])]),
    ),
    '## Expensive work',
    'What takes long is bounded for each process, so that other requests go on. A client that waits gets an answer before its own time limit.',
    formatTable(
      ['work', 'bound', 'beyond it', 'test'],
      EXPENSIVE_WORK.map(([work, bound, beyond, test]) => [work, bound, beyond, code(test)]),
    ),
  );
}

function formatDuration(seconds: number): string {
  for (const [unit, length] of [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
  ] as const) {
    if (seconds % length !== 0) continue;
    const count = seconds / length;
    return `${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  return `${seconds} seconds`;
}
