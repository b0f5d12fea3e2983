import { insertNotification } from '../../../src/features/notifications/insert-notification.repository.ts';
import { generateAbsentId, startTestApp, type TestApp, type TestUser } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';

const PROFILE_WAITS = { profile: false };

async function addNotification({ database }: TestApp, user: TestUser, type: 'DEFAULT' | 'ALERT' = 'DEFAULT') {
  await insertNotification(database.client, {
    userId: user.id,
    type,
    event: 'scan.created',
    data: { qrCodeId: generateAbsentId(), code: 'Rex', place: 'Berlin' },
  });
}

/** Delete the notifications of logins. */
async function muteNotifications({ database }: TestApp, user: TestUser) {
  await database.client.notification.deleteMany({ where: { userId: user.id } });
}

t.test('reads, filters, marks and deletes notifications', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser } = test;
  const ada = await createUser();
  const bob = await createUser(PROFILE_WAITS);
  const token = ada.accessToken;
  await Promise.all([muteNotifications(test, ada), muteNotifications(test, bob)]);

  await t.test('uses the language of the profile', async (t) => {
    const eva = await createUser();
    await muteNotifications(test, eva);
    const own = { token: eva.accessToken };
    const changed = await call('PUT', `/api/auth/profile/${eva.id}`, { ...own, body: { language: 'de-AT' } });
    t.equal(changed.status, 200, changed.text);
    await addNotification(test, eva);
    const [scanned] = (await call('GET', '/api/notifications', own)).body.data;
    t.match(scanned, { event: 'scan.created', data: { code: 'Rex', place: 'Berlin' } });
    t.match(scanned.title, 'Rex');
    t.match(scanned.body, 'Berlin');
    t.notMatch(scanned.title + scanned.body, 'scanned');
  });

  await t.test('returns an empty page without notifications', async (t) => {
    const empty = await call('GET', '/api/notifications?page=1&limit=5', { token: bob.accessToken });
    t.equal(empty.status, 200, empty.text);
    t.same(empty.body, {
      data: [],
      pagination: { page: 1, limit: 5, total: 0, totalPages: 0, nextCursor: null, hasMore: false },
    });
    t.same((await call('GET', '/api/notifications/unread-count', { token: bob.accessToken })).body, {
      count: 0,
    });
    const all = await call('POST', '/api/notifications/read-all', { token: bob.accessToken });
    t.equal(all.status, 200);
    t.same(all.body, { updated: 0 });
  });

  for (const type of ['DEFAULT', 'ALERT', 'DEFAULT'] as const) await addNotification(test, ada, type);

  await t.test('lists the newest first, page by page', async (t) => {
    const { body } = await call('GET', '/api/notifications?page=1&limit=2', { token });
    t.match(body.pagination, { page: 1, limit: 2, total: 3, totalPages: 2 });
    const [first, second] = body.data;
    t.ok(first.createdAt >= second.createdAt);
    t.same(Object.keys(first), [
      ...['id', 'type', 'event', 'title', 'body', 'data', 'isRead', 'deliveries', 'createdAt'],
    ]);
    t.match(first, { event: 'scan.created', isRead: false, data: { qrCodeId: /^[0-9a-f]{24}$/ } });
    t.same(first.deliveries, [{ channel: 'IN_APP', status: 'DELIVERED', reason: null, at: first.createdAt }]);
    const rest = await call('GET', '/api/notifications?page=2&limit=2', { token });
    t.equal(rest.body.data.length, 1);
  });

  await t.test('ignores literal undefined, null and empty filters', async (t) => {
    for (const value of ['undefined', 'null', '']) {
      const query = `is_read=${value}&isRead=${value}&type=${value}&page=${value}&limit=${value}`;
      const answer = await call('GET', `/api/notifications?${query}`, { token });
      t.equal(answer.status, 200, answer.text);
      t.match(answer.body.pagination, { page: 1, limit: 10, total: 3, totalPages: 1 });
    }
  });

  await t.test('rejects unknown types and booleans', async (t) => {
    const alerts = await call('GET', '/api/notifications?type=ALERT', { token });
    t.equal(alerts.body.pagination.total, 1);
    t.equal((await call('GET', '/api/notifications?type=DEFAULT', { token })).body.pagination.total, 2);
    const wrong = [
      'type=NONE',
      'type=default',
      'is_read=maybe',
      'isRead=2',
      'page=0',
      'limit=101',
      'page=1e999',
    ];
    const both = await call('GET', '/api/notifications?type=ALERT&type=DEFAULT', { token });
    t.equal(both.body.pagination.total, 3);
    for (const query of [...wrong, 'type[]=ALERT', 'isRead=true&isRead=false', 'unread=true']) {
      const answer = await call('GET', `/api/notifications?${query}`, { token });
      t.equal(answer.status, 400, query);
      t.equal(answer.body.code, 'VALIDATION_FAILED');
      t.equal(answer.body.errors.length, 1, query);
    }
    t.equal((await call('GET', '/api/notifications?page=1001&limit=10', { token })).body.code, 'USE_CURSOR');
  });

  await t.test('marks one as read once', async (t) => {
    const { id } = (await call('GET', '/api/notifications?limit=1', { token })).body.data[0];
    const trail = await captureAuditEntries(test, async () => {
      t.match(await call('GET', `/api/notifications/${id}`, { token }), {
        status: 200,
        body: { id, readAt: null },
      });
      const first = await call('PATCH', `/api/notifications/${id}/read`, { token });
      t.equal(first.status, 200, first.text);
      t.match(first.body, { id, isRead: true });
      const again = await call('PATCH', `/api/notifications/${id}/read`, { token });
      t.same(again.body, first.body);
    });
    t.same(trail, [
      { action: 'NOTIFICATION_READ', severity: 'LOW', outcome: 'SUCCESS', resourceId: id, changes: [] },
    ]);
    for (const name of ['is_read', 'isRead']) {
      const read = await call('GET', `/api/notifications?${name}=true`, { token });
      t.same(
        read.body.data.map((item: { id: string }) => item.id),
        [id],
      );
      t.equal((await call('GET', `/api/notifications?${name}=false`, { token })).body.pagination.total, 2);
    }
    const both = await call('GET', '/api/notifications?isRead=true&is_read=false', { token });
    t.match(both, { status: 400, body: { errors: [{ field: 'isRead', code: 'NOT_ALLOWED' }] } });
    t.equal((await call('GET', '/api/notifications?isRead=true&is_read=true', { token })).status, 200);
    t.same((await call('GET', '/api/notifications/unread-count', { token })).body, { count: 2 });
  });

  await t.test('marks all as read with one audit entry', async (t) => {
    const trail = await captureAuditEntries(test, async () => {
      t.same((await call('POST', '/api/notifications/read-all', { token })).body, { updated: 2 });
      t.same((await call('POST', '/api/notifications/read-all', { token })).body, { updated: 0 });
    });
    t.same(
      trail.map(({ action }) => action),
      ['NOTIFICATIONS_READ_ALL'],
    );
    t.same((await call('GET', '/api/notifications/unread-count', { token })).body, { count: 0 });
  });

  await t.test('returns 304 for an unchanged list', async (t) => {
    const first = await call('GET', '/api/notifications', { token });
    t.equal(first.headers['cache-control'], 'private, no-cache');
    const headers = { 'if-none-match': String(first.headers.etag) };
    const again = await call('GET', '/api/notifications', { token, headers });
    t.equal(again.status, 304);
    t.equal(again.text, '');
    await addNotification(test, ada);
    t.equal((await call('GET', '/api/notifications', { token, headers })).status, 200);
  });

  await t.test('deletes one', async (t) => {
    const { id } = (await call('GET', '/api/notifications?limit=1', { token })).body.data[0];
    const trail = await captureAuditEntries(test, async () => {
      const gone = await call('DELETE', `/api/notifications/${id}`, { token });
      t.equal(gone.status, 200, gone.text);
      t.same(gone.body, { id, deleted: true });
    });
    t.same(
      trail.map(({ action }) => action),
      ['NOTIFICATION_DELETED'],
    );
    t.equal((await call('DELETE', `/api/notifications/${id}`, { token })).status, 404);
  });
});

