import { startTestApp, TEST_PASSWORD } from '../helper.ts';
import { getOpenApiDocument } from '../openapi-document.ts';
import { t } from '../tap.ts';

const KEY = 'canary-key-0123456789';
const PROFILE = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  accountType: 'INDIVIDUAL',
  phone: '+44 20 7946 0999',
};
const url = '/api/auth/create-profile';

t.test('replays the first response for the same key, and responds 409 to another body', async (t) => {
  const { call, createUser, database } = await startTestApp(t);
  const { accessToken: token, id } = await createUser({ profile: false });
  const headers = { 'idempotency-key': KEY };
  const first = await call('POST', url, { token, headers, body: PROFILE });
  t.equal(first.status, 201);
  t.equal(first.headers.location, `/api/auth/profile/${id}`);
  t.equal(first.headers['idempotency-replayed'], undefined);
  const again = await call('POST', url, { token, headers, body: PROFILE });
  t.equal(again.status, 201);
  t.equal(again.text, first.text);
  t.equal(again.headers['idempotency-replayed'], 'true');
  t.equal(again.headers.location, first.headers.location);
  const other = await call('POST', url, { token, headers, body: { ...PROFILE, firstName: 'Eve' } });
  t.equal(other.status, 409);
  t.equal(other.body.code, 'IDEMPOTENCY_KEY_REUSED');
  t.equal(other.headers['idempotency-replayed'], undefined, 'the response is not a replay');
  t.equal(
    (await call('POST', url, { token, body: PROFILE })).body.code,
    'PROFILE_EXISTS',
    'without the key it is new',
  );
  t.equal(await database.client.auditEntry.count({ where: { action: 'PROFILE_CREATED' } }), 1);
});

t.test('twenty parallel requests with one key create one resource and get one response', async (t) => {
  const { call, createUser, database } = await startTestApp(t);
  const { accessToken: token } = await createUser();
  const body = { kind: 'TEXT', title: 'Once', data: { text: 'once' } };
  const headers = { 'idempotency-key': KEY };
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => call('POST', '/api/qrcodes', { token, headers, body })),
  );
  for (const answer of answers) t.equal(answer.status, 201, answer.text);
  t.equal(new Set(answers.map(({ text }) => text)).size, 1);
  t.equal(answers.filter((answer) => answer.headers['idempotency-replayed'] === undefined).length, 1);
  t.equal(await database.client.qrCode.count(), 1);
  t.equal(await database.client.idempotencyKey.count(), 1);
});

t.test('replays the response before hashing or validating again', async (t) => {
  const { call, createUser, services } = await startTestApp(t);
  const { accessToken: token } = await createUser();
  let hashes = 0;
  const { hash } = services.pins;
  Object.assign(services.pins, {
    hash: (pin: string) => {
      hashes++;
      return hash(pin);
    },
  });
  const headers = { 'idempotency-key': KEY };
  const expiresAt = new Date(Date.now() + 2_000).toISOString();
  const body = { kind: 'TEXT', title: 'Once', data: { text: 'once' }, pin: '0012', expiresAt };
  const first = await call('POST', '/api/qrcodes', { token, headers, body });
  t.equal(first.status, 201, first.text);
  await new Promise((resolve) => setTimeout(resolve, Date.parse(expiresAt) - Date.now() + 1));
  t.equal((await call('POST', '/api/qrcodes', { token, body })).status, 400, 'the end is past by now');
  const again = await call('POST', '/api/qrcodes', { token, headers, body });
  t.equal(again.status, 201, again.text);
  t.equal(again.text, first.text);
  t.equal(again.headers['idempotency-replayed'], 'true');
  t.equal(again.headers.location, first.headers.location);
  for (const change of [{ title: 'Other' }, { pin: '9999' }, { expiresAt: null }]) {
    const other = await call('POST', '/api/qrcodes', { token, headers, body: { ...body, ...change } });
    t.equal(other.status, 409);
    t.equal(other.body.code, 'IDEMPOTENCY_KEY_REUSED');
    t.equal(other.headers['idempotency-replayed'], undefined);
  }
  const shapeless = await call('POST', '/api/qrcodes', { token, headers, body: { ...body, title: 7 } });
  t.equal(shapeless.status, 400, 'what cannot be read is that first');
  t.equal(hashes, 1);
});

