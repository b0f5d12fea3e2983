import { REPLY_MAIL_KIND } from '../../../src/features/conversations/mail-reply-notification.ts';
import { createMailUnsubscribeUrl } from '../../../src/features/mail/unsubscribe-token.ts';
import { insertNotification } from '../../../src/features/notifications/insert-notification.repository.ts';
import { createCleanUpJob } from '../../../src/platform/clean-up.job.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';
import { isProblem } from '../identity/accounts/helper.ts';
import { createTokenHeader, startScans } from '../scans/helper.ts';

const test = await startScans(t);
const { call, services, database, owner, createUser } = test;
const { client } = database;
const token = owner.accessToken;
const PATH = '/api/notifications/preferences';
const put = (body: object, headers: Record<string, string> = {}) =>
  call('PUT', PATH, { token, body, headers });

/** Return the path of a URL in a mail. */
const pathOf = (subjectId: string, mailKind: string) =>
  new URL(createMailUnsubscribeUrl(services, { subjectId, mailKind })).pathname;
const oneClick = (path: string, body = 'List-Unsubscribe=One-Click') =>
  call('POST', path, { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } });

t.test('reads and updates preferences', async (t) => {
  const usual = await call('GET', PATH, { token });
  t.equal(usual.status, 200, usual.text);
  t.equal(usual.headers.etag, '"0"');
  t.match(usual.body, { quietHours: null, digest: 'AUTOMATIC', timeZone: 'UTC', version: 0 });
  t.same(usual.body.preferences['scan.created'], { EMAIL: false, PUSH: true });
  t.same(usual.body.preferences['code.scanned_while_lost'], { EMAIL: true, PUSH: true });
  t.same(usual.body.changeable['login.created'], { EMAIL: false, PUSH: true });
  t.same(usual.body.changeable['break_glass.opened'], { EMAIL: false, PUSH: false });
  t.notOk('scan.digest' in usual.body.preferences);

  const trail = await captureAuditEntries(test, async () => {
    const first = await put({
      preferences: { 'code.scanned_while_lost': { EMAIL: false } },
      quietHours: { from: '22:00', to: '07:00' },
    });
    t.equal(first.status, 200, first.text);
    t.match(first.body, { quietHours: { from: '22:00', to: '07:00' }, digest: 'AUTOMATIC', version: 1 });
    t.same(first.body.preferences['code.scanned_while_lost'], { EMAIL: false, PUSH: true });
    const second = await put({
      digest: 'DAILY',
      preferences: { 'code.scanned_while_lost': { PUSH: false } },
    });
    t.match(second.body, { quietHours: { from: '22:00', to: '07:00' }, digest: 'DAILY', version: 2 });
    t.same(second.body.preferences['code.scanned_while_lost'], { EMAIL: false, PUSH: false });
  });
  t.match(trail, [
    { action: 'NOTIFICATION_PREFERENCES_CHANGED', changes: ['preferences', 'quietHours'] },
    { action: 'NOTIFICATION_PREFERENCES_CHANGED', changes: ['digest', 'preferences'] },
  ]);
  const read = await call('GET', PATH, { token });
  t.equal((await put(read.body, { 'if-match': '"2"' })).body.version, 2, 'what was read can be sent back');
  t.ok(isProblem(await put({ digest: 'NEVER' }, { 'if-match': '"1"' }), 412, 'PRECONDITION_FAILED'));
  t.equal((await put({ quietHours: null })).body.quietHours, null);
});

