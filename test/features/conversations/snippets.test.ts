import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { startInbox } from '../owner-pages/inbox-helper.ts';
import { BERLIN_COORDINATE_PATTERN, BERLIN_POSITION, createTokenHeader } from '../scans/helper.ts';

const MADRID_POSITION = { latitude: 40.4168, longitude: -3.7038, accuracy: 20 };

const test = await startInbox(t);
const { call, code, owner, scan, write } = test;
const token = owner.accessToken;
const list = async () => (await call('GET', '/api/conversations', { token })).body.data;

t.test('a list has the start of the last message and the last place of each conversation', async (t) => {
  const rex = await code();
  const { body: eva } = await write(rex, { preset: 'ANIMAL_FOUND', message: `He\nis ${'well'.repeat(50)}` });
  const made = await scan({ qrCodeId: rex, ...BERLIN_POSITION });
  const opened = await call('POST', '/api/conversations/public', {
    body: { scanId: made.body.scan.id, message: 'Here' },
    headers: createTokenHeader(made),
  });
  const [second, first] = await list();
  t.equal(second.id, opened.body.id);
  t.match(second.lastMessage, { from: 'FINDER', message: 'Here', sentAt: opened.body.message.sentAt });
  t.match(second.lastPlace, { city: 'Berlin', country: 'DE' });
  const { message } = first.lastMessage;
  t.match(message, /^Your pet is with me\. He is well.*…$/);
  t.equal([...message].length, 121, 'bounded');
  t.equal(first.lastPlace, null);

  await call('POST', `/api/scans/public/${made.body.scan.id}/location`, {
    body: MADRID_POSITION,
    headers: createTokenHeader(made),
  });
  await call('POST', `/api/conversations/${eva.id}/messages`, { token, body: { message: 'Thank you!' } });
  const [answered, moved] = await list();
  t.match(answered, { id: eva.id, lastMessage: { from: 'OWNER', message: 'Thank you!' } });
  t.match(moved, { id: opened.body.id, lastPlace: { city: 'Madrid', country: 'ES' } }, 'the newest place');
  t.notMatch(JSON.stringify(moved), BERLIN_COORDINATE_PATTERN, 'lists have no exact place');
  t.match((await call('GET', `/api/conversations/${eva.id}`, { token })).body, answered, 'as each by itself');
});

t.test('a new place makes a conversation new for lists of changes', async (t) => {
  const made = await scan({ qrCodeId: await code(), ...BERLIN_POSITION });
  const headers = createTokenHeader(made);
  const opened = await call('POST', '/api/conversations/public', {
    body: { scanId: made.body.scan.id, message: 'Here' },
    headers,
  });
  const before = (await call('GET', `/api/conversations/${opened.body.id}`, { token })).body;
  await write(await code(), { message: 'About another one' });
  const moved = await call('POST', `/api/scans/public/${made.body.scan.id}/location`, {
    body: MADRID_POSITION,
    headers,
  });
  t.equal(moved.status, 201);
  const since = new Date(Date.parse(before.updatedAt) + 1).toISOString();
  const changes = await call('GET', `/api/conversations?updatedSince=${since}`, { token });
  const changed = changes.body.data.find(({ id }: { id: string }) => id === opened.body.id);
  t.match(changed, { lastPlace: { city: 'Madrid' } });
  t.equal(changed.lastMessageAt, before.lastMessageAt, 'its messages are as they were');
});

t.test('presets are in the language of the profile', async (t) => {
  await write(await code(), { preset: 'ANIMAL_FOUND' });
  await call('PATCH', `/api/auth/profile/${owner.id}`, { token, body: { language: 'de' } });
  const [newest] = await list();
  t.equal(newest.lastMessage.message, 'Ihr Tier ist bei mir.');
  await call('PATCH', `/api/auth/profile/${owner.id}`, { token, body: { language: 'en' } });
});

