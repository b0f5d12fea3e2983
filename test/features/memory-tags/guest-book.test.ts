import { createVisitFormToken } from '../../../src/features/finder/form-token.ts';
import { purgeDeletedGuestBookEntries } from '../../../src/features/memory-tags/deleted-entries.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { LOCALES } from '../../../src/shared/i18n/locales.ts';
import { generateId } from '../../../src/shared/ids.ts';
import type { TestResponse } from '../../helper.ts';
import { createReportingClients } from '../../reporting/helper.ts';
import { t } from '../../tap.ts';
import { pauseTransaction, waitForLock } from '../identity/accounts/paused-operations.ts';
import { startScans } from '../scans/helper.ts';
import { collectAuditActions } from './audit-helper.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const test = await startScans(t);
const { call, owner, createUser, database, services } = test;
const { client } = database;
const token = owner.accessToken;
await database.pool.query(`UPDATE subscription_packages SET limits = limits || '{"memoryTags": null}'`);

/** Create a code with a memory tag. */
async function stone(tag: object = {}, code: object = {}) {
  const data = { name: 'K. Brandt', bornOn: '1931-05-17', biography: 'From the code.' };
  const codeId = await test.code({ kind: 'MEMORY_TAG', title: 'Stone', data, ...code });
  const body = { name: 'Katharina Brandt', qrCodeId: codeId, ...tag };
  const made = await call('POST', '/api/memory-tags', { token, body });
  if (made.status !== 201) throw new Error(made.text);
  return { codeId, tagId: made.body.id as string };
}

const pageOf = (codeId: string, lang = 'en') => call('GET', `/s/${codeId}?lang=${lang}`);

/** Create the token of a visit that is old enough to submit a form. */
function visitOf(codeId: string, page: TestResponse): string {
  const [scanId = ''] = /name="visit" value="([^"]+)"/.exec(page.text)?.[1]?.split('.') ?? [];
  const now = Date.now;
  Date.now = () => now() - 10_000;
  const visit = createVisitFormToken(services.fieldCipher, codeId, scanId);
  Date.now = now;
  return visit;
}

let visitors = 0;
/** Sign the guest book as a new visitor. */
async function sign(
  codeId: string,
  fields: Record<string, string>,
  from?: string,
  lang = 'en',
): Promise<TestResponse> {
  visitors += 1;
  const remoteAddress = from ?? `198.51.${visitors}.7`;
  const visit = visitOf(codeId, await pageOf(codeId));
  const body = String(new URLSearchParams({ visit, ...fields }));
  return call('POST', `/s/${codeId}/guest-book?lang=${lang}`, { body, headers: FORM, remoteAddress });
}

const entries = async (tagId: string, query = '') =>
  (await call('GET', `/api/memory-tags/${tagId}/guest-book${query}`, { token })).body;

