import { startTestApp } from '../helper.ts';
import { t } from '../tap.ts';
import { createReportingClients, queryTextValues } from './helper.ts';

t.test('a user has the time zone and the day of the last request with an API key', async (t) => {
  const app = await startTestApp(t);
  const { reader } = await createReportingClients(t, app);
  const ada = await app.createUser();
  const read = () =>
    queryTextValues(reader, `SELECT time_zone, api_used_on FROM reporting.users WHERE id = '${ada.id}'`);
  t.same(await read(), [['UTC', null]]);
  const token = ada.accessToken;
  const profile = await app.call('PUT', `/api/auth/profile/${ada.id}`, {
    token,
    body: { timeZone: 'Asia/Kathmandu' },
  });
  t.equal(profile.status, 200, profile.text);
  const key = await app.call('POST', '/api/api-keys', {
    token,
    body: { name: 'Backup', scopes: ['qr-codes:read'] },
  });
  t.equal(key.status, 201, key.text);
  t.same(await read(), [['Asia/Kathmandu', null]]);
  await app.database.client.apiKey.updateMany({ data: { lastUsedAt: new Date('2026-11-20T23:30:00Z') } });
  t.same(await read(), [['Asia/Kathmandu', '2026-11-20']]);
});
