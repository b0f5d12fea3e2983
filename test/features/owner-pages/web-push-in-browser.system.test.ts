import { findFreePort } from '../../../src/start/find-free-port.ts';
import { BROWSER_SKIP_REASON, findAccessibilityViolations, openBrowser } from '../../browser.ts';
import { startTestApp, TEST_PASSWORD } from '../../helper.ts';
import { startWebPushServer } from '../../providers/push/web-push-server.ts';
import { t } from '../../tap.ts';

// The browser's own push service is Google's: the test subscribes at one of its own, and delivers what arrives there.
t.test(
  'a browser is registered, shows a push while no page is open, and opens what it is about',
  { skip: BROWSER_SKIP_REASON },
  async (t) => {
    const port = await findFreePort();
    const base = `http://127.0.0.1:${port}`;
    const test = await startTestApp(t, { PUBLIC_BASE_URL: base });
    await test.app.listen({ host: '127.0.0.1', port });
    const server = await startWebPushServer(t.teardown);
    const receiver = server.createBrowser();
    const user = await test.createUser();
    const open = await openBrowser(t);
    const page = await open({ permissions: ['notifications'] });
    const { endpoint, p256dh, auth } = receiver.subscription;
    const subscription = JSON.stringify({ endpoint, keys: { p256dh, auth } });
    await page.addInitScript(
      `PushManager.prototype.subscribe = async () => ({ toJSON: () => (${subscription}) });`,
    );
    await page.goto(`${base}/app/sign-in`);
    await page.fill('#email', user.email);
    await page.fill('#password', TEST_PASSWORD);
    await page.click('main button');
    await page.waitForURL(`**/app/${user.id}`);

    const path = `${base}/app/${user.id}/settings/notifications`;
    await page.goto(path);
    if ((await page.evaluate<string>('Notification.permission')) !== 'granted') {
      t.pass('notifications', { skip: 'Chromium without windows shows none' });
      return;
    }
    t.same(await findAccessibilityViolations(page), []);
    await page.click('[data-script="web-push"] button');
    await page.waitForURL('**/notifications?done=web-push');
    t.match(await page.textContent('#this-device'), 'Notifications are on in this browser.');
    await page.click('form[action$="/test"] button');
    await page.waitForURL('**/notifications?done=device-tested');
    t.same(await findAccessibilityViolations(page), []);
    const text = receiver.decrypt(server.received[0]?.body ?? Buffer.alloc(0));

    const devtools = await page.context().newCDPSession(page);
    const registration = new Promise<string>((resolve) => {
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [first] = registrations;
        if (first) resolve(first.registrationId);
      });
    });
    await devtools.send('ServiceWorker.enable');
    const registrationId = await registration;
    const deliver = (data: string) =>
      devtools.send('ServiceWorker.deliverPushMessage', { origin: base, registrationId, data });
    const readNotifications = () =>
      page.evaluate<{ title: string; tag: string; data: unknown }[]>(
        'navigator.serviceWorker.ready.then(async (one) => (await one.getNotifications()).map(({ title, tag, data }) => ({ title, tag, data })))',
      );
    const waitForNotifications = async (count: number) => {
      for (;;) {
        const notifications = await readNotifications();
        if (notifications.length >= count) return notifications;
        await page.waitForTimeout(50);
      }
    };
    await deliver(text);
    t.match(await waitForNotifications(1), [
      { title: 'Notifications reach this device', tag: 'test', data: { event: 'test' } },
    ]);
    const id = '6b0185b226c9b3547a1e4d9c';
    await deliver(JSON.stringify({ title: 'Rex', data: { notificationId: id }, tag: id }));
    await deliver('no JSON');
    t.equal((await waitForNotifications(3)).length, 3, 'one that cannot be read is shown, too');

    const [worker] = page.context().serviceWorkers();
    // A string: the types of workers are not those of pages.
    const opened = await worker?.evaluate<string[]>(`(async () => {
      const urls = [];
      clients.openWindow = async (url) => void urls.push(url);
      for (const notification of await registration.getNotifications())
        dispatchEvent(new NotificationEvent('notificationclick', { notification }));
      return urls;
    })()`);
    t.same(opened?.sort(), [`${base}/app`, `${base}/app`, `${base}/app/notifications/${id}`]);
    t.same(await readNotifications(), [], 'they are closed');
  },
);

t.test('a browser that cannot, or may not, says so', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const test = await startTestApp(t, { PUBLIC_BASE_URL: base });
  await test.app.listen({ host: '127.0.0.1', port });
  const user = await test.createUser();
  const open = await openBrowser(t);
  const cases = [
    { name: 'unsupported', script: 'delete window.PushManager' },
    {
      name: 'denied',
      script: "Object.defineProperty(Notification, 'permission', { get: () => 'denied' })",
    },
  ];
  for (const { name, script } of cases) {
    const page = await open();
    await page.addInitScript(script);
    await page.goto(`${base}/app/sign-in`);
    await page.fill('#email', user.email);
    await page.fill('#password', TEST_PASSWORD);
    await page.click('main button');
    await page.waitForURL(`**/app/${user.id}`);
    await page.goto(`${base}/app/${user.id}/settings/notifications`);
    t.ok(await page.isVisible(`[data-when="${name}"]`), name);
    t.notOk(await page.isVisible('[data-script="web-push"] button'), name);
  }
});
