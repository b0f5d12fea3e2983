import { FINDER_NAME } from '../../../src/features/conversations/encrypted-conversation-fields.ts';
import { PHONE_USER_AGENT, TEST_PASSWORD, type TestResponse } from '../../helper.ts';
import { runQuery } from '../../scratch-folder.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { listMailsCausedBy } from '../identity/accounts/helper.ts';
import { createTokenHeader, startScans } from '../scans/helper.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

type ScanTest = Awaited<ReturnType<typeof startScans>>;

const getFieldValue = (page: TestResponse, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? '';

/** The form of a page, old enough not to be rejected as a bot. */
async function openConversationPage(
  { call, database, services }: ScanTest,
  id: string,
  agent = PHONE_USER_AGENT,
  ago = 10_000,
) {
  const page = await call('GET', `/s/${id}`, { headers: { 'user-agent': agent } });
  const [scanId = ''] = getFieldValue(page, 'visit').split('.');
  const { createVisitFormToken: formToken } = await import('../../../src/features/finder/form-token.ts');
  const now = Date.now;
  Date.now = () => now() - ago;
  const visit = formToken(services.fieldCipher, id, scanId);
  Date.now = now;
  t.ok(await database.client.scan.findUnique({ where: { id: scanId } }));
  return visit;
}

const post = (
  { call }: ScanTest,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) =>
  call('POST', path, {
    body: String(new URLSearchParams(fields)),
    headers: { ...FORM, 'user-agent': PHONE_USER_AGENT, ...headers },
  });

const getCookie = (answer: TestResponse) => String(answer.headers['set-cookie']).split(';')[0] ?? '';

const getPath = (codeId: string, cookie: string) =>
  `/s/${codeId}/c/${/conversation-(\w+)=/.exec(cookie)?.[1] ?? ''}`;

t.test('a finder writes to the owner and continues the conversation without script', async (t) => {
  const test = await startScans(t);
  const { call, code, database, owner } = test;
  const id = await code();
  const page = await call('GET', `/s/${id}`);
  t.match(page.text, `<form method="post" action="/s/${id}/message?lang=en#answer" id="write" class="fold"`);
  t.match(page.text, 'value="ANIMAL_FOUND"');
  t.notMatch(page.text, 'CAR_BLOCKING', 'presets fit the kind');
  const visit = await openConversationPage(test, id);
  const trail = await captureAuditEntries(test, async () => {
    const sent = await post(test, `/s/${id}/message`, {
      visit,
      preset: 'ANIMAL_FOUND',
      message: 'In the park\r\nnow',
      name: 'Eva',
      email: 'eva@finders.example.net',
    });
    t.equal(sent.status, 200, sent.text);
    t.match(sent.text, 'Your message was sent to the owner');
    t.match(sent.text, 'Confirm your address there');
    t.match(
      sent.headers['set-cookie'],
      /^__Secure-conversation-([0-9a-f]{24})=\1\.[\w-]{43}\.begun; Max-Age=\d+; Path=\/s\/[0-9a-f]{24}; HttpOnly; Secure; SameSite=Lax$/,
    );
    const again = await post(test, `/s/${id}/message`, {
      visit,
      preset: 'ANIMAL_FOUND',
      message: 'In the park\r\nnow',
      name: 'Eva',
      email: 'eva@finders.example.net',
    });
    t.equal(getCookie(again), getCookie(sent), 'a message sent twice is stored once');
    t.equal(await database.client.conversationMessage.count(), 1);

    const link = /href="([^"]*\/c\/[^"]*)"/.exec(sent.text)?.[1] ?? '';
    const way = await call('GET', new URL(link).pathname);
    t.match(way, { status: 303, headers: { location: getPath(id, getCookie(way)) } });
    const cookie = getCookie(way);
    const own = await call('GET', getPath(id, cookie), { headers: { cookie } });
    t.equal(own.status, 200);
    t.equal(getCookie(own), cookie, 'the cookie lasts as long as the conversation');
    t.match(sent.text, `<a class="act" href="${link}">`);
    t.match(own.text, `<a class="act plain" href="${link}" data-copy="Copy link"`, 'the link to keep');
    t.match(own.text, '<script src="/s/copy.js" defer></script>');
    t.match(own.text, 'Your pet is with me.\nIn the park\nnow');
    t.notMatch(own.text, owner.email);
    const [row] = await database.client.conversation.findMany();
    const talk = `/api/conversations/${row?.id}`;
    await call('GET', `${talk}/messages`, { token: owner.accessToken });
    await call('POST', `${talk}/messages`, {
      token: owner.accessToken,
      body: { message: 'On my <b>way</b>' },
    });
    const answered = await call('GET', getPath(id, cookie), { headers: { cookie, 'accept-language': 'ar' } });
    t.match(answered.text, 'On my &#60;b&#62;way&#60;/b&#62;');
    t.match(answered.text, '<html lang="ar" dir="rtl">');
    t.match(answered.text, '<p class="kind">أنت، <time', 'with the comma of the language');
    const reply = await post(
      test,
      getPath(id, cookie),
      { visit: getFieldValue(answered, 'visit'), message: 'Thank you' },
      { cookie },
    );
    t.match(reply, { status: 303, headers: { location: `${getPath(id, cookie)}?lang=en` } });
    const twice = await post(
      test,
      getPath(id, cookie),
      { visit: getFieldValue(answered, 'visit'), message: 'Thank you' },
      { cookie },
    );
    t.equal(twice.status, 303);
    t.equal(await database.client.conversationMessage.count(), 3, 'a message sent twice is stored once');
    t.equal(
      (
        await post(
          test,
          `${getPath(id, cookie)}/block`,
          { visit: getFieldValue(answered, 'visit') },
          { cookie },
        )
      ).status,
      404,
    );
    t.equal(
      (
        await post(
          test,
          `${getPath(id, cookie)}/forget-email`,
          { visit: getFieldValue(answered, 'visit') },
          { cookie },
        )
      ).status,
      303,
    );
    t.equal((await database.client.conversation.findMany())[0]?.finderEmail, null);
    const ended = await post(
      test,
      `${getPath(id, cookie)}/end`,
      { visit: getFieldValue(answered, 'visit') },
      { cookie },
    );
    t.equal(ended.status, 303);
    t.match(
      (await call('GET', getPath(id, cookie), { headers: { cookie } })).text,
      'This conversation has ended.',
    );
  });
  t.same(
    trail.map(({ action }) => action),
    [
      'CONVERSATION_OPENED',
      'CONVERSATION_READ',
      'CONVERSATION_CONTINUED',
      'CONVERSATION_READ',
      'CONVERSATION_CONTINUED',
      'FINDER_EMAIL_REMOVED',
      'CONVERSATION_ENDED',
    ],
  );
});

t.test('an owner replies through the mailed link, and can block the finder', async (t) => {
  const test = await startScans(t);
  const { call, code, database, owner } = test;
  const id = await code();
  const visit = await openConversationPage(test, id);
  const mails = await listMailsCausedBy(test, owner.email, async () => {
    await post(test, `/s/${id}/message`, { visit, message: 'Hello there', name: 'Eva' });
    await post(test, `/s/${id}/message`, { visit, message: 'One thing more', name: 'Eva' });
  });
  t.equal(mails.length, 1, 'one, until it was read');
  const [mail] = mails;
  t.match(mail?.subject, 'New message about “Rex”');
  t.notMatch(mail?.text, /Hello|Eva/);
  const token = /\/c\/([0-9a-f]{24}\.[\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? '';
  for (const agent of ['WhatsApp/2.23.20.0', 'Slackbot-LinkExpanding 1.0', 'Googlebot/2.1']) {
    const bot = { 'user-agent': agent };
    const led = await call('GET', `/s/${id}/c/${token}`, { headers: bot });
    t.equal(led.status, 303);
    const looking = { ...bot, cookie: getCookie(led) };
    t.equal((await call('GET', getPath(id, getCookie(led)), { headers: looking })).status, 200);
  }
  t.equal(
    await database.client.conversationMessage.count({ where: { readAt: null } }),
    2,
    'a link preview marks nothing as read',
  );
  const cookie = getCookie(await call('GET', `/s/${id}/c/${token}`));
  const page = await call('GET', getPath(id, cookie), { headers: { cookie } });
  t.match(page.text, 'About: <bdi>Rex</bdi> · <bdi>Eva</bdi> (finder)', 'each in its direction');
  t.equal(
    (
      await post(
        test,
        getPath(id, cookie),
        { visit: getFieldValue(page, 'visit'), message: 'Hi' },
        { cookie },
      )
    ).status,
    303,
  );
  t.same(
    (await database.client.conversationMessage.findMany({ orderBy: { createdAt: 'asc' } })).map(
      ({ sender }) => sender,
    ),
    ['FINDER', 'FINDER', 'OWNER'],
  );
  for (let number = 10; number < 20; number += 1)
    await post(
      test,
      getPath(id, cookie),
      { visit: getFieldValue(page, 'visit'), message: `${number}${'&'.repeat(998)}` },
      { cookie },
    );
  for (const lang of ['en', 'hi', 'uk']) {
    const full = await call('GET', `${getPath(id, cookie)}?lang=${lang}`, { headers: { cookie } });
    t.ok(Buffer.byteLength(full.text) < 20_000, `${lang}: ${Buffer.byteLength(full.text)} bytes`);
    t.match(full.text, '19&#38;', 'the newest is there');
    t.notMatch(full.text, /Hello there|10&/, 'the oldest are not');
  }
  const messages: string[] = [];
  for (let address: string | undefined = getPath(id, cookie); address; ) {
    const part: TestResponse = await call('GET', address, { headers: { cookie } });
    t.equal(part.status, 200);
    messages.unshift(...[...part.text.matchAll(/class="text">(.{2})/g)].map(([, start = '']) => start));
    const older = /<a href="([^"]+)">Older messages</.exec(part.text)?.[1];
    address = older?.replaceAll('&amp;', '&');
  }
  t.same(
    messages,
    ['He', 'On', 'Hi', ...Array.from({ length: 10 }, (_, index) => `${index + 10}`)],
    'page by page',
  );
  t.match(await call('GET', `${getPath(id, cookie)}?cursor=x`, { headers: { cookie } }), {
    status: 400,
    text: /<html/,
  });
  t.equal(
    (await post(test, `${getPath(id, cookie)}/block`, { visit: getFieldValue(page, 'visit') }, { cookie }))
      .status,
    303,
  );
  t.equal(await database.client.blockedFinder.count(), 1);
  t.equal(
    (
      await post(
        test,
        getPath(id, cookie),
        { visit: getFieldValue(page, 'visit'), message: 'more' },
        { cookie },
      )
    ).status,
    409,
  );
  const other = await code();
  t.equal((await call('GET', `/s/${other}/c/${token}`)).status, 404, 'of another code');
  const place = { latitude: '48.85837', longitude: '2.294481' };
  t.match(await post(test, `/s/${id}/location`, { visit, ...place }), {
    status: 403,
    text: /Nothing was sent. The owner doesn’t accept messages here/,
  });
  const before = await database.client.notification.count({ where: { userId: owner.id } });
  const again = await openConversationPage(test, other);
  t.equal((await post(test, `/s/${other}/location`, { visit: again, ...place })).status, 403);
  await call('POST', `/api/qrcodes/${other}/lost`, { token: owner.accessToken, body: {} });
  const body = { qrCodeId: other, latitude: 48.85837, longitude: 2.294481 };
  const made = await call('POST', '/api/scans/public', { body });
  t.match(made, { status: 201, body: { scan: { location: null }, profile: { name: 'Rex' } } });
  const address = `/api/scans/public/${made.body.scan.id}/location`;
  const [headers, where] = [createTokenHeader(made), { latitude: 48.85837, longitude: 2.294481 }];
  t.match(await call('POST', address, { headers, body: where }), {
    status: 403,
    body: { code: 'NOT_CONTACTABLE' },
  });
  t.equal(await database.client.scanLocation.count(), 0, 'a blocked finder’s position is not stored');
  t.equal(await database.client.scan.count({ where: { position: { not: null } } }), 0);
  t.equal(
    await database.client.notification.count({ where: { userId: owner.id } }),
    before,
    'and does not alarm, though the scans are recorded',
  );
  t.equal(await database.client.scan.count({ where: { qrCodeId: other } }), 2);
  const neighbour = { remoteAddress: '198.51.100.2' };
  t.equal((await call('POST', '/api/scans/public', { body, ...neighbour })).body.scan.location.city, 'Paris');
  t.equal(await database.client.notification.count({ where: { userId: owner.id } }), before + 1);
  t.equal((await call('GET', `/s/${id}/c/${token.slice(0, -1)}`)).status, 404);
  t.equal((await call('GET', getPath(id, cookie))).status, 404);
});

t.test('after a message, a finder is offered to share where they are, once', async (t) => {
  const test = await startScans(t);
  const { call, code, owner } = test;
  const write = async (id: string, visit: string, message: string) => {
    const sent = await post(test, `/s/${id}/message`, { visit, message });
    t.match(sent, { status: 200, text: /find replies in your conversation/ });
    t.match(sent.text, `<a class="act plain" href="/s/${id}?lang=en">Back to the page</a>`);
    return sent.text;
  };
  const id = await code();
  const visit = await openConversationPage(test, id);
  const sent = await write(id, visit, 'Hello');
  t.match(sent, `<form method="post" action="/s/${id}/location?lang=en#answer" id="share" class="fold open"`);
  t.match(sent, 'It would help most to know where you are.');
  t.match(sent, `name="visit" value="${visit}"`);
  t.match(sent, '<script src="/s/position.js?lang=en" defer></script>');
  const place = { latitude: '48.85837', longitude: '2.294481' };
  const shared = await post(test, `/s/${id}/location`, { visit, ...place });
  t.match(shared, { status: 200, text: /The owner can now see your location/ });
  t.notMatch(await write(id, visit, 'And more'), 'id="share"', 'the location is known');

  const network = await code({ kind: 'WIFI', data: { ssid: 'Guests', password: 'secret words' } });
  const networkVisit = await openConversationPage(test, network);
  t.notMatch(await write(network, networkVisit, 'Slow'), 'id="share"', 'nobody finds a network');
  await call('POST', `/api/qrcodes/${network}/lost`, { token: owner.accessToken, body: {} });
  t.match(await write(network, networkVisit, 'Found it'), 'id="share"', 'unless its sign is lost');
  await call('PUT', `/api/qrcodes/${id}`, { token: owner.accessToken, body: { status: 'PAUSED' } });
  t.notMatch(await write(id, visit, 'Are you there'), 'id="share"', 'a paused code takes no location');
});

t.test('a message can be sent with the position of the device, and says what was sent', async (t) => {
  const test = await startScans(t);
  const { call, code, database } = test;
  const id = await code();
  const visit = await openConversationPage(test, id);
  const [scanId = ''] = visit.split('.');
  const position = { latitude: '48.85837', longitude: '2.294481', accuracy: '14.8' };
  const trail = () => database.client.scanLocation.count({ where: { scanId } });
  t.match((await call('GET', `/s/${id}`)).text, 'id="write" class="fold" data-share="Also send where I am">');
  const rejected = await post(test, `/s/${id}/message`, { visit, located: 'yes', ...position });
  t.match(rejected, { status: 400, text: / data-share="Also send where I am" data-shares>/ });
  t.equal(await trail(), 0, 'a rejected message sends no position');
  const sent = await post(test, `/s/${id}/message`, { visit, message: 'Hi', located: 'yes', ...position });
  t.match(sent, { status: 200, text: /The owner can now see your location/ });
  t.match(sent.text, '<bdi dir="ltr">48.85837, 2.29448</bdi><br>Accurate to about 15 m');
  t.match(sent.text, 'href="https://www.openstreetmap.org/?mlat=48.858370&#38;mlon=2.294481');
  t.notMatch(sent.text, 'id="share"');
  t.equal(await trail(), 1);
  await database.client.scan.updateMany({
    where: { id: scanId },
    data: { scannedAt: new Date(Date.now() - 30 * 86_400_000) },
  });
  const late = { visit, message: 'Me again', latitude: '52.5', longitude: '13.4' };
  const closed = await post(test, `/s/${id}/message`, late);
  t.match(closed, {
    status: 200,
    text: /You can’t share more locations.*find replies in your conversation/s,
  });
  t.notMatch(closed.text, 'id="share"', 'a form could send nothing');
  t.equal(closed.text.split('id="answer"').length, 2);
  t.equal(await trail(), 1);
  t.equal(await database.client.conversationMessage.count(), 2, 'the message is sent all the same');

  const network = await code({ kind: 'WIFI', data: { ssid: 'Guests', password: 'secret words' } });
  const networkVisit = await openConversationPage(test, network);
  t.notMatch((await call('GET', `/s/${network}`)).text, 'data-share');
  const slow = await post(test, `/s/${network}/message`, {
    visit: networkVisit,
    message: 'Slow',
    ...position,
  });
  t.match(slow.status, 200);
  t.equal(await database.client.scanLocation.count(), 1, 'nobody asked where a network is');
});

t.test('a message whose position cannot be stored is confirmed all the same', async (t) => {
  const test = await startScans(t);
  const { code, services, database } = test;
  const id = await code();
  const visit = await openConversationPage(test, id);
  const owner = new URL(process.env.TEST_OWNER_URL ?? '');
  owner.pathname = new URL(services.config.databaseUrl ?? '').pathname;
  const position = { latitude: '48.85837', longitude: '2.294481' };
  const answers: TestResponse[] = [];
  for (const errorCode of ['disk_full', 'raise_exception']) {
    await runQuery(
      owner.href,
      `CREATE OR REPLACE FUNCTION reject_location() RETURNS trigger LANGUAGE plpgsql
         AS $$ BEGIN RAISE 'rejected' USING ERRCODE = '${errorCode}'; END $$;
       CREATE OR REPLACE TRIGGER reject_location BEFORE INSERT ON scan_locations EXECUTE FUNCTION reject_location()`,
    );
    const message = { visit, message: `Hello ${errorCode}`, ...position };
    answers.push(await post(test, `/s/${id}/message`, message));
    t.match(answers.at(-1)?.text, 'id="share" class="fold open"', 'the form is offered again');
    answers.push(await post(test, `/s/${id}/location`, { visit, place: `Bench ${errorCode}`, ...position }));
  }
  await database.client.scan.updateMany({ data: { scannedAt: new Date(Date.now() - 30 * 86_400_000) } });
  answers.push(await post(test, `/s/${id}/location`, { visit, place: 'Too late', ...position }));
  t.match(answers.pop(), { status: 200, text: /Your message was sent to the owner.*can’t share more/s });
  for (const { status, text } of answers) {
    t.equal(status, 200);
    t.match(text, 'Your message was sent to the owner');
    t.match(text, 'Your location wasn’t sent.');
    t.notMatch(text, /Nothing was sent|can now see your location/);
    t.equal(text.split('id="answer"').length, 2);
  }
  t.equal(await database.client.scanLocation.count(), 0);
  t.equal(await database.client.conversationMessage.count(), 5);
});

t.test('a rejected form keeps the typed text', async (t) => {
  const test = await startScans(t);
  const { code, database } = test;
  const id = await code();
  const visit = await openConversationPage(test, id);
  const message = 'Call <me> +49 170 1234567';
  const response = await post(test, `/s/${id}/message`, { visit, message, name: 'Eva' });
  t.equal(response.status, 200);
  t.match(response.text, 'Your message contains a phone number. Nothing has been sent yet.');
  t.match(response.text, 'Call &#60;me&#62; +49 170 1234567</textarea>');
  t.match(response.text, 'name="confirmed" value="yes"');
  t.equal(await database.client.conversation.count(), 0);
  t.equal(
    (await post(test, `/s/${id}/message`, { visit, message, name: 'Eva', confirmed: 'yes' })).status,
    200,
  );
  t.equal(await database.client.conversation.count(), 1);

  t.match(await post(test, `/s/${id}/message`, { visit }), {
    status: 400,
    text: /Pick a message or write your own/,
  });
  const long = await post(test, `/s/${id}/message`, { visit, message: '🐕'.repeat(1_001) });
  t.match(long, { status: 400, text: /up to 1,000 characters/ });
  const stale = await post(test, `/s/${id}/message`, {
    visit: visit.replace(/\.\d+\./, '.1.'),
    message: 'kept words',
  });
  t.match(stale, { status: 403, text: /kept words<\/textarea>/ });
  const fresh = await openConversationPage(test, id, PHONE_USER_AGENT, -60_000);
  t.match(await post(test, `/s/${id}/message`, { visit: fresh, message: 'quick' }), {
    status: 403,
    text: /send it once more/,
  });
  const hasty = { visit: fresh, message, confirmed: 'yes' };
  const still = await post(test, `/s/${id}/message`, hasty);
  t.match(still, { status: 403, text: /name="confirmed" value="yes"/ }, 'the confirmation is kept');
  const form = /id="write".*?<\/form>/s.exec(still.text)?.[0] ?? '';
  t.match(form, `name="visit" value="${fresh}"`, 'and its time is kept');
  const filled = await post(test, `/s/${id}/message`, { visit, message: 'kept words', nothing: 'me' });
  t.match(filled, {
    status: 400,
    text: /Clear the field “Leave this field empty”.*kept words<\/textarea>/s,
  });
  t.match(
    filled.text,
    /<p><label>Leave this field empty <input name="nothing" autocomplete="off">/,
    'the honeypot becomes visible',
  );
  t.match(
    response.text,
    /<p class="visually-hidden"><label>Leave this field empty <input name="nothing" tabindex="-1"/,
  );
  t.notOk(filled.headers['set-cookie']);
  t.equal(await database.client.conversationMessage.count(), 1, 'a message of a bot is not stored');
});

t.test('sends nothing over the rate limit or for a code that takes no messages', async (t) => {
  const test = await startScans(t);
  const { call, code, owner, database } = test;
  const id = await code();
  const visit = await openConversationPage(test, id);
  for (let n = 0; n < 5; n++)
    t.equal((await post(test, `/s/${id}/message`, { visit, message: `m ${n}` })).status, 200);
  const over = await post(test, `/s/${id}/message`, { visit, message: 'm 5' });
  t.match(over, { status: 429, text: /Try again in/ });
  t.ok(Number(over.headers['retry-after']) > 0);
  t.equal(await database.client.conversationMessage.count(), 5);
  await call('PUT', `/api/qrcodes/${id}`, { token: owner.accessToken, body: { contactable: false } });
  t.notMatch((await call('GET', `/s/${id}`)).text, 'id="write"');
  const refused = await post(test, `/s/${id}/message`, { visit, message: 'm 6' });
  t.match(refused, {
    status: 403,
    text: /role="alert">Nothing was sent. The owner doesn’t accept messages here/,
  });
  const unplaced = await post(test, `/s/${id}/location`, { visit, place: 'At the gate' });
  t.match(unplaced, {
    status: 403,
    text: /role="alert">Nothing was sent. The owner doesn’t accept messages here/,
  });
});

t.test('a finder shares a location as coordinates, by the phone, or in words', async (t) => {
  const test = await startScans(t);
  const { call, code, database } = test;
  const id = await code();
  const page = await call('GET', `/s/${id}`);
  t.match(page.text, `<form method="post" action="/s/${id}/location?lang=en#answer" id="share"`);
  t.match(page.text, '<script src="/s/position.js?lang=en" defer></script>');
  const script = await call('GET', '/s/position.js?lang=de');
  t.match(script.text, 'Ihr Standort wird ermittelt');
  t.match(script, { status: 200, headers: { 'content-type': 'text/javascript; charset=utf-8' } });
  const visit = await openConversationPage(test, id);
  const [scanId = ''] = visit.split('.');
  const share = (fields: Record<string, string>) => post(test, `/s/${id}/location`, { visit, ...fields });
  t.match(await share({ place: '52.5163, 13.3777' }), {
    status: 200,
    text: /The owner can now see your location/,
  });
  const filled = { latitude: '48.85837', longitude: '2.294481', accuracy: '12.5' };
  const shared = await share(filled);
  t.match(shared.text, /<bdi dir="ltr">48.85837, 2.29448<.bdi><br>Accurate to about 13 m/, 'what was sent');
  t.equal((await share(filled)).status, 200, 'the same again');
  const trail = await database.client.scanLocation.findMany({
    where: { scanId },
    orderBy: { createdAt: 'asc' },
  });
  t.same(
    trail.map(({ city }) => city),
    ['Berlin', 'Paris'],
  );
  const sent = await share({ place: 'At the gate of the old mill' });
  t.match(sent, {
    status: 200,
    text: /The owner can now see your location.*find replies in your conversation/s,
  });
  t.equal((await share({ place: 'At the gate of the old mill' })).status, 200);
  t.equal(await database.client.conversationMessage.count(), 1, 'words are stored as a message once');
  const talk = await call('GET', getPath(id, getCookie(sent)), { headers: { cookie: getCookie(sent) } });
  t.match(talk.text, 'At the gate of the old mill', 'and the cookie opens it');
  t.match(sent.text, `/s/${id}/c/`);
  t.notMatch(sent.text, 'We’ll email you');
  await post(test, `/s/${id}/message`, { visit, message: 'Hello', name: 'Eva', email: 'eva@example.net' });
  await post(test, `/s/${id}/message`, { visit, message: 'And more', name: 'Mia' });
  const [row] = await database.client.conversation.findMany();
  t.ok(row?.finderEmail, 'an email address that is entered later is stored');
  t.equal(row && FINDER_NAME.decrypt(test.services.fieldCipher, row), 'Eva');
  const place = 'Behind the statue, ask +49 170 1234567';
  const beside = { latitude: '40.4168', longitude: '-3.7038', place };
  const response = await share(beside);
  t.match(response, { status: 200, text: /Your message contains a phone number. Nothing has been sent yet/ });
  t.match(/id="share".*?<\/form>/s.exec(response.text)?.[0], /name="confirmed" value="yes".*Send anyway/s);
  t.equal(await database.client.scanLocation.count(), 2, 'no position was stored');
  t.match(await share({ ...beside, confirmed: 'yes' }), { status: 200, text: /Open conversation/ });
  const linked = await share({ place: 'By the door https://maps.google.com/?q=38.7223,-9.1393' });
  t.match(linked, { status: 200, text: /Open conversation/ });
  t.equal(await database.client.scanLocation.count(), 4, 'a position with words is stored as a location');
  t.equal(await database.client.conversationMessage.count(), 5, 'and a message');
  t.match(await share({ place: ' ' }), { status: 400, text: /Describe the place/ });
  const long = await share({ place: 'a'.repeat(1_001) });
  t.match(long, { status: 400, text: /up to 1,000 characters/ });
  const deleted = await code();
  const late = await openConversationPage(test, deleted);
  await call('DELETE', `/api/qrcodes/${deleted}`, { token: test.owner.accessToken });
  const toNobody = await post(test, `/s/${deleted}/location`, { visit: late, place: 'At the gate' });
  t.match(toNobody, { status: 404, text: /was deleted/ });
  const stale = await post(test, `/s/${id}/location`, { visit: 'x', place: 'kept <words>' });
  t.match(stale, { status: 403, text: /value="kept &#60;words&#62;"/ });
});

t.test('a bare map link reaches the owner as text, and as a position where it surely is one', async (t) => {
  const test = await startScans(t);
  const { call, code, database, owner } = test;
  const map = 'https://maps.google.com/?q=52.5163,13.3777';
  const short = 'https://maps.app.goo.gl/abc';
  const shop = 'https://shop.example/list?q=52.5163,13.3777';
  for (const [form, fields, cities] of [
    ['location', { place: map }, ['Berlin']],
    ['location', { place: short }, []],
    ['location', { place: shop }, []],
    ['message', { message: map }, ['Berlin']],
    ['message', { message: short }, []],
    ['message', { message: `Is this yours? ${map}` }, []],
  ] as const) {
    const id = await code();
    const visit = await openConversationPage(test, id);
    const text = Object.values(fields).join();
    const answer = await post(test, `/s/${id}/${form}`, { visit, ...fields });
    t.match(answer, { status: 200, text: /Open conversation/ }, text);
    const [scanId = ''] = visit.split('.');
    const trail = await database.client.scanLocation.findMany({ where: { scanId } });
    t.same(
      trail.map(({ city }) => city),
      cities,
      `${form}: ${text}`,
    );
    const { data } = (await call('GET', `/api/conversations?qrCodeId=${id}`, { token: owner.accessToken }))
      .body;
    const { body } = await call('GET', `/api/conversations/${data[0].id}/messages`, {
      token: owner.accessToken,
    });
    t.match(body.data, [{ message: new RegExp(text.replace(/[?.]/g, '\\$&')) }], `${form}: ${text}`);
  }
  const id = await code();
  const visit = await openConversationPage(test, id);
  for (let count = 1; count <= 5; count++)
    await post(test, `/s/${id}/message`, { visit, message: `Message ${count}` });
  const position = await post(test, `/s/${id}/location`, { visit, place: map });
  t.match(position, { status: 200, text: /The owner can now see your location/ }, 'after too many messages');
  t.notMatch(position.text, '<blockquote', 'only what was sent is shown');
  const device = { latitude: '48.85837', longitude: '2.294481' };
  const shared = await database.client.scanLocation.count();
  for (const place of [short, map, '52.5163, 13.3777'])
    t.equal((await post(test, `/s/${id}/location`, { visit, place, ...device })).status, 429, place);
  t.equal(await database.client.scanLocation.count(), shared, 'the link is not lost beside another position');
});

t.test('an emergency card shows the emergency number of the place that was shared', async (t) => {
  const test = await startScans(t);
  const { call, code } = test;
  const id = await code({ kind: 'MEDICAL', data: { name: 'Ada' } });
  t.match((await call('GET', `/s/${id}`)).text, 'href="tel:112"');
  const visit = await openConversationPage(test, id);
  const place = { latitude: '40.7128', longitude: '-74.006' };
  const shared = await post(test, `/s/${id}/location`, { visit, ...place });
  t.match(shared, { status: 200, text: /href="tel:911">Call emergency services:\u00a0911</ });
});

t.test('either side can report a conversation once from its page, and sees the decision', async (t) => {
  const test = await startScans(t);
  const { call, code, database } = test;
  const id = await code();
  const sent = await post(test, `/s/${id}/message`, {
    visit: await openConversationPage(test, id),
    message: 'Found',
  });
  const [row] = await database.client.conversation.findMany();
  const { createConversationToken: conversationToken } = await import(
    '../../../src/features/conversations/conversation-token.ts'
  );
  const own = conversationToken(test.services.fieldCipher, row?.id ?? '', { ownerEpoch: 0 });
  const cookies = { FINDER: getCookie(sent), OWNER: `__Secure-conversation-${row?.id}=${own}` };
  const talk = getPath(id, cookies.FINDER);
  const page = (side: 'FINDER' | 'OWNER', tag = 'en') =>
    call('GET', `${talk}?lang=${tag}`, { headers: { cookie: cookies[side] } });
  const report = async (side: 'FINDER' | 'OWNER', fields: Record<string, string>) =>
    post(
      test,
      `${talk}/report`,
      { visit: getFieldValue(await page(side), 'visit'), ...fields },
      { cookie: cookies[side] },
    );
  t.match((await page('FINDER')).text, `action="${talk}/report?lang=en#answer"`);
  t.match((await page('FINDER', 'ja')).text, '詐欺の疑い');
  t.equal((await report('FINDER', { visit: 'forged', category: 'SPAM' })).status, 403);
  t.equal((await post(test, `${talk}/report`, { category: 'SPAM' })).status, 404, 'without its link');
  const back = async () => {
    const again = await report('FINDER', { visit: 'forged', category: 'SPAM', note: 'what <they> wrote' });
    t.match(again, { status: 403, text: /<details open>.*role="alert">This page was open for too long/s });
    t.match(again.text, /value="SPAM" required checked>.*what &#60;they&#62; wrote<\/textarea>/s);
    t.match(again.text, `action="${talk}/report?lang=en#answer"`);
    t.equal(again.text.split('id="answer"').length, 2, 'one answer');
  };
  await back();
  await database.client.conversation.updateMany({
    data: { status: 'ENDED', endedBy: 'OWNER', endedAt: new Date() },
  });
  await back();
  await database.client.conversation.updateMany({ data: { status: 'OPEN', endedBy: null, endedAt: null } });
  const long = { category: 'FRAUD', note: 'ñ'.repeat(600) };
  t.match(await report('FINDER', long), { status: 303, headers: { location: `${talk}?lang=en` } });
  t.equal((await report('FINDER', { category: 'SPAM' })).status, 303, 'a second report is ignored');
  const reported = await page('FINDER');
  t.match(reported.text, 'We’ll look into it.');
  t.notMatch(reported.text, `${talk}/report`);
  t.match((await page('OWNER')).text, `${talk}/report`, 'the other side does not see the report');
  t.equal((await report('OWNER', { category: 'unknown' })).status, 303);
  const rows = await database.client.conversationReport.findMany({ orderBy: { side: 'asc' } });
  t.match(rows, [
    { side: 'FINDER', category: 'FRAUD' },
    { side: 'OWNER', category: 'OTHER', note: null },
  ]);
  await database.client.conversationReport.updateMany({
    where: { side: 'FINDER' },
    data: { decision: 'DISMISSED', decidedAt: new Date() },
  });
  t.match((await page('FINDER')).text, 'You reported this conversation. We’ve reviewed it');
  t.match((await page('OWNER')).text, 'We’ll look into it.');
});

t.test('a script learns from a small conditional request that a conversation has changed', async (t) => {
  const test = await startScans(t);
  const { call, code, database, owner } = test;
  const id = await code();
  const visit = await openConversationPage(test, id);
  const cookie = getCookie(await post(test, `/s/${id}/message`, { visit, message: 'Hello' }));
  const path = getPath(id, cookie);
  const api = `/api/conversations/${path.split('/').at(-1)}`;
  const open = (query = '') => call('GET', `${path}${query}`, { headers: { cookie } });
  const poll = (etag = '') =>
    call('GET', `${path}/updates`, { headers: { cookie, ...(etag && { 'if-none-match': etag }) } });

  const page = await open();
  t.match(page.text, `<ol class="messages" data-updates="${path}/updates" data-state="`);
  t.match(page.text, /<p id="notice" role="status" data-text="New message"><\/p>/);
  t.match(page.text, '<script src="/s/conversation.js" defer></script>');
  t.match(page.text, / UTC<\/time> · Not read yet/, 'without script the zone is named');
  t.match(page.headers['content-security-policy'], /; connect-src 'self';/);
  t.notMatch((await call('GET', `/s/${id}`)).headers['content-security-policy'], /connect-src/);
  const script = await call('GET', '/s/conversation.js');
  t.match(script, { status: 200, headers: { 'content-type': 'text/javascript; charset=utf-8' } });

  const states = new Set<string>();
  const expectChange = async (what: string) => {
    const polled = await poll();
    t.match(polled, { status: 200, headers: { 'cache-control': 'private, no-cache' } }, what);
    t.notOk(states.has(polled.text), what);
    states.add(polled.text);
    t.match((await open()).text, `data-state="${polled.text}"`, 'as in the page');
    const unchanged = await poll(String(polled.headers.etag));
    t.match(unchanged, { status: 304, text: '' }, `nothing after ${what}`);
  };
  await expectChange('the first message');
  await call('POST', `${api}/read`, { token: owner.accessToken });
  await expectChange('it was read');
  t.match((await open()).text, /Read <time datetime="[^"]+Z">[^<]+ UTC<\/time>/);
  await call('POST', `${api}/messages`, { token: owner.accessToken, body: { message: 'On my way' } });
  const entries = await captureAuditEntries(test, async () => void (await poll()));
  t.same(entries, [], 'a poll is no access to messages');
  t.equal(await database.client.conversationMessage.count({ where: { readAt: null } }), 1, 'and reads none');
  await expectChange('a reply');

  t.equal((await call('GET', `${path}/updates`)).status, 404, 'without the cookie of its link');
  await call('POST', `${api}/end`, { token: owner.accessToken });
  t.match(await poll(), { status: 200, text: 'ENDED' });
  const ended = await open();
  t.notMatch(ended.text, /data-updates|id="notice"/, 'an ended conversation does not change');
  t.notMatch(ended.headers['content-security-policy'], /connect-src/);
});

t.test('the page of a finder learns that the owner is writing, while the conversation is open', async (t) => {
  const test = await startScans(t);
  const { call, code, owner } = test;
  const { typing } = test.services;
  const id = await code();
  const visit = await openConversationPage(test, id);
  const cookie = getCookie(await post(test, `/s/${id}/message`, { visit, message: 'Hello' }));
  const path = getPath(id, cookie);
  const conversationId = path.split('/').at(-1) ?? '';
  const poll = async () => (await call('GET', `${path}/updates`, { headers: { cookie } })).text;
  const publish = (side: 'OWNER' | 'FINDER') => typing.publish({ conversationId, accountId: owner.id, side });

  const { text } = await call('GET', path, { headers: { cookie } });
  t.match(text, '<p id="typing" role="status" data-text="The owner is writing…"></p>');
  const state = await poll();
  publish('FINDER');
  t.equal(await poll(), state, 'one does not see oneself');
  publish('OWNER');
  t.equal(await poll(), `${state} typing`);
  await call('POST', `/api/conversations/${conversationId}/end`, { token: owner.accessToken });
  t.equal(await poll(), 'ENDED', 'a finder who was blocked learns nothing');
});

/** Let a finder write, and return the path of the link that the owner gets by mail; null where it has none. */
async function getMailedOwnerLink(test: ScanTest, id: string): Promise<string | null> {
  const visit = await openConversationPage(test, id);
  const mails = await listMailsCausedBy(test, test.owner.email, () =>
    post(test, `/s/${id}/message`, { visit, message: 'Hello there' }),
  );
  return /\/s\/[0-9a-f]{24}\/c\/[0-9a-f]{24}\.[\w-]{43}/.exec(mails[0]?.text ?? '')?.[0] ?? null;
}

t.test(
  'the mailed link of an owner ends with their sessions, and names them in the audit trail',
  async (t) => {
    const test = await startScans(t);
    const { call, code, database, owner } = test;
    const id = await code();
    const link = (await getMailedOwnerLink(test, id)) ?? '';
    const opened = await call('GET', link);
    t.match(String(opened.headers['set-cookie']), 'Max-Age=3600');
    const cookie = getCookie(opened);
    const open = () => call('GET', getPath(id, cookie), { headers: { cookie } });
    const trail = await captureAuditEntries(test, async () => t.equal((await open()).status, 200));
    const [entry] = await database.client.auditEntry.findMany({ where: { action: 'CONVERSATION_READ' } });
    t.equal(trail.length, 1);
    t.ok(entry?.actorReference, 'the owner is the actor');
    for (const status of ['SUSPENDED', 'ACTIVE']) {
      const previousStatus = status === 'SUSPENDED' ? 'ACTIVE' : null;
      await database.client.user.update({ where: { id: owner.id }, data: { status, previousStatus } });
      t.equal((await open()).status, status === 'ACTIVE' ? 200 : 404, status);
    }
    const body = { currentPassword: TEST_PASSWORD, newPassword: 'another battery of horses' };
    const changed = await call('POST', '/api/auth/change-password', { token: owner.accessToken, body });
    t.equal(changed.status, 200, changed.text);
    t.equal((await open()).status, 404, 'the cookie');
    t.equal((await call('GET', link)).status, 404, 'the link');
  },
);

t.test('an owner in enterprise mode or with a second factor has to log in', async (t) => {
  const test = await startScans(t);
  const { call, code, database, owner } = test;
  const [id, other] = [await code(), await code()];
  const link = (await getMailedOwnerLink(test, id)) ?? '';
  const setMode = (enterpriseMode: boolean) =>
    database.client.user.update({ where: { id: owner.id }, data: { enterpriseMode } });
  await setMode(true);
  t.equal((await call('GET', link)).status, 404);
  t.equal(await getMailedOwnerLink(test, other), null, 'a mail without the link');
  await setMode(false);
  t.equal((await call('GET', link)).status, 303);
  await database.client.secondFactor.create({
    data: { userId: owner.id, secret: Buffer.from('x'), confirmedAt: new Date(), lastStep: 1 },
  });
  t.equal((await call('GET', link)).status, 404);
});

t.test('continues only a conversation that this browser began', async (t) => {
  const test = await startScans(t);
  const { call, code, database } = test;
  const id = await code();
  const write = async (cookie: string, agent: string) => {
    const visit = await openConversationPage(test, id, agent);
    const headers = { cookie, 'user-agent': agent };
    return post(test, `/s/${id}/message`, { visit, message: 'Hello' }, headers);
  };
  const began = await write('', `${PHONE_USER_AGENT} Attacker`);
  const link = new RegExp(`/s/${id}/c/[0-9a-f]{24}\\.[\\w-]{43}`).exec(began.text)?.[0] ?? '';
  t.equal((await call('GET', `${link}.begun`)).status, 404, 'the mark of a cookie is no part of a link');
  const opened = await call('GET', link);
  t.equal(opened.status, 303);
  const cookie = getCookie(opened);
  const page = await call('GET', getPath(id, cookie), { headers: { cookie } });
  const after = getCookie(page);
  const victim = `${PHONE_USER_AGENT} Victim`;
  const scanned = await call('GET', `/s/${id}`, { headers: { cookie: after, 'user-agent': victim } });
  t.notMatch(scanned.text, `/c/${/conversation-(\w+)=/.exec(cookie)?.[1]}`);
  await write(after, victim);
  const count = await database.client.conversation.count({ where: { qrCodeId: id } });
  t.ok(count > 1, 'the other finder has a conversation of their own');
  const first = getCookie(began);
  const again = await call('GET', getPath(id, first), { headers: { cookie: first } });
  await write(getCookie(again), `${PHONE_USER_AGENT} Attacker`);
  t.equal(await database.client.conversation.count({ where: { qrCodeId: id } }), count, 'continued');
});
