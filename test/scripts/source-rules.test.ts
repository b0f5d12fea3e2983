import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from '../tap.ts';

const SOURCES = new Map<string, string>();
for (const folder of ['src', 'packages'])
  for (const name of await readdir(folder, { recursive: true }))
    if (name.endsWith('.ts') && !/(?:^|\/)(?:generated|node_modules|dist)\//.test(name))
      SOURCES.set(join(folder, name), await readFile(join(folder, name), 'utf8'));

const findFiles = (pattern: RegExp) =>
  [...SOURCES].filter(([, text]) => pattern.test(text)).map(([file]) => file);
const findMatches = (pattern: RegExp) =>
  [...SOURCES.values()].flatMap((text) => [...text.matchAll(pattern)].map(([, match = '']) => match));

t.test('no source compiles text into code', (t) => {
  t.ok(SOURCES.size > 700, `${SOURCES.size} files`);
  t.same(
    findFiles(/(?<![.\w])eval\(|new Function\(|from '(?:node:)?vm'|(?:setTimeout|setInterval)\(['"`]/),
    [],
  );
  t.end();
});

t.test('only fixed programs are started, and none by a shell', (t) => {
  t.same(findFiles(/from 'node:child_process'/).toSorted(), [
    'packages/embedded-postgres/src/postgres-binaries.ts',
    'packages/embedded-postgres/src/postmaster.ts',
    'packages/embedded-postgres/src/run-cluster-program.ts',
    'packages/embedded-postgres/src/system-user.ts',
    'src/platform/worker-process.ts',
  ]);
  t.same(findFiles(/\bexecSync\(|\bexec\(['"`]|shell: (?!false|\[)/), []);
  t.end();
});

t.test('statements whose text is built are in a few known files, and take no input as text', (t) => {
  t.same(findFiles(/\$(?:query|execute)Raw/).toSorted(), [
    // What binds a transaction to an account: the id is checked.
    'src/platform/bound-database.ts',
    // The statements of pg-boss.
    'src/platform/jobs.ts',
    // All others; `raw-statements.test.ts` reads their text from the sources.
    'src/platform/sql.ts',
  ]);
  t.same(findFiles(/Prisma\.raw\(/).toSorted(), [
    // Names and expressions that the code declares.
    'src/features/billing/subscriptions/subscription.repository.ts',
    'src/features/codes/qrcode.repository.ts',
    'src/features/memory-tags/anniversary.repository.ts',
    'src/features/notifications/readable-notification.repository.ts',
    'src/features/personal-data/export-size.repository.ts',
    'src/platform/personal-rows.repository.ts',
  ]);
  t.end();
});

t.test('the id of the user is not taken for that of the account that a request acts for', (t) => {
  const pattern =
    /requireAuthenticatedUser\(request\)\.id\b|\{(?: \w+(?:: \w+)?,)* id\b[^}]*\} = requireAuthenticatedUser\(/;
  t.same(findFiles(pattern).toSorted(), [
    'src/features/administration/break-glass.routes.ts',
    'src/features/administration/qrcode-takedowns.routes.ts',
    'src/features/audit/organizations/organization-audit.routes.ts',
    'src/features/audit/own-audit.routes.ts',
    'src/features/audit/send-audit-export.ts',
    'src/features/conversations/conversations.routes.ts',
    'src/features/conversations/notes/notes.routes.ts',
    'src/features/identity/accounts/profile.routes.ts',
    'src/features/identity/organizations/invitations/invitations.routes.ts',
    'src/features/identity/organizations/members.routes.ts',
    'src/features/identity/organizations/organizations.routes.ts',
    'src/features/identity/organizations/policies/policies.routes.ts',
    'src/features/identity/sign-in/identities.routes.ts',
    'src/features/notifications/notifications.routes.ts',
    'src/features/notifications/preferences.routes.ts',
    'src/features/notifications/push/push-devices.routes.ts',
    'src/features/owner-pages/codes/phone.routes.ts',
    'src/features/owner-pages/first-steps/first-steps.routes.ts',
    'src/features/owner-pages/first-steps/practice.routes.ts',
    'src/features/owner-pages/home.routes.ts',
    'src/features/owner-pages/inbox/conversation.routes.ts',
    'src/features/owner-pages/inbox/inbox.routes.ts',
    'src/features/owner-pages/inbox/notes.routes.ts',
    'src/features/owner-pages/invitation-link.routes.ts',
    'src/features/owner-pages/notifications/notification.routes.ts',
    'src/features/owner-pages/reports.routes.ts',
    'src/features/owner-pages/settings/members.routes.ts',
    'src/features/owner-pages/settings/notifications.routes.ts',
    'src/features/owner-pages/settings/organization-security.routes.ts',
    'src/features/owner-pages/settings/organizations.routes.ts',
    'src/features/owner-pages/settings/profile.routes.ts',
    'src/features/owner-pages/settings/second-factor.routes.ts',
    'src/features/owner-pages/settings/settings-page.ts',
    'src/features/owner-pages/staff/break-glass.routes.ts',
    'src/features/owner-pages/web-push/web-push-offer.ts',
    'src/features/personal-data/export.routes.ts',
    'src/features/scans/reports/schedule/report-schedule.routes.ts',
    'src/features/transfers/code-moves.routes.ts',
  ]);
  t.end();
});

t.test('the address of a client is read by one parser', (t) => {
  // Fastify's own properties take what a proxy sends as it is.
  t.same(
    findFiles(
      /\b(?:request|req|this)\.ips?\b|\b(?:request|req)\.(?:host|hostname|protocol)\b|\{[^}]*\bips?\b[^}]*\}[^=]*: FastifyRequest/,
    ),
    [],
  );
  t.end();
});

t.test('sources write to the log and to listed files only', (t) => {
  const printers = findFiles(/\bconsole\.|process\.std(?:out|err)/).filter(
    (file) => !file.startsWith('src/commands/'),
  );
  t.same(printers.toSorted(), [
    // Warnings about settings, before there is a log.
    'src/config.ts',
    // The text of a program for the owner's machine.
    'src/features/owner-pages/developers/webhooks/receiver-sample.ts',
    'src/server.ts',
    'src/shared/command-usage.ts',
    'src/start/check-build.ts',
  ]);
  const writers = findFiles(/\b(?:appendFile|createWriteStream|writeFile)\(/);
  t.same(writers.toSorted(), [
    'packages/embedded-postgres/src/private-file.ts',
    'src/commands/audit-export.ts',
    'src/commands/backup/backup-keys.ts',
    'src/commands/backup/part-file.ts',
    'src/commands/demo-content.ts',
    'src/providers/checkpoints/checkpoint-file.ts',
    'src/providers/files/disk/write-file.ts',
    'src/providers/mail/mailbox-mail-provider.ts',
    'src/start/private-file.ts',
  ]);
  t.end();
});

t.test('routes open no transaction: what they do in several steps is a use case', (t) => {
  t.same(
    findFiles(/\.transaction\(/).filter((file) => file.endsWith('.routes.ts')),
    [],
  );
  t.end();
});

t.test('randomness is cryptographic, except for delays and samples', (t) => {
  t.same(findFiles(/Math\.random/).toSorted(), [
    'packages/client/src/delay.ts',
    'src/features/billing/payments/sync-payment.job.ts',
    'src/features/webhooks/retry.rules.ts',
    'src/platform/job-worker.ts',
    'src/platform/realtime/notification-listener.ts',
    'src/platform/redis.ts',
    'src/platform/retry-locked.ts',
    'src/platform/tracing/opentelemetry.ts',
  ]);
  t.end();
});

t.test('the algorithms are those of the inventory in docs/security/encryption.md', async (t) => {
  const page = await readFile('docs/security/encryption.md', 'utf8');
  const section = page.split('\n## Inventory\n')[1]?.split('\n## ')[0] ?? '';
  const listed = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name = '']) => name);
  const used = new Set([
    ...findMatches(/\bcreate(?:Hash|Hmac|Cipheriv|Decipheriv)\(\s*([^,)\s]+)/g),
    ...findMatches(/\bhkdfSync\(\s*([^,)\s]+)/g),
    ...findMatches(/\balgorithms?: \[?('(?:HS|RS|ES|PS|Ed|SHA)\w+')/g),
  ]);
  t.same([...used].toSorted(), [
    "'HS256'",
    "'SHA1'",
    "'aes-128-gcm'",
    "'aes-256-cbc'",
    "'aes-256-gcm'",
    "'sha256'",
  ]);
  for (const name of [
    'AES-128-GCM',
    'AES-256-GCM',
    'AES-256-CBC',
    'HMAC-SHA-256',
    'HMAC-SHA-1',
    'SHA-256',
    'HKDF-SHA-256',
    'ES256',
    'HS256',
    'bcrypt',
    'Ed25519',
  ])
    t.ok(listed.includes(name), name);
});
