import { createVisitFormToken } from '../../../src/features/finder/form-token.ts';
import { type CallOptions, generateAbsentId, PHONE_USER_AGENT, type TestResponse } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { isProblem } from '../identity/accounts/helper.ts';
import { startScans } from '../scans/helper.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const getFieldValue = (page: TestResponse, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? '';

const getCookie = (answer: TestResponse) => String(answer.headers['set-cookie']).split(';')[0] ?? '';

t.test('finders can still contact the owner of a paused or expired code', async (t) => {
  const test = await startScans(t);
  const { call, code, database, owner, services } = test;
  const token = owner.accessToken;
  const change = (id: string, body: object) => call('PUT', `/api/qrcodes/${id}`, { token, body });
  const paused = async (body: Record<string, unknown> = {}) => {
    const id = await code(body);
    await change(id, { status: 'PAUSED' });
    return id;
  };
  const expired = async () => {
    const id = await code();
    await database.client.qrCode.update({ where: { id }, data: { expiresAt: new Date() } });
    return id;
  };
  /** The form of a page, old enough not to be rejected as a bot. */
  const aged = (id: string, page: TestResponse) => {
    const [visit] = getFieldValue(page, 'visit').split('.');
    const now = Date.now;
    Date.now = () => now() - 10_000;
    const made = createVisitFormToken(services.fieldCipher, id, visit || generateAbsentId(), false);
    Date.now = now;
    return made;
  };
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    call('POST', path, { body: String(new URLSearchParams(fields)), headers: { ...FORM, ...headers } });

  await t.test('the page shows only its state and a message form', async (t) => {
    const medical = await paused({ kind: 'MEDICAL', title: 'Card', data: { name: 'Ada' } });
    for (const [id, title] of [
      [medical, 'This code is paused'],
      [await expired(), 'This code has expired'],
    ] as const) {
      const page = await call('GET', `/s/${id}`);
      t.equal(page.status, 410);
      t.match(page.text, `<h1>${title}</h1>`);
      t.match(page.text, 'You can still send the owner a message.');
      t.match(page.text, `<form method="post" action="/s/${id}/message?lang=en`);
      t.notMatch(page.text, /Card|Ada|Rex|Medical|Pet|PERSON_|ANIMAL_|name="pin"|id="share"/);
      t.equal(page.headers['x-robots-tag'], 'noindex');
      t.equal((await call('GET', `/s/${id}`, { headers: { 'user-agent': '' } })).status, 410);
    }
    t.equal(await database.client.scan.count(), 0);
    await change(medical, { contactable: false });
    const silent = await call('GET', `/s/${medical}`);
    t.equal(silent.status, 410);
    t.notMatch(silent.text, /<form|still write/);
    const late = await post(`/s/${medical}/message`, { visit: aged(medical, silent), message: 'x' });
    t.match(late, { status: 403, text: /role="alert">Nothing was sent. The owner doesn’t accept messages/ });
  });

  await t.test('finder and owner exchange messages on their pages without script', async (t) => {
    const id = await paused();
    const trail = await captureAuditEntries(test, async () => {
      const visit = aged(id, await call('GET', `/s/${id}`));
      const said = { visit, preset: 'FOUND', message: 'In the park', name: 'Eva' };
      const sent = await post(`/s/${id}/message`, said);
      t.equal(sent.status, 200, sent.text);
      const again = await post(`/s/${id}/message`, said);
      t.equal(getCookie(again), getCookie(sent));
      t.equal(await database.client.conversationMessage.count(), 1, 'a message sent twice is stored once');
      await post(`/s/${id}/message`, { visit, message: 'One thing more' });
      const [row, ...others] = await database.client.conversation.findMany();
      t.same(others, [], 'a visit has one conversation');

      const link = /href="([^"]*\/c\/[^"]*)"/.exec(sent.text)?.[1] ?? '';
      const cookie = getCookie(await call('GET', new URL(link).pathname));
      const list = await call('GET', '/api/conversations', { token });
      t.match(list.body.data, [{ id: row?.id, qrCodeId: id, scanId: null, finderName: 'Eva', unread: 2 }]);
      await call('POST', `/api/conversations/${row?.id}/messages`, { token, body: { message: 'On my way' } });
      const answered = await call('GET', `/s/${id}/c/${row?.id}`, { headers: { cookie } });
      t.match(answered.text, 'I found it.\nIn the park');
      t.match(answered.text, 'On my way');
      const reply = await post(
        `/s/${id}/c/${row?.id}`,
        { visit: getFieldValue(answered, 'visit'), message: 'OK' },
        { cookie },
      );
      t.equal(reply.status, 303);
    });
    t.same(
      trail.map(({ action }) => action),
      [
        'CONVERSATION_OPENED',
        'CONVERSATION_CONTINUED',
        'CONVERSATION_READ',
        'CONVERSATION_CONTINUED',
        'CONVERSATION_READ',
        'CONVERSATION_CONTINUED',
      ],
    );
    t.equal(await database.client.scan.count(), 0);
    t.equal(await database.client.notification.count({ where: { event: 'scan.created' } }), 0);
  });

  await t.test('keeps the typed text, even if the code is paused or resumed in the meantime', async (t) => {
    const id = await paused();
    const page = await call('GET', `/s/${id}`);
    const visit = aged(id, page);
    const same = (answer: TestResponse) => getFieldValue(answer, 'visit').split('.')[0];
    const response = await post(`/s/${id}/message`, { visit, message: 'Call +49 170 1234567' });
    t.match(response, {
      status: 200,
      text: /<h1>This code is paused.*Nothing has been sent yet.*1234567<\/textarea>/s,
    });
    t.equal(same(response), visit.split('.')[0], 'the same visit');
    const stale = await post(`/s/${id}/message`, { visit: `${visit}x`, message: 'kept words' });
    t.match(stale, { status: 403, text: /<h1>This code is paused.*kept words<\/textarea>/s });
    t.not(same(stale), visit.split('.')[0]);

    await change(id, { status: 'ACTIVE' });
    const open = await post(`/s/${id}/message`, { visit, message: 'me@example.org' });
    t.match(open, { status: 200, text: /<h1>Rex.*me@example.org<\/textarea>/s });
    t.equal(same(open), visit.split('.')[0]);
    t.notMatch(open.text, 'id="share"', 'there is no scan to add a place to');
    t.match(open.text, 'value="ANIMAL_FOUND"');
    const found = { visit, preset: 'ANIMAL_FOUND' };
    t.equal((await post(`/s/${id}/message`, found)).status, 200, 'a preset of the current page');
    t.equal((await post(`/s/${id}/pin`, { visit, pin: '0047' })).status, 403, 'the form unlocks nothing');
    t.equal((await post(`/s/${id}/location`, { visit, place: 'here' })).status, 403);

    const scanned = getFieldValue(await call('GET', `/s/${id}`), 'visit');
    await change(id, { status: 'PAUSED' });
    t.match(await post(`/s/${id}/message`, { visit: scanned, message: 'quick words' }), {
      status: 403,
      text: /<h1>This code is paused.*quick words<\/textarea>/s,
    });
    t.match(await post(`/s/${id}/pin`, { visit: scanned, pin: '4711' }), {
      status: 410,
      text: /still send/,
    });
    for (const [visit, place, status] of [
      ['x', 'At the gate', 403],
      [scanned, '', 400],
    ] as const) {
      const unshared = await post(`/s/${id}/location`, { visit, place });
      t.match(unshared, { status, text: `${place}</textarea>` });
      t.match(unshared.text, 'value="AM_AT" checked', 'a place is sent as a message');
    }
    t.equal((await post(`/s/${id}/location`, { visit: scanned, place: 'At the gate' })).status, 200);
    const conversations = await database.client.conversation.findMany({ where: { qrCodeId: id } });
    const said = await Promise.all(
      conversations.map((each) =>
        call('GET', `/api/conversations/${each.id}/messages`, { token: owner.accessToken }),
      ),
    );
    t.match(JSON.stringify(said.map(({ body }) => body)), 'I’m here:\\nAt the gate');
  });

  await t.test('the same rate limits apply, and blocked finders stay blocked', async (t) => {
    const id = await paused();
    const from = (agent: string, message: string) => async () => {
      const headers = { 'user-agent': agent };
      const page = await call('GET', `/s/${id}`, { headers });
      return post(`/s/${id}/message`, { visit: aged(id, page), message }, headers);
    };
    const sent = await from('Mallory', 'Hello')();
    t.equal(sent.status, 200);
    const [row] = await database.client.conversation.findMany({ where: { qrCodeId: id } });
    t.equal((await call('POST', `/api/conversations/${row?.id}/block`, { token })).status, 200);
    t.match(await from('Mallory', 'Again')(), {
      status: 403,
      text: /doesn’t accept messages here.*Again<\/textarea>/s,
    });
    t.ok(
      isProblem(
        await call('POST', '/api/conversations/public', {
          body: { qrCodeId: id, message: 'Again' },
          headers: { 'user-agent': 'Mallory' },
        }),
        403,
        'NOT_CONTACTABLE',
      ),
    );
    // All of this test are in one network.
    await database.client.blockedFinder.deleteMany();
    for (let n = 0; n < 4; n++) t.equal((await from(PHONE_USER_AGENT, `m ${n}`)()).status, 200);
    const over = await from(PHONE_USER_AGENT, 'one too many')();
    t.match(over, { status: 429, text: /one too many<\/textarea>/s });
    t.ok(Number(over.headers['retry-after']) > 0);
  });

  await t.test('the API accepts messages, too', async (t) => {
    const write = (body: object, options: CallOptions = {}) =>
      call('POST', '/api/conversations/public', { ...options, body: { message: 'Found.', ...body } });
    const id = await paused();
    const refused = await call('POST', '/api/scans/public', { body: { qrCodeId: id } });
    t.ok(isProblem(refused, 410, 'CODE_PAUSED'));
    t.equal(refused.body.contactable, true);
    const once = { headers: { 'idempotency-key': 'written-once-only' } };
    const made = await write({ qrCodeId: id }, once);
    t.equal(made.status, 201, made.text);
    t.match(made.body.url, `https://qr.example.org/s/${id}/c/${made.body.conversationToken}`);
    const repeat = await write({ qrCodeId: id }, once);
    t.equal(repeat.body.id, made.body.id);
    t.equal(await database.client.conversation.count({ where: { qrCodeId: id } }), 1);
    t.equal((await call('GET', `/api/conversations/${made.body.id}`, { token })).body.scanId, null);
    const headers = { 'x-conversation-token': made.body.conversationToken };
    const messages = await call('GET', `/api/conversations/public/${made.body.id}/messages`, { headers });
    t.match(messages.body.data, [{ from: 'FINDER', message: 'Found.' }]);

    const open = await code();
    const needsScan = await write({ qrCodeId: open });
    t.ok(isProblem(needsScan, 400, 'VALIDATION_FAILED'));
    t.match(needsScan.body.errors, [{ field: 'scanId', code: 'REQUIRED' }]);
    await call('POST', `/api/qrcodes/${open}/lost`, { token, body: {} });
    t.equal((await write({ qrCodeId: open })).status, 400);
    t.ok(isProblem(await write({}), 400, 'VALIDATION_FAILED'));
    t.ok(isProblem(await write({ qrCodeId: id, scanId: generateAbsentId() }), 400, 'VALIDATION_FAILED'));
    t.ok(isProblem(await write({ qrCodeId: generateAbsentId() }), 404, 'NOT_FOUND'));
    await change(id, { contactable: false });
    t.ok(isProblem(await write({ qrCodeId: id }), 403, 'NOT_CONTACTABLE'));
    await call('DELETE', `/api/qrcodes/${id}`, { token });
    t.ok(isProblem(await write({ qrCodeId: id }), 404, 'NOT_FOUND'));
  });
});
