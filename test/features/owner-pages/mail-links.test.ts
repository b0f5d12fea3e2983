import { readFileSync } from 'node:fs';
import type { Test } from 'tap';
import { createMailUnsubscribeUrl } from '../../../src/features/mail/unsubscribe-token.ts';
import { enqueueNotificationMail } from '../../../src/features/notifications/enqueue-notification-mail.ts';
import { sendDueReports } from '../../../src/features/scans/reports/schedule/send-reports.job.ts';
import { listMailboxEntries, readMailboxMail } from '../../../src/providers/mail/mailbox-reader.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { type AccessCell, createTestResources } from '../../access/test-resources.ts';
import { startTestApp, TEST_PASSWORD, type TestApp, type TestUser } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createFakeProvider } from '../billing/payments/fake-provider.ts';
import { enableSecondFactor } from '../identity/second-factor/helper.ts';
import { waitFor } from '../personal-data/helper.ts';
import { TestBrowser } from './browser.ts';
import { signIn } from './settings/helper.ts';

const MESSAGES: Record<string, string> = JSON.parse(readFileSync('locales/en.json', 'utf8'));

const EVENTS = Object.keys(MESSAGES).flatMap(
  (key) => /^notifications\.([a-z_]+\.[a-z_]+)\.title$/.exec(key)?.[1] ?? [],
);

/** Templates whose text has a link; the others get one from the code that renders them. */
const TEMPLATES_WITH_LINKS = [
  ...new Set(
    Object.entries(MESSAGES).flatMap(([key, text]) =>
      text.includes('{link}') ? (/^mails\.([A-Z_]+)\.paragraph\d+$/.exec(key)?.[1] ?? []) : [],
    ),
  ),
  'ALREADY_REGISTERED',
  'NOTIFICATION',
  'SCAN_REPORT',
];

const FINDER = 'finder@example.net';

/** Of the payment provider. */
const INVOICE_URL = 'https://pay.example/';

async function readLinks({ services }: TestApp, to: string) {
  const mails = (await listMailboxEntries(services.mailboxDir, 200)).filter((mail) => mail.to === to);
  const texts = await Promise.all(
    mails.map(async ({ file, subject }) => {
      const text = (await readMailboxMail(services.mailboxDir, file))?.text ?? '';
      return [...text.matchAll(/https:\/\/qr\.example\.org\S*/g)].map(([url]) => ({ subject, url }));
    }),
  );
  return texts.flat();
}

/** Open every link of the mails to an address; each has to lead to a page. */
async function followLinks(t: Test, app: TestApp, to: string, browser: TestBrowser): Promise<string[]> {
  const links = await readLinks(app, to);
  for (const { subject, url } of links) {
    const { status, headers } = await browser.open(url.replace('https://qr.example.org', ''));
    if (status === 302 || status === 303) {
      t.match(headers.location, INVOICE_URL, `${subject}: ${url}`);
      continue;
    }
    t.equal(status, 200, `${subject}: ${url}`);
    t.match(headers['content-type'], 'text/html', `${subject}: ${url}`);
  }
  return links.map(({ url }) => new URL(url).pathname);
}

async function sendNotificationMails(app: TestApp, user: TestUser): Promise<void> {
  const { client } = app.database;
  const things = createTestResources(app, user);
  const cell = { test: app, caller: 'owner', accounts: { owner: user }, things } as unknown as AccessCell;
  const conversationId = await things.conversation(cell);
  const { qrCodeId, scanId } = await client.conversation.findUniqueOrThrow({ where: { id: conversationId } });
  const guestBookEntryId = await things.entry(cell);
  const entry = await client.guestBookEntry.findUniqueOrThrow({ where: { id: guestBookEntryId } });
  const data = {
    ...{ qrCodeId, scanId: scanId ?? '', conversationId, messageId: generateId(), guestBookEntryId },
    ...{ memoryTagId: entry.memoryTagId, documentId: await things.document(cell) },
    ...{ invoiceId: await things.invoice(cell), code: 'Rex', remembered: 'Erna', count: '3' },
  };
  const recipient = await client.user.findUniqueOrThrow({ where: { id: user.id } });
  const ids = { userId: user.id, accountId: user.id };
  for (const event of EVENTS) {
    const row = await client.notification.create({
      data: { id: generateId(), ...ids, type: 'SYSTEM', event, key: event, data, dueAt: null },
    });
    await app.database.transaction((tx) =>
      enqueueNotificationMail(app.services, tx, recipient, { ...row, event: row.event, data }),
    );
  }
  const token = user.accessToken;
  await app.call('PUT', '/api/scans/report-schedule', { token, body: { frequency: 'WEEKLY' } });
  const schedule = await client.reportSchedule.findFirstOrThrow({ where: { accountId: user.id } });
  await sendDueReports(app.services, schedule.nextSendAt);
  await app.call('POST', '/api/auth/exports', { token, body: { password: TEST_PASSWORD } });
  await waitFor(
    async () => (await client.dataExport.findFirst({ where: { userId: user.id } }))?.readyAt ?? null,
  );
  await app.getLastMail(user.email);
}

