import { createNotifyAnniversariesJob } from '../../../src/features/memory-tags/notify-anniversaries.job.ts';
import { LOCALES } from '../../../src/shared/i18n/locales.ts';
import { translateNotification } from '../../../src/shared/i18n/notification-text.ts';
import { generateAbsentId, startTestApp, TEST_PASSWORD } from '../../helper.ts';
import { t } from '../../tap.ts';
import { collectAuditActions } from './audit-helper.ts';

const LIFE = {
  name: 'Katharina Brandt',
  subject: 'PERSON',
  bornOn: '1931-05-17',
  diedOn: '2024',
  places: [
    { label: 'Königsberg', kind: 'BIRTH', latitude: 54.7104, longitude: 20.4522 },
    { label: 'The old school' },
  ],
};

const test = await startTestApp(t);
const { call, createUser, database } = test;
const { client } = database;
const ada = await createUser();
const bea = await createUser();
const eve = await createUser();
const token = ada.accessToken;
const make = async (body: object = LIFE) =>
  (await call('POST', '/api/memory-tags', { token, body })).body as { id: string };
const name = (id: string, email: string, by = token, headers = {}) =>
  call('POST', `/api/memory-tags/${id}/caretakers`, { token: by, body: { email }, headers });
const listNotifications = (id: string) =>
  client.notification.findMany({
    where: { event: 'caretaker.added', data: { path: ['memoryTagId'], equals: id } },
  });

t.test('stores partial dates and places', async (t) => {
  const { id } = await make();
  const path = `/api/memory-tags/${id}`;
  const read = await call('GET', path, { token });
  t.match(read.body, { ...LIFE, guestBookOpen: true, anniversaryReminders: true, role: 'OWNER' });
  const same = await call('PATCH', path, { token, body: read.body });
  t.equal(same.status, 200, same.text);
  for (const change of [
    { bornOn: '1931' },
    { bornOn: null },
    { bornOn: '0987-06', diedOn: '1024-07-13' },
    { places: [] },
    { subject: 'ANIMAL', guestBookOpen: false, anniversaryReminders: false },
  ])
    t.match((await call('PATCH', path, { token, body: change })).body, change);
  const wrong: [object, string][] = [
    [{ bornOn: '1931-02-29' }, 'bornOn BAD_FORMAT'],
    [{ bornOn: '1931-5' }, 'bornOn BAD_FORMAT'],
    [{ bornOn: '1025', diedOn: '1024-07' }, 'diedOn TOO_SMALL'],
    [{ subject: 'PLANT' }, 'subject NOT_ALLOWED'],
    [{ subject: null }, 'subject WRONG_TYPE'],
    [{ places: [{ label: 'x', latitude: 1 }] }, 'places[0].longitude REQUIRED'],
    [{ places: [{ label: 'x', latitude: 91, longitude: 0 }] }, 'places[0].latitude TOO_LARGE'],
    [{ places: [{ label: '' }] }, 'places[0].label TOO_SHORT'],
    [{ places: Array(21).fill({ label: 'x' }) }, 'places TOO_MANY'],
  ];
  for (const [body, expected] of wrong) {
    const answer = await call('PATCH', path, { token, body });
    t.equal(answer.status, 400, expected);
    t.ok(
      answer.body.errors.some(
        (one: { field: string; code: string }) => `${one.field} ${one.code}` === expected,
      ),
      `${expected}: ${JSON.stringify(answer.body.errors)}`,
    );
  }
});