t.test('rejects unknown and fixed preferences without changes', async (t) => {
  const before = (await call('GET', PATH, { token })).body;
  const wrong: object[] = [
    { preferences: { NOTHING_SUCH: { EMAIL: true } } },
    { preferences: { 'scan.digest': { EMAIL: true } } },
    { preferences: { 'scan.created': { SMS: true } } },
    { preferences: { 'scan.created': { IN_APP: false } } },
    { preferences: { 'scan.created': { EMAIL: 'yes' } } },
    { preferences: { toString: { EMAIL: true } } },
    { preferences: { 'password.changed': { EMAIL: false } } },
    { preferences: { 'break_glass.opened': { PUSH: false } } },
    { quietHours: { from: '24:00', to: '07:00' } },
    { quietHours: { from: '7:00', to: '08:00' } },
    { quietHours: { from: '07:00', to: '07:00' } },
    { quietHours: { from: '07:00' } },
    { digest: 'WEEKLY' },
  ];
  for (const body of wrong) t.ok(isProblem(await put(body), 400, 'VALIDATION_FAILED'), JSON.stringify(body));
  t.same((await call('GET', PATH, { token })).body, before);
});

t.test('unsubscribes with one click and without a login, but not by opening the link', async (t) => {
  const ada = await createUser();
  await call('PUT', `/api/auth/profile/${ada.id}`, { token: ada.accessToken, body: { language: 'de' } });
  const path = pathOf(ada.id, 'message.created');
  const page = await call('GET', path);
  t.equal(page.status, 200);
  t.match(page.text, /<html lang="de"[\s\S]+Nachrichten zu Ihren Codes[\s\S]+<form method="post">/);
  t.equal(await client.notificationSettings.count({ where: { userId: ada.id } }), 0);
  const trail = await captureAuditEntries(test, async () => {
    for (let n = 0; n < 2; n++)
      t.match(await oneClick(path), { status: 200, text: /<h1>Sie haben diese E-Mails abbestellt<\/h1>/ });
    const form =
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
    const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
    t.equal(
      (await call('POST', pathOf(ada.id, 'code.pin_rejected'), { body: form, headers: multipart })).status,
      200,
    );
  });
  t.match(trail, [{ action: 'MAILS_UNSUBSCRIBED', resourceId: /./ }, { action: 'MAILS_UNSUBSCRIBED' }]);
  t.equal(trail.length, 2);
  const { preferences } = (await call('GET', PATH, { token: ada.accessToken })).body;
  t.same(preferences['message.created'], { EMAIL: false, PUSH: true });
  t.same(preferences['code.pin_rejected'], { EMAIL: false, PUSH: true });
  t.same(preferences['code.scanned_while_lost'], { EMAIL: true, PUSH: true });
  t.match(await oneClick(pathOf(ada.id, 'LOST_CODE_SCANNED')), {
    status: 200,
    text: /Scans eines vermissten Codes/,
  });
  const later = (await call('GET', PATH, { token: ada.accessToken })).body.preferences;
  t.same(later['code.scanned_while_lost'], { EMAIL: false, PUSH: true }, 'by a link with the former name');

  for (const body of ['', 'List-Unsubscribe=Two-Clicks', 'a=b'])
    t.equal((await oneClick(pathOf(ada.id, 'scan.located'), body)).status, 400, body);
  const [, of, which, signature] = /([^/.]+)\.([^.]+)\.([^.]+)$/.exec(path) ?? [];
  const forged = [
    `${generateId()}.${which}.${signature}`,
    `${of}.scan-located.${signature}`,
    `${of}.${which}.${'A'.repeat(43)}`,
    `${of}.${which}`,
    pathOf(ada.id, 'role.changed').split('/').at(-1),
    pathOf(ada.id, 'ROLE_CHANGED').split('/').at(-1),
  ];
  const browser = { accept: 'text/html,application/xhtml+xml', 'accept-language': 'de' };
  for (const method of ['GET', 'POST'])
    t.match(
      await call(method, `${path}x`, {
        headers: { ...browser, 'content-type': 'application/x-www-form-urlencoded' },
        ...(method === 'POST' ? { body: 'List-Unsubscribe=One-Click' } : {}),
      }),
      { status: 404, headers: { 'content-type': /text\/html/ }, text: /Dieser Link funktioniert nicht/ },
      `${method} of an unsubscribe link that was altered`,
    );
  for (const one of forged)
    for (const method of ['GET', 'POST'])
      t.equal(
        (
          await call(
            method,
            `/api/notifications/unsubscribe/${one}`,
            method === 'POST' ? { body: { 'List-Unsubscribe': 'One-Click' } } : {},
          )
        ).status,
        404,
        `${method} ${one}`,
      );
});

