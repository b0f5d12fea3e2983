import { generateId } from '../../../src/shared/ids.ts';
import { startTestApp, type TestResponse } from '../../helper.ts';
import { t } from '../../tap.ts';
import {
  createPetBody,
  createQrCodeClient,
  createTestCode,
  dumpAllRows,
  listAuditActions,
  listImagesOnDisk,
  listOrphanedImages,
} from './code-helper.ts';

const SECRET = 'Zq7-secret-of-a-patient';

t.test(
  'a foreign and an absent code are the same 404, nothing changes, and the attempt is audited once',
  async (t) => {
    const app = await startTestApp(t);
    const [owner, stranger] = [await app.createUser(), await app.createUser()];
    const live = await createTestCode(app, owner, { kind: 'MEDICAL' });
    const deleted = await createTestCode(app, owner);
    await createQrCodeClient(app, owner)('DELETE', `/${deleted.id}`);
    const before = await dumpAllRows(app);
    const call = createQrCodeClient(app, stranger);
    const routes = [
      ['GET', ''],
      ['PUT', '', { title: 'Mine' }],
      ['PATCH', '', { title: 'Mine' }],
      ['PUT', '', { title: 7, design: { logo: 1 } }],
      ['DELETE', ''],
      ['POST', '/restore'],
      ['POST', '/lost', { message: 'x' }],
      ['POST', '/found'],
      ['POST', '/test'],
      ['GET', '/preview'],
      ['GET', '/preview?as=pin'],
      ['GET', '/image'],
      ['GET', '/image?format=pdf'],
    ] as const;
    for (const [method, path, body] of routes) {
      const answers: TestResponse[] = [];
      for (const id of [live.id, deleted.id, generateId(), live.id.toUpperCase(), 'x', 'a'.repeat(200)]) {
        const entries = await app.database.client.auditEntry.count();
        const answer = await call(method, `/${id}${path}`, body);
        const name = `${method} ${path} ${id}`;
        t.equal(answer.status, 404, `${name} ${answer.text}`);
        const [entry, ...more] = (await listAuditActions(app)).slice(entries);
        t.match(
          entry,
          {
            action: 'ACCESS_DENIED',
            outcome: 'DENIED',
            severity: 'MEDIUM',
            resourceType: 'QRCODE',
            resourceId: /^[0-9a-f]{24}$/.test(id) ? id : null,
          },
          name,
        );
        t.same(more, [], `${name}: one entry`);
        answers.push(answer);
      }
      const bodies = answers.map(({ body }) => ({ ...body, requestId: '' }));
      for (const one of bodies) t.same(one, bodies[0], 'the answers are the same');
    }
    t.equal(await dumpAllRows(app), before);
    t.equal((await call('GET', '')).body.pagination.total, 0);
  },
);

t.test('encrypts content at rest: AES-256-CBC with HMAC for MEDICAL, AES-256-GCM for the rest', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  for (const [kind, data] of [
    ['MEDICAL', { name: 'Ada', notes: SECRET }],
    ['PET', { name: 'Rex', notes: SECRET }],
    ['WIFI', { ssid: 'Net', password: SECRET }],
  ] as const) {
    const code = await createTestCode(app, user, { kind, data });
    const row = await app.database.client.qrCode.findUniqueOrThrow({ where: { id: code.id } });
    const bytes = Buffer.from(row.data ?? []);
    t.equal(bytes[0], kind === 'MEDICAL' ? 4 : 3, `${kind}: version`);
    t.equal(bytes.subarray(2, 4).toString(), 'k1', 'key id');
    t.notOk(bytes.includes(SECRET.slice(0, 8)));
    const again = await createTestCode(app, user, { kind, data });
    const other = await app.database.client.qrCode.findUniqueOrThrow({ where: { id: again.id } });
    t.notSame(other.data, row.data, 'the same content never gives the same bytes');
  }
  const tables = await app.database.pool.query<{ name: string }>(
    "SELECT table_schema || '.' || table_name AS name FROM information_schema.tables WHERE table_schema IN ('public', 'pgboss') AND table_type = 'BASE TABLE'",
  );
  for (const { name } of tables.rows) {
    const { rows } = await app.database.pool.query(
      `SELECT count(*)::int AS found FROM ${name} AS r WHERE r::text LIKE '%${SECRET}%' OR r::text LIKE '%${Buffer.from(SECRET).toString('hex')}%'`,
    );
    t.equal(rows[0].found, 0, name);
  }
  t.notMatch(app.log.join(''), SECRET);
});

