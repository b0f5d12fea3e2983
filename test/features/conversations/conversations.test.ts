import type { Test } from 'tap';
import { generateAbsentId, type TestResponse } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { isProblem } from '../identity/accounts/helper.ts';
import { createTokenHeader, startScans } from '../scans/helper.ts';

type ScanFixture = Awaited<ReturnType<typeof startScans>>;

/** Create a code with a scan, and helpers to write about it. */
async function createScannedCode(test: ScanFixture, body: Record<string, unknown> = {}) {
  const { call, code, scan, owner } = test;
  const qrCodeId = await code(body);
  const made = await scan({ qrCodeId });
  const scanId: string = made.body.scan.id;
  const open = (said: object, options: Parameters<typeof call>[2] = {}) =>
    call('POST', '/api/conversations/public', {
      ...options,
      body: { scanId, ...said },
      headers: { ...createTokenHeader(made), ...options.headers },
    });
  const asFinder = (opened: TestResponse) => ({ 'x-conversation-token': opened.body.conversationToken });
  return { qrCodeId, scanId, open, asFinder, owner: { token: owner.accessToken } };
}

const start = async (t: Test) => startScans(t);

t.test('lets a finder and an owner exchange messages without revealing their identities', async (t) => {
  const test = await start(t);
  const { call, database } = test;
  const { qrCodeId, scanId, open, asFinder, owner } = await createScannedCode(test);
  const trail = await captureAuditEntries(test, async () => {
    const opened = await open({ preset: 'ANIMAL_FOUND', message: ' He is in the park. ', name: 'Eva' });
    t.equal(opened.status, 201, opened.text);
    const { id, conversationToken } = opened.body;
    t.match(opened.body, {
      status: 'OPEN',
      warnings: [],
      url: `https://qr.example.org/s/${qrCodeId}/c/${conversationToken}`,
    });
    t.match(opened.body.message, {
      ...{ from: 'FINDER', preset: 'ANIMAL_FOUND', readAt: null },
      message: 'Your pet is with me.\nHe is in the park.',
    });
    t.equal(opened.headers.location, `/api/conversations/public/${id}/messages`);

    const list = await call('GET', '/api/conversations', owner);
    t.equal(list.body.pagination.total, 1);
    t.match(list.body.data, [
      { id, qrCodeId, scanId, title: 'Rex', finderName: 'Eva', status: 'OPEN', unread: 1 },
    ]);
    const read = await call('GET', `/api/conversations/${id}/messages`, owner);
    t.match(read.body.data, [{ from: 'FINDER', message: /park/ }]);
    t.equal((await call('GET', `/api/conversations/${id}`, owner)).body.unread, 1, 'a list marks nothing');
    const foreign = { ...owner, body: { upTo: generateAbsentId() } };
    t.ok(isProblem(await call('POST', `/api/conversations/${id}/read`, foreign), 404, 'NOT_FOUND'));
    const upTo = { ...owner, body: { upTo: opened.body.message.id } };
    t.match((await call('POST', `/api/conversations/${id}/read`, upTo)).body, { id, unread: 0 });
    t.equal((await call('POST', `/api/conversations/${id}/read`, owner)).status, 200, 'the same again');

    const answer = await call('POST', `/api/conversations/${id}/messages`, {
      ...owner,
      body: { message: 'Thank you!' },
    });
    t.equal(answer.status, 201, answer.text);
    const mine = await call('GET', `/api/conversations/public/${id}/messages`, { headers: asFinder(opened) });
    t.match(mine.body.data, [
      { from: 'OWNER', message: 'Thank you!' },
      { from: 'FINDER', message: /park/ },
    ]);
    t.ok(mine.body.data[1].readAt, 'the finder sees that it was read');
    const marked = await call('POST', `/api/conversations/public/${id}/read`, { headers: asFinder(opened) });
    t.same(marked.body, { done: true });
    t.ok((await call('GET', `/api/conversations/${id}/messages`, owner)).body.data[0].readAt);
    t.equal((await call('POST', `/api/conversations/public/${id}/read`)).status, 403, 'without the token');
    t.notMatch(mine.text, test.owner.email);
    t.notMatch(mine.text, test.owner.id);
    t.notMatch(list.text + read.text, '127.0.0');
    const notified = await database.client.notification.findMany({ where: { event: 'message.created' } });
    t.match(notified, [
      { userId: test.owner.id, type: 'MESSAGE', data: { qrCodeId, conversationId: id, code: 'Rex' } },
    ]);
    t.notMatch(JSON.stringify(notified), 'park');
    const rows = await database.client.conversationMessage.findMany();
    t.notMatch(
      rows.map(({ content }) => Buffer.from(content).toString('latin1')).join(),
      'park',
      'kept encrypted',
    );
  });
  t.same(
    trail.map(({ action }) => action),
    [
      'CONVERSATION_OPENED',
      'ACCESS_DENIED',
      'CONVERSATION_READ',
      'CONVERSATION_CONTINUED',
      'CONVERSATION_READ',
    ],
  );
});

