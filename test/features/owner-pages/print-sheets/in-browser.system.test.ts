import { findFreePort } from '../../../../src/start/find-free-port.ts';
import {
  BROWSER_SKIP_REASON,
  findAccessibilityViolations,
  measureHorizontalOverflow,
  openBrowser,
} from '../../../browser.ts';
import { startTestApp, TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { createTestCode } from '../../codes/code-helper.ts';

t.test('labels are made in a browser, on a narrow screen, too', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const test = await startTestApp(t, { PUBLIC_BASE_URL: base });
  await test.app.listen({ host: '127.0.0.1', port });
  const user = await test.createUser();
  for (const title of ['Rex', 'Luna', 'Blue suitcase']) await createTestCode(test, user, { title });
  const open = await openBrowser(t);
  for (const { language, ...setting } of [
    { language: 'en', viewport: { width: 1280, height: 800 } },
    { language: 'de', viewport: { width: 320, height: 640 }, colorScheme: 'dark' },
    { language: 'ar', viewport: { width: 390, height: 844 } },
  ] as const) {
    await test.database.client.user.update({ where: { id: user.id }, data: { language } });
    const page = await open(setting);
    await page.goto(`${base}/app/sign-in`);
    await page.fill('#email', user.email);
    await page.fill('#password', TEST_PASSWORD);
    await page.click('main button');
    await page.waitForURL(`**/app/${user.id}`);
    for (const path of ['print', 'print?template=avery-l4731rev&startCell=40', 'print?group=ROLL']) {
      await page.goto(`${base}/app/${user.id}/${path}`);
      t.same(await findAccessibilityViolations(page), [], `${language} ${path}`);
      t.ok((await measureHorizontalOverflow(page)) <= 0, `${language} ${path}`);
    }
    await page.selectOption('#texts', 'title');
    await page.waitForURL('**texts=title**');
    await page.click('.split form[method=post] button');
    await page.waitForURL(/\/print\/\w{24}$/);
    for (let attempt = 0; attempt < 400 && !(await page.$('a[download]')); attempt += 1) await page.reload();
    t.ok(await page.$('a[download]'));
    t.same(await findAccessibilityViolations(page), []);
    await page.context().close();
  }
});