async function sendAccountMails({ call, getLastMail, getOtp }: TestApp, user: TestUser): Promise<void> {
  const register = (email: string, password: string) =>
    call('POST', '/api/auth/register', { body: { email, password } });
  await register(user.email, 'another correct horse');
  await call('POST', '/api/auth/forgot-password', { body: { email: user.email } });
  const email = 'twice@example.org';
  // Each code before the next: of codes that are sent together the newest is not known.
  await register(email, 'first correct horse');
  await getLastMail(email);
  await register(email, 'second correct horse');
  await getLastMail(email);
  await call('POST', '/api/auth/resend-otp', { body: { email } });
  const otp = await getOtp(email);
  await call('POST', '/api/auth/verify-otp', { body: { email, otp } });
  await getLastMail(email);
}

async function sendFinderMails({ call, getLastMail, services }: TestApp, owner: TestUser): Promise<void> {
  const token = owner.accessToken;
  const body = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const { id: qrCodeId } = (await call('POST', '/api/qrcodes', { token, body })).body;
  const scanned = (await call('POST', '/api/scans/public', { body: { qrCodeId } })).body;
  const opened = await call('POST', '/api/conversations/public', {
    body: { scanId: scanned.scan.id, message: 'Found.', email: FINDER },
    headers: { 'x-scan-token': scanned.scanToken },
  });
  const confirmation = (await getLastMail(FINDER))?.text ?? '';
  await call('POST', /\/api\/conversations\/confirm-email\/\S+/.exec(confirmation)?.[0] ?? '', {
    body: '',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  await call('POST', `/api/conversations/${opened.body.id}/messages`, { token, body: { message: 'Thanks' } });
  services.mailOutbox.wake();
  await getLastMail(FINDER);
}

t.test('every link of every mail opens its page', async (t) => {
  const app = await startTestApp(t, {}, { payments: createFakeProvider().provider });
  const user = await app.createUser();
  await sendAccountMails(app, user);
  const browser = await signIn(app, user);
  await sendNotificationMails(app, user);
  await sendFinderMails(app, user);
  const paths = await followLinks(t, app, user.email, browser);
  t.ok(paths.some((path) => path.startsWith('/app/notifications/')));
  t.ok(paths.some((path) => path.startsWith('/app/unsubscribe/')));
  t.ok(paths.includes(`/app/${user.id}/settings/data`), 'where the archive is');
  t.notOk(paths.some((path) => path.startsWith('/api/notifications/')));
  await followLinks(t, app, 'twice@example.org', new TestBrowser(app));
  await followLinks(t, app, FINDER, new TestBrowser(app));

  // Links do not replace a sign-in that has a second factor.
  const careful = await app.createUser();
  const carefulBrowser = await signIn(app, careful);
  await enableSecondFactor(app, careful);
  await sendNotificationMails(app, careful);
  const screens = await followLinks(t, app, careful.email, carefulBrowser);
  t.notOk(screens.some((path) => path.startsWith('/s/')));

  const sent = await app.database.client.outgoingMail.findMany({ select: { template: true } });
  const templates = new Set(sent.map(({ template }) => template));
  t.same(
    TEMPLATES_WITH_LINKS.filter((template) => !templates.has(template)),
    [],
  );
});

t.test('mails end by the page that their link opens, without a sign-in', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const browser = new TestBrowser(app);
  const open = (mailKind: string, subjectId = user.id) =>
    browser.open(
      new URL(createMailUnsubscribeUrl(app.services, { subjectId, mailKind })).pathname.replace(
        '/api/notifications/',
        '/app/',
      ),
    );
  const readPreferences = async () =>
    (await app.call('GET', '/api/notifications/preferences', { token: user.accessToken })).body.preferences;
  await app.database.client.user.update({ where: { id: user.id }, data: { language: 'fr' } });
  await open('message.created');
  t.equal(browser.page.status, 200);
  t.match(browser.page.text, '<html lang="fr"', 'in the language of the account');
  t.match(await readPreferences(), { 'message.created': { EMAIL: true } });
  await browser.send(browser.path.replace(/^.*\//, ''));
  t.equal(browser.page.status, 200);
  t.match(browser.main, `href="/app/${user.id}/settings/notifications"`);
  t.match(await readPreferences(), { 'message.created': { EMAIL: false } });

  await open('password.changed');
  t.equal(browser.page.status, 404, 'mails that cannot be ended');
  await open('message.replied', generateId());
  t.equal(browser.page.status, 404, 'mails to finders have pages of their own');
  await browser.open('/app/unsubscribe/none');
  t.equal(browser.page.status, 404);
});