t.test('shows a preset to each side in their own language', async (t) => {
  const test = await start(t);
  const { call } = test;
  const { open, asFinder, owner } = await createScannedCode(test);
  const german = { 'accept-language': 'de' };
  const opened = await open({ preset: 'ANIMAL_FOUND' }, { headers: german });
  const english = (await call('GET', `/api/conversations/${opened.body.id}/messages`, owner)).body.data[0];
  t.equal(english.message, 'Your pet is with me.');
  t.not(opened.body.message.message, english.message);
  const again = await call('GET', `/api/conversations/public/${opened.body.id}/messages`, {
    headers: { ...asFinder(opened), ...german },
  });
  t.equal(again.body.data[0].message, opened.body.message.message);
  const answer = await call('POST', `/api/conversations/${opened.body.id}/messages`, {
    ...owner,
    body: { preset: 'ON_MY_WAY' },
  });
  t.match(answer.body, { preset: 'ON_MY_WAY', message: 'I’m on my way.' });
  const answered = await call('GET', `/api/conversations/public/${opened.body.id}/messages`, {
    headers: { ...asFinder(opened), ...german },
  });
  t.equal(answered.body.data[0].message, 'Ich bin unterwegs.');
  const asOwner = await call('POST', `/api/conversations/public/${opened.body.id}/messages`, {
    headers: asFinder(opened),
    body: { preset: 'ON_MY_WAY' },
  });
  t.ok(isProblem(asOwner, 400, 'VALIDATION_FAILED'), 'a finder does not answer as an owner');
  t.equal((await open({ preset: 'THANK_YOU' })).status, 400);
});

t.test('rejects invalid messages and invalid access with a reason', async (t) => {
  const test = await start(t);
  const { call } = test;
  const { open, qrCodeId, owner } = await createScannedCode(test);
  t.ok(isProblem(await open({}), 400, 'VALIDATION_FAILED'));
  t.ok(isProblem(await open({ message: '  ' }), 400, 'VALIDATION_FAILED'));
  t.ok(isProblem(await open({ message: 'x'.repeat(1_001) }), 400, 'VALIDATION_FAILED'));
  t.equal((await open({ message: 'x\u0000' })).status, 400);
  t.ok(isProblem(await open({ preset: 'toString' }), 400, 'VALIDATION_FAILED'));
  t.ok(
    isProblem(
      await open({ message: 'x' }, { headers: { 'x-scan-token': 'wrong' } }),
      403,
      'SCAN_TOKEN_INVALID',
    ),
  );
  t.ok(isProblem(await open({ scanId: generateAbsentId(), message: 'x' }), 404, 'NOT_FOUND'));
  const opened = await open({ message: '𝕏'.repeat(1_000) });
  t.equal(opened.status, 201, 'characters are counted, not units');
  const { id } = opened.body;
  const wrong = { headers: { 'x-conversation-token': `${id}.${'a'.repeat(43)}` } };
  t.ok(
    isProblem(
      await call('GET', `/api/conversations/public/${id}/messages`, wrong),
      403,
      'CONVERSATION_TOKEN_INVALID',
    ),
  );
  t.ok(
    isProblem(
      await call('GET', `/api/conversations/public/${id}/messages`),
      403,
      'CONVERSATION_TOKEN_INVALID',
    ),
  );
  const other = await test.createUser();
  for (const path of [`/api/conversations/${id}`, `/api/conversations/${id}/messages`])
    t.ok(isProblem(await call('GET', path, { token: other.accessToken }), 404, 'NOT_FOUND'));
  t.equal((await call('GET', '/api/conversations', { token: other.accessToken })).body.pagination.total, 0);
  await call('PUT', `/api/qrcodes/${qrCodeId}`, { ...owner, body: { contactable: false } });
  t.ok(isProblem(await open({ message: 'x' }), 403, 'NOT_CONTACTABLE'));
});

