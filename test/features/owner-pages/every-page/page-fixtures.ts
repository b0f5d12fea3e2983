import { createMailUnsubscribeUrl } from '../../../../src/features/mail/unsubscribe-token.ts';
import { createSessionToken } from '../../../access/callers.ts';
import type { AccessCell } from '../../../access/test-resources.ts';
import { TEST_PASSWORD, type TestUser } from '../../../helper.ts';
import type { createFakeProvider } from '../../billing/payments/fake-provider.ts';
import { FAMILY_PACKAGE_ID, PERSONAL_PACKAGE_ID } from '../../billing/subscriptions/shop-helper.ts';
import { encodeMultipartForm } from '../../documents/upload.ts';
import { enableSecondFactor } from '../../identity/second-factor/helper.ts';
import { TestBrowser } from '../browser.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';

export interface PageVisit {
  path: string;
  status: number;
  /** By their names without `__Host-`. */
  cookies: ReadonlyMap<string, string>;
}

/** Answers that no browser shows as a page: they lead on, are files, or are read by a script. */
export const NO_PAGES: readonly string[] = [
  'GET /app',
  'GET /app/staff',
  'GET /app/reports',
  'GET /app/link-identity',
  'GET /app/notifications/:id',
  'GET /app/sign-in/provider',
  'GET /app/start/photo',
  'GET /app/:accountId/settings/security/identities/link',
  'GET /app/:accountId/settings/plan/invoices/:invoiceId',
  'GET /app/:accountId/settings/data/exports/:exportId',
  'GET /app/:accountId/notifications/:id/invoice',
  'GET /app/:accountId/codes/export',
  'GET /app/:accountId/codes/:id/messages',
  'GET /app/:accountId/codes/:id/pictures/:pictureId',
  'GET /app/:accountId/codes/:id/image/:format',
  'GET /app/:accountId/codes/:id/poster',
  'GET /app/:accountId/codes/:id/phone/updates',
  'GET /app/:accountId/codes/:id/scans/updates',
  'GET /app/:accountId/print/calibration',
  'GET /app/:accountId/reports/scans.csv',
  'GET /app/:accountId/print/:id/content',
  'GET /app/:accountId/print/:id/updates',
  'GET /app/:accountId/palette',
  'GET /app/:accountId/inbox/updates',
  'GET /app/:accountId/inbox/:id/updates',
  'GET /app/:accountId/batches/:id/export',
  'GET /app/:accountId/batches/:id/images',
  'GET /app/:accountId/batches/:id/updates',
  'GET /app/:accountId/imports/:id/updates',
  'GET /app/:accountId/imports/:id/rejected-rows',
  'GET /app/:accountId/developers/webhooks/:endpointId/deliveries/:eventId/updates',
  'GET /app/:accountId/documents/:id/content',
  'GET /app/:accountId/documents/received/:grantId/content',
  'GET /app/:accountId/memorials/:id/pictures/:pictureId',
  'GET /app/staff/codes/:id/pictures/:pictureId',
  'GET /app/staff/audit/export',
  'GET /app/staff/audit/sealed',
];

const HOSTILE_TABLE = [
  ['Name', 'Phone', HOSTILE_TEXTS.column],
  [HOSTILE_TEXTS.cell, HOSTILE_TEXTS.cell, '1'],
  ['Bella', '', '2'],
]
  .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';'))
  .join('\n');

export interface PageCell extends Omit<AccessCell, 'caller'> {
  payments: ReturnType<typeof createFakeProvider>;
}