t.test(
  'moved, altered or truncated content is 500 DATA_INTEGRITY and one CRITICAL audit entry',
  async (t) => {
    const app = await startTestApp(t);
    const user = await app.createUser();
    const call = createQrCodeClient(app, user);
    for (const kind of ['MEDICAL', 'PET']) {
      const one = await createTestCode(app, user, { kind, data: { name: 'One' } });
      const two = await createTestCode(app, user, { kind, data: { name: 'Two' } });
      const { data } = await app.database.client.qrCode.findUniqueOrThrow({ where: { id: one.id } });
      const bytes = Buffer.from(data ?? []);
      const flipped = (at: number) =>
        Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)));
      const oldKey = Buffer.from(bytes.toString('latin1').replace('k1', 'k9'), 'latin1');
      const broken: [string, string, Buffer][] = [
        ['moved', two.id, bytes],
        ['last bit', one.id, flipped(bytes.length - 1)],
        ['content bit', one.id, flipped(Math.floor(bytes.length / 2))],
        ['version', one.id, flipped(0)],
        ['cut', one.id, bytes.subarray(0, bytes.length - 1)],
        ['all but nothing', one.id, bytes.subarray(0, 3)],
        ['empty', one.id, Buffer.alloc(0)],
        ['unknown key', one.id, oldKey],
      ];
      for (const [name, id, altered] of broken) {
        await app.database.client.qrCode.update({ where: { id }, data: { data: Uint8Array.from(altered) } });
        const before = await dumpAllRows(app);
        for (const [method, path, body] of [
          ['GET', ''],
          ['GET', '/preview'],
          ['PUT', '', { title: 'x' }],
          ['POST', '/lost', {}],
        ] as const) {
          const entries = await app.database.client.auditEntry.count();
          const answer = await call(method, `/${id}${path}`, body);
          t.match(
            [answer.status, answer.body.code],
            [500, 'DATA_INTEGRITY'],
            `${kind} ${name} ${method} ${path}`,
          );
          t.same(Object.keys(answer.body).toSorted(), [
            'code',
            'detail',
            'requestId',
            'status',
            'title',
            'type',
          ]);
          const added = (await listAuditActions(app)).slice(entries);
          t.match(added, [
            {
              action: 'DATA_INTEGRITY_FAILED',
              severity: 'CRITICAL',
              outcome: 'FAILURE',
              resourceType: 'QRCODE',
              resourceId: id,
            },
          ]);
          t.equal(added.length, 1);
        }
        t.equal(await dumpAllRows(app), before, 'nothing was changed');
        t.equal((await call('GET', '')).status, 200, 'the list still answers');
      }
      t.equal((await call('DELETE', `/${one.id}`)).status, 200, 'it can be deleted');
    }
  },
);

t.test('audits every read of a medical code’s content once', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const call = createQrCodeClient(app, user);
  const code = await createTestCode(app, user, { kind: 'MEDICAL', data: { name: 'Ada', notes: SECRET } });
  const printed = await createTestCode(app, user, {
    kind: 'MEDICAL',
    mode: 'STATIC',
    data: { name: 'Ada' },
  });
  const pet = await createTestCode(app, user);
  const reads = async (id: string) =>
    (await listAuditActions(app, id)).filter(({ action }) => action === 'MEDICAL_DATA_READ').length;
  for (const [path, more] of [
    ['', 1],
    ['/preview?as=pin', 1],
    ['/image', 0],
  ] as const) {
    const before = await reads(code.id);
    t.equal((await call('GET', `/${code.id}${path}`)).status, 200);
    t.equal((await reads(code.id)) - before, more, path);
  }
  await call('GET', `/${printed.id}/image`);
  t.equal(await reads(printed.id), 1, 'the image of a static code is its content');
  for (const path of ['', '/preview', '/image']) await call('GET', `/${pet.id}${path}`);
  t.equal(await reads(pet.id), 0);
  await call('PUT', `/${code.id}`, { data: { name: 'Ada', notes: `${SECRET} 2` } });
  t.same((await listAuditActions(app, code.id)).at(-1)?.changes, ['data'], 'names, never values');
  const { rows } = await app.database.pool.query(
    'SELECT e::text, o::text FROM audit_entries e LEFT JOIN audit_origins o ON o.entry_id = e.id',
  );
  t.notMatch(JSON.stringify(rows), SECRET);
});