t.test('checks a message for contact details, and sends it unchanged', async (t) => {
  const test = await start(t);
  const { open } = await createScannedCode(test);
  const message = 'Call +49 170 1234567';
  const checked = await test.call('POST', '/api/conversations/public/check', { body: { message } });
  t.same(checked.body, { warnings: ['PHONE'] });
  t.equal(await test.database.client.conversation.count(), 0);
  const opened = await open({ message });
  t.match(opened.body, { warnings: ['PHONE'], message: { message } });
});

t.test('rejects messages in an ended conversation, and conversations of a blocked finder only', async (t) => {
  const test = await start(t);
  const { call, scan } = test;
  const { open, asFinder, owner, qrCodeId } = await createScannedCode(test);
  const opened = await open({ message: 'x' });
  const { id } = opened.body;
  const write = (headers: Record<string, string>) =>
    call('POST', `/api/conversations/public/${id}/messages`, { headers, body: { message: 'y' } });
  t.equal((await write(asFinder(opened))).status, 201);
  const elsewhere = await scan({ qrCodeId });
  const second = await call('POST', '/api/conversations/public', {
    body: { scanId: elsewhere.body.scan.id, message: 'another' },
    headers: createTokenHeader(elsewhere),
  });
  t.equal(second.status, 201, second.text);
  const blocked = await call('POST', `/api/conversations/${id}/block`, owner);
  t.match(blocked.body, { status: 'ENDED', endedBy: 'OWNER', blocked: true });
  t.equal((await call('POST', `/api/conversations/${id}/block`, owner)).status, 200, 'the same again');
  t.ok(isProblem(await write(asFinder(opened)), 409, 'CONVERSATION_ENDED'));
  t.ok(
    isProblem(
      await call('POST', `/api/conversations/${id}/messages`, { ...owner, body: { message: 'z' } }),
      409,
      'CONVERSATION_ENDED',
    ),
  );
  await call('POST', `/api/conversations/${id}/read`, owner);
  const read = await call('GET', `/api/conversations/${id}/messages`, owner);
  t.ok(read.body.data.every(({ readAt }: { readAt: string | null }) => readAt));
  const messages = await call('GET', `/api/conversations/public/${id}/messages`, {
    headers: asFinder(opened),
  });
  t.same(
    messages.body.data.map(({ readAt }: { readAt: string | null }) => readAt),
    [null, null],
    'nor do they see that it was read',
  );

  const again = await scan({ qrCodeId });
  const anew = (headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
    call('POST', '/api/conversations/public', {
      body: { scanId: again.body.scan.id, message: 'again' },
      headers: { ...createTokenHeader(again), ...headers },
      remoteAddress,
    });
  t.ok(isProblem(await anew(), 403, 'NOT_CONTACTABLE'));
  t.ok(isProblem(await anew({ 'user-agent': 'Another phone' }), 403, 'NOT_CONTACTABLE'));
  t.ok(isProblem(await anew({}, '127.0.0.77'), 403, 'NOT_CONTACTABLE'), 'of the same network');
  const further = await call('POST', `/api/conversations/public/${second.body.id}/messages`, {
    headers: asFinder(second),
    body: { message: 'still here' },
  });
  t.ok(isProblem(further, 409, 'CONVERSATION_ENDED'), 'nor go on in another conversation');
  t.equal((await anew({}, '198.51.100.7')).status, 201, 'of another network');
  t.match((await call('POST', `/api/conversations/${id}/unblock`, owner)).body, {
    blocked: false,
    status: 'ENDED',
  });
  t.equal((await anew()).status, 201, 'goes on with the conversation of its scan');
});

t.test('an owner reopens what they ended, and nothing else', async (t) => {
  const test = await start(t);
  const { call } = test;
  const { open, asFinder, owner } = await createScannedCode(test);
  const opened = await open({ message: 'x' });
  const { id } = opened.body;
  const change = (name: string) => call('POST', `/api/conversations/${id}/${name}`, owner);
  const write = () =>
    call('POST', `/api/conversations/public/${id}/messages`, {
      headers: asFinder(opened),
      body: { message: 'y' },
    });
  await change('end');
  t.equal((await write()).status, 409);
  const trail = await captureAuditEntries(test, () => change('reopen'));
  t.match(trail, [{ action: 'CONVERSATION_REOPENED', outcome: 'SUCCESS' }]);
  t.match((await call('GET', `/api/conversations/${id}`, owner)).body, { status: 'OPEN', endedBy: null });
  t.equal((await write()).status, 201);
  t.same(await captureAuditEntries(test, () => change('reopen')), [], 'the same again');
  await change('block');
  t.ok(isProblem(await change('reopen'), 409, 'CONVERSATION_ENDED'), 'a blocked finder stays blocked');
  await change('unblock');
  t.match((await change('reopen')).body, { status: 'OPEN', blocked: false });
  await call('POST', `/api/conversations/public/${id}/end`, { headers: asFinder(opened) });
  t.ok(isProblem(await change('reopen'), 409, 'CONVERSATION_ENDED'), 'the finder ended it');
});

t.test('lets a finder end a conversation', async (t) => {
  const test = await start(t);
  const { open, asFinder, owner } = await createScannedCode(test);
  const opened = await open({ message: 'x' });
  const end = () =>
    test.call('POST', `/api/conversations/public/${opened.body.id}/end`, { headers: asFinder(opened) });
  t.same((await end()).body, { id: opened.body.id, status: 'ENDED' });
  t.equal((await end()).status, 200);
  t.match((await test.call('GET', `/api/conversations/${opened.body.id}`, owner)).body, {
    endedBy: 'FINDER',
  });
  t.ok(isProblem(await open({ message: 'y' }), 409, 'CONVERSATION_ENDED'));
});

t.test('stores a repeated message once, and limits messages per hour', async (t) => {
  const test = await start(t);
  const { database } = test;
  const { open, owner, scanId } = await createScannedCode(test);
  const key = { headers: { 'idempotency-key': 'k'.repeat(16) } };
  const answers = await Promise.all(Array.from({ length: 10 }, () => open({ message: 'once' }, key)));
  const last = await open({ message: 'once' }, key);
  t.equal(last.status, 201);
  t.equal(last.headers['idempotency-replayed'], 'true');
  for (const answer of answers.filter(({ status }) => status === 201))
    t.equal(answer.body.conversationToken, last.body.conversationToken);
  t.equal(await database.client.conversationMessage.count(), 1);
  t.equal(await database.client.notification.count({ where: { event: 'message.created' } }), 1);
  t.ok(isProblem(await open({ message: 'other' }, key), 409, 'IDEMPOTENCY_KEY_REUSED'));

  const flood = await Promise.all(Array.from({ length: 20 }, (_, n) => open({ message: `flood ${n}` })));
  const taken = flood.filter(({ status }) => status === 201).length;
  t.equal(taken, 4, 'five an hour, the first among them');
  for (const answer of flood.filter(({ status }) => status !== 201)) {
    t.equal(answer.status, 429);
    t.ok(answer.headers['retry-after']);
  }
  t.equal(await database.client.conversation.count({ where: { scanId } }), 1, 'a scan has one conversation');

  const path = `/api/conversations/${last.body.id}/messages`;
  const replies: number[] = [];
  for (let n = 0; n < 61; n += 1)
    replies.push((await test.call('POST', path, { ...owner, body: { message: `reply ${n}` } })).status);
  t.same(replies, [...Array(60).fill(201), 429], 'sixty an hour of each side');
});

t.test('creates one conversation for parallel requests, with every accepted message', async (t) => {
  const test = await start(t);
  const { open } = await createScannedCode(test);
  const answers = await Promise.all(Array.from({ length: 5 }, (_, n) => open({ message: `m ${n}` })));
  const statuses = answers.map(({ status }) => status);
  t.ok(statuses.includes(201));
  t.ok(
    statuses.every((status) => [201, 409].includes(status)),
    statuses.join(),
  );
  t.equal(await test.database.client.conversation.count(), 1);
  t.equal(
    await test.database.client.conversationMessage.count(),
    statuses.filter((status) => status === 201).length,
  );
});

t.test('pages through messages and conversations by cursor', async (t) => {
  const test = await start(t);
  const { call } = test;
  const { open, asFinder, owner } = await createScannedCode(test);
  const opened = await open({ message: 'm 0' });
  const path = `/api/conversations/public/${opened.body.id}/messages`;
  for (let n = 1; n < 7; n++)
    await call('POST', path, { headers: asFinder(opened), body: { message: `m ${n}` } });
  const messages: string[] = [];
  for (let cursor: string | null = 'start'; cursor; ) {
    const page: TestResponse = await call(
      'GET',
      `/api/conversations/${opened.body.id}/messages?limit=3&cursor=${cursor}`,
      owner,
    );
    messages.push(...page.body.data.map(({ message }: { message: string }) => message));
    cursor = page.body.pagination.nextCursor;
  }
  t.same(messages, ['m 6', 'm 5', 'm 4', 'm 3', 'm 2', 'm 1', 'm 0']);
  for (let n = 0; n < 3; n++)
    await (await createScannedCode(test)).open(
      { message: `c ${n}` },
      { headers: { 'user-agent': `Phone ${n}` } },
    );
  const ids: string[] = [];
  for (let cursor: string | null = 'start'; cursor; ) {
    const page: TestResponse = await call('GET', `/api/conversations?limit=2&cursor=${cursor}`, owner);
    ids.push(...page.body.data.map(({ id }: { id: string }) => id));
    cursor = page.body.pagination.nextCursor;
  }
  t.equal(new Set(ids).size, 4);
  t.equal(ids.at(-1), opened.body.id);
  t.ok(isProblem(await call('GET', '/api/conversations?cursor=nonsense', owner), 400, 'VALIDATION_FAILED'));
  t.equal((await call('GET', '/api/conversations?status=ENDED', owner)).body.pagination.total, 0);
});

t.test('deletes a conversation with its messages 90 days after the last one', async (t) => {
  const test = await start(t);
  const { call, database } = test;
  const { open, asFinder, owner } = await createScannedCode(test);
  const opened = await open({ message: 'x' });
  const { id } = opened.body;
  await database.pool.query(`UPDATE conversations SET expires_at = now() - interval '1 second'`);
  t.ok(isProblem(await call('GET', `/api/conversations/${id}`, owner), 404, 'NOT_FOUND'));
  t.ok(
    isProblem(
      await call('GET', `/api/conversations/public/${id}/messages`, { headers: asFinder(opened) }),
      404,
      'NOT_FOUND',
    ),
  );
  const { deleteExpiredConversations } = await import(
    '../../../src/features/conversations/conversation.repository.ts'
  );
  t.equal(await deleteExpiredConversations(database.client, 10), 1);
  t.equal(await database.client.conversationMessage.count(), 0);
});

t.test('a program keeps a copy of conversations by their changes', async (t) => {
  const test = await start(t);
  const { call, createUser, database } = test;
  const opened: { id: string; conversationToken: string }[] = [];
  for (const name of ['Ann', 'Ben', 'Cem', 'Dan']) {
    const { open } = await createScannedCode(test);
    opened.push((await open({ message: 'I found it.', name })).body);
  }
  const [ann, ben, cem] = opened.map(({ id }) => id);
  const token = test.owner.accessToken;
  const forget = () =>
    database.client.conversation.updateMany({ data: { updatedAt: new Date(Date.now() - 3_600_000) } });
  const since = new Date(Date.now() - 60_000).toISOString();
  const listChanges = async (as = token) => {
    const { body, text, status } = await call('GET', `/api/conversations?updatedSince=${since}`, {
      token: as,
    });
    t.equal(status, 200, text);
    return { changed: body.data, deleted: body.deleted.map(({ id }: { id: string }) => id) };
  };
  const listNames = async () =>
    (await listChanges()).changed.map((one: { finderName: string }) => one.finderName);
  t.same(await listNames(), ['Ann', 'Ben', 'Cem', 'Dan']);
  await forget();
  t.same(await listNames(), []);

  await call('POST', `/api/conversations/${ben}/messages`, { token, body: { message: 'Thank you.' } });
  t.match((await listChanges()).changed, [{ id: ben, unread: 0 }]);
  await forget();
  await call('POST', `/api/conversations/${cem}/report`, { token, body: { category: 'SPAM' } });
  t.match((await listChanges()).changed, [{ id: cem, report: 'OPEN' }]);
  await forget();
  // All are with one finder: requests of a test have one address.
  for (const action of ['block', 'unblock']) {
    await call('POST', `/api/conversations/${ann}/${action}`, { token });
    const { changed } = await listChanges();
    t.same(
      changed.map((one: { blocked: boolean }) => one.blocked),
      Array.from({ length: 4 }, () => action === 'block'),
    );
    await forget();
  }

  await database.client.conversation.updateMany({ where: { id: ben }, data: { expiresAt: new Date() } });
  for (const step of test.services.features.conversations.cleanUp ?? []) await step();
  t.same((await listChanges()).deleted, [ben]);
  t.same(await listChanges((await createUser()).accessToken), { changed: [], deleted: [] });
});
