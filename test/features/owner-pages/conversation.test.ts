import { generateAbsentId } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { BERLIN_POSITION } from '../scans/helper.ts';
import { startInbox } from './inbox-helper.ts';

const HOSTILE = '<script>alert(1)</script>"\'> שלום';

t.test('an owner reads what a finder wrote, with the scan before it, and answers', async (t) => {
  const test = await startInbox(t);
  const { call, database, path } = test;
  const code = await test.code({ title: 'Rex' });
  const { body: opened } = await test.write(
    code,
    { preset: 'ANIMAL_FOUND', message: 'In the park.', name: 'Eva' },
    { position: BERLIN_POSITION },
  );
  const browser = await test.signIn();
  t.match(browser.page.text, /class="badge" aria-hidden="true">1</, 'the navigation has a badge');
  await browser.open(`${path}/inbox/${opened.id}`);
  t.equal(browser.title, 'Rex');
  t.match(browser.main, /<bdi>Eva<\/bdi> \(finder\)/);
  t.match(
    browser.main,
    /<bdi>Rex<\/bdi> was scanned\..*openstreetmap\.org.*Your pet is with me\.\nIn the park\./s,
  );
  t.notMatch(browser.page.text, 'class="badge"', 'reading leaves nothing unread');
  const finder = { 'x-conversation-token': opened.conversationToken };
  const readBack = await call('GET', `/api/conversations/public/${opened.id}/messages`, { headers: finder });
  t.ok(readBack.body.data[0].readAt, 'opening the page marks messages as read');

  await browser.send('/reply', { message: 'Thank you, Eva!' });
  t.equal(browser.page.status, 200);
  t.match(browser.main, /You · .*Not read yet.*Thank you, Eva!/s);
  const trail = await captureAuditEntries(test, () => browser.send('/reply', { preset: 'ON_MY_WAY' }));
  t.match(browser.main, 'I’m on my way.');
  t.match(
    trail.map(({ action }) => action),
    ['CONVERSATION_CONTINUED'],
  );
  const answers = await call('GET', `/api/conversations/public/${opened.id}/messages`, {
    headers: { ...finder, 'accept-language': 'de' },
  });
  t.match(answers.body.data, [
    { from: 'OWNER', message: 'Ich bin unterwegs.' },
    { from: 'OWNER', message: 'Thank you, Eva!' },
    { from: 'FINDER' },
  ]);
  t.equal(await database.client.conversationMessage.count(), 3);
});

t.test('the same form sent twice is one message', async (t) => {
  const test = await startInbox(t);
  const { body: opened } = await test.write(await test.code(), { message: 'Hello' });
  const browser = await test.signIn();
  await browser.open(`${test.path}/inbox/${opened.id}`);
  const form = browser.findForm('/reply');
  const body = String(new URLSearchParams({ ...form?.hidden, message: 'Once' }));
  for (const _attempt of [1, 2]) await browser.open(form?.action ?? '', { method: 'POST', body });
  t.equal(browser.main.split('>Once<').length, 2);
});

