import { generateId } from '../../src/shared/ids.ts';
import { setPackageLimit } from '../features/billing/subscriptions/subscription-helper.ts';
import { startTestApp, type TestResponse } from '../helper.ts';
import { t } from '../tap.ts';
import { ACCESS_MATRIX } from './access-matrix.ts';
import { CALLERS, createCallerAccounts, createSessionToken } from './callers.ts';
import { type AccessCell, type CellRequest, createTestResources } from './test-resources.ts';

const FACT = 'canary of a medical code';
const CODE = {
  kind: 'MEDICAL',
  title: 'Bracelet',
  data: { name: 'Ada', notes: FACT },
  visibility: { name: 'PUBLIC', notes: 'PUBLIC' },
};
const PIN = '4711';
const LOCKED = { ...CODE, pin: PIN, visibility: { name: 'PUBLIC', notes: 'PIN' } };

const test = await startTestApp(t);
// Every cell of the matrix makes codes of its own.
await setPackageLimit(test, 'FREE', { qrCodes: null });
const accounts = await createCallerAccounts(test);
const things = createTestResources(test, accounts.owner, CODE);

type Caller = 'anonymous' | 'owner' | 'admin';
const ASKING = CALLERS.filter((name): name is Caller => ['anonymous', 'owner', 'admin'].includes(name));

/** The operations that answer medical content: to whom, by which entry, and by which when it is asked again. */
const SHOWING: Record<string, { to: readonly Caller[]; told: string; again?: string | null }> = {
  'POST /api/qrcodes': {
    to: ['owner', 'admin'],
    told: 'QRCODE_CREATED',
    again: 'MEDICAL_DATA_READ',
  },
  'GET /api/qrcodes/:id': { to: ['owner'], told: 'MEDICAL_DATA_READ' },
  'PUT /api/qrcodes/:id': { to: ['owner'], told: 'QRCODE_UPDATED' },
  'PATCH /api/qrcodes/:id': { to: ['owner'], told: 'QRCODE_UPDATED' },
  'POST /api/qrcodes/:id/restore': { to: ['owner'], told: 'QRCODE_RESTORED', again: null },
  'POST /api/qrcodes/:id/lost': { to: ['owner'], told: 'QRCODE_REPORTED_LOST' },
  'POST /api/qrcodes/:id/found': {
    to: ['owner'],
    told: 'QRCODE_REPORTED_FOUND',
    again: 'MEDICAL_DATA_READ',
  },
  'GET /api/qrcodes/:id/preview': { to: ['owner'], told: 'MEDICAL_DATA_READ' },
  'POST /api/scans/public': { to: ASKING, told: 'MEDICAL_DATA_SCANNED' },
  'POST /api/scans/geocoded': { to: ASKING, told: 'MEDICAL_DATA_SCANNED' },
  'POST /api/scans': { to: ['owner', 'admin'], told: 'MEDICAL_DATA_SCANNED' },
  'POST /api/scans/public/:id/unlock': { to: ASKING, told: 'MEDICAL_DATA_SCANNED' },
  // The owner sees where and by what the code was scanned.
  'GET /api/scans/:id': { to: ['anonymous', 'admin'], told: 'MEDICAL_DATA_SCANNED' },
  'GET /api/scans/public/:id': { to: ['anonymous', 'admin'], told: 'MEDICAL_DATA_SCANNED' },
  'GET /s/:id': { to: ASKING, told: 'MEDICAL_DATA_SCANNED' },
  'POST /s/:id/pin': { to: ASKING, told: 'MEDICAL_DATA_SCANNED' },
  'POST /s/:id/location': { to: ASKING, told: 'MEDICAL_DATA_SCANNED' },
  'POST /s/:id/message': { to: ASKING, told: 'MEDICAL_DATA_SCANNED' },
  'POST /s/:id/guest-book': { to: ASKING, told: 'MEDICAL_DATA_SCANNED' },
};

/** Requests that reach content where those of the matrix do not. */
const REQUESTS: Record<string, (cell: AccessCell) => Promise<CellRequest> | CellRequest> = {
  'POST /api/qrcodes': () => ({ body: CODE }),
  'PUT /api/qrcodes/:id': async (cell) => ({ ids: [await things.code(cell)], body: {} }),
  'POST /api/qrcodes/:id/found': async (cell) => {
    const id = await things.code(cell);
    await asOwner('POST', `/api/qrcodes/${id}/lost`, {});
    return { ids: [id] };
  },
  'POST /api/scans/public/:id/unlock': async () => ({ ...(await openScan(LOCKED)), body: { pin: PIN } }),
  'GET /api/scans/:id': () => openScan(CODE),
  'GET /api/scans/public/:id': () => openScan(CODE),
  'POST /s/:id/pin': async () => {
    const id = (await asOwner('POST', '/api/qrcodes', LOCKED)).body.id;
    const visit = /name="visit" value="([^"]+)"/.exec((await test.call('GET', `/s/${id}`)).text)?.[1];
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return { ids: [id], headers, body: `visit=${visit}&pin=${PIN}` };
  },
};