t.test('shows entries of visitors after approval', async (t) => {
  const { codeId, tagId } = await stone();
  const page = await pageOf(codeId);
  t.match(page.text, `action="/s/${codeId}/guest-book?lang=en#answer"`);
  const trail = await collectAuditActions(test, async () => {
    const thanks = await sign(codeId, { message: 'She taught me to <b>read</b>.', name: 'Eva & Jan' });
    t.equal(thanks.status, 200, thanks.text);
    t.match(thanks.text, 'Thank you. Your entry will appear here once the family approves it.');
    t.notMatch(thanks.text, 'taught me');
  });
  t.same(trail, ['GUEST_BOOK_SIGNED']);
  t.notMatch((await pageOf(codeId)).text, 'taught me');
  const waiting = await entries(tagId, '?status=PENDING');
  t.match(waiting.data, [{ name: 'Eva & Jan', message: 'She taught me to <b>read</b>.', status: 'PENDING' }]);
  const [{ id }] = waiting.data;
  const path = `/api/memory-tags/${tagId}/guest-book/${id}`;
  const notifications = await client.notification.findMany({ where: { event: 'guest_book.signed' } });
  t.match(notifications, [
    { userId: owner.id, type: 'MESSAGE', data: { memoryTagId: tagId, guestBookEntryId: id } },
  ]);
  t.notMatch(JSON.stringify(notifications), 'taught');
  const mail = await test.getMailBySubject(owner.email, /guest book/);
  t.match(mail?.subject, 'New guest book entry for Katharina Brandt');
  t.notMatch(mail?.text, 'taught');

  const decided = await collectAuditActions(test, async () => {
    const approved = await call('PATCH', path, { token, body: { status: 'APPROVED' } });
    t.match(approved.body, { id, status: 'APPROVED', decidedAt: /Z$/ });
    await call('PATCH', path, { token, body: { status: 'APPROVED' } });
  });
  t.same(decided, ['GUEST_BOOK_ENTRY_APPROVED']);
  const approvedPage = (await pageOf(codeId)).text;
  t.match(approvedPage, 'She taught me to &#60;b&#62;read&#60;/b&#62;.');
  t.match(approvedPage, '<bdi>Eva &#38; Jan</bdi>');
  t.match(approvedPage, /<time datetime="\d{4}-\d\d-\d\d">/);
  t.same(await collectAuditActions(test, () => call('PATCH', path, { token, body: { status: 'HIDDEN' } })), [
    'GUEST_BOOK_ENTRY_HIDDEN',
  ]);
  t.notMatch((await pageOf(codeId)).text, 'taught me');
  t.equal((await call('PATCH', path, { token, body: { status: 'PENDING' } })).status, 400);

  await t.test('lets a caretaker approve and hide entries, but not delete them', async (t) => {
    const bea = await createUser();
    await call('POST', `/api/memory-tags/${tagId}/caretakers`, { token, body: { email: bea.email } });
    const by = bea.accessToken;
    t.equal((await call('PATCH', path, { token: by, body: { status: 'APPROVED' } })).body.status, 'APPROVED');
    t.equal((await call('DELETE', path, { token: by })).status, 403);
  });

  const other = await stone();
  const foreign = `/api/memory-tags/${other.tagId}/guest-book/${id}`;
  t.equal((await call('DELETE', foreign, { token })).status, 404, 'an entry of another guest book');
  t.same(await collectAuditActions(test, () => call('DELETE', path, { token })), [
    'GUEST_BOOK_ENTRY_DELETED',
  ]);
  t.equal((await call('DELETE', path, { token })).status, 404);
  t.same((await entries(tagId)).data, []);
});