t.test('a reply that shows contact details, or none, is asked about', async (t) => {
  const test = await startInbox(t);
  const { body: opened } = await test.write(await test.code(), { message: 'Hello' });
  const browser = await test.signIn();
  await browser.open(`${test.path}/inbox/${opened.id}`);
  await browser.send('/reply', { message: '  ' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, /aria-invalid="true".*Pick a message or write your own\./s);
  await browser.send('/reply', { message: 'x'.repeat(1_001) });
  t.equal(browser.page.status, 400);
  await browser.send('/reply', { message: 'Call me: +49 30 1234567' });
  t.match(browser.main, /Call me: \+49 30 1234567<\/textarea>.*Your message contains a phone number\./s);
  t.equal(await test.database.client.conversationMessage.count(), 1, 'nothing was sent yet');
  await browser.send('/reply', { message: 'Call me: +49 30 1234567' });
  t.match(browser.main, /class="text">Call me: \+49 30 1234567</);
});

t.test('a lost code is found, lost again, and its conversation ended', async (t) => {
  const test = await startInbox(t);
  const { call, owner } = test;
  const code = await test.code();
  await call('POST', `/api/qrcodes/${code}/lost`, { token: owner.accessToken, body: { message: 'Help' } });
  const { body: opened } = await test.write(code, { message: 'Here' });
  const browser = await test.signIn();
  await browser.open(`${test.path}/inbox/${opened.id}`);
  t.match(browser.main, 'class="chip is-lost"');
  const status = async () =>
    (await call('GET', `/api/qrcodes/${code}`, { token: owner.accessToken })).body.status;
  const trail = await captureAuditEntries(test, () => browser.send('/found'));
  t.match(
    trail.map(({ action }) => action),
    ['QRCODE_REPORTED_FOUND'],
  );
  t.equal(await status(), 'ACTIVE');
  t.match(browser.main, 'Marked as found.');
  await browser.send('/still-lost');
  t.equal(await status(), 'LOST');
  await browser.send('/found');
  await browser.send('/end');
  t.match(browser.main, 'This conversation has ended.');
  t.equal(browser.findForm('/reply'), null);
  const { body } = await call('GET', `/api/conversations/${opened.id}`, { token: owner.accessToken });
  t.match(body, { status: 'ENDED', endedBy: 'OWNER' });
  t.notOk(browser.findForm('/end'));
  await browser.send('/reopen');
  t.match(browser.main, 'You can both write again.');
  t.ok(browser.findForm('/reply'));
});

t.test('a finder is blocked, unblocked and reported', async (t) => {
  const test = await startInbox(t);
  const { body: opened } = await test.write(await test.code(), { message: 'Buy now' });
  const browser = await test.signIn();
  await browser.open(`${test.path}/inbox/${opened.id}`);
  await browser.send('/block');
  t.match(browser.main, 'This person is blocked');
  await browser.send('/unblock');
  t.match(browser.main, 'No longer blocked.');
  t.equal(await test.database.client.blockedFinder.count(), 0);
  await browser.send('/report', { category: 'FRAUD', note: 'Asks for money.' });
  t.match(browser.main, /role="status">Thanks for letting us know\..*id="thread"/s, 'above what was said');
  t.match(await test.database.client.conversationReport.findMany(), [{ category: 'FRAUD', side: 'OWNER' }]);
});

t.test('only a person who opens the page reads the messages', async (t) => {
  const test = await startInbox(t);
  const { body: opened } = await test.write(await test.code(), { message: 'Hello' });
  const browser = await test.signIn();
  const address = `${test.path}/inbox/${opened.id}`;
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  const headers = { cookie, accept: 'text/html' };
  await test.call('HEAD', address, { headers });
  await test.call('GET', address, { headers: { ...headers, 'sec-purpose': 'prefetch' } });
  const unread = () => test.database.client.conversationMessage.count({ where: { readAt: null } });
  t.equal(await unread(), 1);
  const updates = await test.call('GET', `${address}/updates`, { headers });
  t.match(updates, { status: 200, headers: { 'cache-control': 'no-store' } });
  t.match(browser.page.status, 200);
  await browser.open(address);
  t.match(browser.page.text, `data-state="${updates.text}"`);
  t.equal(await unread(), 0);
});

t.test('what a finder writes is text, and a conversation of somebody else is none', async (t) => {
  const test = await startInbox(t);
  const { body: opened } = await test.write(await test.code({ title: HOSTILE }), {
    message: HOSTILE,
    name: HOSTILE,
  });
  const browser = await test.signIn();
  await browser.open(`${test.path}/inbox/${opened.id}?done=constructor`);
  t.equal(browser.page.status, 200);
  t.notMatch(browser.page.text, '<script>alert');
  t.ok(browser.main.includes(`<bdi>${HOSTILE}</bdi>`));
  for (const id of [generateAbsentId(), 'x'])
    t.not((await browser.open(`${test.path}/inbox/${id}`)).status, 200);
  const stranger = await test.signIn(await test.createUser());
  await stranger.open(`${test.path}/inbox/${opened.id}`);
  t.equal(stranger.page.status, 404);
  const { id } = await test.database.client.user.findFirstOrThrow({ where: { id: { not: test.owner.id } } });
  await stranger.open(`/app/${id}/inbox/${opened.id}`);
  t.equal(stranger.page.status, 404, 'not by their own address, either');
  t.equal((await stranger.open(`/app/${id}/inbox/${opened.id}/updates`)).status, 404);
});

t.test('older messages are on pages of their own', async (t) => {
  const test = await startInbox(t);
  const { body: opened } = await test.write(await test.code(), { message: 'first' });
  for (let index = 0; index < 21; index += 1)
    await test.call('POST', `/api/conversations/public/${opened.id}/messages`, {
      headers: { 'x-conversation-token': opened.conversationToken },
      body: { message: `number ${index}.` },
    });
  const browser = await test.signIn();
  await browser.open(`${test.path}/inbox/${opened.id}?done=unblock`);
  t.match(browser.main, 'number 20.');
  t.notMatch(browser.main, 'number 0.');
  const [, older = ''] = /href="([^"]*cursor=[^"]*)"/.exec(browser.main) ?? [];
  await browser.open(older);
  t.match(browser.main, /first.*number 0\./s);
  t.notMatch(browser.main, 'number 20.');
});

t.test('each side learns that the other one is typing, while the conversation is open', async (t) => {
  const test = await startInbox(t);
  const { typing } = test.services;
  const { body: opened } = await test.write(await test.code({ title: 'Rex' }), { message: 'Found him.' });
  const browser = await test.signIn();
  const address = `${test.path}/inbox/${opened.id}`;
  await browser.open(address);
  const { token = '' } = browser.findForm('/reply')?.hidden ?? {};
  const readUpdate = async () => (await browser.open(`${address}/updates`)).text;
  const sendTyping = () =>
    browser.open(`${address}/typing`, { method: 'POST', body: String(new URLSearchParams({ token })) });
  const owner = { conversationId: opened.id, side: 'OWNER' } as const;
  const finder = { conversationId: opened.id, accountId: test.owner.id, side: 'FINDER' } as const;
  const state = await readUpdate();
  t.notMatch(state, 'typing');
  typing.publish(finder);
  t.equal(await readUpdate(), `${state} typing`);
  t.notOk(typing.isTyping(owner));

  const stranger = await test.signIn(await test.createUser());
  const foreign = String(new URLSearchParams({ token: stranger.findForm('/sign-out')?.hidden.token ?? '' }));
  t.equal((await stranger.open(`${address}/typing`, { method: 'POST', body: foreign })).status, 404);
  await browser.open(address);
  await browser.send('/end');
  t.equal((await sendTyping()).status, 204);
  t.notOk(typing.isTyping(owner), 'a finder who was blocked learns nothing');
  t.equal(await readUpdate(), 'ENDED');
  await browser.open(address);
  await browser.send('/reopen');
  t.equal((await sendTyping()).status, 204);
  t.ok(typing.isTyping(owner));
});
