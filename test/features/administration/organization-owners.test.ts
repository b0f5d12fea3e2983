import { createNotifyExpiringQrCodesJob } from '../../../src/features/codes/notify-expiring-codes.job.ts';
import { createCodeOfAccount, insertOrganization } from '../../insert-organization.ts';
import { t } from '../../tap.ts';
import { startScans } from '../scans/helper.ts';

const test = await startScans(t);
const { call, createUser, database, owner, scan, services } = test;
const { client } = database;

const admin = await createUser({ role: 'ADMIN' });
const [second, editor] = [await createUser(), await createUser()];
const accountId = await insertOrganization(test, {
  members: [
    { userId: owner.id, role: 'OWNER' },
    { userId: second.id, role: 'OWNER' },
    { userId: editor.id, role: 'EDITOR' },
  ],
});
const qrCodeId = await createCodeOfAccount(test, { accountId, userId: owner.id }, { title: 'Bus pass' });
const token = admin.accessToken;

t.test('staff find the code of an organization with the address of its first owner', async (t) => {
  const listed = await call('GET', `/api/admin/qrcodes?accountId=${accountId}`, { token });
  t.equal(listed.status, 200, listed.text);
  t.match(listed.body.data, [{ id: qrCodeId, ownerEmail: owner.email }]);
});

t.test('all owners learn of emergency access by mail', async (t) => {
  const body = { resourceType: 'QRCODE', resourceId: qrCodeId, reason: 'Unconscious child, case 4711' };
  const opened = await call('POST', '/api/admin/break-glass', { token, body });
  t.equal(opened.status, 201, opened.text);
  for (const { email } of [owner, second])
    t.ok(await test.getMailBySubject(email, /emergency access/), email);
  t.notOk(await test.getMailBySubject(editor.email, /emergency access/));
  const notified = await client.notification.findMany({ where: { accountId, event: 'break_glass.opened' } });
  t.same(notified.map(({ userId }) => userId).sort(), [owner.id, second.id, editor.id].sort());
});

t.test('nothing that happens to a code of an organization fails', async (t) => {
  const visit = await scan({ qrCodeId });
  t.equal(visit.status, 201, visit.text);
  const reported = await call('POST', `/api/qrcodes/${qrCodeId}/reports`, { body: { category: 'FRAUD' } });
  t.equal(reported.status, 202, reported.text);
  const expiresAt = new Date(Date.now() + 3 * 86_400_000);
  await client.qrCode.update({ where: { id: qrCodeId }, data: { expiresAt } });
  await createNotifyExpiringQrCodesJob(services)({});
  const expiring = await client.notification.findMany({ where: { accountId, event: 'code.expiring' } });
  t.equal(expiring.length, 3);

  const takedown = { token, body: { category: 'FRAUD', reason: 'It asks for bank data.' } };
  const taken = await call('POST', `/api/admin/qrcodes/${qrCodeId}/takedown`, takedown);
  t.equal(taken.status, 201, taken.text);
  for (const { email } of [owner, second])
    t.match((await test.getMailBySubject(email, /was taken down/))?.text, 'It asks for bank data.');
  t.notOk(await test.getMailBySubject(editor.email, /was taken down/));
});