t.test('twenty parallel registrations with one key are one registration with one mail', async (t) => {
  const { call, database, getOtp } = await startTestApp(t);
  const email = 'once@example.org';
  const register = (password = TEST_PASSWORD) =>
    call('POST', '/api/auth/register', { headers: { 'idempotency-key': KEY }, body: { email, password } });
  const answers = await Promise.all(Array.from({ length: 20 }, () => register()));
  for (const answer of answers) t.equal(answer.status, 201, answer.text);
  t.equal(new Set(answers.map(({ text }) => text)).size, 1);
  t.equal(await database.client.pendingRegistration.count(), 1);
  t.match(await getOtp(email), /^\d{6}$/);
  t.equal(await database.client.outgoingMail.count(), 1);
  t.equal((await register('another password here')).body.code, 'IDEMPOTENCY_KEY_REUSED');
});

t.test('a key is scoped to its user and route', async (t) => {
  const { call, createUser } = await startTestApp(t);
  const headers = { 'idempotency-key': KEY };
  for (const { accessToken: token, id } of [
    await createUser({ profile: false }),
    await createUser({ profile: false }),
  ]) {
    const answer = await call('POST', url, { token, headers, body: PROFILE });
    t.equal(answer.status, 201);
    t.equal(answer.body.id, id);
    t.equal(answer.headers['idempotency-replayed'], undefined);
    const code = await call('POST', '/api/qrcodes', {
      token,
      headers,
      body: { kind: 'TEXT', title: 'a', data: { text: 'b' } },
    });
    t.equal(code.status, 201, code.text);
  }
});

t.test('a rejected request and an expired key leave the key free', async (t) => {
  const { call, createUser, database } = await startTestApp(t);
  const { accessToken: token } = await createUser({ profile: false });
  const headers = { 'idempotency-key': KEY };
  t.equal((await call('POST', url, { token, headers, body: { firstName: 'Ada' } })).status, 400);
  t.equal((await call('POST', url, { token, headers, body: PROFILE })).status, 201);
  await database.pool.query("UPDATE idempotency_keys SET expires_at = now() - interval '1 second'");
  t.equal(
    (await call('POST', url, { token, headers, body: PROFILE })).body.code,
    'PROFILE_EXISTS',
    'taken for a new request',
  );
  const body = { kind: 'TEXT', title: 'Again', data: { text: 'again' } };
  const create = () => call('POST', '/api/qrcodes', { token, headers, body });
  const first = await create();
  await database.pool.query("UPDATE idempotency_keys SET expires_at = now() - interval '1 second'");
  t.not((await create()).body.id, first.body.id, 'also where the stored response is sought first');
});

t.test('a key has 1 to 255 printable characters', async (t) => {
  const { call, createUser } = await startTestApp(t);
  const { accessToken: token } = await createUser();
  for (const key of ['', 'x'.repeat(256), 'ü'.repeat(20), 'tab\tin it']) {
    const answer = await call('POST', url, { token, headers: { 'idempotency-key': key }, body: PROFILE });
    t.equal(answer.status, 400, encodeURI(key));
    t.match(answer.body.errors, [{ field: /idempotency-key/i }]);
  }
  const body = { kind: 'TEXT', title: 'Once', data: { text: 'once' } };
  for (const key of ['1', 'order-42', 'order 42, second try', 'x'.repeat(255)]) {
    const headers = { 'idempotency-key': key };
    const first = await call('POST', '/api/qrcodes', { token, headers, body });
    t.equal(first.status, 201, key);
    t.same((await call('POST', '/api/qrcodes', { token, headers, body })).body, first.body, key);
  }
});