t.test('rejects bots and excessive entries, and keeps the input in the form', async (t) => {
  const { codeId, tagId } = await stone();
  const message = 'We miss you.';
  const cases: [Record<string, string>, number, string][] = [
    [{ message: '  ' }, 400, 'Please write something.'],
    [{ message: 'x'.repeat(1001) }, 400, 'up to 1,000 characters'],
    [{ message, nothing: 'http://x' }, 400, 'Clear the field'],
    [{ message: 'Call +49 170 1234567' }, 200, 'Your message contains a phone number.'],
    [{ message, visit: 'x' }, 403, 'This page was open for too long'],
  ];
  for (const [fields, status, message] of cases) {
    const answer = await sign(codeId, fields);
    t.equal(answer.status, status, message);
    t.match(answer.text, message);
    t.ok(answer.text.includes(fields.message?.trim() ?? ''), `${message} and what was typed`);
    t.match(answer.text, `action="/s/${codeId}/guest-book`);
    t.ok(Buffer.byteLength(answer.text) < 20_000);
  }
  const fresh = /name="visit" value="([^"]+)"/.exec((await pageOf(codeId)).text)?.[1] ?? '';
  const quick = await sign(codeId, { message, visit: fresh });
  t.equal(quick.status, 403);
  t.match(quick.text, 'so we know you’re not a robot');
  const closed = await call('POST', `/s/${codeId}/guest-book`, {
    body: String(new URLSearchParams({ message })),
    headers: { ...FORM, 'sec-fetch-site': 'cross-site' },
  });
  t.equal(closed.status, 403, 'a form of another site');
  t.equal(await client.guestBookEntry.count({ where: { memoryTagId: tagId } }), 0);

  const visit = visitOf(codeId, await pageOf(codeId));
  await Promise.all([1, 2, 3].map(() => sign(codeId, { visit, message }, '203.0.113.4')));
  await sign(codeId, { visit, message }, '203.0.113.4');
  t.equal(await client.guestBookEntry.count({ where: { memoryTagId: tagId } }), 1, 'once, however often');
  const more = await Promise.all(
    Array.from({ length: 8 }, (_, n) => sign(codeId, { message: `${message} ${n}` }, '203.0.113.4')),
  );
  t.same(more.map(({ status }) => status).sort(), [200, 200, 200, 200, 429, 429, 429, 429]);
  t.ok(more.every(({ status, headers }) => status === 200 || Number(headers['retry-after']) > 0));
  for (let n = 0; n < 6; n += 1) await sign(codeId, { message: `${message} again ${n}` });
  const notificationCount = await client.notification.count({
    where: { event: 'guest_book.signed', data: { path: ['memoryTagId'], equals: tagId } },
  });
  t.equal(notificationCount, 5, 'the owner is notified of five an hour');
  t.equal((await entries(tagId, '?status=PENDING&limit=100')).pagination.total, 11);
  let [cursor, count] = ['start', 0];
  while (cursor) {
    const read: { data: unknown[]; pagination: { nextCursor: string } } = await entries(
      tagId,
      `?limit=4&cursor=${cursor}`,
    );
    count += read.data.length;
    cursor = read.pagination.nextCursor;
  }
  t.equal(count, 11);

  await t.test('a network signs a guest book at most twenty times a day', async (t) => {
    const { codeId } = await stone();
    const statuses: number[] = [];
    for (let n = 0; n < 21; n += 1) {
      await database.pool.query("DELETE FROM attempt_budgets WHERE key LIKE 'conversation:%'");
      statuses.push((await sign(codeId, { message: `Entry ${n}` }, '203.0.113.99')).status);
    }
    t.same(statuses, [...Array(20).fill(200), 429]);
  });

  await t.test(
    'a flood of one network displaces its own oldest entries and closes the book to nobody',
    async (t) => {
      const { accountId } = await client.memoryTag.findUniqueOrThrow({ where: { id: tagId } });
      await client.guestBookEntry.deleteMany({ where: { memoryTagId: tagId } });
      await sign(codeId, { message: 'From an old friend' }, '198.51.100.4');
      const [friend] = await client.guestBookEntry.findMany({ where: { memoryTagId: tagId } });
      const flood = Array.from({ length: 499 }, (_, n) => ({
        id: generateId(new Date(Date.now() + n)),
        memoryTagId: tagId,
        accountId,
        content: Buffer.from('x'),
        networkHash: Buffer.from('flood'),
        createdAt: new Date(Date.now() + n),
      }));
      await client.guestBookEntry.createMany({ data: flood });
      t.equal((await sign(codeId, { message: 'From another friend' }, '192.0.2.4')).status, 200);
      const left = await client.guestBookEntry.findMany({
        where: { memoryTagId: tagId },
        select: { id: true, networkHash: true },
      });
      t.notOk(
        left.some(({ id }) => id === flood[0]?.id),
        'the oldest of the flood is gone',
      );
      t.equal(left.length, 500);
      t.ok(left.some(({ id }) => id === friend?.id));
      t.equal(
        left.filter(({ networkHash }) => Buffer.from(networkHash ?? '').toString() === 'flood').length,
        498,
      );
      await client.guestBookEntry.deleteMany({ where: { memoryTagId: tagId } });
    },
  );

  await t.test('an IPv6 /48 counts as one network', async (t) => {
    await sign(codeId, { message: 'One' }, '2001:db8:7:1::1');
    await sign(codeId, { message: 'Two' }, '2001:db8:7:2::1');
    await sign(codeId, { message: 'Three' }, '2001:db8:8:1::1');
    const signed = await client.guestBookEntry.findMany({ where: { memoryTagId: tagId } });
    const networks = signed.map(({ networkHash }) => Buffer.from(networkHash ?? '').toString('hex'));
    t.same([networks.length, new Set(networks).size], [3, 2]);
    await client.guestBookEntry.deleteMany({ where: { memoryTagId: tagId } });
  });

  await t.test('rejects blocked visitors, and memory tags without a guest book', async (t) => {
    const { codeId, tagId } = await stone();
    const hash = services.fieldCipher.hash('finder', owner.id, '192.0.2.0');
    await client.blockedFinder.create({ data: { accountId: owner.id, finderHash: hash } });
    const blocked = await sign(codeId, { message }, '192.0.2.99');
    t.equal(blocked.status, 403);
    t.match(blocked.text, 'This guest book is closed.');
    const before = await pageOf(codeId);
    const path = `/api/memory-tags/${tagId}`;
    await call('PATCH', path, { token, body: { guestBookOpen: false } });
    t.notMatch((await pageOf(codeId)).text, '/guest-book');
    const late = await sign(codeId, { message, visit: visitOf(codeId, before) });
    t.equal(late.status, 403);
    t.match(late.text, 'Nothing was sent. This guest book is closed.');
    await call('PATCH', path, { token, body: { guestBookOpen: true } });
    await call('PUT', `/api/qrcodes/${codeId}`, { token, body: { status: 'PAUSED' } });
    const paused = await sign(codeId, { message, visit: visitOf(codeId, before) });
    t.equal(paused.status, 410);
    t.match(paused.text, message, 'as a message to the owner');
    const pet = await test.code();
    const onPet = await sign(pet, { message });
    t.equal(onPet.status, 403);
    t.equal(await client.guestBookEntry.count({ where: { memoryTagId: tagId } }), 0);
  });
});

