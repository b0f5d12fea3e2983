import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createNotifyExpiringQrCodesJob } from '../../../src/features/codes/notify-expiring-codes.job.ts';
import { getOwnerPreviewUrl } from '../../../src/features/codes/owner-preview-url.ts';
import { dispatchDueNotifications } from '../../../src/features/notifications/dispatch-notifications.use-case.ts';
import { claimDueNotifications } from '../../../src/features/notifications/due-notification.repository.ts';
import { insertNotification } from '../../../src/features/notifications/insert-notification.repository.ts';
import { HOUR_MS } from '../../../src/shared/durations.ts';
import type { TestResponse, TestUser } from '../../helper.ts';
import { t } from '../../tap.ts';
import { insertTestQrCode } from '../audit-trail-helper.ts';
import { listMailsCausedBy } from '../identity/accounts/helper.ts';
import { createTokenHeader, startScans } from '../scans/helper.ts';

const test = await startScans(t);
const { call, services, database, code, scan, createUser } = test;
const { client } = database;

/** Distinct visitors, each in a network of its own. */
let visitors = 0;
function visit(qrCodeId: string): Promise<TestResponse> {
  visitors += 1;
  const remoteAddress = `198.${18 + Math.floor(visitors / 250)}.${visitors % 250}.7`;
  const headers = {
    'user-agent': `${'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605'}.${visitors}`,
  };
  return scan({ qrCodeId }, { remoteAddress, headers });
}

async function newcomer(settings?: object): Promise<TestUser & { token: string }> {
  const owner = await createUser();
  await client.notification.deleteMany({ where: { userId: owner.id } });
  const token = owner.accessToken;
  if (settings) {
    const saved = await call('PUT', '/api/notifications/preferences', { token, body: settings });
    if (saved.status !== 200) throw new Error(saved.text);
  }
  return { ...owner, token };
}