t.test('actions are done once for a key', async (t) => {
  const app = await startTestApp(t);
  const { call, createUser, database } = app;
  const { accessToken: token, email } = await createUser();
  const headers = { 'idempotency-key': 'order-42' };
  const act = async (path: string, body?: object, method = 'POST') => {
    const options = { token, headers, ...(body && { body }) };
    const first = await call(method, path, options);
    const again = await call(method, path, options);
    t.ok(first.status < 300, `${path}: ${first.text}`);
    return { first, again };
  };
  const replays = async (...args: Parameters<typeof act>) => {
    const { first, again } = await act(...args);
    t.equal(again.headers['idempotency-replayed'], 'true', args[0]);
    t.same(
      [again.status, again.headers.location, again.body],
      [first.status, first.headers.location, first.body],
      args[0],
    );
    return first;
  };
  const create = async (path: string, body: object) => (await call('POST', path, { token, body })).body.id;
  const hook = await create('/api/webhook-endpoints', { url: 'http://localhost:9/', eventTypes: ['*'] });
  const { body: delivery } = await replays(`/api/webhook-endpoints/${hook}/test`);
  t.equal(await database.client.webhookDelivery.count(), 1, 'one test event');
  await replays(`/api/webhook-endpoints/${hook}/deliveries/${delivery.event.id}/replay`);
  await replays(`/api/webhook-endpoints/${hook}/replay`, { from: new Date().toISOString() });
  const rotations = [
    [`/api/webhook-endpoints/${hook}/rotate-secret`, {}],
    [`/api/api-keys/${await create('/api/api-keys', { name: 'Key', scopes: ['qr-codes:read'] })}/rotate`, {}],
  ] as const;
  for (const [path, body] of rotations)
    t.match((await act(path, body)).again, { status: 409, body: { code: 'RESPONSE_NOT_STORED' } }, path);

  const code = { kind: 'TEXT', title: 'Note', data: { text: 'Hello' } };
  const [one, other] = [await create('/api/qrcodes', code), await create('/api/qrcodes', code)];
  const report = { category: 'FRAUD' };
  await replays(`/api/qrcodes/${one}/reports`, report);
  t.equal((await database.client.qrCodeReport.findMany())[0]?.count, 1, 'counted once');
  const change = { id: one, title: 'Other', slug: 'ignored' };
  await replays('/api/qrcodes/bulk', { items: [change] }, 'PATCH');
  await replays('/api/qrcodes/bulk/delete', { items: [{ id: other }] });
  await database.client.user.update({ where: { email }, data: { role: 'ADMIN' } });
  await replays(`/api/admin/qrcodes/${one}/takedown`, { category: 'FRAUD', reason: 'It asks for a fee.' });
  const appealed = await replays(`/api/qrcodes/${one}/appeals`, { message: 'It is mine.' });
  t.equal(appealed.status, 201);
  t.equal(await database.client.qrCodeAppeal.count(), 1);
  t.match(await call('POST', `/api/qrcodes/${one}/appeals`, { token, headers, body: { message: 'Else' } }), {
    status: 409,
    body: { code: 'IDEMPOTENCY_KEY_REUSED' },
  });
});

t.test('an action that failed can be repeated with its key', async (t) => {
  const { call, createUser, database } = await startTestApp(t);
  const { accessToken: token } = await createUser();
  const headers = { 'idempotency-key': 'order-42' };
  const hook = { url: 'http://localhost:9/', eventTypes: ['*'] };
  const { id } = (await call('POST', '/api/webhook-endpoints', { token, body: hook })).body;
  const path = `/api/webhook-endpoints/${id}`;
  await call('PATCH', path, { token, body: { enabled: false } });
  t.equal((await call('POST', `${path}/test`, { token, headers })).status, 409);
  await call('PATCH', path, { token, body: { enabled: true } });
  t.equal((await call('POST', `${path}/test`, { token, headers })).status, 202);
  t.equal(await database.client.webhookDelivery.count(), 1);
});

t.test('stores neither key nor body nor response in clear', async (t) => {
  const { call, createUser, database } = await startTestApp(t);
  const { accessToken: token, email } = await createUser({ profile: false });
  await call('POST', url, { token, headers: { 'idempotency-key': KEY }, body: PROFILE });
  await call('POST', '/api/auth/register', {
    headers: { 'idempotency-key': KEY },
    body: { email: 'canary-mail@example.org', password: 'canary password 42' },
  });
  const { rows } = await database.pool.query(
    "SELECT requester || operation || encode(key_hash, 'escape') || encode(body_hash, 'escape') || encode(response, 'escape') || id AS text FROM idempotency_keys",
  );
  t.equal(rows.length, 2);
  for (const { text } of rows) {
    for (const secret of ['canary', KEY, PROFILE.phone, 'Lovelace', email]) t.notMatch(text, secret);
  }
});

t.test('replays a response that a version before accounts stored', async (t) => {
  const { call, createUser, database, services } = await startTestApp(t);
  const { accessToken: token, id: userId } = await createUser();
  const metadata = { ownerId: 'cust-77' };
  const body = { kind: 'TEXT', title: 'Once', data: { text: 'once' }, metadata };
  const create = () => call('POST', '/api/qrcodes', { token, headers: { 'idempotency-key': KEY }, body });
  const first = await create();
  t.match(first.body, { accountId: userId, ownerId: userId });
  const row = await database.client.idempotencyKey.findFirstOrThrow();
  const location = { table: 'idempotency_keys', column: 'response', rowId: row.id, ownerId: userId };
  const stored = services.fieldCipher.decrypt<{ body: object }>(location, row.response ?? Buffer.alloc(0));
  const response = services.fieldCipher.encrypt(location, {
    ...stored,
    body: { ...stored.body, accountId: undefined },
  });
  await database.client.idempotencyKey.updateMany({ data: { response } });
  const again = await create();
  t.equal(again.headers['idempotency-replayed'], 'true');
  t.same(again.body, first.body);
});