t.test('lets an author withdraw an entry by a link before and after approval', async (t) => {
  const { codeId, tagId } = await stone();
  /** Find the path of the withdrawal link on the confirmation page. */
  const linkIn = (page: TestResponse) =>
    /href="([^"]+\/entries\/[^"?]+)"/.exec(page.text)?.[1]?.replace(/^https?:\/\/[^/]+/, '') ?? '';
  const send = (path: string) => call('POST', path, { body: '', headers: FORM });
  const page = await sign(codeId, { message: 'I was <her> friend.', name: 'Eva' });
  const link = linkIn(page);
  t.match(link, new RegExp(`^/s/${codeId}/entries/[0-9a-f]{24}\\.[\\w-]{43}$`));
  t.match(page.text, 'Use this link to delete your entry');
  const entry = link.split('/').at(-1)?.split('.')[0];
  const withdrawalLink = linkIn(await sign(codeId, { message: 'Another.' }));

  const withdrawalPage = await call('GET', link);
  t.equal(withdrawalPage.headers['cache-control'], 'no-store');
  t.match(withdrawalPage.text, 'I was &#60;her&#62; friend.');
  t.match(withdrawalPage.text, '<bdi>Eva</bdi>');
  const action = /action="([^"]+)#answer"/.exec(withdrawalPage.text)?.[1] ?? '';
  t.match((await call('GET', `${link}?lang=de`)).text, 'Eintrag löschen');
  const foreign = { ...FORM, 'sec-fetch-site': 'cross-site' };
  t.equal((await call('POST', action, { body: '', headers: foreign })).status, 403, 'a form of another site');

  await call('PATCH', `/api/memory-tags/${tagId}/guest-book/${entry}`, {
    token,
    body: { status: 'APPROVED' },
  });
  t.match((await pageOf(codeId)).text, 'friend.');
  await call('DELETE', `/api/qrcodes/${codeId}`, { token });
  const trail = await collectAuditActions(test, async () => {
    const [first, second] = await Promise.all([send(action), send(action)]);
    t.same([first.status, second.status].sort(), [200, 404], 'once, however often it is sent');
    t.match(first.text + second.text, 'Your entry has been deleted.');
  });
  t.same(trail, ['GUEST_BOOK_ENTRY_WITHDRAWN']);
  t.equal((await call('GET', link)).status, 404);
  t.match((await entries(tagId)).data, [{ message: 'Another.' }], 'no other entry');

  const token2 = withdrawalLink.split('/').at(-1) ?? '';
  const [id = '', signature = ''] = token2.split('.');
  const wrong = [id, `${id}.`, `${id}.${'A'.repeat(43)}`, `${entry}.${signature}`, 'x', '0'.repeat(24)];
  for (const one of wrong) {
    t.equal((await call('DELETE', `/api/memory-tags/guest-book/${one}`)).status, 404, one);
    t.equal((await send(`/s/${codeId}/entries/${one}/withdraw`)).status, 404, one);
    t.match(await call('GET', `/s/${codeId}/entries/${one}`), { status: 404, text: 'no longer exists' }, one);
  }
  const again = await stone();
  const visit = visitOf(again.codeId, await pageOf(again.codeId));
  const twice = () => sign(again.codeId, { visit, message: 'Once.' }, '203.0.113.9');
  const own = linkIn(await twice());
  t.equal(linkIn(await twice()), own, 'the same link for the same form');
  await send(`${own}/withdraw`);
  t.match(await twice(), { status: 404, text: 'no longer exists' }, 'which brings nothing back');
  t.same((await entries(again.tagId)).data, []);

  const path = `/api/memory-tags/guest-book/${token2}`;
  t.match(await call('DELETE', path), { status: 200, body: { id, deleted: true } });
  t.equal((await call('DELETE', path)).status, 404);
  t.same((await entries(tagId)).data, []);
});