t.test('hides notifications of other users, and audits the attempt once', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser, database } = test;
  const ada = await createUser();
  const eve = await createUser();
  await muteNotifications(test, ada);
  await addNotification(test, ada);
  const before = await database.client.notification.findFirstOrThrow({ where: { userId: ada.id } });
  const routes = [
    ['GET', (id: string) => `/api/notifications/${id}`],
    ['PATCH', (id: string) => `/api/notifications/${id}/read`],
    ['DELETE', (id: string) => `/api/notifications/${id}`],
  ] as const;
  for (const [method, path] of routes) {
    for (const id of [before.id, generateAbsentId()]) {
      const trail = await captureAuditEntries(test, async () => {
        const answer = await call(method, path(id), { token: eve.accessToken });
        t.equal(answer.status, 404, `${method} ${answer.text}`);
        t.equal(answer.body.code, 'NOT_FOUND');
      });
      t.match(trail, [{ action: 'ACCESS_DENIED', severity: 'MEDIUM', outcome: 'DENIED', resourceId: id }]);
      t.equal(trail.length, 1);
    }
    t.equal((await call(method, path('no-id'), { token: eve.accessToken })).status, 404);
  }
  await call('POST', '/api/notifications/read-all', { token: eve.accessToken });
  t.same(await database.client.notification.findFirst({ where: { id: before.id } }), before);
});

t.test('a program keeps a copy of notifications by their changes', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser, database } = test;
  const [ada, bob] = [await createUser(), await createUser()];
  await Promise.all([muteNotifications(test, ada), muteNotifications(test, bob)]);
  for (let nth = 0; nth < 5; nth += 1) await addNotification(test, ada);
  await addNotification(test, bob);
  await database.client.notification.updateMany({ data: { createdAt: new Date(Date.now() - 3_600_000) } });
  const token = ada.accessToken;
  const { data } = (await call('GET', '/api/notifications', { token })).body;
  const [read, deleted, readAndDeleted] = data.map(({ id }: { id: string }) => id);
  const since = new Date(Date.now() - 60_000).toISOString();
  for (const id of [read, readAndDeleted]) await call('PATCH', `/api/notifications/${id}/read`, { token });
  for (const id of [deleted, readAndDeleted]) await call('DELETE', `/api/notifications/${id}`, { token });
  await addNotification(test, ada);

  const changes: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await call('GET', `/api/notifications?limit=1&updatedSince=${since}${cursor}`, {
      token,
    });
    t.equal(body.data.length + body.deleted.length, 1);
    for (const { id, isRead } of body.data) changes.push(id === read ? `read ${isRead}` : `new ${isRead}`);
    for (const { id } of body.deleted) changes.push(id);
    if (!body.pagination.hasMore) break;
    cursor = `&cursor=${body.pagination.nextCursor}`;
  }
  t.same(changes, ['read true', deleted, readAndDeleted, 'new false']);
  const early = new Date(Date.now() - 2 * 3_600_000).toISOString();
  const all = await call('GET', `/api/notifications?limit=100&updatedSince=${early}`, { token });
  t.match([all.body.data.length, all.body.deleted.length], [4, 2], 'of this user alone');
});
