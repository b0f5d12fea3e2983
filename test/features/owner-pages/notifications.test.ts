import { insertNotification } from '../../../src/features/notifications/insert-notification.repository.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { generateAbsentId, TEST_PASSWORD } from '../../helper.ts';
import { insertOrganization } from '../../insert-organization.ts';
import { t } from '../../tap.ts';
import { enableSecondFactor, generateUnusedTotpCode } from '../identity/second-factor/helper.ts';
import { TestBrowser } from './browser.ts';
import { startInbox } from './inbox-helper.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

t.test('with a second factor, a message is answered within four taps of its mail', async (t) => {
  const test = await startInbox(t);
  const { secret } = await enableSecondFactor(test, test.owner);
  const { body: opened } = await test.write(await test.code({ title: 'Rex' }), { message: 'Hello' });
  const mail = await test.getMailBySubject(test.owner.email, /New message/);
  const [, link = ''] = /https:\/\/qr\.example\.org(\/app\/notifications\/\S+)/.exec(mail?.text ?? '') ?? [];
  let taps = 0;
  const browser = new TestBrowser(test);
  const tap = async (act: () => Promise<unknown>) => {
    taps += 1;
    await act();
  };
  await tap(() => browser.open(link));
  t.equal(browser.title, 'Sign in');
  await tap(() => browser.send('/sign-in', { email: test.owner.email, password: TEST_PASSWORD }));
  const code = await generateUnusedTotpCode(test, secret);
  await tap(() => browser.send('/second-factor', { code }));
  t.equal(browser.path, `${test.path}/inbox/${opened.id}`);
  t.match(browser.main, 'Hello');
  await tap(() => browser.send('/reply', { preset: 'ON_MY_WAY' }));
  t.match(browser.main, 'I’m on my way.');
  t.ok(taps <= 4);
  const { readAt } = await test.database.client.notification.findFirstOrThrow({
    where: { event: 'message.created' },
  });
  t.ok(readAt, 'its notification is read');
});

t.test('an owner’s link that needs a sign-in leads to it and on to the notification', async (t) => {
  const test = await startInbox(t);
  const code = await test.code({ title: 'Rex' });
  await test.call('POST', `/api/qrcodes/${code}/lost`, { token: test.owner.accessToken, body: {} });
  await test.scan({ qrCodeId: code }, { headers: { 'user-agent': 'Mozilla/5.0 (iPhone) Safari' } });
  const mail = await test.getMailBySubject(test.owner.email, /Lost/);
  const [link = ''] = /\/s\/o\/\S+/.exec(mail?.text ?? '') ?? [];
  await test.database.client.user.update({ where: { id: test.owner.id }, data: { enterpriseMode: true } });
  const page = await test.call('GET', link, { headers: { accept: 'text/html' } });
  t.equal(page.status, 403);
  const [, button = ''] =
    /href="https:\/\/qr\.example\.org(\/app\/notifications\/[^"]*)"/.exec(page.text) ?? [];
  const browser = new TestBrowser(test);
  await browser.open(button);
  t.equal(browser.title, 'Sign in');
  t.match(browser.path, encodeURIComponent(button), 'which leads back');
});

