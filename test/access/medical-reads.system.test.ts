import { generateId } from '../../src/shared/ids.ts';
import { setPackageLimit } from '../features/billing/subscriptions/subscription-helper.ts';
import { createPictureForm, ONE_PIXEL_PNG } from '../features/memory-tags/gallery-helper.ts';
import { startTestApp, type TestResponse } from '../helper.ts';
import { t } from '../tap.ts';
import { ACCESS_MATRIX } from './access-matrix.ts';
import { addCredential, CALLERS, createCallerAccounts, createSessionToken } from './callers.ts';
import { type AccessCell, type CellRequest, createTestResources } from './test-resources.ts';

const FACT = 'canary of a medical code';
const CODE = {
  kind: 'MEDICAL',
  title: 'Bracelet',
  data: { name: 'Ada', notes: FACT },
  visibility: { name: 'PUBLIC', notes: 'PUBLIC' },
};
const CAPTION = 'canary of a medical picture';
const PIN = '4711';
const LOCKED = { ...CODE, pin: PIN, visibility: { name: 'PUBLIC', notes: 'PIN' } };

const test = await startTestApp(t);
// Every cell of the matrix creates codes of its own.
await setPackageLimit(test, 'FREE', { qrCodes: null });
const accounts = await createCallerAccounts(test);
const things = createTestResources(test, accounts.owner, { code: CODE });

type Caller = 'anonymous' | 'owner' | 'admin';
const ASKING = CALLERS.filter((name): name is Caller => ['anonymous', 'owner', 'admin'].includes(name));

/** Operations that return medical content, with the audit actions of a first and a repeated request. */
const MEDICAL_READS: Record<
  string,
  {
    to: readonly Caller[];
    action: string;
    again?: string | null;
    content?: string | RegExp;
    /** Shows all codes, each with an entry. */
    isOfMany?: boolean;
  }
> = {
  'POST /api/qrcodes': {
    to: ['owner', 'admin'],
    action: 'QRCODE_CREATED',
    again: 'MEDICAL_DATA_READ',
  },
  'GET /api/qrcodes/:id': { to: ['owner'], action: 'MEDICAL_DATA_READ' },
  'GET /api/qrcodes/by-external-id/:externalId': { to: ['owner'], action: 'MEDICAL_DATA_READ' },
  // Without a difference nothing is changed, and the content is shown.
  'PUT /api/qrcodes/by-external-id/:externalId': {
    to: ['owner', 'admin'],
    action: 'QRCODE_CREATED',
    again: 'MEDICAL_DATA_READ',
  },
  'PUT /api/qrcodes/:id': { to: ['owner'], action: 'QRCODE_UPDATED', again: 'MEDICAL_DATA_READ' },
  'PATCH /api/qrcodes/:id': { to: ['owner'], action: 'QRCODE_UPDATED', again: 'MEDICAL_DATA_READ' },
  'GET /api/qrcodes/export': { to: ['owner', 'admin'], action: 'MEDICAL_DATA_READ', isOfMany: true },
  // Sent again from what was stored for the key.
  'POST /api/qrcodes/:id/restore': {
    to: ['owner'],
    action: 'QRCODE_RESTORED',
    again: 'MEDICAL_DATA_READ',
  },
  'POST /api/qrcodes/:id/lost': {
    to: ['owner'],
    action: 'QRCODE_REPORTED_LOST',
    again: 'MEDICAL_DATA_READ',
  },
  'POST /api/qrcodes/:id/found': {
    to: ['owner'],
    action: 'QRCODE_REPORTED_FOUND',
    again: 'MEDICAL_DATA_READ',
  },
  'DELETE /api/qrcodes/:id/found': {
    to: ['owner'],
    action: 'QRCODE_REPORTED_LOST',
    again: 'MEDICAL_DATA_READ',
  },
  'GET /api/qrcodes/:id/preview': { to: ['owner'], action: 'MEDICAL_DATA_READ' },
  'GET /api/qrcodes/:id/pictures': { to: ['owner'], action: 'MEDICAL_DATA_READ', content: CAPTION },
  'GET /api/qrcodes/:id/pictures/:pictureId': {
    to: ['owner'],
    action: 'MEDICAL_DATA_READ',
    content: /^image\//,
  },
  'GET /app/:accountId/codes/export': { to: ['owner'], action: 'MEDICAL_DATA_READ', isOfMany: true },
  'GET /app/:accountId/codes/:id/content': { to: ['owner'], action: 'MEDICAL_DATA_READ' },
  // The captions of its photos.
  // Its photos are content.
  'GET /app/:accountId/codes/:id/page': { to: ['owner'], action: 'MEDICAL_DATA_READ', content: 'Bracelet' },
  // The page of the code, with another look.
  'POST /app/:accountId/codes/:id/page/preview': { to: ['owner'], action: 'MEDICAL_DATA_READ' },
  // Its form is refused.
  'POST /app/:accountId/codes/:id/page/pictures': {
    to: ['owner'],
    action: 'MEDICAL_DATA_READ',
    content: 'Bracelet',
  },
  // Only what the form sends; its pictures are of the code.
  'GET /app/:accountId/codes/:id/practice/page': { to: ['owner'], action: 'MEDICAL_DATA_READ' },
  'POST /app/:accountId/codes/:id/preview': {
    to: ['owner'],
    action: 'MEDICAL_DATA_READ',
    content: 'Medical ID',
  },
  // Its form is refused: the page with it shows the content.
  'POST /app/:accountId/codes/:id/pictures': { to: ['owner'], action: 'MEDICAL_DATA_READ' },
  'GET /app/:accountId/codes/:id/pictures/:pictureId': {
    to: ['owner'],
    action: 'MEDICAL_DATA_READ',
    content: /^image\//,
  },
  'POST /api/scans/public': { to: ASKING, action: 'MEDICAL_DATA_SCANNED' },
  'POST /api/scans/geocoded': { to: ASKING, action: 'MEDICAL_DATA_SCANNED' },
  'POST /api/scans': { to: ['owner', 'admin'], action: 'MEDICAL_DATA_SCANNED' },
  'POST /api/scans/public/:id/unlock': { to: ASKING, action: 'MEDICAL_DATA_SCANNED' },
  // The owner sees where and with which device the code was scanned.
  'GET /api/scans/:id': { to: ['anonymous', 'admin'], action: 'MEDICAL_DATA_SCANNED' },
  'GET /api/scans/public/:id': { to: ['anonymous', 'admin'], action: 'MEDICAL_DATA_SCANNED' },
  'GET /s/:id': { to: ASKING, action: 'MEDICAL_DATA_SCANNED' },
  'POST /s/:id/pin': { to: ASKING, action: 'MEDICAL_DATA_SCANNED' },
  'POST /s/:id/location': { to: ASKING, action: 'MEDICAL_DATA_SCANNED' },
  'POST /s/:id/message': { to: ASKING, action: 'MEDICAL_DATA_SCANNED' },
  'POST /s/:id/guest-book': { to: ASKING, action: 'MEDICAL_DATA_SCANNED' },
};

