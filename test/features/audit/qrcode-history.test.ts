import { generateId } from '../../../src/shared/ids.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createQrCodeClient, createTestCode } from '../codes/code-helper.ts';
import { createPictureForm, ONE_PIXEL_PNG } from '../memory-tags/gallery-helper.ts';
import { createAuditor } from './helper.ts';

const SECRET = 'canary-of-a-value';

t.test('an owner reads what happened to a code, by whom, without values', async (t) => {
  const test = await startTestApp(t);
  const { root } = await createAuditor(test);
  const owner = await test.createUser();
  const call = createQrCodeClient(test, owner);
  const { id } = await createTestCode(test, owner);
  const key = await test.call('POST', '/api/api-keys', {
    token: owner.accessToken,
    body: { name: 'Stock system', scopes: ['qr-codes:write'] },
  });

  const step = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, `/${id}${path}`, body);
    t.ok(answer.status < 300, `${method} ${path} ${answer.text}`);
  };
  await step('PATCH', '', { title: SECRET, data: { name: 'Rex' }, status: 'PAUSED' });
  await step('PATCH', '', { status: 'ACTIVE' });
  await step('PATCH', '', { visibility: { name: 'PRIVATE' } });
  await step('PATCH', '', { pin: '2468' });
  await step('PATCH', '', { pin: null });
  await step('POST', '/lost', { message: SECRET });
  await step('POST', '/lost', { reward: SECRET });
  await step('POST', '/found');
  await test.call('POST', `/api/qrcodes/${id}/pictures`, {
    token: owner.accessToken,
    ...createPictureForm(ONE_PIXEL_PNG),
  });
  const byKey = { token: key.body.token, body: { metadata: { shelf: SECRET } } };
  t.equal((await test.call('PATCH', `/api/qrcodes/${id}`, byKey)).status, 200);
  const staff = { token: root.accessToken };
  const takedown = { ...staff, body: { category: 'FRAUD', reason: SECRET } };
  t.equal((await test.call('POST', `/api/admin/qrcodes/${id}/takedown`, takedown)).status, 201);
  t.equal(
    (await test.call('POST', `/api/admin/qrcodes/${id}/reinstate`, { ...staff, body: {} })).status,
    200,
  );
  await step('DELETE', '');
  t.equal((await call('GET', `/${id}/history`)).status, 404, 'as the code itself');
  await step('POST', '/restore');

  const history = await call('GET', `/${id}/history?limit=100`);
  t.equal(history.status, 200, history.text);
  const entries: { action: string; who: string; changes: string[] }[] = history.body.data;
  const lines = entries.map(({ action, who, changes }) => [action, who, ...changes]).toReversed();
  const ofOneRequest = lines.splice(1, 2);
  t.same(
    ofOneRequest.toSorted(),
    [
      ['PAUSED', 'OWNER'],
      ['UPDATED', 'OWNER', 'title'],
    ],
    'in any order: they have the same time',
  );
  t.same(lines, [
    ['CREATED', 'OWNER'],
    ['RESUMED', 'OWNER'],
    ['VISIBILITY_CHANGED', 'OWNER', 'visibility'],
    ['PIN_SET', 'OWNER'],
    ['PIN_REMOVED', 'OWNER'],
    ['LOST', 'OWNER'],
    ['LOST_NOTICE_CHANGED', 'OWNER'],
    ['FOUND', 'OWNER'],
    ['PICTURE_ADDED', 'OWNER'],
    ['UPDATED', 'API_KEY', 'metadata'],
    ['TAKEN_DOWN', 'STAFF'],
    ['REINSTATED', 'STAFF'],
    ['DELETED', 'OWNER'],
    ['RESTORED', 'OWNER'],
  ]);
  t.match(history.body.data.find(({ who }: { who: string }) => who === 'API_KEY').apiKey, {
    id: key.body.id,
    name: 'Stock system',
  });
  t.equal(history.body.data[0].apiKey, null);
  t.notMatch(history.text, SECRET);
  t.notMatch(history.text, root.id, 'who of the staff it was stays hidden');

  const cursors: string[] = [];
  const paged: unknown[] = [];
  for (let cursor: string | null = 'start'; cursor !== null; cursor = cursors.at(-1) || null) {
    const { body } = await call('GET', `/${id}/history?limit=4&cursor=${cursor}`);
    paged.push(...body.data);
    cursors.push(body.pagination.nextCursor ?? '');
  }
  t.same(paged, history.body.data);
  t.equal((await call('GET', `/${id}/history?page=1`)).status, 400, 'by cursor only');
});

t.test('nobody else reads the history of a code', async (t) => {
  const test = await startTestApp(t);
  const { root, auditor } = await createAuditor(test);
  const [owner, other] = [await test.createUser(), await test.createUser()];
  const { id } = await createTestCode(test, owner);
  for (const { accessToken: token } of [other, root, auditor])
    t.equal((await test.call('GET', `/api/qrcodes/${id}/history`, { token })).status, 404);
  t.equal((await test.call('GET', `/api/qrcodes/${id}/history`)).status, 401);
  const absent = await createQrCodeClient(test, owner)('GET', `/${generateId()}/history`);
  t.equal(absent.status, 404);
});

t.test('a page of the history is read in the order of an index', async (t) => {
  const test = await startTestApp(t);
  const { rows } = await test.database.pool.query(
    `EXPLAIN (COSTS OFF) SELECT * FROM audit_entries AS entry
     WHERE entry.resource_type = 'QRCODE' AND entry.action = ANY ('{QRCODE_CREATED,QRCODE_UPDATED}'::text[])
       AND entry.outcome = 'SUCCESS' AND entry.resource_id = 'a' AND (entry.created_at, entry.id) < (now(), 'b')
     ORDER BY entry.created_at DESC, entry.id DESC LIMIT 11`,
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  t.match(plan, 'audit_entries_resource_idx');
  t.notMatch(plan, /Sort/);
});