t.test('a key is bound to the path with its ids', async (t) => {
  const { call, createUser } = await startTestApp(t);
  const { accessToken: token } = await createUser();
  const headers = { 'idempotency-key': KEY };
  const create = async (title: string): Promise<string> => {
    const body = { kind: 'TEXT', title, data: { text: title } };
    return (await call('POST', '/api/qrcodes', { token, body })).body.id;
  };
  const [first, second] = [await create('first'), await create('second')];
  t.equal((await call('POST', `/api/qrcodes/${first}/test`, { token, headers, body: {} })).status, 201);
  const other = await call('POST', `/api/qrcodes/${second}/test`, { token, headers, body: {} });
  t.same([other.status, other.body.code], [409, 'IDEMPOTENCY_KEY_REUSED']);
});

t.test('stores no response with a secret', async (t) => {
  const { call, createUser, database } = await startTestApp(t);
  const { accessToken: token } = await createUser();
  const code = { kind: 'TEXT', title: 'a', data: { text: 'b' } };
  const { id } = (await call('POST', '/api/qrcodes', { token, body: code })).body;
  const headers = { 'idempotency-key': KEY };
  const create = () => call('POST', `/api/qrcodes/${id}/test`, { token, headers, body: {} });
  t.equal((await create()).status, 201);
  const repeat = await create();
  t.same([repeat.status, repeat.body.code], [409, 'RESPONSE_NOT_STORED']);
  t.equal(repeat.headers['idempotency-replayed'], undefined);
  t.equal(await database.client.testLink.count(), 1, 'it was carried out once');
  const [stored] = await database.client.idempotencyKey.findMany();
  t.ok((stored?.response?.length ?? 0) < 150, 'a mark is stored in place of the response');
});

t.test('stores no response with content of an account that was erased during the request', async (t) => {
  const { createUser, database, services } = await startTestApp(t);
  const [actor, other, third] = [await createUser(), await createUser(), await createUser()];
  const context = {
    user: null,
    address: '203.0.113.7',
    userAgent: '',
    method: 'POST',
    purpose: '',
    isNavigation: false,
    acceptLanguage: undefined,
    requestId: 'test',
    audit: undefined,
    idempotencyKey: 'order-42',
    target: '/api/things',
  };
  const act = (contentOf: string, operation: string) =>
    services.createIdempotently({ ...context, operation }, { who: actor.id, fingerprint: null }, async () => {
      await database.client.user.updateMany({ where: { id: other.id }, data: { status: 'DELETED' } });
      return { body: { title: 'Canary' }, contentOf };
    });
  t.same((await act(other.id, 'erased')).body, { title: 'Canary' }, 'the action itself succeeds');
  await t.rejects(act(other.id, 'erased'), { code: 'RESPONSE_NOT_STORED' });
  await act(third.id, 'third');
  t.match(await act(third.id, 'third'), { isReplayed: true, body: { title: 'Canary' } });
  const rows = await database.client.idempotencyKey.findMany({ orderBy: { operation: 'asc' } });
  t.same(
    rows.map(({ contentAccountId }) => contentAccountId),
    [null, third.id],
  );
});

t.test('stores only so many bytes of one network', async (t) => {
  const { call, createUser, database } = await startTestApp(t);
  const { accessToken: token, id } = await createUser();
  const create = (key: string) =>
    call('POST', '/api/qrcodes', {
      token,
      headers: { 'idempotency-key': key },
      body: { kind: 'TEXT', title: 'a', data: { text: key } },
    });
  t.equal((await create('key-before-the-limit')).status, 201);
  const used = await database.pool.query(
    "UPDATE attempt_budgets SET used = 65536 WHERE key LIKE 'idempotent-bytes:%'",
  );
  t.equal(used.rowCount, 2, 'of the network and of the account');
  t.equal((await create('key-beyond-the-limit')).status, 201, 'the request itself is carried out');
  t.equal((await create('key-before-the-limit')).status, 201, 'what is stored is repeated');
  const repeat = await create('key-beyond-the-limit');
  t.same([repeat.status, repeat.body.code], [409, 'RESPONSE_NOT_STORED']);
  t.equal(await database.client.qrCode.count({ where: { accountId: id } }), 2);
});

