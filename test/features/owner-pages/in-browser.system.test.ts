import { LOCALES } from '../../../src/shared/i18n/locales.ts';
import { findFreePort } from '../../../src/start/find-free-port.ts';
import {
  BROWSER_SKIP_REASON,
  findAccessibilityViolations,
  measureHorizontalOverflow,
  openBrowser,
} from '../../browser.ts';
import { startTestApp, TEST_PASSWORD } from '../../helper.ts';
import { t } from '../../tap.ts';
import { listRefusals, withoutScriptsOfFrames } from './browser-refusals.ts';

const SIGNED_OUT_PAGES = ['sign-in', 'sign-up', 'forgot-password', 'reset-password', 'start', 'start/pet'];

t.test('an owner signs up and in with a browser', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const test = await startTestApp(t, { PUBLIC_BASE_URL: base });
  await test.app.listen({ host: '127.0.0.1', port });
  const open = await openBrowser(t);

  await t.test('pages are accessible, narrow ones, too, and refuse nothing of their own', async (t) => {
    const settings = [
      { locale: 'en' },
      { colorScheme: 'dark' },
      { forcedColors: 'active' },
      { viewport: { width: 320, height: 256 } },
    ] as const;
    for (const setting of settings) {
      const page = await open(setting);
      const refusals = listRefusals(page);
      for (const path of SIGNED_OUT_PAGES)
        for (const tag of ['en', 'ar']) {
          const what = JSON.stringify({ ...setting, path, tag });
          await page.goto(`${base}/app/${path}?lang=${tag}`);
          t.same(await findAccessibilityViolations(page), [], what);
          t.ok((await measureHorizontalOverflow(page)) <= 0, `${what}: no horizontal overflow`);
        }
      t.same(withoutScriptsOfFrames(refusals), []);
      await page.context().close();
    }
    const page = await open({ viewport: { width: 320, height: 640 } });
    for (const { tag } of LOCALES.values()) {
      await page.goto(`${base}/app/sign-up?lang=${tag}`);
      t.ok((await measureHorizontalOverflow(page)) <= 0, tag);
    }
  });

  await t.test('the code is sent at its sixth digit, and Back after signing out shows nothing', async (t) => {
    const page = await open({ locale: 'en-GB', timezoneId: 'Europe/Lisbon' });
    const refusals = listRefusals(page);
    await page.goto(`${base}/`);
    await page.getByRole('link', { name: 'Get started' }).click();
    await page.getByRole('link', { name: 'Pet' }).click();
    await page.getByLabel('Name', { exact: true }).first().fill('Rex');
    await page.frameLocator('iframe[name=preview]').getByRole('heading', { name: 'Rex' }).waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: 'Continue without a photo' }).click();
    await page.getByLabel('First name').fill('Ada');
    await page.getByLabel('Last name').fill('Lovelace');
    await page.getByLabel('Email address').fill('ada@example.org');
    await page.getByLabel('Password').fill(TEST_PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL(/\/sign-up\/code/);
    t.equal(await page.evaluate('document.activeElement.name'), 'code');
    const account = page.waitForURL(/\/app\/[0-9a-f]{24}\/start$/);
    await page.getByLabel('Six digits').pressSequentially(await test.getOtp('ada@example.org'));
    await account;
    const user = await test.database.client.user.findUniqueOrThrow({ where: { email: 'ada@example.org' } });
    t.match(user, { status: 'ACTIVE', timeZone: 'Europe/Lisbon' });
    const cookies = await page.context().cookies();
    t.match(
      cookies.find(({ name }) => name === 'session'),
      { httpOnly: true, secure: false, sameSite: 'Lax' },
      'without https it has no prefix',
    );
    t.equal(await page.evaluate('document.cookie'), '', 'scripts see no cookie');

    await page.getByRole('button', { name: 'Create the code' }).click();
    await page.waitForURL(/\/print$/);
    t.equal(await page.locator('h1').textContent(), 'Rex');

    await page.goto(`${base}/app/${user.id}/codes`);
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 640 });
      t.ok((await measureHorizontalOverflow(page)) <= 0, `${width} px`);
      t.same(await findAccessibilityViolations(page), []);
      await page.locator('th a').waitFor();
      const title = await page.locator('th a').boundingBox();
      t.ok(title && title.height < 40, 'a short title is in one line');
    }
    await page.getByLabel('Select all on this page').check();
    t.ok(await page.getByLabel('Select Rex').isChecked());
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('1 code is paused.').waitFor();

    const check = async (what: string) => {
      t.same(await findAccessibilityViolations(page), [], what);
      t.ok((await measureHorizontalOverflow(page)) <= 0, what);
    };
    await page.setViewportSize({ width: 320, height: 640 });
    await page.getByLabel('Select Rex').check();
    await page.getByRole('button', { name: 'Change…' }).click();
    await page.getByLabel('Name of the field').fill('site');
    await page.getByLabel('Value').fill('Berlin');
    await check('the page of a change');
    await page.getByLabel('Value').press('Enter');
    await page.getByText('1 code is changed.').waitFor();
    await page.getByRole('link', { name: 'Rex' }).click();
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('Changed: Own data').waitFor();
    await check('the history of a code');
    await page.goto(`${base}/app/${user.id}/codes`);
    await page.getByLabel('Select Rex').check();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('link', { name: 'See deleted codes' }).click();
    await check('deleted codes');
    await page.getByLabel('Select Rex').check();
    await page.getByRole('button', { name: 'Restore' }).first().click();
    await page.getByText('1 code is back.').waitFor();
    await page.goto(`${base}/app/${user.id}/codes`);
    await page.getByRole('link', { name: 'Rex' }).click();
    const deletion = page.getByRole('button', { name: 'Delete this code' });
    await deletion.scrollIntoViewIfNeeded();
    const { x = 0, y = 0 } = (await deletion.boundingBox()) ?? {};
    // A locator would wait for the page that the first click leads to.
    const click = () => page.mouse.click(x + 5, y + 5);
    await test.services.database.transaction(async (tx) => {
      await tx.$queryRaw`SELECT FROM qr_codes WHERE account_id = ${user.id} FOR UPDATE`;
      const isSent = page.waitForRequest(/\/delete$/);
      await click();
      await isSent;
      await click();
    });
    await page.getByText('The code is deleted.').waitFor();

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/\/sign-in/);
    await page.goBack();
    await page.waitForURL(/\/sign-in/);
    t.equal(await page.locator('h1').textContent(), 'Sign in');
    t.same(withoutScriptsOfFrames(refusals), []);
    await page.context().close();
  });

  await t.test('the page of a code grows beside its form, and Back leaves the form', async (t) => {
    const page = await open({ locale: 'en' });
    const refusals = listRefusals(page);
    await page.goto(`${base}/app/sign-in`);
    await page.getByLabel('Email address').fill('ada@example.org');
    await page.getByLabel('Password').fill(TEST_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/app\/[0-9a-f]{24}$/);
    const home = page.url();
    await page.goto(`${home}/codes/new/pet`);
    const preview = page.frameLocator('iframe[name=preview]');
    for (const name of ['Rex', 'Rex of Ealing']) {
      await page.getByLabel('Name', { exact: true }).first().fill(name);
      await preview.getByRole('heading', { name }).waitFor();
    }
    t.equal(await page.locator('iframe').count(), 1);
    t.notOk(await page.getByRole('button', { name: 'Show preview' }).isVisible());
    await page.goBack();
    t.equal(page.url(), home);
    t.same(withoutScriptsOfFrames(refusals), []);
    await page.context().close();
  });

  await t.test('a form that was refused still shows its page', async () => {
    const page = await open({ locale: 'en' });
    await page.goto(`${base}/app/start/pet`);
    await page.getByLabel('Name', { exact: true }).first().fill('Rex');
    await page.locator('[name="data.owner.phone"]').fill('+49 30 123456');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').waitFor();
    await page.frameLocator('iframe[name=preview]').getByRole('heading', { name: 'Rex' }).waitFor();
    await page.context().close();
  });

  await t.test('the link of an email fills the form, and its token leaves the address', async (t) => {
    const page = await open({ locale: 'en' });
    await page.goto(`${base}/app/forgot-password`);
    await page.getByLabel('Email address').fill('ada@example.org');
    await page.getByRole('button').click();
    const mail = await test.getMailBySubject('ada@example.org', /password/i);
    await page.goto(/http\S+#token=[\w-]+/.exec(mail?.text ?? '')?.[0] ?? '');
    t.equal(new URL(page.url()).hash, '');
    t.notOk(await page.getByLabel('Link from our email').isVisible());
    await page.getByLabel('New password').fill('a new and long password');
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.getByLabel('Email address').fill('ada@example.org');
    await page.getByLabel('Password').fill('a new and long password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/app\/[0-9a-f]{24}$/);
    await page.context().close();
  });
});