/** Requests that reach content where those of the matrix do not. */
const REQUESTS: Record<string, (cell: AccessCell) => Promise<CellRequest> | CellRequest> = {
  'POST /api/qrcodes': () => ({ body: CODE }),
  'PUT /api/qrcodes/:id': async (cell) => ({ ids: [await things.code(cell)], body: { title: 'Another' } }),
  'PATCH /api/qrcodes/:id': async (cell) => ({ ids: [await things.code(cell)], body: { title: 'Another' } }),
  'PUT /api/qrcodes/by-external-id/:externalId': () => ({ ids: [generateId()], body: CODE }),
  'POST /api/qrcodes/:id/found': async (cell) => {
    const id = await things.code(cell);
    await asOwner('POST', `/api/qrcodes/${id}/lost`, {});
    return { ids: [id] };
  },
  'DELETE /api/qrcodes/:id/found': async (cell) => {
    const id = await things.code(cell);
    await asOwner('POST', `/api/qrcodes/${id}/lost`, {});
    await asOwner('POST', `/api/qrcodes/${id}/found`, {});
    return { ids: [id] };
  },
  'POST /api/scans/public/:id/unlock': async () => ({ ...(await openScan(LOCKED)), body: { pin: PIN } }),
  'GET /api/qrcodes/:id/pictures': async (cell) => ({ ids: [(await addPicture(cell)).codeId] }),
  'GET /api/qrcodes/:id/pictures/:pictureId': async (cell) => {
    const { codeId, pictureId } = await addPicture(cell);
    return { ids: [codeId, pictureId] };
  },
  'GET /app/:accountId/codes/:id/pictures/:pictureId': async (cell) => {
    const { codeId, pictureId } = await addPicture(cell);
    return { ids: [accounts.owner.id, codeId, pictureId], query: 'w=320' };
  },
  'GET /api/scans/:id': () => openScan(CODE),
  'GET /api/scans/public/:id': () => openScan(CODE),
  'POST /s/:id/pin': async () => {
    const id = (await asOwner('POST', '/api/qrcodes', LOCKED)).body.id;
    const visit = /name="visit" value="([^"]+)"/.exec((await test.call('GET', `/s/${id}`)).text)?.[1];
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return { ids: [id], headers, body: `visit=${visit}&pin=${PIN}` };
  },
};

async function addPicture(cell: AccessCell): Promise<{ codeId: string; pictureId: string }> {
  const codeId = await things.code(cell);
  const { token } = await createSessionToken(test, accounts.owner);
  const form = createPictureForm(ONE_PIXEL_PNG, { caption: CAPTION });
  const { body } = await test.call('POST', `/api/qrcodes/${codeId}/pictures`, { token, ...form });
  return { codeId, pictureId: body.id };
}