t.test('shows the fields of the memory tag in place of those of its code', async (t) => {
  const { codeId, tagId } = await stone(
    {
      bornOn: '1931-05',
      diedOn: '2024',
      story: 'She planted trees.',
      places: [
        { label: 'Königsberg', kind: 'BIRTH', latitude: 54.7104, longitude: 20.4522 },
        { label: 'By the lake' },
      ],
    },
    {
      data: {
        name: 'K. Brandt',
        bornOn: '1930-01-01',
        epitaph: 'From the code.',
        biography: 'Old story.',
        birthplace: 'Old place',
        family: 'Mother of Eva',
      },
    },
  );
  const page = (await pageOf(codeId)).text;
  t.match(page, '<p class="kind">In memory of</p>\n<h1>Katharina Brandt</h1>');
  t.match(page, '<time datetime="1931-05">May 1931</time> – <time datetime="2024">2024</time>');
  t.match(page, '<p class="story text">She planted trees.</p>');
  t.match(page, 'Birthplace: <bdi>Königsberg</bdi> <a ');
  t.match(page, 'mlat=54.710400&#38;mlon=20.452200');
  t.match(page, '<li><bdi>By the lake</bdi></li>');
  t.match(page, 'From the code.', 'what the tag does not say');
  t.match(page, 'Mother of Eva');
  for (const old of ['K. Brandt<', '1930', 'Old story', 'Old place']) t.notMatch(page, old);
  const german = (await pageOf(codeId, 'de')).text;
  t.match(german, '<time datetime="1931-05">Mai 1931</time> – <time datetime="2024">2024</time>');

  await call('PATCH', `/api/memory-tags/${tagId}`, { token, body: { bornOn: '0987', diedOn: null } });
  t.match((await pageOf(codeId)).text, '<p class="kind">Born: <time datetime="0987">987</time></p>');
  await call('PATCH', `/api/memory-tags/${tagId}`, { token, body: { bornOn: null } });
  t.match((await pageOf(codeId)).text, '1930', 'where the tag knows neither date');
  await call('PATCH', `/api/memory-tags/${tagId}`, { token, body: { qrCodeId: null } });
  const alone = (await pageOf(codeId)).text;
  t.match(alone, '<h1>K. Brandt</h1>');
  t.notMatch(alone, '/guest-book');
});