t.test('gives a caretaker access without revealing whether an address has an account', async (t) => {
  const { id } = await make();
  const path = `/api/memory-tags/${id}`;
  const theirs = bea.accessToken;
  t.equal((await call('GET', path, { token: theirs })).status, 404);
  const actions = await collectAuditActions(test, async () => {
    const known = await name(id, bea.email.toUpperCase());
    const unknown = await name(id, 'nobody@example.org');
    t.equal(known.status, 201, known.text);
    t.equal(unknown.status, 201);
    t.same(Object.keys(known.body), Object.keys(unknown.body));
    t.equal((await name(id, bea.email)).body.id, known.body.id, 'the same again changes nothing');
  });
  t.same(actions, ['MEMORY_TAG_CARETAKER_ADDED', 'MEMORY_TAG_CARETAKER_ADDED']);
  const notifications = await listNotifications(id);
  t.match(notifications, [{ userId: bea.id, type: 'DEFAULT', data: { memoryTagId: id } }]);
  t.equal(notifications.length, 1, 'who has an account, once');
  t.notMatch(JSON.stringify(notifications), /Katharina|Ada|Lovelace/, 'nothing that the owner has written');
  const mail = await test.getMailBySubject(bea.email, /help look after a memorial/);
  t.match(mail?.text, 'Someone asked for your help with a memorial');
  t.notMatch(`${mail?.subject}${mail?.text}`, /Katharina/);
  t.equal(await test.getLastMail('nobody@example.org'), null, 'an address without an account gets no mail');
  const named = (await call('GET', `${path}/caretakers`, { token })).body;
  t.match(named, { data: [{ email: bea.email }, { email: 'nobody@example.org' }], pagination: { total: 2 } });
  t.same(Object.keys(named.data[0]), Object.keys(named.data[1]));

  await t.test('lets a caretaker change only texts, dates and places', async (t) => {
    const caring = (await call('GET', '/api/memory-tags/caring', { token: theirs })).body;
    t.match(caring, { data: [{ memoryTag: { id, ...LIFE } }], pagination: { total: 1 } });
    t.equal((await call('GET', '/api/memory-tags', { token: theirs })).body.pagination.total, 0);
    const read = await call('GET', path, { token: theirs });
    t.match(read.body, { role: 'CARETAKER' });
    const change = { story: 'She sang.', bornOn: '1931', places: [{ label: 'Here' }] };
    const changed = await call('PATCH', path, { token: theirs, body: { ...read.body, ...change } });
    t.match(changed.body, change, changed.text);
    const trail = await collectAuditActions(test, () =>
      call('PATCH', path, { token: theirs, body: { epitaph: 'Rest.' } }),
    );
    t.same(trail, ['MEMORY_TAG_UPDATED']);
    const refused: [string, string, unknown?][] = [
      ['PATCH', path, { qrCodeId: generateAbsentId() }],
      ['PUT', path, { guestBookOpen: false }],
      ['PATCH', path, { anniversaryReminders: false }],
      ['DELETE', path],
      ['GET', `${path}/caretakers`],
      ['GET', `${path}/guest-book?deleted=true`],
      ['POST', `${path}/caretakers`, { email: eve.email }],
      ['DELETE', `${path}/caretakers/${generateAbsentId()}`],
    ];
    for (const [method, url, body] of refused)
      t.equal((await call(method, url, { token: theirs, body })).status, 403, `${method} ${url}`);
    t.match((await call('GET', path, { token })).body, { ...change, guestBookOpen: true, qrCodeId: null });
  });

  await t.test('lets nobody in while the owner is suspended', async (t) => {
    const setStatus = (status: string) =>
      database.client.user.update({ where: { id: ada.id }, data: { status } });
    await setStatus('SUSPENDED');
    t.equal((await call('GET', path, { token: theirs })).status, 404);
    t.equal((await call('PATCH', path, { token: theirs, body: { story: 'x' } })).status, 404);
    for (const url of ['guest-book', 'pictures', 'export'])
      t.equal((await call('GET', `${path}/${url}`, { token: theirs })).status, 404, url);
    t.equal((await call('GET', '/api/memory-tags/caring', { token: theirs })).body.pagination.total, 0);
    await setStatus('ACTIVE');
    t.equal((await call('GET', path, { token: theirs })).status, 200);
    t.equal((await call('GET', '/api/memory-tags/caring', { token: theirs })).body.pagination.total, 1);
  });

  await t.test('removes a caretaker immediately', async (t) => {
    const { data } = (await call('GET', `${path}/caretakers`, { token })).body;
    const gone = await call('DELETE', `${path}/caretakers/${data[0].id}`, { token });
    t.same(gone.body, { id: data[0].id, deleted: true });
    t.equal((await call('GET', path, { token: theirs })).status, 404);
    t.same(await listNotifications(id), [], 'their notification is deleted');
    t.equal((await call('PATCH', path, { token: theirs, body: { story: 'x' } })).status, 404);
    t.equal((await call('GET', '/api/memory-tags/caring', { token: theirs })).body.pagination.total, 0);
    t.equal((await call('DELETE', `${path}/caretakers/${data[0].id}`, { token })).status, 404);
    const another = await make();
    t.equal(
      (await call('DELETE', `/api/memory-tags/${another.id}/caretakers/${data[1].id}`, { token })).status,
      404,
      'of another memory tag',
    );
  });

  await t.test('lets a caretaker leave', async (t) => {
    await Promise.all([name(id, bea.email), name(id, bea.email)]);
    t.match(
      (await listNotifications(id)).map(({ userId }) => userId),
      [bea.id],
      'a caretaker who is added again is notified once more',
    );
    const left = await collectAuditActions(test, () =>
      call('DELETE', `/api/memory-tags/caring/${id}`, { token: theirs }),
    );
    t.same(left, ['MEMORY_TAG_CARETAKER_LEFT']);
    t.equal((await call('GET', path, { token: theirs })).status, 404);
  });

  await t.test('gives nothing to an address before its owner has confirmed it', async (t) => {
    const email = 'unconfirmed@example.org';
    await call('POST', '/api/auth/register', { body: { email, password: TEST_PASSWORD } });
    const created = await name(id, email);
    t.equal(created.status, 201);
    const where = { id: created.body.id };
    t.equal((await client.memoryTagCaretaker.findUniqueOrThrow({ where })).userId, null);
    await call('DELETE', `${path}/caretakers/${created.body.id}`, { token });
  });

  await t.test('applies to an account that is created later', async (t) => {
    await name(id, 'later@example.org');
    const later = await createUser({ email: 'later@example.org' });
    const caring = await call('GET', '/api/memory-tags/caring', { token: later.accessToken });
    t.equal(caring.body.data[0]?.memoryTag.id, id);
    t.equal((await call('GET', path, { token: later.accessToken })).status, 200);
    t.same(await listNotifications(id), [], 'no notification about the time before the account');
  });

  await t.test('limits notifications of new caretakers to 100 a day', async (t) => {
    const { id } = await make();
    t.equal((await name(id, bea.email)).status, 201);
    const key = `caretaker-mails:${ada.id}`;
    const before = await client.attemptBudget.findUniqueOrThrow({ where: { key } });
    await client.attemptBudget.update({ where: { key }, data: { used: 100 } });
    for (const email of [eve.email, 'stranger@example.org'])
      t.match(await name(id, email), { status: 429, body: { code: 'RATE_LIMITED' } });
    t.equal((await name(id, bea.email)).status, 201, 'a repeat notifies nobody');
    t.equal((await listNotifications(id)).length, 1);
    await client.attemptBudget.update({ where: { key }, data: { used: before.used } });
  });

  await t.test('limits caretakers to ten, rejects the owner, and is idempotent', async (t) => {
    const { id } = await make();
    t.match((await name(id, ada.email)).body, { errors: [{ field: 'email', code: 'NOT_ALLOWED' }] });
    t.match((await name(id, 'x')).body, { errors: [{ field: 'email', code: 'BAD_FORMAT' }] });
    const headers = { 'idempotency-key': 'a-caretaker-is-named-once' };
    await Promise.all([1, 2, 3].map(() => name(id, 'n0@example.org', token, headers)));
    const answers = await Promise.all(Array.from({ length: 14 }, (_, n) => name(id, `n${n}@example.org`)));
    t.equal(answers.filter(({ status }) => status === 201).length, 10);
    t.match(answers.find(({ status }) => status === 400)?.body, { errors: [{ code: 'TOO_MANY' }] });
    t.equal(await client.memoryTagCaretaker.count({ where: { memoryTagId: id } }), 10);
  });
});

