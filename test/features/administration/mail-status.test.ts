import { hashMailbox } from '../../../src/features/mail/mail-outbox.ts';
import { suppressMails } from '../../../src/features/mail/suppression.repository.ts';
import { dispatchDueNotifications } from '../../../src/features/notifications/dispatch-notifications.use-case.ts';
import { generateAbsentId, startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';

t.test('support sees why a user gets no emails, and the user sees who looked', async (t) => {
  const test = await startTestApp(t);
  const { call, createUser, database, services } = test;
  const helper = await createUser({ email: 'helper@example.org', role: 'SUPPORT' });
  const root = await createUser({ email: 'root@example.org', role: 'ADMIN' });
  const user = await createUser({ email: 'uma@example.org' });
  const read = async (id = user.id, token = helper.accessToken) =>
    call('GET', `/api/support/users/${id}/mail-status`, { token });

  const trail = await captureAuditEntries(test, async () => {
    const { status, body } = await read();
    t.equal(status, 200);
    t.match(body, { problems: [], suppressed: false, waiting: [] });
    t.match(body, { user: { id: user.id, email: user.email }, settings: { digest: 'AUTOMATIC' } });
    t.same(body.settings.emailOff, ['scan.created'], 'nobody gets emails about scans by default');
  });
  t.match(trail, [{ action: 'SUPPORT_MAIL_STATUS_READ', severity: 'HIGH' }]);
  const own = await call('GET', '/api/audit/mine?by=OTHERS', { token: user.accessToken });
  t.match(own.body.data, [{ action: 'SUPPORT_MAIL_STATUS_READ', who: 'STAFF' }]);

  await services.jobs.stop();
  await call('PATCH', '/api/notifications/preferences', {
    token: user.accessToken,
    body: { preferences: { 'code.expired': { EMAIL: false } } },
  });
  await suppressMails(database.client, hashMailbox(services.fieldCipher, user.email));
  await database.transaction((tx) =>
    services.events.publish(tx, 'role.changed', { userId: user.id, role: 'USER' }),
  );
  await dispatchDueNotifications(services);
  const waiting = await database.client.outgoingMail.findFirstOrThrow({ where: { status: 'WAITING' } });
  await database.pool.query(
    `UPDATE pgboss.job SET state = 'failed', completed_on = now() WHERE data->>'mailId' = $1`,
    [waiting.id],
  );
  const { body, text } = await read(user.id, root.accessToken);
  t.same(body.problems, ['JOB_FAILED', 'SUPPRESSED', 'SWITCHED_OFF']);
  t.match(body.waiting, [{ template: 'NOTIFICATION', attempts: 0, failedJobId: /^[0-9a-f-]{36}$/ }]);
  t.equal(body.outbox.waiting, 1);
  t.match(body.deliveries, [{ event: 'role.changed', status: 'WAITING' }]);
  t.same(body.settings.emailOff.toSorted(), ['code.expired', 'scan.created']);
  t.notMatch(text, 'subject');

  t.equal((await read(generateAbsentId())).status, 404);
  await database.client.user.update({ where: { id: root.id }, data: { role: 'AUDITOR' } });
  t.equal((await read(user.id, root.accessToken)).status, 403);
  t.equal((await read(user.id, user.accessToken)).status, 403);
});
