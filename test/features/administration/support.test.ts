import t from 'tap';
import { promote } from '../../../src/features/administration/change-administrators.ts';
import { absentId, startApp } from '../../helper.ts';
import { putQrCode, trailOf } from '../trail.ts';

t.test('Support finds people and codes by what somebody says of them, and reads no content', async (t) => {
  const test = await startApp(t);
  const { call, person } = test;
  const root = await person({ email: 'root@example.org' });
  await promote(test.database, root.email);
  const helper = await person();
  await call('PATCH', `/api/admin/users/${helper.id}`, {
    token: root.accessToken,
    body: { role: 'SUPPORT' },
  });
  const ada = await person({ email: 'ada.lovelace@example.org' });
  const rex = await putQrCode(test, ada.id, { id: absentId(), title: 'Rex the dog' });
  const gone = await putQrCode(test, ada.id, {
    id: absentId(),
    title: 'Rex before',
    status: 'DELETED',
    deletedAt: new Date(),
  });
  const find = (path: string) => call('GET', `/api/support/${path}`, { token: helper.accessToken });

  const trail = await trailOf(test, async () => {
    const { body } = await find('users?search=ADA.LOVELACE');
    t.equal(body.pagination.total, 1);
    t.match(body.data, [{ id: ada.id, email: ada.email, firstName: 'Ada', qrCodes: 1 }]);
    t.notOk('role' in body.data[0] || 'phone' in body.data[0]);
  });
  t.match(trail, [{ action: 'SUPPORT_USERS_SEARCHED', severity: 'HIGH' }]);

  for (const [query, found] of [
    ['search=rex', [gone, rex]],
    [`id=${rex}`, [rex]],
    [`ownerId=${ada.id}`, [gone, rex]],
  ] as const) {
    const { body } = await find(`qrcodes?${query}`);
    t.same(body.data.map(({ id }: { id: string }) => id).sort(), [...found].sort(), query);
    t.notOk('data' in body.data[0] || 'counts' in body.data[0], 'neither content nor scans');
  }
  for (const query of [
    'users',
    'users?search=',
    'users?search=ab',
    'qrcodes',
    'qrcodes?search=%25%25',
    'qrcodes?id=x',
  ]) {
    t.equal((await find(query)).status, 400, query);
  }
  for (const path of ['users?search=%25%25%25', 'qrcodes?search=___']) {
    t.equal((await find(path)).body.pagination.total, 0, 'wildcards are text');
  }
  t.equal((await call('GET', `/api/qrcodes/${rex}`, { token: helper.accessToken })).status, 404);
  t.equal((await call('GET', `/api/auth/profile/${ada.id}`, { token: helper.accessToken })).status, 404);
  for (const path of [
    '/api/admin/users',
    '/api/admin/qrcodes',
    '/api/admin/analytics',
    '/api/admin/break-glass',
  ]) {
    t.equal((await call('GET', path, { token: helper.accessToken })).status, 403, path);
  }
  t.equal((await call('GET', '/api/support/users?search=ada', { token: ada.accessToken })).status, 403);
});