t.test('notifies owner and caretakers of anniversaries once a year, in the morning', async (t) => {
  await client.memoryTag.deleteMany({ where: { accountId: ada.id } });
  const listNotificationsAt = async (at: string) => {
    await client.notification.deleteMany({
      where: { event: { contains: 'anniversary' }, readAt: { not: null } },
    });
    const job = createNotifyAnniversariesJob({ ...test.services, now: () => new Date(at) });
    await Promise.all([job({}), job({})]);
    await job({});
    const rows = await client.notification.findMany({
      where: { event: { contains: 'anniversary' } },
      orderBy: [{ event: 'asc' }, { userId: 'asc' }],
    });
    return rows.map(({ event, userId }) => `${event} ${userId === ada.id ? 'owner' : 'caretaker'}`);
  };
  const { id } = await make({ ...LIFE, diedOn: '2004-02-29' });
  await make({ name: 'Only a year', bornOn: '1931', diedOn: '1999-05' });
  await make({ name: 'Not wanted', bornOn: '1931-05-17', anniversaryReminders: false });
  await client.user.update({ where: { id: ada.id }, data: { timeZone: 'America/New_York' } });
  await name(id, bea.email);
  t.same(await listNotificationsAt('2026-05-17T11:59:00Z'), [], 'before eight there');
  t.same(
    await listNotificationsAt('2026-05-17T12:00:00Z'),
    ['memory_tag.birth_anniversary owner'],
    'a caretaker who never opened the memory tag is not notified',
  );
  await call('GET', `/api/memory-tags/${id}`, { token: bea.accessToken });
  t.equal((await listNotificationsAt('2026-05-17T20:00:00Z')).length, 2, 'who has looked is');
  t.equal((await listNotificationsAt('2026-05-18T13:00:00Z')).length, 2, 'and not on another day');
  t.equal((await listNotificationsAt('2027-02-28T14:00:00Z')).length, 4);
  t.equal((await listNotificationsAt('2027-03-01T14:00:00Z')).length, 4);
  t.equal((await listNotificationsAt('2027-05-17T14:00:00Z')).length, 6, 'again in another year');

  const ofBea = () =>
    client.notification.count({ where: { userId: bea.id, data: { path: ['memoryTagId'], equals: id } } });
  t.equal(await ofBea(), 4, 'three days, and that they were named');
  const mail = await test.getMailBySubject(bea.email, /birthday/);
  t.match(mail?.text, 'Katharina Brandt was born on May 17, 1931.');
  const [row] = await client.notification.findMany({ where: { event: 'memory_tag.birth_anniversary' } });
  const { data } = (await call('GET', `/api/memory-tags/${id}/caretakers`, { token })).body;
  await call('DELETE', `/api/memory-tags/${id}/caretakers/${data[0].id}`, { token });
  t.equal(await ofBea(), 0, 'a former caretaker keeps no notification');
  for (const locale of LOCALES.values()) {
    const { title, body } = translateNotification(locale, {
      event: 'memory_tag.birth_anniversary',
      data: row?.data as Record<string, string>,
    });
    t.match(title, 'Katharina Brandt');
    t.notMatch(body, /[{}]/, locale.tag);
    t.match(
      body.replace(/[٠-٩]/g, (digit) => `${digit.charCodeAt(0) - 0x660}`),
      /1931/,
      locale.tag,
    );
  }
});