t.test('limits the size of a page, and pages through all entries', async (t) => {
  const word = '&wört "';
  const story = `${word.repeat(2_000)}\n\n${'見'.repeat(5_000)}`;
  const { codeId, tagId } = await stone({
    name: '&'.repeat(200),
    epitaph: '語'.repeat(500),
    story,
    places: Array(20).fill({ label: '&'.repeat(200), kind: 'HOME', latitude: 1, longitude: 2 }),
  });
  for (let n = 0; n < 40; n += 1) {
    const id = `${n}`.padStart(24, '0');
    const place = { table: 'guest_book_entries', column: 'content', rowId: id, ownerId: owner.id };
    const content = services.fieldCipher.encrypt(place, {
      name: '語'.repeat(80),
      message: `${n}: ${'&'.repeat(990)}`,
    });
    const decided = { state: 'APPROVED', decidedAt: new Date() };
    await client.guestBookEntry.create({
      data: {
        id,
        memoryTagId: tagId,
        accountId: owner.id,
        content,
        ...decided,
        createdAt: new Date(1e12 + n),
      },
    });
  }
  for (const lang of LOCALES.keys()) {
    const { text } = await pageOf(codeId, lang);
    t.ok(Buffer.byteLength(text) < 20_000, `${lang}: ${Buffer.byteLength(text)}`);
    t.match(text, `href="/s/${codeId}/story?lang=${lang}"`);
    t.match(text, `href="/s/${codeId}/entries?lang=${lang}"`);
    t.match(text, `action="/s/${codeId}/guest-book?lang=${lang}#answer"`);
    const thanks = await sign(codeId, { message: lang }, undefined, lang);
    t.match(thanks.text, `/s/${codeId}/entries/`);
    t.ok(Buffer.byteLength(thanks.text) < 20_000, `${lang}, with thanks: ${Buffer.byteLength(thanks.text)}`);
  }
  let [next, read, parts] = [`/s/${codeId}/story?lang=hi`, '', 0];
  while (next) {
    const { status, text } = await call('GET', next);
    t.equal(status, 200);
    t.ok(Buffer.byteLength(text) < 20_000, `${Buffer.byteLength(text)}`);
    read += /<p class="story text">([^<]*)<\/p>/.exec(text)?.[1] ?? '';
    parts += 1;
    next = /href="([^"]*part=(\d+))"/.exec(text)?.[1]?.replaceAll('&#38;', '&') ?? '';
    if (!next.endsWith(`part=${parts + 1}`)) break;
  }
  t.ok(parts > 4, `${parts} parts`);
  const plain = (text: string) =>
    text.replace(/&#(\d+);/g, (_all, code) => String.fromCodePoint(Number(code))).replace(/\s/g, '');
  t.equal(plain(read), plain(story), 'nothing is lost between the parts');

  const entryNumbers = new Set<string>();
  for (next = `/s/${codeId}/entries`; next; ) {
    const { text } = await call('GET', next);
    t.ok(Buffer.byteLength(text) < 20_000);
    for (const [, n = ''] of text.matchAll(/<p class="text">(\d+):/g)) entryNumbers.add(n);
    next = /href="([^"]*cursor=[^"]*)"/.exec(text)?.[1]?.replaceAll('&#38;', '&') ?? '';
  }
  t.equal(entryNumbers.size, 40);
  t.equal((await call('GET', `/s/${codeId}/entries?cursor=x`)).status, 400);
  t.equal((await call('GET', `/s/${codeId}/story?part=99`)).status, 200);
});

