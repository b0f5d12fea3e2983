import { CONFIGURABLE_EVENTS } from '../../../../src/features/notifications/index.ts';
import { isChannelConfigurable } from '../../../../src/features/notifications/notification-kinds.rules.ts';
import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import type { TestBrowser } from '../browser.ts';
import { openTab, signIn } from './helper.ts';

/** The fields of the page as a browser would send them. */
function readChoices(browser: TestBrowser): Record<string, string> {
  const boxes = browser.main.matchAll(/<input type="checkbox" name="([^"]*)" value="on" checked>/g);
  return Object.fromEntries([...boxes].map(([, name = '']) => [name, 'on']));
}

t.test('channels, quiet hours and digest are chosen; what was not touched stays', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const browser = await signIn(test, user);
  const path = `/app/${user.id}/settings/notifications`;
  await browser.open(path);
  const { 'EMAIL.message.created': _off, ...choices } = readChoices(browser);
  t.equal(_off, 'on', 'that is the default');
  await browser.send('/notifications', { ...choices, from: '22:00', to: '', digest: 'DAILY' });
  t.equal(browser.page.status, 400);
  t.match(browser.main, /id="to-error">Please fill this in\./);
  await browser.send('/notifications', { ...choices, from: '22:00', to: '22:00', digest: 'DAILY' });
  t.match(browser.main, /id="to-error"/);
  t.same(readChoices(browser), choices, 'what was chosen is still there');
  await browser.send('/notifications', {
    ...choices,
    'EMAIL.scan.created': 'on',
    from: '22:00',
    to: '07:00',
    digest: 'DAILY',
  });
  t.equal(browser.path, `${path}?done=notifications`);
  t.same(readChoices(browser), { ...choices, 'EMAIL.scan.created': 'on' });
  const { body } = await test.call('GET', '/api/notifications/preferences', { token: user.accessToken });
  t.match(body, { quietHours: { from: '22:00', to: '07:00' }, digest: 'DAILY' });
  t.match(body.preferences, {
    'message.created': { EMAIL: false, PUSH: true },
    'scan.created': { EMAIL: true, PUSH: true },
    'document.opened': { EMAIL: true, PUSH: true },
    'payment.received': { EMAIL: true, PUSH: false },
  });
});

t.test('a change elsewhere is not overwritten unseen', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const browser = await signIn(test, user);
  const tab = openTab(test, browser);
  const path = `/app/${user.id}/settings/notifications`;
  await browser.open(path);
  await tab.open(path);
  await tab.send('/notifications', { ...readChoices(tab), digest: 'NEVER' });
  await browser.send('/notifications', { ...readChoices(browser), digest: 'DAILY' });
  t.equal(browser.page.status, 412);
  t.match(browser.main, '<option value="DAILY" selected>');
  await browser.send('/notifications', { ...readChoices(browser), digest: 'DAILY' });
  t.equal(browser.path, `${path}?done=notifications`);
});

t.test('the page has every channel that can be changed', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const browser = await signIn(test, user);
  await browser.open(`/app/${user.id}/settings/notifications`);
  const fields = [...browser.main.matchAll(/type="checkbox" name="([^"]*)"/g)].map(([, name]) => name);
  const changeable = CONFIGURABLE_EVENTS.flatMap((event) =>
    (['EMAIL', 'PUSH'] as const)
      .filter((channel) => isChannelConfigurable(event, channel))
      .map((channel) => `${channel}.${event}`),
  );
  t.same(fields.sort(), changeable.sort());
});

t.test('a phone is removed', async (t) => {
  const test = await startTestApp(t);
  const user = await test.createUser();
  const token = user.accessToken;
  const device = { platform: 'ANDROID', token: 'a'.repeat(64), name: 'Ada’s <phone>' };
  const { status } = await test.call('POST', '/api/notifications/devices', { token, body: device });
  t.equal(status, 201);
  const browser = await signIn(test, user);
  await browser.open(`/app/${user.id}/settings/notifications`);
  t.match(browser.page.text, 'Ada’s &#60;phone&#62;');
  await browser.send('/remove');
  t.match(browser.main, 'This phone gets no more notifications.');
  t.notMatch(browser.main, 'Ada’s');
});