t.test('notifications are listed, opened and marked as read', async (t) => {
  const test = await startInbox(t);
  const { client } = test.database;
  const userId = test.owner.id;
  await client.notification.deleteMany();
  const browser = await test.signIn();
  await client.notification.deleteMany();
  await browser.open(`${test.path}/notifications`);
  t.match(browser.main, 'Nothing yet.');
  const add = async (event: string, data: Record<string, string>) => {
    await insertNotification(client, { userId, type: 'DEFAULT', event, data } as never);
    return client.notification.findFirstOrThrow({ where: { event } });
  };
  const opened = await add('document.opened', { documentId: generateAbsentId(), document: HOSTILE });
  const gone = await add('message.created', {
    qrCodeId: generateAbsentId(),
    conversationId: generateAbsentId(),
    code: 'Gone',
  });
  const changed = await add('password.changed', {});
  await browser.open(`${test.path}/notifications`);
  t.notMatch(browser.page.text, HOSTILE);
  t.ok(browser.main.includes(HOSTILE), 'what others wrote is text');
  t.equal(browser.main.split('class="unread"').length - 1, 3);
  await browser.send(`/notifications/${changed.id}/read`);
  t.equal(browser.main.split('class="unread"').length - 1, 2);
  await browser.open(`/app/notifications/${opened.id}`);
  t.equal(browser.path, `${test.path}/notifications/${opened.id}`);
  t.match(browser.main, /was opened.*Someone opened your document/s);
  t.notMatch(
    /<title>.*<\/title>/.exec(browser.page.text)?.[0] ?? '',
    'img',
    'its title is not in the history',
  );
  await browser.open(`/app/notifications/${gone.id}`);
  t.equal(browser.path, `${test.path}/notifications/${gone.id}`, 'a conversation that is gone is no screen');
  await browser.open(`/app/notifications/${changed.id}`);
  t.match(browser.main, `href="${test.path}/settings/security"`);
  await browser.open(`${test.path}/notifications`);
  t.notMatch(browser.main, 'class="unread"');
  await add('login.created', {});
  await browser.open(`${test.path}/notifications`);
  await browser.send('/read-all');
  t.match(browser.main, 'Everything is marked as read.');
  t.notMatch(browser.main, 'class="unread"');
  await browser.open(`${test.path}/notifications/${opened.id}/invoice`);
  t.equal(browser.page.status, 404);

  const other = await test.createUser();
  const stranger = await test.signIn(other);
  for (const path of [
    `/app/notifications/${opened.id}`,
    `/app/${other.id}/notifications/${opened.id}`,
    `${test.path}/notifications/${opened.id}`,
    `${test.path}/notifications`,
  ])
    t.equal((await stranger.open(path)).status, 404, path);
});

t.test('a notification about an organization opens on the pages of its reader', async (t) => {
  const test = await startInbox(t);
  const { client } = test.database;
  const userId = test.owner.id;
  const members = [{ userId, role: 'BILLING' as const }];
  const accountId = await insertOrganization(test, { members });
  const data = { invoiceId: generateAbsentId() };
  const row = await client.notification.create({
    data: { id: generateId(), userId, accountId, type: 'SYSTEM', event: 'payment.failed', key: 'test', data },
  });
  const browser = await test.signIn();
  await browser.open(`/app/notifications/${row.id}`);
  t.equal(browser.path, `${test.path}/notifications/${row.id}`);
  t.equal(browser.page.status, 200);
  t.match(browser.main, `href="${test.path}/notifications"`);
  const invoicePath = `/app/${accountId}/notifications/${row.id}/invoice`;
  t.match(browser.main, `href="${invoicePath}"`);
  await browser.open(invoicePath);
  t.match(browser.main, 'invoice', 'of the account that it is about');
  await client.membership.updateMany({ where: { accountId }, data: { role: 'VIEWER' } });
  await browser.open(invoicePath);
  t.equal(browser.title, 'Nothing here', 'no invoice for a role that reads none');
});

t.test('a notification of an organization in enterprise mode leads to the second factor', async (t) => {
  const test = await startInbox(t);
  const { client } = test.database;
  const userId = test.owner.id;
  const accountId = await insertOrganization(test, { members: [{ userId, role: 'OWNER' }] });
  await client.account.update({ where: { id: accountId }, data: { enterpriseMode: true } });
  const row = await client.notification.create({
    data: {
      id: generateId(),
      userId,
      accountId,
      type: 'SYSTEM',
      event: 'payment.failed',
      key: 'test',
      data: {},
    },
  });
  const browser = await test.signIn();
  const link = `/app/notifications/${row.id}`;
  await browser.open(link);
  t.equal(browser.path, `${test.path}/settings/security/second-factor?to=${encodeURIComponent(link)}`);
  await browser.open(`${test.path}/notifications`);
  t.notMatch(browser.main, row.id);
});

t.test('a prefetch reads no notification', async (t) => {
  const test = await startInbox(t);
  const browser = await test.signIn();
  const row = await test.database.client.notification.findFirstOrThrow({
    where: { userId: test.owner.id, readAt: null },
  });
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  const headers = { cookie, accept: 'text/html', 'sec-purpose': 'prefetch' };
  t.equal((await test.call('GET', `/app/notifications/${row.id}`, { headers })).status, 303);
  const unread = () => test.database.client.notification.count({ where: { id: row.id, readAt: null } });
  t.equal(await unread(), 1);
  await browser.open(`/app/notifications/${row.id}`);
  t.equal(await unread(), 0);
});