t.test('shows no entries of protected, closed or missing codes', async (t) => {
  const { codeId } = await stone({ story: 'Secret. '.repeat(2_000) }, { pin: '4711' });
  const before = await pageOf(codeId);
  t.notMatch(before.text, /Secret|guest-book|Katharina/);
  for (const path of ['story', 'entries']) t.equal((await call('GET', `/s/${codeId}/${path}`)).status, 404);
  const visit = visitOf(codeId, before);
  t.equal((await sign(codeId, { visit, message: 'Hello' })).status, 403);
  const opened = await call('POST', `/s/${codeId}/pin`, { body: `visit=${visit}&pin=4711`, headers: FORM });
  t.match(opened.text, 'Secret.');
  t.match(opened.text, `<form method="post" action="/s/${codeId}/story?lang=en">`);
  t.notMatch(opened.text, /href="[^"]*(?:story|entries)/);
  const story = await call('POST', `/s/${codeId}/story`, { body: `visit=${visit}&part=2`, headers: FORM });
  t.equal(story.status, 200);
  t.match(story.text, 'Part 2 of');
  t.match(story.text, `value="${visit}"`);
  t.equal((await sign(codeId, { visit, message: 'Hello' })).status, 200);
  const other = await stone({ story: 'Another.' });
  t.equal((await call('POST', `/s/${other.codeId}/story`, { body: '', headers: FORM })).status, 200);
  const pet = await test.code();
  for (const id of [pet, 'x'.repeat(24), '0'.repeat(24)])
    for (const path of ['story', 'entries']) t.equal((await call('GET', `/s/${id}/${path}`)).status, 404);
  await call('PUT', `/api/qrcodes/${other.codeId}`, { token, body: { status: 'PAUSED' } });
  t.equal((await call('GET', `/s/${other.codeId}/story`)).status, 410);
  t.notMatch((await call('GET', `/s/${other.codeId}/story`)).text, 'Another');
});

t.test('a deleted entry is gone for everybody, and restored as visible as it was', async (t) => {
  const { codeId, tagId } = await stone();
  await sign(codeId, { name: 'Eva', message: 'She sang.' });
  const [{ id }] = (await entries(tagId)).data;
  const url = `/api/memory-tags/${tagId}/guest-book/${id}`;
  const approve = () => call('PATCH', url, { token, body: { status: 'APPROVED' } });
  await approve();
  t.match((await pageOf(codeId)).text, 'She sang.');
  const trail = await collectAuditActions(test, async () => {
    t.same((await call('DELETE', url, { token })).body, { id, deleted: true });
    t.equal((await call('DELETE', url, { token })).status, 404);
  });
  t.ok(trail.includes('GUEST_BOOK_ENTRY_DELETED'));
  t.notMatch((await pageOf(codeId)).text, 'She sang.');
  t.equal((await approve()).status, 404);
  t.match(await entries(tagId), { data: [], pagination: { total: 0 } });
  t.match((await entries(tagId, '?deleted=true')).data, [{ id, message: 'She sang.', status: 'APPROVED' }]);
  const { reader } = await createReportingClients(t, test);
  const countReported = async () => {
    const counts = 'SELECT entries, approved_entries FROM reporting.memory_tags WHERE id = $1';
    return (await reader.query(counts, [tagId])).rows[0];
  };
  t.match(await countReported(), { entries: '0', approved_entries: '0' });

  const restore = (as = token) => call('POST', `${url}/restore`, { token: as });
  t.equal((await restore((await createUser()).accessToken)).status, 404);
  t.match(await restore(), { status: 200, body: { id, status: 'APPROVED' } });
  t.equal((await restore()).status, 404, 'it is not deleted');
  t.match((await pageOf(codeId)).text, 'She sang.');
  t.match(await countReported(), { entries: '1', approved_entries: '1' });

  await call('DELETE', url, { token });
  const age = (days: number) =>
    client.guestBookEntry.update({
      where: { id },
      data: { deletedAt: new Date(Date.now() - days * 86_400_000) },
    });
  await age(29);
  await purgeDeletedGuestBookEntries(database);
  t.equal(await client.guestBookEntry.count({ where: { id } }), 1);
  await age(31);
  t.equal((await restore()).status, 404, 'too late');
  t.same((await entries(tagId, '?deleted=true')).data, []);
  await purgeDeletedGuestBookEntries(database);
  t.equal(await client.guestBookEntry.count({ where: { id } }), 0);
});