async function asOwner(method: string, url: string, body: object): Promise<TestResponse> {
  const { token } = await createSessionToken(test, accounts.owner);
  return test.call(method, url, { token, body });
}

/** A scan of a new code, with its token. */
async function openScan(body: object): Promise<CellRequest> {
  const { id } = (await asOwner('POST', '/api/qrcodes', body)).body;
  const made = await test.call('POST', '/api/scans/public', { body: { qrCodeId: id } });
  return { ids: [made.body.scan.id], headers: { 'x-scan-token': made.body.scanToken } };
}

async function send(operation: string, context: Caller, asked: CellRequest): Promise<TestResponse> {
  const [method = '', path = ''] = operation.split(' ');
  const { ids = [], query, body, headers = {} } = asked;
  const remaining = [...ids];
  const url = path.replace(/:\w+|\*$/g, () => remaining.shift() ?? 'missing');
  const session = context === 'anonymous' ? undefined : await createSessionToken(test, accounts[context]);
  return test.call(method, query ? `${url}?${query}` : url, { token: session?.token, body, headers });
}

/** What the trail got about codes, oldest first, while something was asked. */
async function toldOf(work: () => Promise<TestResponse>): Promise<{ answer: TestResponse; told: string[] }> {
  const of = { resourceType: 'QRCODE', outcome: 'SUCCESS' };
  const before = await test.database.client.auditEntry.count({ where: of });
  const answer = await work();
  const entries = await test.database.client.auditEntry.findMany({
    where: of,
    orderBy: { createdAt: 'asc' },
    skip: before,
  });
  return { answer, told: entries.map(({ action }) => action) };
}

const READING = /^(MEDICAL_DATA|BREAK_GLASS_QRCODE)_/;

t.test('every answer with medical content leaves exactly one entry that says so', async (t) => {
  for (const [operation, row] of Object.entries(ACCESS_MATRIX)) {
    for (const context of ASKING) {
      const asked = await (REQUESTS[operation] ?? row.request)?.({ test, caller: context, accounts, things });
      const headers = { 'idempotency-key': generateId(), ...asked?.headers };
      const { to, told: first, again = first } = SHOWING[operation] ?? { to: [], told: null };
      const isShown = to.some((name) => name === context);
      for (const expected of [first, again]) {
        const name = `${operation} as ${context}`;
        const { answer, told } = await toldOf(() => send(operation, context, { ...asked, headers }));
        if (isShown && expected !== null) {
          t.ok(answer.text.includes(FACT), `${name} shows it: ${answer.text.slice(0, 200)}`);
          t.same(told, [expected], name);
        } else {
          t.notOk(answer.text.includes(FACT), `${name} shows content and has no row`);
          t.same(
            told.filter((action) => READING.test(action)),
            [],
            `${name} says of nothing that it was shown`,
          );
        }
      }
    }
  }
});

t.test('break-glass access and public fields beside a wrong PIN leave exactly one entry', async (t) => {
  const { id } = (await asOwner('POST', '/api/qrcodes', CODE)).body;
  await send('POST /api/admin/break-glass', 'admin', {
    body: { resourceType: 'QRCODE', resourceId: id, reason: 'unconscious in Oslo' },
  });
  for (let time = 0; time < 2; time += 1) {
    const { answer, told } = await toldOf(() => send('GET /api/qrcodes/:id', 'admin', { ids: [id] }));
    t.ok(answer.text.includes(FACT));
    t.same(told, ['BREAK_GLASS_QRCODE_READ']);
  }
  const guarded = (await asOwner('POST', '/api/qrcodes', { ...CODE, pin: PIN })).body.id;
  const { answer, told } = await toldOf(() =>
    send('POST /api/scans/public', 'anonymous', { body: { qrCodeId: guarded, pin: '0000' } }),
  );
  t.equal(answer.status, 403);
  t.ok(answer.text.includes(FACT));
  t.same(told, ['MEDICAL_DATA_SCANNED']);
});

t.test('simultaneous repeated reads leave one entry each', async (t) => {
  const headers = { 'idempotency-key': generateId() };
  const { answer, told } = await toldOf(async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => send('POST /api/qrcodes', 'owner', { body: CODE, headers })),
    );
    t.ok(answers.every(({ status }) => status === 201));
    t.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
    const [first] = answers;
    if (!first) throw new Error('no answer');
    return first;
  });
  t.ok(answer.text.includes(FACT));
  t.same(told.sort(), [...Array(5).fill('MEDICAL_DATA_READ'), 'QRCODE_CREATED']);
});
