import { t } from '../../../tap.ts';
import { captureAuditEntries } from '../../audit-trail-helper.ts';
import { signInBrowser } from '../signed-in-browser.ts';
import { HOSTILE, startStaff } from '../staff-helper.ts';

t.test('an owner reads why a code was taken down, and appeals', async (t) => {
  const test = await startStaff(t);
  const { user: admin } = await test.signIn('ADMIN');
  const { owner } = test;
  const browser = await signInBrowser(test, owner);
  const id = await test.createCode({ title: HOSTILE });
  const path = `/app/${owner.id}/codes/${id}`;
  t.equal((await browser.open(`${path}/takedown`)).status, 404, 'it was never taken down');
  await test.takeDown(id, admin);

  const mail = await test.getMailBySubject(owner.email, /was taken down/);
  t.match(mail?.text, `${path}/takedown`, 'the email leads there');
  await browser.open(path);
  t.match(browser.main, `href="${path}/takedown"`, 'the page of the code leads there');
  await browser.open(`${path}/takedown`);
  t.match(browser.main, 'It asks for bank data.');
  t.notMatch(browser.page.text, '<img src=x', 'what others wrote is text');
  await browser.fill('/takedown', { message: ' ' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, 'id="message-error"');
  const trail = await captureAuditEntries(test, () =>
    browser.fill('/takedown', { message: `${HOSTILE} I changed it.` }),
  );
  t.match(trail, [{ action: 'QRCODE_APPEALED', resourceId: id }]);
  t.equal(trail.length, 1);
  t.equal(browser.path, `${path}/takedown`);
  t.match(browser.main, 'We have your appeal.');
  t.ok(browser.main.includes(`${HOSTILE} I changed it.`));
  t.notOk(browser.findForm('/takedown'), 'one at a time');

  const row = await test.database.client.qrCodeAppeal.findFirstOrThrow();
  await test.call('POST', `/api/admin/qrcode-appeals/${row.id}/decision`, {
    token: admin.accessToken,
    body: { decision: 'REJECTED', answer: 'It still asks for it.' },
  });
  await browser.open(`${path}/takedown`);
  t.match(browser.main, 'Our team rejected your appeal.');
  t.match(browser.main, 'It still asks for it.');
  t.ok(browser.findForm('/takedown'), 'another appeal is possible');
  await test.call('POST', `/api/admin/qrcodes/${id}/reinstate`, { token: admin.accessToken, body: {} });
  await browser.open(`${path}/takedown`);
  t.match(browser.main, 'Available again');
  t.notOk(browser.findForm('/takedown'));
});

t.test('what an appeal cannot be is said', async (t) => {
  const test = await startStaff(t);
  const { user: admin } = await test.signIn('ADMIN');
  const browser = await signInBrowser(test, test.owner);
  const id = await test.createCode({});
  await test.takeDown(id, admin);
  const path = `/app/${test.owner.id}/codes/${id}/takedown`;
  await browser.open(path);
  const appeal = (message: string) =>
    test.call('POST', `/api/qrcodes/${id}/appeals`, { token: test.owner.accessToken, body: { message } });
  await appeal('In another window.');
  await browser.fill('/takedown', { message: 'I changed it.' });
  t.equal(browser.page.status, 409);
  t.match(browser.main, 'We have your appeal.');
  const stranger = await signInBrowser(test, await test.createUser());
  t.equal((await stranger.open(path)).status, 404);
});
