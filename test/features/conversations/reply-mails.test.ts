import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestResponse } from '../../helper.ts';
import { t } from '../../tap.ts';
import { isProblem, listMailsCausedBy } from '../identity/accounts/helper.ts';
import {
  BERLIN_COORDINATE_PATTERN,
  BERLIN_POSITION,
  createTokenHeader,
  startScans,
} from '../scans/helper.ts';

type ScanFixture = Awaited<ReturnType<typeof startScans>>;

async function begin(test: ScanFixture, said: object, headers: Record<string, string> = {}) {
  const made = await test.scan({ qrCodeId: await test.code() });
  return test.call('POST', '/api/conversations/public', {
    body: { scanId: made.body.scan.id, message: 'Found.', ...said },
    headers: { ...createTokenHeader(made), ...headers },
  });
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const asFinder = (opened: TestResponse) => ({
  headers: { 'x-conversation-token': opened.body.conversationToken },
});

t.test('mails a finder about replies once until they are read, and not after unsubscribing', async (t) => {
  const test = await startScans(t);
  const { call, owner } = test;
  const token = owner.accessToken;
  const email = 'finder@example.org';
  let opened: TestResponse = await begin(test, {});
  const [confirmation] = await listMailsCausedBy(test, email, async () => {
    opened = await begin(test, { email: 'Finder@Example.ORG' }, { 'accept-language': 'de' });
  });
  t.equal(opened.status, 201, opened.text);
  t.equal((await confirm(call, confirmation?.text)).status, 200);
  const { id } = opened.body;
  const answer = (message: string) =>
    listMailsCausedBy(test, email, async () => {
      const sent = await call('POST', `/api/conversations/${id}/messages`, { token, body: { message } });
      t.equal(sent.status, 201, sent.text);
    });
  const read = () => call('POST', `/api/conversations/public/${id}/read`, asFinder(opened));

  const [mail, ...more] = await answer('Thank you!');
  t.equal(more.length, 0);
  t.not(mail?.subject, 'New reply to your message', 'in the language of their browser');
  t.match(mail?.text, opened.body.url, 'the way to the conversation');
  t.notMatch(`${mail?.subject} ${mail?.text}`, /Thank you|Rex|Ada/);
  t.equal((await answer('When can I come?')).length, 0);
  await read();
  t.equal((await answer('Hello?')).length, 1);
  const conversation = await call('GET', `/api/conversations/${id}`, { token });
  t.notMatch(conversation.text, /finder@example/i);
  await read();
  const forget = () => call('DELETE', `/api/conversations/public/${id}/email`, asFinder(opened));
  t.same((await forget()).body, { id, deleted: true });
  t.equal((await forget()).status, 200);
  t.equal((await answer('Still there?')).length, 0);
  const rows = await test.database.client.conversation.findMany({ where: { id } });
  t.same(
    rows.map(({ finderEmail }) => finderEmail),
    [null],
  );
  t.ok(isProblem(await begin(test, { email: 'no address' }), 400, 'VALIDATION_FAILED'));
});

t.test('shows the number of unread messages on the dashboard', async (t) => {
  const test = await startScans(t);
  const { call, owner } = test;
  const token = owner.accessToken;
  const unread = async () => (await call('GET', '/api/dashboard/cards', { token })).body.messages.unread;
  t.equal(await unread(), 0);
  const opened = await begin(test, {});
  t.equal(await unread(), 1);
  await call('POST', `/api/conversations/${opened.body.id}/read`, { token });
  t.equal(await unread(), 0);
});

const confirm = (call: ScanFixture['call'], text = '') =>
  call('POST', /\/api\/conversations\/confirm-email\/\S+/.exec(text)?.[0] ?? '', {
    body: '',
    headers: FORM,
  });

t.test('sends nothing but a confirmation to an address that was not confirmed', async (t) => {
  const test = await startScans(t);
  const { call, owner } = test;
  const email = 'bystander@example.org';
  const mails = await listMailsCausedBy(test, email, async () => {
    for (let n = 0; n < 6; n++) {
      const opened = await begin(test, { email, message: 'BUY NOW', name: 'BUY NOW' });
      const { id } = opened.body;
      for (let m = 0; m < 3; m++) {
        const body = { message: 'BUY NOW' };
        await call('POST', `/api/conversations/${id}/messages`, { token: owner.accessToken, body });
        await call('POST', `/api/conversations/public/${id}/read`, asFinder(opened));
      }
    }
  });
  t.same(
    mails.map(({ subject }) => subject),
    Array(3).fill('Confirm your email address'),
    'three a day',
  );
  for (const { text } of mails) t.notMatch(text.replace(/https:\S+/g, ''), /BUY|Rex|Ada/);
  const subaddress = 'bystander+1@example.org';
  const evaded = await listMailsCausedBy(test, subaddress, () => begin(test, { email: subaddress }));
  t.equal(evaded.length, 0, 'a subaddress is the same mailbox');
});

t.test('limits the confirmation mails of a network to different addresses', async (t) => {
  const test = await startScans(t);
  const sent = await listMailsCausedBy(test, 'last@example.org', async () => {
    for (let n = 0; n < 20; n++) await begin(test, { email: `n${n}@example.org` });
    await begin(test, { email: 'last@example.org' });
  });
  t.equal(sent.length, 0);
});

t.test('confirms an address by a button, not by opening the link', async (t) => {
  const test = await startScans(t);
  const { call } = test;
  const [mail] = await listMailsCausedBy(test, 'f@example.org', () =>
    begin(test, { email: 'f@example.org' }),
  );
  const path = /\/api\/conversations\/confirm-email\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  const confirmedAt = async () =>
    (await test.database.client.conversation.findFirst())?.finderEmailConfirmedAt;
  t.match(await call('GET', path), { status: 200, text: /<form method="post">/ });
  t.equal(await confirmedAt(), null);
  t.equal((await call('POST', `${path}x`, { body: '', headers: FORM })).status, 404);
  t.match(await confirm(call, mail?.text), { status: 200, text: /is confirmed/ });
  t.ok(await confirmedAt());
});

t.test('stops all mails that others can cause by one click, and allows them again', async (t) => {
  const test = await startScans(t);
  const { call } = test;
  const email = 'quiet@example.org';
  const ask = () => listMailsCausedBy(test, email, () => begin(test, { email }));
  const register = () =>
    listMailsCausedBy(test, email, () =>
      call('POST', '/api/auth/register', { body: { email, password: 'correct horse battery staple' } }),
    );
  const [mail] = await ask();
  const path = /\/api\/mails\/suppress\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
  const raw = await readRawMail(test, mail?.file);
  t.match(raw, 'List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  t.match(raw.replace(/\r?\n /g, ''), `<https://qr.example.org${path}>`);
  t.match(await call('GET', path), { status: 200, text: /Stop all emails/ });
  t.equal((await ask()).length, 1, 'opening the page changes nothing');
  const stop = await call('POST', path, { body: 'List-Unsubscribe=One-Click', headers: FORM });
  t.match(stop, { status: 200, text: /No more emails/ });
  t.equal((await ask()).length, 0);
  t.equal((await register()).length, 0);
  const subaddress = 'quiet+again@example.org';
  const evaded = await listMailsCausedBy(test, subaddress, () => begin(test, { email: subaddress }));
  t.equal(evaded.length, 0, 'also to its subaddresses');
  t.equal((await call('POST', path, { body: 'allow=true', headers: FORM })).status, 200);
  t.equal((await register()).length, 1);
  const forged = path.replace(/suppress\/./, (start) => start.replace(/.$/, start.endsWith('A') ? 'B' : 'A'));
  t.equal((await call('POST', forged, { body: 'List-Unsubscribe=One-Click', headers: FORM })).status, 404);
});

async function readRawMail({ services }: ScanFixture, file = ''): Promise<string> {
  return readFile(join(services.mailboxDir, file), 'utf8');
}

const containsText = (text: string, word: string | RegExp) =>
  typeof word === 'string' ? text.includes(word) : word.test(text);

/** Set `CONVERSATIONS=200` for the promised number. */
const PAIRS = Number(process.env.CONVERSATIONS ?? 12);

t.test(`${PAIRS} conversations: reveals no contact details of either side to the other`, async (t) => {
  const test = await startScans(t);
  const { call, code, scan, services } = test;
  const leaks: string[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const owner = await test.createUser();
    await call('PUT', `/api/auth/profile/${owner.id}`, {
      token: owner.accessToken,
      body: {
        firstName: `Ownerfirst${pair}`,
        lastName: `Ownerlast${pair}`,
        phone: `+49301230${1000 + pair}`,
      },
    });
    const ofOwner = [owner.email, `Ownerfirst${pair}`, `Ownerlast${pair}`, `1230${1000 + pair}`, owner.id];
    const email = `finder${pair}@finders.example.net`;
    const remoteAddress = `198.51.${pair % 250}.77`;
    const ofFinder = [email, remoteAddress, BERLIN_COORDINATE_PATTERN, `Phonemodel${pair}`];
    const agent = { 'user-agent': `Phonemodel${pair} Mobile` };
    const qrCodeId = await code({}, owner);
    const made = await scan({ qrCodeId }, { remoteAddress, headers: agent });
    await call('POST', `/api/scans/public/${made.body.scan.id}/location`, {
      body: BERLIN_POSITION,
      headers: { ...createTokenHeader(made), ...agent },
      remoteAddress,
    });
    const opened = await call('POST', '/api/conversations/public', {
      body: { scanId: made.body.scan.id, preset: 'ANIMAL_FOUND', email },
      headers: { ...createTokenHeader(made), ...agent },
      remoteAddress,
    });
    const { id } = opened.body;
    await confirm(call, (await test.getLastMail(email))?.text);
    const own = { token: owner.accessToken };
    const toOwner = [
      await call('GET', '/api/conversations', own),
      await call('GET', `/api/conversations/${id}`, own),
      await call('GET', `/api/conversations/${id}/messages`, own),
      await call('POST', `/api/conversations/${id}/messages`, { ...own, body: { message: 'Thanks.' } }),
      await call('GET', '/api/notifications', own),
    ];
    const page = await call('GET', new URL(opened.body.url).pathname, { headers: agent, remoteAddress });
    const cookie = String(page.headers['set-cookie']).split(';')[0] ?? '';
    const toFinder = [
      opened,
      page,
      await call('GET', `/s/${qrCodeId}/c/${id}`, { headers: { ...agent, cookie }, remoteAddress }),
      await call('GET', `/api/conversations/public/${id}/messages`, { ...asFinder(opened), remoteAddress }),
    ];
    const bytesOf = (answers: TestResponse[]) =>
      answers.map(({ text, headers }) => text + JSON.stringify(headers)).join();
    for (const word of ofFinder) if (containsText(bytesOf(toOwner), word)) leaks.push(`owner reads ${word}`);
    for (const word of ofOwner) if (containsText(bytesOf(toFinder), word)) leaks.push(`finder reads ${word}`);
    await test.getLastMail(email);
    for (const file of await readdir(services.mailboxDir)) {
      const mail = await readFile(join(services.mailboxDir, file), 'utf8');
      const isToFinder = mail.includes(`To: ${email}`);
      const isToOwner = mail.includes(`To: ${owner.email}`) && mail.includes('/c/');
      for (const word of isToFinder ? ofOwner : isToOwner ? ofFinder : [])
        if (containsText(mail, word)) leaks.push(`mail ${file} holds ${word}`);
    }
  }
  t.same(leaks, []);
});