/** List notifications of a user, oldest first, each with its deliveries by channel. */
async function listDeliveries(userId: string) {
  const rows = await client.notification.findMany({
    where: { userId, dismissedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    include: { deliveries: { orderBy: { channel: 'asc' } } },
  });
  return rows.map(({ event, deliveries }) => [
    event,
    ...deliveries.map(({ channel, status, reason }) => [channel, status, reason].filter(Boolean).join(' ')),
  ]);
}

t.test(
  'notifies the owner of a lost item immediately by push and by a mail with an unsubscribe link',
  async (t) => {
    const ada = await newcomer({ quietHours: { from: '00:00', to: '23:59' } });
    const id = await code({ title: 'My {bag}' }, ada);
    await call('POST', `/api/qrcodes/${id}/lost`, { token: ada.token, body: {} });
    const mails = await listMailsCausedBy(test, ada.email, async () => {
      t.equal((await visit(id)).status, 201);
    });
    t.equal(mails.length, 1);
    t.match(mails[0]?.text, /https:\/\/qr\.example\.org\/s\/o\/\S+/, 'the mail leads to the scan');
    const previewUrl = getOwnerPreviewUrl(services, id, 'en');
    const previewPath = previewUrl.slice(previewUrl.indexOf('/s/'));
    t.match(mails[0]?.text, /Time: \w+ \d+, 20\d\d at \d+:\d\d.[AP]M UTC/, 'the mail contains the time');
    const before = await client.scan.count({ where: { qrCodeId: id } });
    const page = await call('GET', previewPath, { remoteAddress: '192.0.2.9' });
    t.match(page, { status: 200, text: /Rex/ });
    t.notMatch(page.text, `/s/${id}?lang=`, 'no link of it leads to a scan');
    t.equal(
      await client.scan.count({ where: { qrCodeId: id } }),
      before,
      'opening the preview of a mail is not a scan',
    );
    await call('GET', `${previewPath}x`, { remoteAddress: '192.0.2.9', headers: { purpose: 'prefetch' } });
    t.equal(await client.scan.count({ where: { qrCodeId: id } }), before + 1, 'by that address alone');
    t.match(mails[0], {
      subject: /My \{bag\}/,
      text: /My \{bag\}[\s\S]+\/app\/unsubscribe\//,
    });
    const raw = await readFile(join(services.mailboxDir, mails[0]?.file ?? ''), 'utf8');
    const unfolded = raw.replace(/\r?\n[ \t]/g, ' ');
    t.match(
      unfolded,
      /^List-Unsubscribe: ?<https:\/\/qr\.example\.org\/api\/notifications\/unsubscribe\/[^>\s]+>$/m,
    );
    t.match(unfolded, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
    t.same(await listDeliveries(ada.id), [
      ['code.scanned_while_lost', 'EMAIL DELIVERED', 'PUSH NOT_SENT NOT_CONFIGURED'],
    ]);
    const listed = (await call('GET', '/api/notifications', { token: ada.token })).body.data[0];
    t.match(listed.deliveries, [
      { channel: 'IN_APP', status: 'DELIVERED' },
      { channel: 'EMAIL', status: 'DELIVERED', reason: null },
      { channel: 'PUSH', status: 'NOT_SENT', reason: 'NOT_CONFIGURED' },
    ]);
  },
);

t.test('sends one alert per visitor in ten minutes, and ten per code in an hour', async (t) => {
  const ada = await newcomer({ quietHours: { from: '00:00', to: '23:59' } });
  const [rex, bag] = [await code({ title: 'Rex' }, ada), await code({ title: 'Bag' }, ada)];
  await call('POST', `/api/qrcodes/${rex}/lost`, { token: ada.token, body: {} });
  const alarm = ['EMAIL DELIVERED', 'PUSH NOT_SENT NOT_CONFIGURED'];
  const listed = ['EMAIL NOT_SENT ALREADY_NOTIFIED'];
  const remoteAddress = '203.0.113.7';
  const openPage = () => call('GET', `/s/${rex}`, { remoteAddress });
  const forget = () => client.notification.deleteMany({ where: { userId: ada.id } });
  const flood = await listMailsCausedBy(test, ada.email, async () => {
    for (let n = 0; n < 6; n++) t.equal((await openPage()).status, 200);
    await dispatchDueNotifications(services);
    for (let n = 0; n < 6; n++) t.equal((await openPage()).status, 200);
  });
  t.equal(flood.length, 1);
  t.same(await listDeliveries(ada.id), [
    ['code.scanned_while_lost', ...alarm],
    ...Array.from({ length: 11 }, () => ['code.scanned_while_lost', ...listed]),
  ]);
  await forget();
  await client.$executeRaw`UPDATE attempt_budgets SET window_ends_at = now() WHERE key LIKE 'alarm:%'`;
  t.equal(
    (await listMailsCausedBy(test, ada.email, openPage)).length,
    1,
    'whoever else is behind that address, later',
  );

  await forget();
  const positions = await listMailsCausedBy(test, ada.email, async () => {
    for (let n = 0; n < 5; n++) {
      const made = await scan({ qrCodeId: bag }, { remoteAddress });
      const body = { latitude: 52.5 + n / 100, longitude: 13.4 };
      await call('POST', `/api/scans/public/${made.body.scan.id}/location`, {
        body,
        headers: createTokenHeader(made),
      });
    }
  });
  t.equal(positions.length, 1, 'positions of one visitor');
  const located = (await listDeliveries(ada.id)).filter(([event]) => event === 'scan.located');
  t.same(located, [
    ['scan.located', ...alarm],
    ...Array.from({ length: 4 }, () => ['scan.located', ...listed]),
  ]);

  await forget();
  const other = await listMailsCausedBy(test, ada.email, async () => {
    for (let n = 0; n < 10; n++) t.equal((await visit(rex)).status, 201);
    const made = await visit(rex);
    const body = { latitude: 48.85837, longitude: 2.294481 };
    await call('POST', `/api/scans/public/${made.body.scan.id}/location`, {
      body,
      headers: createTokenHeader(made),
    });
  });
  t.equal(other.length, 8, 'ten of the code, with the two of before');
  const digestDeliveries = (await listDeliveries(ada.id)).filter(([, ...sent]) =>
    sent.includes('EMAIL WAITING TOO_MANY'),
  );
  t.equal(digestDeliveries.length, 4);
  const end = new Date(Date.now() + HOUR_MS);
  const digests = await listMailsCausedBy(test, ada.email, async () => {
    await Promise.all([dispatchDueNotifications(services, end), dispatchDueNotifications(services, end)]);
  });
  t.equal(digests.length, 1, 'also in quiet hours');
  t.match(digests[0], { subject: /^3 /, text: /Rex \(3\)[\s\S]+Paris[\s\S]+unsubscribe.*scan-located/ });
  t.equal(
    (await listDeliveries(ada.id)).filter(([, ...sent]) => sent.includes('EMAIL NOT_SENT TOO_MANY')).length,
    4,
  );
});

t.test(
  'sends the first five scans of an hour one by one and the others as a digest, also with two processes',
  async (t) => {
    const ada = await newcomer({ preferences: { 'scan.created': { EMAIL: true } } });
    const [rex, bag] = [await code({ title: 'Rex' }, ada), await code({ title: 'Bag' }, ada)];
    for (const id of [rex, rex, rex, rex, bag, rex, rex, bag]) t.equal((await visit(id)).status, 201);
    // The first five, in whatever hour they are.
    await client.notification.updateMany({ where: { userId: ada.id }, data: { createdAt: new Date() } });
    await dispatchDueNotifications(services);
    const digestDeliveries = (await listDeliveries(ada.id)).filter(([, ...sent]) =>
      sent.includes('EMAIL WAITING DIGEST'),
    );
    t.equal(digestDeliveries.length, 3);
    const ids = (
      await client.notificationDelivery.findMany({ where: { userId: ada.id, reason: 'DIGEST' } })
    ).map(({ notificationId }) => notificationId);
    // A notification that was read is not in a digest.
    await call('PATCH', `/api/notifications/${ids[0]}/read`, { token: ada.token });
    const unread = (await call('GET', '/api/notifications/unread-count', { token: ada.token })).body.count;
    const mails = await listMailsCausedBy(test, ada.email, async () => {
      const end = new Date(Date.now() + HOUR_MS);
      await Promise.all([dispatchDueNotifications(services, end), dispatchDueNotifications(services, end)]);
    });
    t.equal(mails.length, 1);
    t.match(mails[0], { subject: /^2 /, text: /(Rex|Bag) \(\d\)/ });
    const digest = await client.notification.findFirstOrThrow({
      where: { userId: ada.id, event: 'scan.digest' },
      include: { deliveries: true },
    });
    t.match(digest.deliveries, [{ channel: 'EMAIL' }]);
    t.equal(digest.deliveries.length, 1);
    t.match(digest.data, { count: '2' });
    t.equal((await call('GET', '/api/notifications/unread-count', { token: ada.token })).body.count, unread);
    const [newest] = (await call('GET', '/api/notifications', { token: ada.token })).body.data;
    t.match(newest, { event: 'scan.digest', isRead: true, title: /^2 / });
    await dispatchDueNotifications(services, new Date(Date.now() + 3 * HOUR_MS));
    t.equal(await client.notification.count({ where: { userId: ada.id, event: 'scan.digest' } }), 1);
  },
);

t.test(
  'defers what is not urgent to the end of quiet hours, and skips what was read or disabled',
  async (t) => {
    const now = new Date();
    const clock = (hours: number) => new Date(now.getTime() + hours * HOUR_MS).toISOString().slice(11, 16);
    const preferences = { 'scan.created': { EMAIL: true } };
    const quietHours = { from: clock(-1), to: clock(2) };
    const ada = await newcomer({ preferences, quietHours, digest: 'NEVER' });
    const id = await code({}, ada);
    for (let n = 0; n < 2; n++) await visit(id);
    const [mails, later] = [
      await listMailsCausedBy(test, ada.email, () => dispatchDueNotifications(services)),
      await listMailsCausedBy(test, ada.email, async () => {
        const [first] = (await call('GET', '/api/notifications?limit=1', { token: ada.token })).body.data;
        t.match(first.deliveries.slice(1), [{ channel: 'EMAIL', status: 'WAITING', reason: 'QUIET_HOURS' }]);
        await call('PATCH', `/api/notifications/${first.id}/read`, { token: ada.token });
        await dispatchDueNotifications(services, new Date(now.getTime() + HOUR_MS));
        t.equal(
          await client.notificationDelivery.count({ where: { userId: ada.id, reason: 'QUIET_HOURS' } }),
          2,
        );
        await dispatchDueNotifications(services, new Date(now.getTime() + 2 * HOUR_MS));
      }),
    ];
    t.same([mails.length, later.length], [0, 1]);
    t.same((await listDeliveries(ada.id)).map(([, ...sent]) => sent).sort(), [
      ['EMAIL DELIVERED'],
      ['EMAIL NOT_SENT SEEN'],
    ]);
  },
);

t.test('a scan that no channel can deliver is listed, without deliveries and digests', async (t) => {
  const ada = await newcomer();
  const id = await code({}, ada);
  for (let n = 0; n < 8; n++) t.equal((await visit(id)).status, 201);
  await dispatchDueNotifications(services);
  await dispatchDueNotifications(services, new Date(Date.now() + HOUR_MS));
  t.equal(await client.notification.count({ where: { userId: ada.id, event: 'scan.created' } }), 8);
  t.equal(await client.notification.count({ where: { userId: ada.id, event: 'scan.digest' } }), 0);
  t.equal(await client.notificationDelivery.count({ where: { userId: ada.id } }), 0);
});

t.test('applies the notification setting of a code', async (t) => {
  const inTokyo = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Tokyo' }).format(new Date());
  const begun = inTokyo();
  const ada = await newcomer();
  const { token } = ada;
  await call('PUT', `/api/auth/profile/${ada.id}`, { token, body: { timeZone: 'Asia/Tokyo' } });
  const events = async (notifyOn: string) => {
    const id = await code({ notifyOn }, ada);
    t.equal((await call('GET', `/api/qrcodes/${id}`, { token })).body.notifyOn, notifyOn);
    const before = await client.notification.count({ where: { userId: ada.id } });
    await Promise.all([visit(id), visit(id)]);
    await visit(id);
    const ordinary = (await client.notification.count({ where: { userId: ada.id } })) - before;
    await call('POST', `/api/qrcodes/${id}/lost`, { token, body: {} });
    for (let n = 0; n < 2; n++) await visit(id);
    return [ordinary, (await client.notification.count({ where: { userId: ada.id } })) - before - ordinary];
  };
  t.same(await events('EVERY_SCAN'), [3, 2]);
  t.same(await events('FIRST_OF_DAY'), [1, 2]);
  t.same(await events('ONLY_LOST'), [0, 2]);
  t.same(await events('NEVER'), [0, 0]);
  const { key } = await client.notification.findFirstOrThrow({
    where: { userId: ada.id, key: { contains: ':20' } },
  });
  t.ok([begun, inTokyo()].includes(key.slice(-10)), 'by the day of the owner');
  const made = await call('POST', '/api/qrcodes', {
    token,
    body: { kind: 'PET', title: 'x', data: { name: 'x' }, notifyOn: 'SOME' },
  });
  t.equal(made.status, 400);
});

t.test('sends one mail about messages until they are read, and none if disabled', async (t) => {
  const ada = await newcomer();
  const made = await visit(await code({}, ada));
  const write = (path: string, body: object, headers: Record<string, string>) =>
    call('POST', `/api/conversations/public${path}`, { body, headers });
  let opened: TestResponse | undefined;
  const mails = await listMailsCausedBy(test, ada.email, async () => {
    opened = await write('', { scanId: made.body.scan.id, message: 'one' }, createTokenHeader(made));
    t.equal(opened.status, 201, opened.text);
  });
  t.equal(mails.length, 1);
  t.match(mails[0]?.text, /\/s\/[0-9a-f]{24}\/c\//);
  const { id, conversationToken } = opened?.body ?? {};
  const again = () =>
    listMailsCausedBy(test, ada.email, () =>
      write(`/${id}/messages`, { message: 'more' }, { 'x-conversation-token': conversationToken }),
    );
  t.equal((await again()).length, 0);
  t.ok((await listDeliveries(ada.id)).some((one) => one.includes('EMAIL NOT_SENT ALREADY_NOTIFIED')));
  const read = () => call('POST', `/api/conversations/${id}/read`, { token: ada.token });
  await read();
  t.equal((await again()).length, 1);
  await read();
  await call('PUT', '/api/notifications/preferences', {
    token: ada.token,
    body: { preferences: { 'message.created': { EMAIL: false } } },
  });
  t.equal((await again()).length, 0);
  t.equal(
    (await listDeliveries(ada.id)).filter(([event]) => event === 'message.created').length,
    4,
    'in the application each time',
  );
});

t.test('notifies owners once of an expiring and of an expired code', async (t) => {
  const ada = await newcomer();
  const inDays = (days: number) => new Date(Date.now() + days * 24 * HOUR_MS);
  const job = createNotifyExpiringQrCodesJob(test.services);
  for (const [index, days] of [6, 8, -1, -3].entries())
    await insertTestQrCode(test, ada.id, {
      id: `${index}`.repeat(24),
      title: `in ${days}`,
      expiresAt: inDays(days),
    });
  await Promise.all([job({}), job({})]);
  await job({});
  const rows = await client.notification.findMany({ where: { userId: ada.id }, orderBy: { event: 'asc' } });
  t.match(rows, [
    { event: 'code.expired', data: { code: 'in -1' } },
    { event: 'code.expiring', data: { code: 'in 6' } },
  ]);
  t.equal(rows.length, 2);
  const mails = await listMailsCausedBy(test, ada.email, async () => {});
  t.equal(mails.length, 0, 'their mails are sent already');
  await client.qrCode.update({ where: { id: '0'.repeat(24) }, data: { expiresAt: inDays(5) } });
  await job({});
  t.equal(
    await client.notification.count({ where: { userId: ada.id } }),
    3,
    'a new expiry is notified again',
  );
});

t.test('loses and repeats nothing after a crash', async (t) => {
  const ada = await newcomer();
  const id = await code({}, ada);
  await call('POST', `/api/qrcodes/${id}/lost`, { token: ada.token, body: {} });
  let posted = 0;
  const enqueue: typeof services.mailOutbox.enqueue = async (tx, mail) => {
    posted += 1;
    if (posted === 3) throw new Error('killed');
    return services.mailOutbox.enqueue(tx, mail);
  };
  const dying = { ...services, mailOutbox: { ...services.mailOutbox, enqueue } };
  const mails = await listMailsCausedBy(test, ada.email, async () => {
    for (let n = 0; n < 5; n++) await visit(id);
    await t.rejects(dispatchDueNotifications(dying), { message: 'killed' });
    t.equal(await client.notificationDelivery.count({ where: { userId: ada.id } }), 0);
    await Promise.all([
      dispatchDueNotifications(services),
      dispatchDueNotifications(services),
      dispatchDueNotifications(services),
    ]);
  });
  t.equal(mails.length, 5);
  t.equal(await client.notificationDelivery.count({ where: { userId: ada.id, channel: 'EMAIL' } }), 5);
});

t.test('skips an account that is being erased', async (t) => {
  const [ada, eve] = [await newcomer(), await newcomer()];
  for (const { id: userId } of [ada, eve])
    await insertNotification(client, {
      userId,
      type: 'ALERT',
      event: 'code.pin_rejected',
      data: { code: 'Rex' },
    });
  const of = (userId: string) => client.notificationDelivery.count({ where: { userId } });
  await database.transaction(async (tx) => {
    await tx.$executeRaw`SELECT FROM users WHERE id = ${eve.id} FOR UPDATE`;
    await dispatchDueNotifications(services);
    t.same([await of(ada.id), await of(eve.id)], [2, 0]);
  });
  await client.notification.updateMany({ where: { userId: ada.id }, data: { dueAt: new Date() } });
  await database.transaction(async (tx) => {
    // The user cannot be erased until the claimed notification is stored.
    t.equal((await claimDueNotifications(tx, new Date(), 9)).length, 2);
    const locked = client.$queryRaw`SELECT FROM users WHERE id = ${eve.id} FOR UPDATE NOWAIT`;
    await t.rejects(locked);
  });
});

t.test('does not let a failing notification block others', async (t) => {
  const [ada, eve] = [await newcomer(), await newcomer()];
  const id = await code({}, ada);
  await call('POST', `/api/qrcodes/${id}/lost`, { token: ada.token, body: {} });
  await client.notification.create({
    data: {
      id: 'e'.repeat(24),
      key: 'bad',
      userId: eve.id,
      accountId: eve.id,
      type: 'ALERT',
      event: 'code.expired',
      data: { expiresAt: 'never' },
      dueAt: new Date(0),
    },
  });
  await visit(id);
  services.dispatcher.start();
  for (let n = 0; n < 400 && (await listDeliveries(ada.id)).flat().length < 3; n++)
    await new Promise((done) => setTimeout(done, 25));
  services.dispatcher.wake();
  await services.dispatcher.stop();
  t.equal((await listDeliveries(ada.id))[0]?.length, 3);
  const bad = await client.notification.findUniqueOrThrow({ where: { id: 'e'.repeat(24) } });
  t.ok(bad.dueAt && bad.dueAt > new Date(), 'it is tried again later');
  t.equal(test.serviceLog.filter((line) => line.startsWith('notifications:')).length, 1, 'and logged once');
  await client.notification.delete({ where: { id: bad.id } });
});

t.test('counts many agents of one network as one visitor of a lost item', async (t) => {
  const ada = await newcomer();
  const id = await code({}, ada);
  await call('POST', `/api/qrcodes/${id}/lost`, { token: ada.token, body: {} });
  const mails = await listMailsCausedBy(test, ada.email, async () => {
    for (let n = 0; n < 15; n++)
      await scan(
        { qrCodeId: id },
        {
          remoteAddress: `203.0.113.${n + 1}`,
          headers: {
            'user-agent': `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/${n}`,
          },
        },
      );
  });
  t.equal(mails.length, 1);
});
