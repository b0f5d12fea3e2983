import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AUDIT_ACTION_NAMES, AUDIT_ACTIONS } from '../../../src/audit-actions.ts';
import { verifyAuditTrailExport } from '../../../src/features/audit/verify-trail-export.ts';
import { insertAuditEntry } from '../../../src/platform/audit.repository.ts';
import { startTestApp, type TestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createAuditor, runAsSchemaOwner, sealAllEntries } from './helper.ts';

async function createFixture(test: TestApp) {
  const { root, auditor } = await createAuditor(test);
  const ada = await test.createUser();
  const read = async (query = '') =>
    test.call('GET', `/api/admin/audit-logs${query}`, { token: auditor.accessToken });
  return { root, auditor, ada, read };
}

t.test(
  'an auditor filters the trail by actor, subject, record, action, severity, outcome and time',
  async (t) => {
    const test = await startTestApp(t);
    const { root, auditor, ada, read } = await createFixture(test);
    const code = await test.call('POST', '/api/qrcodes', {
      token: ada.accessToken,
      body: { kind: 'MEDICAL', title: 'Ada', data: { name: 'canary-name', bloodType: 'A+' } },
    });
    await test.call('GET', `/api/qrcodes/${code.body.id}`, { token: root.accessToken });
    const { id } = await test.createUser();
    await test.call('PATCH', `/api/admin/users/${id}`, {
      token: root.accessToken,
      body: { role: 'SUPPORT' },
    });
    await sealAllEntries(test);
    const only = async (query: string) => {
      const answer = await read(`?limit=100&${query}`);
      t.equal(answer.status, 200, answer.text);
      return answer.body.data;
    };
    for (const [query, matches] of [
      [`actorId=${ada.id}`, (entry: { actorId: string }) => entry.actorId === ada.id],
      [`subjectId=${ada.id}`, (entry: { subjectId: string }) => entry.subjectId === ada.id],
      [`resourceId=${code.body.id}`, (entry: { resourceId: string }) => entry.resourceId === code.body.id],
      [`resourceId=${ada.id}`, (entry: { resourceId: string }) => entry.resourceId === ada.id],
      ['resourceType=QRCODE', (entry: { resourceType: string }) => entry.resourceType === 'QRCODE'],
      ['action=EMAIL_VERIFIED', (entry: { action: string }) => entry.action === 'EMAIL_VERIFIED'],
      [
        'action=ACCESS_DENIED&action=EMAIL_VERIFIED',
        (entry: { action: string }) => ['ACCESS_DENIED', 'EMAIL_VERIFIED'].includes(entry.action),
      ],
      ['severity=CRITICAL', (entry: { severity: string }) => entry.severity === 'CRITICAL'],
      ['outcome=DENIED', (entry: { outcome: string }) => entry.outcome === 'DENIED'],
    ] as const) {
      const entries = await only(query);
      t.ok(entries.length > 0, query);
      t.ok(entries.every(matches), query);
    }
    const [denied] = await only(`resourceId=${code.body.id}&action=ACCESS_DENIED`);
    t.match(denied, { actorId: root.id, subjectId: ada.id, outcome: 'DENIED', resourceType: 'QRCODE' });
    t.ok(denied.sequence > 0, 'sealed');
    t.match(denied.requestId, /\S{8,}/);
    const hour = 3_600_000;
    const past = new Date(Date.now() - hour).toISOString();
    const future = new Date(Date.now() + hour).toISOString();
    t.same(await only(`from=${future}`), []);
    t.same(await only(`to=${past}`), []);
    t.ok((await only(`from=${past}&to=${future}&actorId=${auditor.id}`)).length > 0);
    t.same(await only(`actorId=${'0'.repeat(24)}`), [], 'an unknown actor');
    const all = (await read('?limit=100')).text;
    for (const secret of ['canary-name', 'A+', ada.email]) t.notOk(all.includes(secret), secret);
    for (const query of [
      '?action=NONE',
      '?severity=x',
      '?actorId=x',
      '?from=yesterday',
      '?cursor=x',
      '?limit=0',
    ])
      t.equal((await read(query)).status, 400, query);
    const listed = await only('action=AUDIT_LOG_LISTED');
    t.match(listed[0], { actorId: auditor.id, severity: 'HIGH' }, 'reading the trail is audited');
  },
);