t.test('repeating an action with its key does not undo what happened since', async (t) => {
  const { call, createUser, database } = await startTestApp(t);
  const { accessToken: token } = await createUser();
  const pet = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const { id } = (await call('POST', '/api/qrcodes', { token, body: pet })).body;
  const post = (action: string, key: string, body?: object) =>
    call('POST', `/api/qrcodes/${id}/${action}`, {
      token,
      headers: { 'idempotency-key': key },
      ...(body && { body }),
    });
  const lost = await post('lost', 'lost-1', { message: 'Ran off' });
  t.match(lost, { status: 200, body: { status: 'LOST' } });
  t.match(await post('found', 'found-1'), { status: 200, body: { status: 'ACTIVE' } });
  const again = await post('lost', 'lost-1', { message: 'Ran off' });
  t.match(again.headers, { 'idempotency-replayed': 'true', etag: lost.headers.etag });
  t.same(again.body, lost.body);
  t.match((await call('GET', `/api/qrcodes/${id}`, { token })).body, { status: 'ACTIVE' });
  t.equal((await post('lost', 'lost-1', { message: 'Stolen' })).body.code, 'IDEMPOTENCY_KEY_REUSED');
  t.equal(await database.client.auditEntry.count({ where: { action: 'QRCODE_REPORTED_LOST' } }), 1);

  const device = { platform: 'ANDROID', token: 'a'.repeat(40) };
  const register = (key: string) =>
    call('POST', '/api/notifications/devices', { token, headers: { 'idempotency-key': key }, body: device });
  const first = await register('device-1');
  t.match([first.status, (await register('device-2')).status], [201, 200]);
  const replayed = await register('device-1');
  t.same(
    [replayed.status, replayed.headers.location, replayed.body],
    [201, first.headers.location, first.body],
    'with its status',
  );
  const failing = () =>
    call('POST', `/api/qrcodes/${id}/lost`, {
      token,
      headers: { 'idempotency-key': 'failing', 'if-match': '"99"' },
      body: {},
    });
  t.equal((await failing()).status, 412);
  t.equal((await failing()).status, 412, 'an error leaves the key free');
});

/** Ends sessions or creates credentials, whose response is never stored; or reads; or is safe as it is. */
const WITHOUT_KEY: Readonly<Record<string, string>> = {
  'accounts.verifyOtp': 'a code works once',
  'accounts.resendOtp': 'limited by address',
  'accounts.logIn': 'returns credentials',
  'accounts.refresh': 'repeats within 30 seconds return the same successor',
  'accounts.logOut': 'ends a session that may have ended',
  'accounts.forgotPassword': 'limited by address',
  'accounts.resetPassword': 'a link works once',
  'accounts.changePassword': 'the current password works once',
  'accounts.exchangeSignInCode': 'a code works once',
  'accounts.signInByToken': 'an ID token works once',
  'accounts.linkIdentity': 'linking again is 200',
  'mfa.enroll': 'returns a secret',
  'mfa.confirm': 'a code works once',
  'mfa.renewRecoveryCodes': 'returns secrets',
  'mfa.verify': 'returns credentials',
  'webhooks.receive': 'of another party, known by its own ids',
  'subscription.previewChange': 'changes nothing',
  'qrcodes.previewDraft': 'changes nothing',
  'qrcodes.render': 'changes nothing',
  'conversations.checkMessage': 'changes nothing',
  'scans.unlock': 'an attempt is counted',
  'scans.addLocation': 'a scan has one location',
  'conversations.markReadAsFinder': 'marking again changes nothing',
  'conversations.endAsFinder': 'ending again changes nothing',
};

t.test('every POST takes an Idempotency-Key, or says why it needs none', async (t) => {
  const { call } = await startTestApp(t);
  const { paths } = await getOpenApiDocument(call);
  const without: string[] = [];
  for (const { post } of Object.values<Record<string, { operationId: string; parameters?: object[] }>>(paths))
    if (post && !JSON.stringify(post.parameters ?? []).includes('dempotency')) without.push(post.operationId);
  t.same(without.toSorted(), Object.keys(WITHOUT_KEY).toSorted());
});