t.test('an entry that is restored while deleted ones are removed stays', async (t) => {
  const { codeId, tagId } = await stone();
  await sign(codeId, { message: 'Just in time.' });
  const [{ id }] = (await entries(tagId)).data;
  const deletedAt = new Date(Date.now() - 31 * DAY_MS);
  await client.guestBookEntry.update({ where: { id }, data: { deletedAt } });
  const restoring = pauseTransaction(test, (tx) =>
    tx.guestBookEntry.update({ where: { id }, data: { deletedAt: null } }),
  );
  await restoring.paused;
  const purging = purgeDeletedGuestBookEntries(database);
  await waitForLock(test, purging);
  restoring.release();
  await Promise.all([restoring.done, purging]);
  t.equal(await client.guestBookEntry.count({ where: { id, deletedAt: null } }), 1);
});

t.test('no entry is restored among too many that are to be decided', async (t) => {
  const { codeId, tagId } = await stone();
  await sign(codeId, { message: 'One more.' });
  const row = await client.guestBookEntry.findFirstOrThrow({ where: { memoryTagId: tagId } });
  const url = `/api/memory-tags/${tagId}/guest-book/${row.id}`;
  await call('DELETE', url, { token });
  await client.guestBookEntry.createMany({
    data: Array.from({ length: 500 }, () => ({ ...row, id: generateId() })),
  });
  const restore = () => call('POST', `${url}/restore`, { token });
  t.match(await restore(), { status: 409, body: { code: 'TOO_MANY_PENDING_ENTRIES' } });
  await client.guestBookEntry.update({
    where: { id: row.id },
    data: { state: 'APPROVED', decidedAt: new Date() },
  });
  t.match(await restore(), { status: 200, body: { status: 'APPROVED' } }, 'a decided one is');
  await call('DELETE', url, { token });
  await client.guestBookEntry.update({ where: { id: row.id }, data: { state: 'PENDING', decidedAt: null } });
  const { id } = await client.guestBookEntry.findFirstOrThrow({
    where: { memoryTagId: tagId, id: { not: row.id } },
  });
  await client.guestBookEntry.update({ where: { id }, data: { state: 'HIDDEN', decidedAt: new Date() } });
  t.equal((await restore()).status, 200, 'and one of 500');
});

t.test('deleted entries are listed by when they were deleted, the last first', async (t) => {
  const { codeId, tagId } = await stone();
  for (const message of ['First.', 'Second.', 'Third.']) await sign(codeId, { message });
  const listed: { id: string; message: string }[] = (await entries(tagId)).data;
  t.same(
    listed.map(({ message }) => message),
    ['Third.', 'Second.', 'First.'],
  );
  const times = [2, 1, 3];
  for (const [index, { id }] of listed.entries())
    await client.guestBookEntry.update({
      where: { id },
      data: { deletedAt: new Date(Date.now() - Number(times[index]) * DAY_MS) },
    });
  const found: string[] = [];
  for (let cursor = 'start'; cursor; ) {
    const page = await entries(tagId, `?deleted=true&limit=1&cursor=${cursor}`);
    found.push(...page.data.map(({ message }: { message: string }) => message));
    cursor = page.pagination.nextCursor;
  }
  t.same(found, ['Second.', 'Third.', 'First.']);
});

t.test('the author of an entry withdraws it for good, though its owner has deleted it', async (t) => {
  const { codeId, tagId } = await stone();
  const signed = await sign(codeId, { message: 'Once.' });
  const link = /href="([^"]*\/entries\/[^"]*)"/.exec(signed.text)?.[1] ?? '';
  const [{ id }] = (await entries(tagId)).data;
  await call('DELETE', `/api/memory-tags/${tagId}/guest-book/${id}`, { token });
  const withdrawal = `/api/memory-tags/guest-book/${link.split('/').at(-1)?.split('?')[0]}`;
  t.match(await call('DELETE', withdrawal), { status: 200, body: { id } });
  t.equal((await call('POST', `/api/memory-tags/${tagId}/guest-book/${id}/restore`, { token })).status, 404);
});