t.test('rejects hostile bodies naming the field, stores nothing, and never responds 5xx', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const code = await createTestCode(app, user);
  const before = [await dumpAllRows(app), await listImagesOnDisk(app)];
  const json = { 'content-type': 'application/json' };
  const post = (payload: string | Buffer) =>
    app.app.inject({
      method: 'POST',
      url: '/api/qrcodes',
      headers: { ...json, authorization: `Bearer ${user.accessToken}` },
      payload,
    });
  const text = (more: string) => `{"kind":"PET","title":"Rex","data":{"name":"Rex"${more}`;
  const raw: [string, string | Buffer, number, string?][] = [
    ['__proto__', text(',"__proto__":{"polluted":1}}}'), 400],
    ['__proto__ at the top', text('},"__proto__":{"polluted":1}}'), 400],
    ['constructor.prototype', text('},"design":{"constructor":{"prototype":{"polluted":1}}}}'), 400],
    ['constructor', text('},"visibility":{"constructor":"PUBLIC"}}'), 400, 'visibility.constructor'],
    ['too deep', text(`,"notes":${'['.repeat(40)}${']'.repeat(40)}}}`), 400, 'body'],
    ['too many', text(`,"allergies":[${Array.from({ length: 10_001 }, () => 1).join(',')}]}}`), 400, 'body'],
    ['too long', text(`,"notes":"${'x'.repeat(65_537)}"}}`), 400, 'data.notes'],
    ['NUL', text(',"notes":"a\\u0000b"}}'), 400, 'data.notes'],
    ['lone surrogate', text(',"notes":"a\\ud800b"}}'), 400, 'data.notes'],
    ['escape', '{"kind":"PET","title":"a\\u001b[31m","data":{"name":"Rex"}}', 400, 'title'],
    ['C1', '{"kind":"PET","title":"a\\u0085b","data":{"name":"Rex"}}', 400, 'title'],
    [
      'invalid UTF-8',
      Buffer.concat([Buffer.from('{"kind":"PET","title":"'), Buffer.of(0xff, 0xfe), Buffer.from('"}')]),
      400,
    ],
    ['an array', '[]', 400],
    ['a string', '"PET"', 400],
    ['null', 'null', 400],
    ['not JSON', '{"kind":', 400],
    ['too large', text(`,"notes":"${'x'.repeat(1_048_576)}"}}`), 413],
  ];
  for (const [name, payload, status, field] of raw) {
    const answer = await post(payload);
    t.equal(answer.statusCode, status, `${name} ${answer.payload.slice(0, 200)}`);
    t.match(answer.headers['content-type'], 'application/problem+json');
    if (field)
      t.match(
        answer.json().errors.map((error: { field: string }) => error.field),
        [field],
        name,
      );
  }
  const call = createQrCodeClient(app, user);
  const operator = { not: '' };
  for (const [field, values] of Object.entries({
    kind: [7, null, operator, ['PET']],
    title: [7, null, operator, ['Rex'], '', 'x'.repeat(201), 'a\nb', ' '],
    mode: [7, null, operator, 'BOTH'],
    data: [7, null, 'Rex', [], [{ name: 'Rex' }]],
    visibility: [7, 'PUBLIC', []],
    design: [7, 'red', []],
    pin: [1234, operator],
    contactable: ['true', 1, null],
    showsPage: ['yes'],
    expiresAt: [7, operator, '2027-02-30T00:00:00Z', '12/12/2027'],
  })) {
    for (const value of values) {
      const answer = await call('POST', '', createPetBody({ [field]: value }));
      t.equal(answer.status, 400, `${field} ${JSON.stringify(value)}`);
      t.same(
        [...new Set((answer.body.errors ?? []).map((error: { field: string }) => error.field))],
        [field],
      );
      if (field === 'kind' || field === 'mode') continue;
      const changed = await call('PUT', `/${code.id}`, { [field]: value });
      t.equal(changed.status, 400, `PUT ${field} ${JSON.stringify(value)}`);
    }
  }
  t.equal(Reflect.get({}, 'polluted'), undefined);
  t.same([await dumpAllRows(app), await listImagesOnDisk(app)], before);
  t.same(await listOrphanedImages(app), []);
});