async function asOwner(method: string, url: string, body: object): Promise<TestResponse> {
  const { token } = await createSessionToken(test, accounts.owner);
  return test.call(method, url, { token, body });
}

/** Create a scan of a new code. */
async function openScan(body: object): Promise<CellRequest> {
  const { id } = (await asOwner('POST', '/api/qrcodes', body)).body;
  const made = await test.call('POST', '/api/scans/public', { body: { qrCodeId: id } });
  return { ids: [made.body.scan.id], headers: { 'x-scan-token': made.body.scanToken } };
}

async function send(operation: string, context: Caller, request: CellRequest): Promise<TestResponse> {
  const [method = '', path = ''] = operation.split(' ');
  const { ids = [], query, body, headers = {} } = request;
  const remaining = [...ids];
  const url = path.replace(/:\w+|\*$/g, () => remaining.shift() ?? 'missing');
  const session = context === 'anonymous' ? undefined : await createSessionToken(test, accounts[context]);
  const options = addCredential(test, url, context, session, { body, headers });
  return test.call(method, query ? `${url}?${query}` : url, options);
}

/** Return the audit entries about codes written during a request, oldest first. */
async function recordAuditActions(
  work: () => Promise<TestResponse>,
): Promise<{ answer: TestResponse; auditActions: string[] }> {
  const of = { resourceType: 'QRCODE', outcome: 'SUCCESS' };
  const before = await test.database.client.auditEntry.count({ where: of });
  const answer = await work();
  const entries = await test.database.client.auditEntry.findMany({
    where: of,
    orderBy: { createdAt: 'asc' },
    skip: before,
  });
  return { answer, auditActions: entries.map(({ action }) => action) };
}

const READING = /^(MEDICAL_DATA|BREAK_GLASS_QRCODE)_/;

t.test('writes exactly one audit entry for each response with medical content', async (t) => {
  for (const [operation, row] of Object.entries(ACCESS_MATRIX)) {
    for (const context of ASKING) {
      const request = await (REQUESTS[operation] ?? row.request)?.({
        test,
        caller: context,
        accounts,
        things,
      });
      const headers = { 'idempotency-key': generateId(), ...request?.headers };
      const {
        to,
        action: first,
        again = first,
        content: pattern = FACT,
        isOfMany = false,
      } = MEDICAL_READS[operation] ?? { to: [], action: null };
      const isShown = to.some((name) => name === context);
      // A repeated request can differ only where content is shown.
      for (const expected of operation in MEDICAL_READS ? [first, again] : [first]) {
        const name = `${operation} as ${context}`;
        // The eleventh visit of a day and network has no entry of its own.
        await test.database.client.repeatedAccess.deleteMany();
        const { answer, auditActions } = await recordAuditActions(() =>
          send(operation, context, { ...request, headers }),
        );
        if (isShown && expected !== null) {
          const content = `${answer.headers['content-type']}\n${answer.text}`;
          t.ok(content.search(pattern) >= 0, `${name} shows it: ${content.slice(0, 200)}`);
          t.same(isOfMany ? [...new Set(auditActions)] : auditActions, [expected], name);
        } else {
          t.notOk(answer.text.includes(FACT), `${name} shows content and has no row`);
          t.same(
            auditActions.filter((action) => READING.test(action)),
            [],
            `${name} says of nothing that it was shown`,
          );
        }
      }
    }
  }
});

t.test(
  'writes exactly one audit entry for break-glass access, and for public fields after a wrong PIN',
  async (t) => {
    const { id } = (await asOwner('POST', '/api/qrcodes', CODE)).body;
    await send('POST /api/admin/break-glass', 'admin', {
      body: { resourceType: 'QRCODE', resourceId: id, reason: 'unconscious in Oslo' },
    });
    for (let time = 0; time < 2; time += 1) {
      const { answer, auditActions } = await recordAuditActions(() =>
        send('GET /api/qrcodes/:id', 'admin', { ids: [id] }),
      );
      t.ok(answer.text.includes(FACT));
      t.same(auditActions, ['BREAK_GLASS_QRCODE_READ']);
    }
    const guarded = (await asOwner('POST', '/api/qrcodes', { ...CODE, pin: PIN })).body.id;
    const { answer, auditActions } = await recordAuditActions(() =>
      send('POST /api/scans/public', 'anonymous', { body: { qrCodeId: guarded, pin: '0000' } }),
    );
    t.equal(answer.status, 403);
    t.ok(answer.text.includes(FACT));
    t.same(auditActions, ['MEDICAL_DATA_SCANNED']);
  },
);

t.test('writes one audit entry for each of several parallel reads', async (t) => {
  const headers = { 'idempotency-key': generateId() };
  const { answer, auditActions } = await recordAuditActions(async () => {
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
  t.same(auditActions.sort(), [...Array(5).fill('MEDICAL_DATA_READ'), 'QRCODE_CREATED']);
});