t.test('a cursor returns each entry of the trail once, while new entries are written', async (t) => {
  const test = await startTestApp(t);
  const { read } = await createFixture(test);
  const before = await test.database.client.auditEntry.findMany({ select: { id: true } });
  const ids: string[] = [];
  for (let cursor: string | null = 'start'; cursor; ) {
    const { body } = await read(`?limit=7&cursor=${cursor}`);
    ids.push(...body.data.map(({ id }: { id: string }) => id));
    t.same(Object.keys(body.pagination).sort(), ['hasMore', 'limit', 'nextCursor']);
    t.equal(body.pagination.hasMore, body.pagination.nextCursor !== null);
    cursor = body.pagination.nextCursor;
  }
  t.equal(new Set(ids).size, ids.length);
  t.ok(before.every(({ id }) => ids.includes(id)));
  const page = (await read('?page=2&limit=5')).body;
  t.equal(page.data.length, 5);
  t.match(page.pagination, { page: 2, limit: 5 });
});

t.test('the export is streamed as JSON Lines, or as CSV in which no field is a formula', async (t) => {
  const test = await startTestApp(t);
  const { auditor } = await createFixture(test);
  for (let index = 0; index < 1_100; index++)
    await insertAuditEntry(test.database.client, {
      action: 'QRCODE_UPDATED',
      outcome: 'SUCCESS',
      operation: 'test',
      requestId: `r-${index}`,
      changes: ['title', 'data'],
      origin: {
        ip: '192.0.2.0',
        userAgent: index % 2 ? '=HYPERLINK("http://evil")' : 'a "quoted", agent\nnext',
      },
    });
  const get = (format: string) =>
    test.call('GET', `/api/admin/audit-logs/export?format=${format}&action=QRCODE_UPDATED`, {
      token: auditor.accessToken,
    });
  const jsonl = await get('jsonl');
  t.match(jsonl.headers['content-type'], /^application\/x-ndjson/);
  t.match(jsonl.headers['content-disposition'], /attachment/);
  const entries = jsonl.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.equal(entries.length, 1_100);
  t.same(entries[0].changes, ['title', 'data']);
  const csv = await get('csv');
  t.match(csv.headers['content-type'], /^text\/csv/);
  t.match(csv.text, /^id,sequence,createdAt,/);
  t.notMatch(csv.text, /(^|,)"?=HYPERLINK/m);
  t.match(csv.text, /'=HYPERLINK/);
  t.match(csv.text, /"a ""quoted"", agent\nnext"/);
  t.equal(csv.text.split('\r\n').filter(Boolean).length, 1_101);
  const exported = await test.database.client.auditEntry.count({ where: { action: 'AUDIT_LOG_EXPORTED' } });
  t.equal(exported, 2);
});

t.test('verification over HTTP confirms an intact trail or names the first wrong entry', async (t) => {
  const test = await startTestApp(t);
  const { auditor } = await createFixture(test);
  await sealAllEntries(test);
  const verify = () => test.call('GET', '/api/admin/audit-logs/verify', { token: auditor.accessToken });
  const whole = await verify();
  t.equal(whole.status, 200, whole.text);
  t.match(whole.body, { valid: true, finding: null });
  t.ok(whole.body.sequence > 5);
  await runAsSchemaOwner(test, async (client) => {
    await client.query('ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_append_only');
    await client.query(
      "UPDATE audit_entries SET outcome = 'FAILURE' WHERE id = (SELECT entry_id FROM audit_seals WHERE sequence = 3)",
    );
  });
  const broken = await verify();
  t.match(broken.body, { valid: false, finding: { kind: 'CHANGED', sequence: 3 } });
  t.match(broken.body.finding.meaning, /\w/);
  const answers = await Promise.all(Array.from({ length: 10 }, verify));
  const statuses = new Set(answers.map(({ status }) => status));
  t.same([...statuses].sort(), [200, 503], 'only one verification runs at a time');
});

t.test('a sealed trail exported over HTTP can be verified with the public key alone', async (t) => {
  const test = await startTestApp(t);
  const { auditor } = await createFixture(test);
  await sealAllEntries(test);
  const fetch = () => test.call('GET', '/api/admin/audit-logs/sealed', { token: auditor.accessToken });
  const sealed = await fetch();
  t.equal(sealed.status, 200, sealed.text);
  const path = join(t.testdir(), 'trail.jsonl');
  await writeFile(path, sealed.text);
  const [key] = test.services.audit.signer.publicKeys.values();
  const publicKeys = key?.key.export({ format: 'pem', type: 'spki' }).toString() ?? '';
  const result = await verifyAuditTrailExport({ path, publicKeys });
  t.equal(result.finding, null);
  t.ok(result.sequence > 5);
  const lines = sealed.text.trim().split('\n');
  t.match(JSON.parse(lines.at(-1) ?? ''), { type: 'end' });
  await writeFile(path, lines.toSpliced(3, 1).join('\n'));
  t.not((await verifyAuditTrailExport({ path, publicKeys })).finding, null, 'a line is missing');
  t.equal((await fetch()).status, 200, 'another export succeeds after the first');
});

t.test('users see in plain words how staff, strangers and they themselves accessed their data', async (t) => {
  const test = await startTestApp(t);
  const { root, ada } = await createFixture(test);
  const stranger = await test.createUser();
  const made = await test.call('POST', '/api/qrcodes', {
    token: ada.accessToken,
    body: { kind: 'MEDICAL', title: 'Ada', data: { name: 'Ada' }, visibility: { name: 'PUBLIC' } },
  });
  const id = made.body.id;
  await test.call('GET', `/api/auth/profile/${ada.id}`, { token: root.accessToken });
  await test.call('GET', `/api/qrcodes/${id}`, { token: stranger.accessToken });
  await test.call('POST', '/api/scans/public', { body: { qrCodeId: id } });
  await test.call('POST', '/api/admin/break-glass', {
    token: root.accessToken,
    body: { resourceType: 'QRCODE', resourceId: id, reason: 'secret reason of the emergency' },
  });
  await test.call('GET', `/api/qrcodes/${id}`, { token: root.accessToken });
  const mine = async (query = '') => {
    const answer = await test.call('GET', `/api/audit/mine?limit=100${query}`, { token: ada.accessToken });
    t.equal(answer.status, 200, answer.text);
    return answer;
  };
  const others = (await mine('&by=OTHERS')).body.data.map(
    ({ action, who, resourceId }: { action: string; who: string; resourceId: string | null }) => [
      action,
      who,
      resourceId,
    ],
  );
  t.same(
    new Set(others.map(String)),
    new Set(
      [
        ['PROFILE_READ', 'STAFF', null],
        ['ACCESS_DENIED', 'SOMEBODY', id],
        ['MEDICAL_DATA_SCANNED', 'SOMEBODY', id],
        ['BREAK_GLASS_OPENED', 'STAFF', id],
        ['BREAK_GLASS_QRCODE_READ', 'STAFF', id],
        // Registration and verification happened before the first session.
        ['USER_REGISTERED', 'SOMEBODY', null],
      ].map(String),
    ),
  );
  const everything = await mine();
  const texts = everything.body.data.map(({ text }: { text: string }) => text);
  t.ok(
    texts.includes(
      'Staff of the service: An administrator read the content of a code with break-glass access.',
    ),
  );
  t.ok(texts.includes('You: A QR code was created.'));
  for (const secret of [root.id, root.email, stranger.id, 'secret reason', '127.0.0.1'])
    t.notOk(
      JSON.stringify(everything.body.data.filter(({ who }: { who: string }) => who !== 'YOU')).includes(
        secret,
      ),
      secret,
    );
  const own = (await mine('&by=ME')).body.data;
  t.ok(own.length > 2 && own.every(({ who }: { who: string }) => who === 'YOU'));
  const nothing = await test.call('GET', '/api/audit/mine?by=OTHERS', { token: stranger.accessToken });
  t.notOk(nothing.text.includes(id), 'no entries of other users');
});

t.test('the OpenAPI document lists every action', async (t) => {
  const test = await startTestApp(t);
  const document = (await test.call('GET', '/api/docs/json')).body;
  t.same(document.components.schemas.AuditAction.enum, AUDIT_ACTION_NAMES);
  for (const name of AUDIT_ACTION_NAMES) {
    const { meaning } = AUDIT_ACTIONS[name];
    t.match(meaning, /^[A-Z].*\.$/, name);
  }
});
