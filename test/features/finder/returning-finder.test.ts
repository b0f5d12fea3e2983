import { createConversationToken } from '../../../src/features/conversations/conversation-token.ts';
import { MESSAGE_PRESETS, requiresMessageText } from '../../../src/features/conversations/presets.rules.ts';
import { createVisitFormToken } from '../../../src/features/finder/form-token.ts';
import { LOCALES } from '../../../src/shared/i18n/locales.ts';
import { t as translate } from '../../../src/shared/i18n/translate.ts';
import { PHONE_USER_AGENT, type TestResponse } from '../../helper.ts';
import { t } from '../../tap.ts';
import { isProblem } from '../identity/accounts/helper.ts';
import { createTokenHeader, startScans } from '../scans/helper.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const getFieldValue = (page: TestResponse, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? '';

const getConversationLinkFrom = ({ text }: TestResponse) =>
  /href="https:\/\/[^"/]+([^"]*\/c\/[^"]*)"/.exec(text)?.[1] ?? '';

t.test('a returning finder continues their conversations', async (t) => {
  const test = await startScans(t);
  const { call, code, scan, database, owner, services } = test;
  const token = owner.accessToken;
  const messages = async (codeId: string) => {
    const rows = await database.client.conversationMessage.findMany({
      where: { conversation: { qrCodeId: codeId } },
      orderBy: { createdAt: 'asc' },
    });
    return rows.map(({ conversationId, sender }) => `${conversationId} ${sender}`);
  };

  /** A browser that keeps the cookies of a code. */
  const browser = (agent = PHONE_USER_AGENT) => {
    const jar = new Map<string, string>();
    const visit = async (method: string, path: string, fields?: Record<string, string>) => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await call(method, path, {
        headers: { ...FORM, 'user-agent': agent, ...(cookie && { cookie }) },
        ...(fields && { body: String(new URLSearchParams(fields)) }),
      });
      for (const set of [answer.headers['set-cookie'] ?? []].flat().map(String)) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        if (set.includes('Max-Age=0')) jar.delete(name);
        else jar.set(name, value);
      }
      return answer;
    };
    return { jar, get: (path: string) => visit('GET', path), post: visit.bind(null, 'POST') };
  };
  type Browser = ReturnType<typeof browser>;

  /** Open a page and age its form past the bot check. */
  const opened = async ({ get }: Pick<Browser, 'get'>, id: string) => {
    const page = await get(`/s/${id}`);
    const [scanId = ''] = getFieldValue(page, 'visit').split('.');
    const now = Date.now;
    Date.now = () => now() - 10_000;
    const visit = createVisitFormToken(services.fieldCipher, id, scanId, page.status === 200);
    Date.now = now;
    return { page, visit };
  };
  const write = async (by: Browser, id: string, fields: Record<string, string>) =>
    by.post(`/s/${id}/message`, { visit: (await opened(by, id)).visit, ...fields });
  /** Ten finders about one code exceed the rate limit of one address. */
  const forgetLimits = () => database.client.$executeRaw`DELETE FROM attempt_budgets`;
  const ownersLink = (conversationId: string, id: string) =>
    `/s/${id}/c/${createConversationToken(services.fieldCipher, conversationId, { ownerEpoch: 0 })}`;

  await t.test('a form acts on the conversation that it belongs to, whatever else is open', async (t) => {
    const id = await code();
    for (const name of ['Ann', 'Ben'])
      await write(browser(`${PHONE_USER_AGENT} ${name}`), id, { message: 'Found', name });
    const [a = '', b = ''] = (await messages(id)).map((line) => line.split(' ')[0] ?? '');
    const own = browser();
    const open = async (conversationId: string) => {
      const way = await own.get(ownersLink(conversationId, id));
      t.match(way, { status: 303, headers: { location: `/s/${id}/c/${conversationId}` } });
      return own.get(way.headers.location as string);
    };
    const [ofA, ofB] = [await open(a), await open(b)];
    const action = /<form method="post" action="([^"?]*)/.exec(ofA.text)?.[1] ?? '';
    const answered = await own.post(action, { visit: getFieldValue(ofA, 'visit'), message: 'To Ann' });
    t.match(answered, { status: 303, headers: { location: `/s/${id}/c/${a}?lang=en` } });
    t.same((await messages(id)).slice(2), [`${a} OWNER`]);
    const crossed = { visit: getFieldValue(ofB, 'visit'), message: 'To Ben' };
    t.match(await own.post(action, crossed), { status: 403, text: /To Ann.*To Ben<\/textarea>/s });
    for (const name of ['end', 'block', 'report'])
      t.equal((await own.post(`${action}/${name}`, { ...crossed, category: 'SPAM' })).status, 403, name);
    const finder = browser();
    await finder.get(
      getConversationLinkFrom(await write(browser(`${PHONE_USER_AGENT} Cy`), id, { message: 'Found' })),
    );
    for (const name of ['', '/end', '/forget-email', '/report'])
      t.equal(
        (await finder.post(`${action}${name}`, { visit: getFieldValue(ofA, 'visit') })).status,
        404,
        name,
      );
    t.equal((await messages(id)).length, 4, 'nothing else was written');
    t.equal((await own.post(`${action}/block`, { visit: getFieldValue(ofA, 'visit') })).status, 303);
    const rows = await database.client.conversation.findMany({ where: { qrCodeId: id, status: 'ENDED' } });
    t.same(
      rows.map((row) => row.id),
      [a],
    );
    t.equal(await database.client.conversationReport.count(), 0);

    const name = `__Secure-conversation-${b}`;
    own.jar.set(name, createConversationToken(services.fieldCipher, b, 'FINDER'));
    const asOther = await own.post(`/s/${id}/c/${b}`, {
      visit: getFieldValue(ofB, 'visit'),
      message: 'As owner',
    });
    t.equal(asOther.status, 403, 'nor is a form of one side accepted from the other');
    own.jar.set(name, own.jar.get(`__Secure-conversation-${a}`) ?? '');
    t.equal(
      (await own.get(`/s/${id}/c/${b}`)).status,
      404,
      'nor is a cookie of another conversation accepted',
    );
    // All browsers of this test are in one network.
    await database.client.blockedFinder.deleteMany();
  });

  await t.test('a phone keeps the eight newest conversations about a code', async (t) => {
    const id = await code();
    const own = browser();
    const begun: string[] = [];
    for (let n = 0; n < 10; n++) {
      await forgetLimits();
      await write(browser(`${PHONE_USER_AGENT} ${n}`), id, { message: 'Found' });
      begun.push((await messages(id)).at(-1)?.split(' ')[0] ?? '');
    }
    for (const one of begun.toReversed()) await own.get(ownersLink(one, id));
    const [last, ...others] = begun;
    const expectedCookies = [last, ...others.sort().slice(2)].map((one) => `__Secure-conversation-${one}`);
    t.same([...own.jar.keys()].sort(), expectedCookies.sort());
    t.equal((await own.get(`/s/${id}/c/${last}`)).status, 200, 'the one just opened is kept');
  });

  await t.test(
    'the page of a code links to the ongoing conversation, and its forms continue it',
    async (t) => {
      const id = await code();
      const finder = browser();
      const first = await write(finder, id, { message: 'Found', name: 'Eva' });
      t.equal(first.status, 200);
      const [talk = ''] = (await messages(id))[0]?.split(' ') ?? [];
      const wrote = new RegExp(
        `You’ve already sent a message about this code\\.</p>\n<p><a class="act" href="/s/${id}/c/${talk}\\?lang=en"`,
      );
      const { page } = await opened(finder, id);
      t.match(page.text, wrote);
      t.ok(page.text.search(wrote) < page.text.indexOf('<form'), 'before the forms');
      for (const other of [browser(), browser(`${PHONE_USER_AGENT} other`)])
        t.notMatch((await other.get(`/s/${id}`)).text, 'You’ve already sent a message');
      const own = browser();
      await own.get(ownersLink(talk, id));
      t.notMatch(
        (await own.get(`/s/${id}`)).text,
        'You’ve already sent a message',
        'not the side of the owner',
      );
      t.notMatch(
        (await finder.get(`/s/${await code()}`)).text,
        'You’ve already sent a message',
        'of another code',
      );

      await call('POST', `/api/conversations/${talk}/messages`, { token, body: { message: 'Where?' } });
      t.match(
        (await finder.get(`/s/${id}`)).text,
        /You’ve already sent a message about this code\. <b>You have a new reply/,
      );
      t.equal((await write(finder, id, { message: 'In the park' })).status, 200);
      const shared = await finder.post(`/s/${id}/location`, {
        visit: (await opened(finder, id)).visit,
        place: 'At the gate',
      });
      t.equal(shared.status, 200);
      t.same(await messages(id), [`${talk} FINDER`, `${talk} OWNER`, `${talk} FINDER`, `${talk} FINDER`]);
      t.equal(finder.jar.size, 1);
      t.match(
        (await finder.get(`/s/${id}`)).text,
        'You have a new reply',
        'writing does not mark it as read',
      );
      t.match((await finder.get(`/s/${id}/c/${talk}`)).text, 'Where?');
      t.notMatch((await finder.get(`/s/${id}`)).text, 'You have a new reply');

      const pin = await code({ pin: '4711' });
      await write(finder, pin, { message: 'Found' });
      const wrong = { visit: (await opened(finder, pin)).visit, pin: '9999' };
      t.match(await finder.post(`/s/${pin}/pin`, wrong), {
        status: 403,
        text: /You’ve already sent a message/,
      });
      await call('PUT', `/api/qrcodes/${id}`, { token, body: { status: 'PAUSED' } });
      t.match(await finder.get(`/s/${id}`), { status: 410, text: wrote });
      await write(finder, id, { message: 'Hello?' });
      t.equal((await messages(id)).at(-1), `${talk} FINDER`, 'also while it is paused');
      await call('PUT', `/api/qrcodes/${id}`, { token, body: { status: 'ACTIVE' } });
      await call('POST', `/api/conversations/${talk}/end`, { token });
      t.notMatch((await finder.get(`/s/${id}`)).text, 'You’ve already sent a message');
      await forgetLimits();
      await write(finder, id, { message: 'Found again' });
      t.not((await messages(id)).at(-1), `${talk} FINDER`, 'one that has ended stays as it is');
      await database.client.conversation.updateMany({ data: { expiresAt: new Date() } });
      t.notMatch((await finder.get(`/s/${id}`)).text, 'You’ve already sent a message');
    },
  );

  await t.test('over the rate limit a finder gets a link to the ongoing conversation', async (t) => {
    const id = await code();
    const finder = browser();
    const { visit } = await opened(finder, id);
    for (let n = 0; n < 5; n++) await finder.post(`/s/${id}/message`, { visit, message: `m ${n}` });
    const [talk = ''] = (await messages(id))[0]?.split(' ') ?? [];
    const way = new RegExp(
      `too many messages\\. Try again in [^<]* <a href="/s/${id}/c/${talk}\\?lang=en">Open conversation`,
    );
    t.match(await finder.post(`/s/${id}/message`, { visit, message: 'm' }), { status: 429, text: way });
    t.match(await finder.post(`/s/${id}/location`, { visit, place: 'here' }), { status: 429, text: way });
    const other = browser();
    const none = await other.post(`/s/${id}/message`, {
      visit: (await opened(other, id)).visit,
      message: 'm',
    });
    t.equal(none.status, 429);
    t.notMatch(none.text, '/c/');
  });

  await t.test('sharing a location shows the page again and sends no second alert', async (t) => {
    const id = await code();
    await call('POST', `/api/qrcodes/${id}/lost`, { token, body: {} });
    const finder = browser();
    const { visit } = await opened(finder, id);
    const counted = async () => [
      await database.client.scan.count({ where: { qrCodeId: id } }),
      await database.client.notification.count({ where: { event: 'code.scanned_while_lost' } }),
    ];
    const before = await counted();
    const position = { visit, latitude: '48.85837', longitude: '2.294481' };
    const shared = await finder.post(`/s/${id}/location`, position);
    t.match(shared, {
      status: 200,
      text: /id="answer" tabindex="-1"><p><b>Thank you\. The owner can now see/,
    });
    t.match(shared.text, /Want to hear back\?.*?href="#write"/s, 'a position starts no conversation');
    t.match(shared.text, /<h1>Rex<\/h1>.*id="write".*id="share"/s);
    t.notMatch(shared.text, 'You’ve already sent a message');
    await write(finder, id, { message: 'Found' });
    t.match(await finder.post(`/s/${id}/location`, { ...position, latitude: '48.9' }), {
      text: /Thank you.*You’ve already sent a message/s,
    });
    t.notMatch((await finder.post(`/s/${id}/location`, position)).text, 'Want to hear back');
    const [scans = 0, alarms = 0] = await counted();
    t.same([scans - 1, alarms - 1], before, 'except for the visit with the message');
    await call('PUT', `/api/qrcodes/${id}`, { token, body: { status: 'PAUSED' } });
    const closed = await finder.post(`/s/${id}/location`, { visit, place: 'At the gate' });
    t.match(closed.text, /<h1>Share your location<\/h1>\n<p>Thank you.*Open conversation/s);
  });

  await t.test('a preset must fit the kind of the code, and have the place that it requires', async (t) => {
    const id = await code();
    const finder = browser();
    const response = await write(finder, id, { preset: 'IS_AT', message: ' \u200b', name: 'Eva' });
    t.match(response, { status: 400, text: /role="alert">Please add the place\./ });
    t.match(response.text, /value="IS_AT" checked.*name="name"[^>]* value="Eva"/s);
    t.match(await write(finder, id, { preset: 'CAR_LIGHTS' }), { status: 400, text: /Pick a message/ });
    const made = await scan({ qrCodeId: id });
    const open = (body: object) =>
      call('POST', '/api/conversations/public', {
        body: { scanId: made.body.scan.id, ...body },
        headers: createTokenHeader(made),
      });
    const placeless = await open({ preset: 'AM_AT' });
    t.ok(isProblem(placeless, 400, 'VALIDATION_FAILED'));
    t.match(placeless.body.errors, [{ field: 'message', code: 'REQUIRED' }]);
    const foreign = await open({ preset: 'CAR_LIGHTS', message: 'Now' });
    t.ok(isProblem(foreign, 400, 'VALIDATION_FAILED'));
    t.match(foreign.body.errors, [{ field: 'preset', code: 'NOT_ALLOWED' }]);
    t.same(await messages(id), []);
    for (const preset of ['ANIMAL_SEEN', 'KEEPING', 'IS_AT'])
      t.equal((await open({ preset, message: 'Here' })).status, 201, preset);
    const opened = await open({ message: 'x' });
    const talk = `/api/conversations/${opened.body.id}/messages`;
    const asFinder = { headers: { 'x-conversation-token': opened.body.conversationToken } };
    for (const [path, options] of [
      [talk, { token }],
      [talk.replace('conversations', 'conversations/public'), asFinder],
    ] as const) {
      const refused = await call('POST', path, { ...options, body: { preset: 'THINKING_OF' } });
      t.match(refused, { status: 400, body: { errors: [{ field: 'preset' }] } });
    }
    await call('PUT', `/api/qrcodes/${id}`, { token, body: { status: 'PAUSED' } });
    const closed = (preset: string) =>
      call('POST', '/api/conversations/public', { body: { qrCodeId: id, preset, message: 'Here' } });
    await forgetLimits();
    for (const preset of ['ANIMAL_FOUND', 'CAR_LIGHTS'])
      t.equal((await closed(preset)).status, 400, `${preset} of a code that does not show its kind`);
    t.equal((await closed('FOUND')).status, 201);
  });

  await t.test('a name with contact details needs a confirmation', async (t) => {
    const id = await code();
    const finder = browser();
    const said = { message: 'Found', name: 'Eva +49 170 1234567' };
    const response = await write(finder, id, said);
    t.match(response, {
      status: 200,
      text: /Your name contains a phone number or an email.*Nothing has been sent yet/,
    });
    t.match(response.text, 'name="confirmed" value="yes"');
    t.same(await messages(id), []);
    const both = await write(finder, id, { ...said, message: 'me@example.org' });
    t.match(both.text, /Your message contains an email address\. Your name contains/);
    t.equal((await write(finder, id, { ...said, confirmed: 'yes' })).status, 200);
    t.equal((await messages(id)).length, 1);
    const check = { message: 'me@example.org', name: 'Eva +49 170 1234567' };
    const checked = await call('POST', '/api/conversations/public/check', { body: check });
    t.same(checked.body, { warnings: ['EMAIL', 'PHONE'] });
    const made = await scan({ qrCodeId: id });
    const opened = await call('POST', '/api/conversations/public', {
      body: { scanId: made.body.scan.id, message: 'x', name: check.name },
      headers: createTokenHeader(made),
    });
    t.same(opened.body.warnings, ['PHONE']);
  });

  await t.test('a reply marks the messages before it as read', async (t) => {
    const id = await code();
    const made = await scan({ qrCodeId: id });
    const opened = await call('POST', '/api/conversations/public', {
      body: { scanId: made.body.scan.id, message: 'Found' },
      headers: createTokenHeader(made),
    });
    const talk = `/api/conversations/${opened.body.id}`;
    const reads = () =>
      database.client.conversationMessage.findMany({
        where: { conversationId: opened.body.id },
        orderBy: { createdAt: 'asc' },
      });
    await call('POST', `${talk}/messages`, { token, body: { message: 'Thank you' } });
    t.match(await reads(), [{ readAt: Date }, { readAt: null }]);
    t.equal((await call('GET', talk, { token })).body.unread, 0);
    await call('POST', talk.replace('/conversations', '/conversations/public').concat('/messages'), {
      headers: { 'x-conversation-token': opened.body.conversationToken },
      body: { message: 'Welcome' },
    });
    t.match(await reads(), [{ readAt: Date }, { readAt: Date }, { readAt: null }]);
    const refused = await call('POST', `${talk}/messages`, { token, body: { preset: 'CAR_OPEN' } });
    t.equal(refused.status, 400);
    t.match((await reads()).at(-1), { readAt: null }, 'a rejected message marks nothing as read');
  });

  await t.test(
    'rejects an invisible message as empty, and one that is too quick with the reason',
    async (t) => {
      const id = await code();
      const finder = browser();
      for (const message of ['\u200b\u2060', '\ufeff', '\u3164 \u2800'])
        t.match(await write(finder, id, { message }), { status: 400, text: /Pick a message or write/ });
      const page = await finder.get(`/s/${id}`);
      const quick = await finder.post(`/s/${id}/message`, {
        visit: getFieldValue(page, 'visit'),
        message: 'Found',
      });
      t.match(quick, { status: 403, text: /so we know you’re not a robot/ });
      const made = await scan({ qrCodeId: id });
      const empty = await call('POST', '/api/conversations/public', {
        body: { scanId: made.body.scan.id, message: '\u200b\u200d' },
        headers: createTokenHeader(made),
      });
      t.ok(isProblem(empty, 400, 'VALIDATION_FAILED'));
      const family = '👨\u200d👩\u200d👧';
      t.equal((await write(finder, id, { message: family })).status, 200, 'a joiner in visible text is kept');
      t.match(
        (await finder.get(getConversationLinkFrom(await write(finder, id, { message: 'x' })))).status,
        303,
      );
    },
  );
});

t.test('exactly the presets that end with a colon require a text, in every language', async (t) => {
  for (const locale of LOCALES.values())
    t.same(
      MESSAGE_PRESETS.filter((preset) =>
        /[:：]$/.test(translate(locale, `conversation.presets.${preset}`)),
      ).sort(),
      MESSAGE_PRESETS.filter(requiresMessageText).sort(),
      locale.tag,
    );
});
