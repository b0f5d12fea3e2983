import { HostAddressError } from '../../../../src/shared/host-address-error.ts';
import { findFreePort } from '../../../../src/start/find-free-port.ts';
import {
  BROWSER_SKIP_REASON,
  findAccessibilityViolations,
  measureHorizontalOverflow,
  openBrowser,
} from '../../../browser.ts';
import { TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { startReceiver, startWebhooks } from '../../webhooks/helper.ts';

t.test(
  'webhooks are read in a browser, on a narrow screen, too',
  { skip: BROWSER_SKIP_REASON },
  async (t) => {
    const port = await findFreePort();
    const base = `http://127.0.0.1:${port}`;
    const test = await startWebhooks(t, { PUBLIC_BASE_URL: base });
    test.services.webhookSender.resolveAddresses = async (host) => {
      if (host === 'localhost') return [{ address: '127.0.0.1', family: 4 }];
      throw new HostAddressError('NAME_NOT_RESOLVED');
    };
    await test.app.listen({ host: '127.0.0.1', port });
    const { url } = await startReceiver(t, () => 500);
    const { owner } = test;
    const path = `${base}/app/${owner.id}/developers/webhooks`;
    const open = await openBrowser(t);
    const signInPage = async (setting: Parameters<typeof open>[0]) => {
      const page = await open(setting);
      await page.goto(`${base}/app/sign-in`);
      await page.fill('#email', owner.email);
      await page.fill('#password', TEST_PASSWORD);
      await page.click('main button');
      await page.waitForURL(`**/app/${owner.id}`);
      return page;
    };
    const first = await signInPage({ viewport: { width: 1280, height: 800 } });
    await first.goto(path);
    t.same(await findAccessibilityViolations(first), []);

    const failing = await test.createEndpoint(`${url}/${'long'.repeat(40)}`);
    const unverified = await test.createEndpoint('https://hooks.example.com/qr');
    await test.createCode();
    await first.goto(`${path}/${failing.id}`);
    await first.click('form[action$="/test"] button');
    await first.waitForURL('**/deliveries/*');
    const delivery = first.url();
    await first.waitForSelector('text=HTTP 500');
    await first.context().close();
    for (const { language, ...setting } of [
      { language: 'en', viewport: { width: 1280, height: 800 } },
      { language: 'de', viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
      { language: 'ar', viewport: { width: 390, height: 844 } },
    ] as const) {
      await test.database.client.user.update({ where: { id: owner.id }, data: { language } });
      const page = await signInPage(setting);
      for (const address of [
        path,
        `${path}/new`,
        `${path}/receiver`,
        `${path}/${failing.id}`,
        `${path}/${failing.id}/edit`,
        `${path}/${failing.id}/replay`,
        `${path}/${unverified.id}`,
        delivery,
      ]) {
        await page.goto(address);
        t.same(await findAccessibilityViolations(page), [], `${language} ${address}`);
        t.ok((await measureHorizontalOverflow(page)) <= 0, `${language} ${address}`);
      }
      await page.context().close();
    }
  },
);