t.test('a text that fails its integrity check hides nothing but itself', async (t) => {
  const rex = await code();
  const { body: first } = await write(rex, { message: 'Found her.', name: 'Eva' });
  const { body: second } = await write(await code(), { message: 'Here too.' });
  const alter = async (table: string, column: string, id: string) =>
    test.database.pool.query(`UPDATE ${table} SET ${column} = '\\x00' WHERE id = $1`, [id]);
  await alter('conversation_messages', 'content', first.message.id);
  await alter('conversations', 'finder_name', first.id);
  const trail = await captureAuditEntries(test, async () => {
    const [other, altered] = await list();
    t.match(other, { id: second.id, lastMessage: { message: 'Here too.' } });
    t.match(altered, { id: first.id, finderName: null, lastMessage: { from: 'FINDER', message: null } });
  });
  t.same(
    trail.map(({ action, changes, resourceId }) => [action, changes, resourceId]).toSorted(),
    [
      ['DATA_INTEGRITY_FAILED', ['conversation_messages.content'], first.message.id],
      ['DATA_INTEGRITY_FAILED', ['conversations.finder_name'], first.id],
    ],
    'each is audited',
  );
  const messages = `/api/conversations/${first.id}/messages`;
  await call('POST', messages, { token, body: { message: 'Thank you!' } });
  const url = new URL(first.url).pathname;
  const cookie = String((await call('GET', url)).headers['set-cookie']).split(';')[0] ?? '';
  const finderPage = url.replace(/[^/]*$/, first.id);
  const finderHeaders = { 'x-conversation-token': first.conversationToken };
  const browser = await test.signIn();
  for (const [name, open] of Object.entries({
    owner: () => call('GET', messages, { token }),
    finder: () =>
      call('GET', messages.replace('conversations', 'conversations/public'), { headers: finderHeaders }),
    'page of the owner': () => browser.open(`${test.path}/inbox/${first.id}`),
    'page of the finder': () => call('GET', finderPage, { headers: { cookie } }),
  })) {
    test.log.length = 0;
    const thread = await captureAuditEntries(test, async () => {
      const { status, text, body } = await open();
      t.equal(status, 200, name);
      t.match(text, 'Thank you!', name);
      if (name.startsWith('page')) t.match(text, 'This message can’t be read', name);
      else
        t.match(body.data, [
          { message: 'Thank you!' },
          { id: first.message.id, preset: null, message: null },
        ]);
    });
    const failures = thread.filter(({ changes }) => changes?.[0] === 'conversation_messages.content');
    t.match(failures, [{ action: 'DATA_INTEGRITY_FAILED', resourceId: first.message.id }], name);
    t.equal(failures.length, 1, `audited once: ${name}`);
    const logged = test.log.filter((line) => line.includes('"column":"content"'));
    t.equal(logged.length, 1, `logged once: ${name}`);
  }
  const read = await call('POST', `/api/conversations/${first.id}/read`, { token, body: {} });
  t.match(read, { status: 200, body: { unread: 0, lastMessage: { message: 'Thank you!' } } });
  for (const page of ['', '/inbox']) {
    await browser.open(`${test.path}${page}`);
    t.equal(browser.page.status, 200, page);
    t.match(browser.main, 'Here too.');
  }
});

t.test('a list has no text about health', async (t) => {
  const id = await code({ kind: 'MEDICAL', title: 'Bracelet', data: { name: 'Ada' } });
  const { body } = await write(id, { message: 'She has fainted.' });
  const [newest] = await list();
  t.match(newest, { id: body.id, unread: 1, lastMessage: { from: 'FINDER', message: null } });
  const { text } = await call('GET', '/api/conversations', { token });
  t.notMatch(text, 'fainted');
  t.match((await call('GET', `/api/conversations/${body.id}/messages`, { token })).text, 'fainted');
  const browser = await test.signIn();
  await browser.open(`${test.path}/inbox`);
  t.match(browser.main, 'She has fainted.', 'the inbox of its owner has');
});