/** Visits of pages whose request in the access matrix leads elsewhere. */
export function createPageFixtures(cell: PageCell): Readonly<Record<string, () => Promise<PageVisit>>> {
  const { test, accounts, things } = cell;
  const ownerCell: AccessCell = { ...cell, caller: 'owner' };

  return {
    'GET /app/sign-in/provider/done': async () => createVisit('/app/sign-in/provider/done', { status: 401 }),
    'GET /app/*': async () => createVisit('/app/no/page', { status: 404 }),
    'GET /app/sign-in/second-factor': async () => {
      const user = await test.createUser();
      await enableSecondFactor(test, user);
      return toVisit(await signIn(user));
    },
    'GET /app/sign-up/code': async () => {
      const browser = new TestBrowser(test);
      await browser.open('/app/sign-up');
      await browser.send('/sign-up', {
        firstName: 'Ada',
        lastName: 'Lovelace',
        email: 'new@example.org',
        password: TEST_PASSWORD,
      });
      return toVisit(browser);
    },
    'GET /app/unsubscribe/:token': async () => {
      const subject = { subjectId: accounts.owner.id, mailKind: 'scan.created' };
      const { pathname } = new URL(createMailUnsubscribeUrl(test.services, subject));
      return createVisit(pathname.replace('/api/notifications/', '/app/'));
    },
    'GET /app/:accountId/welcome': async () =>
      createVisit(`/app/${accounts.incomplete.id}/welcome`, { session: await startSession('incomplete') }),
    'GET /app/start/:kind/photo': async () => {
      const browser = new TestBrowser(test);
      await browser.open('/app/start/pet');
      await browser.fill('/start/pet', { 'data.name': 'Rex' });
      return toVisit(browser);
    },
    'GET /app/:accountId/start': async () => {
      const browser = new TestBrowser(test);
      await browser.open('/app/start/text');
      await browser.fill('/start/text', { 'data.text': 'Water me' });
      const visit = createVisit(`/app/${accounts.owner.id}/start`, { session: await startSession('owner') });
      return { ...visit, cookies: new Map([...toVisit(browser).cookies, ...visit.cookies]) };
    },
    'GET /app/:accountId/codes/:id': () => visitReportedCode('owner', `/app/${accounts.owner.id}/codes`),
    'GET /app/staff/reports/:id': () => visitReportedCode('admin', '/app/staff/reports'),
    'GET /app/:accountId/settings/security/second-factor/recovery-codes': () =>
      visitSecondFactor('recovery-codes'),
    'GET /app/:accountId/settings/security/second-factor/off': () => visitSecondFactor('off'),
    'GET /app/:accountId/settings/plan/change': visitChangeOfPlan,
    'GET /app/:accountId/imports/:id/columns': () => visitImport('columns'),
    'GET /app/:accountId/imports/:id/check': () => visitImport('check'),
    'GET /app/staff/break-glass/codes/:id': async () =>
      visitByBreakGlass('codes', await things.code(ownerCell)),
    'GET /app/staff/break-glass/scans/:id': async () =>
      visitByBreakGlass('scans', await things.scan(ownerCell)),
  };

  async function startSession(name: 'owner' | 'incomplete' | 'admin'): Promise<string> {
    const { page } = await createSessionToken(test, accounts[name]);
    return page.cookie.replace('__Host-session=', '');
  }

  /** A page of a code that is lost, and that somebody reported. */
  async function visitReportedCode(visitor: 'owner' | 'admin', path: string): Promise<PageVisit> {
    const id = await things.code(ownerCell);
    const { token } = await createSessionToken(test, accounts.owner);
    const lost = { message: HOSTILE_TEXTS.lost, reward: HOSTILE_TEXTS.reward };
    await test.call('POST', `/api/qrcodes/${id}/lost`, { token, body: lost });
    const report = { category: 'FRAUD', note: HOSTILE_TEXTS.report };
    await test.call('POST', `/api/qrcodes/${id}/reports`, { body: report });
    return createVisit(`${path}/${id}`, { session: await startSession(visitor) });
  }

  async function signIn({ email }: Pick<TestUser, 'email'>): Promise<TestBrowser> {
    const browser = new TestBrowser(test);
    await browser.open('/app/sign-in');
    await browser.send('/sign-in', { email, password: TEST_PASSWORD });
    return browser;
  }

  async function visitSecondFactor(page: 'off' | 'recovery-codes'): Promise<PageVisit> {
    const user = await test.createUser();
    const browser = await signIn(user);
    await enableSecondFactor(test, user);
    // The session of before has ended.
    const { page: session } = await createSessionToken(test, user);
    return createVisit(`${browser.path}/settings/security/second-factor/${page}`, {
      session: session.cookie.replace('__Host-session=', ''),
    });
  }

  async function visitChangeOfPlan(): Promise<PageVisit> {
    const user = await test.createUser();
    const buy = () =>
      test.call('POST', '/api/subscription/checkout-session', {
        token: user.accessToken,
        body: { packageId: PERSONAL_PACKAGE_ID, interval: 'month' },
      });
    const { body } = await buy();
    const { sessionId } = await test.database.client.checkoutSession.findUniqueOrThrow({
      where: { id: body.id },
    });
    cell.payments.pay(sessionId ?? '');
    // It finds the payment.
    await buy();
    const browser = await signIn(user);
    const query = new URLSearchParams({ packageId: FAMILY_PACKAGE_ID, interval: 'month' });
    await browser.open(`${browser.path}/settings/plan/change?${query}`);
    return toVisit(browser);
  }

  async function visitImport(page: 'columns' | 'check'): Promise<PageVisit> {
    const browser = await signIn(await test.createUser());
    await browser.open(`${browser.path}/imports`);
    const { action, fields } = browser.readForm('/imports');
    const body = encodeMultipartForm([
      { name: 'kind', value: 'PET' },
      { name: 'file', fileName: `${HOSTILE_TEXTS.column}.csv`, value: HOSTILE_TABLE },
      { name: 'token', value: fields.token ?? '' },
    ]);
    await browser.open(action, { method: 'POST', body, type: 'multipart/form-data; boundary=XX' });
    if (page === 'check') await browser.fill('/mapping', { 'column-1': 'data.owner.phone' });
    return toVisit(browser);
  }

  async function visitByBreakGlass(kind: 'codes' | 'scans', id: string): Promise<PageVisit> {
    const { token, page } = await createSessionToken(test, accounts.admin);
    const resourceType = kind === 'codes' ? 'QRCODE' : 'SCAN';
    const body = { resourceType, resourceId: id, reason: 'A child is missing' };
    const opened = await test.call('POST', '/api/admin/break-glass', { token, body });
    if (opened.status !== 201) throw new Error(opened.text);
    return createVisit(`/app/staff/break-glass/${kind}/${id}`, {
      session: page.cookie.replace('__Host-session=', ''),
    });
  }
}

function createVisit(
  path: string,
  { session, status = 200 }: { session?: string; status?: number } = {},
): PageVisit {
  return { path, status, cookies: new Map(session === undefined ? [] : [['session', session]]) };
}

/** What a browser shows now. */
function toVisit({ path, page, cookies }: TestBrowser): PageVisit {
  const entries = [...cookies].map(([name, value]) => [name.replace('__Host-', ''), value] as const);
  return { path, status: page.status, cookies: new Map(entries) };
}