t.test('lets a finder unsubscribe from mails about replies, and deletes their address', async (t) => {
  const made = await test.scan({ qrCodeId: await test.code() });
  const opened = await call('POST', '/api/conversations/public', {
    body: { scanId: made.body.scan.id, message: 'Found.', email: 'finder@example.org' },
    headers: createTokenHeader(made),
  });
  const path = pathOf(opened.body.id, REPLY_MAIL_KIND);
  t.match(await call('GET', path), { status: 200, text: /replies to your message/ });
  const trail = await captureAuditEntries(test, async () => {
    for (let n = 0; n < 2; n++)
      t.match(await oneClick(path), { status: 200, text: /<h1>You’re unsubscribed<\/h1>/ });
  });
  t.match(trail, [{ action: 'FINDER_EMAIL_REMOVED', resourceId: opened.body.id }]);
  t.equal(trail.length, 1);
  t.equal((await client.conversation.findUniqueOrThrow({ where: { id: opened.body.id } })).finderEmail, null);
});

t.test('notifies once of a changed password', async (t) => {
  const ada = await createUser();
  const body = { currentPassword: 'correct horse battery staple', newPassword: 'another battery of horses' };
  t.equal((await call('POST', '/api/auth/change-password', { token: ada.accessToken, body })).status, 200);
  t.equal(await client.notification.count({ where: { userId: ada.id, event: 'password.changed' } }), 1);
});

t.test('does not repeat dismissed notifications, and deletes old ones', async (t) => {
  const ada = await createUser();
  await client.notification.deleteMany();
  const notifyWithKey = (key: string) =>
    insertNotification(client, {
      userId: ada.id,
      key,
      type: 'DEFAULT',
      event: 'scan.created',
      data: { code: 'Secret' },
    });
  await notifyWithKey('one');
  const [{ id }] = (await call('GET', '/api/notifications', { token: ada.accessToken })).body.data;
  t.equal((await call('DELETE', `/api/notifications/${id}`, { token: ada.accessToken })).status, 200);
  await notifyWithKey('one');
  t.same((await call('GET', '/api/notifications', { token: ada.accessToken })).body.data, []);
  t.equal((await call('PATCH', `/api/notifications/${id}/read`, { token: ada.accessToken })).status, 404);
  t.match(await client.notification.findMany(), [{ id, data: {} }]);

  const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
  const put = (key: string, at: { readAt?: Date; dismissedAt?: Date; createdAt?: Date }) =>
    client.notification.create({
      data: {
        id: generateId(at.createdAt),
        key,
        userId: ada.id,
        accountId: ada.id,
        type: 'DEFAULT',
        event: 'scan.created',
        ...at,
      },
    });
  await put('read long ago', { readAt: ago(91) });
  await put('read', { readAt: ago(89), createdAt: ago(400) });
  await put('deleted long ago', { dismissedAt: ago(31), readAt: ago(31) });
  await put('deleted', { dismissedAt: ago(29), readAt: ago(29) });
  await put('unread for long', { createdAt: ago(366) });
  const unread = await put('unread', { createdAt: ago(364) });
  await client.notificationDelivery.create({
    data: { id: generateId(), notificationId: unread.id, userId: ada.id, channel: 'PUSH' },
  });
  await createCleanUpJob(services)({});
  const rows = await client.notification.findMany({ orderBy: { key: 'asc' } });
  t.same(
    rows.map(({ key }) => key),
    ['deleted', 'one', 'read', 'unread'],
  );
  t.equal(await client.notificationDelivery.count(), 1);
});
