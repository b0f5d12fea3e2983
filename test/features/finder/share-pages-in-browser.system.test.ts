import { findFreePort } from '../../../src/start/find-free-port.ts';
import {
  BROWSER_SKIP_REASON,
  findAccessibilityViolations,
  measureHorizontalOverflow,
  openBrowser,
} from '../../browser.ts';
import { PHONE_USER_AGENT, startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createTestPdf, uploadDocument } from '../documents/upload.ts';

t.test('share links work in a browser, with and without script', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const test = await startTestApp(t, { PUBLIC_BASE_URL: base });
  const { app, call, createUser } = test;
  await app.listen({ host: '127.0.0.1', port });
  const open = await openBrowser(t);
  const { accessToken: token } = await createUser();
  const share = async (kind: string, body: object = {}) => {
    const title = 'Donaudampfschifffahrtsgesellschaftskapitänspatent';
    const { body: document } = await uploadDocument(test, token, createTestPdf(kind), { title, kind });
    return (await call('POST', `/api/documents/${document.id}/shares`, { token, body })).body;
  };

  await t.test('each page is accessible', async (t) => {
    const plain = await share('OTHER', { maxViews: 3, expiresInSeconds: 86_400 });
    const guarded = await share('OTHER', { passcode: 'sesame' });
    const settings = [
      { locale: 'en' },
      { locale: 'de', colorScheme: 'dark' },
      { locale: 'ar' },
      { locale: 'ja', viewport: { width: 320, height: 256 } },
    ] as const;
    for (const [index, path] of [plain.url, guarded.url, `${base}/s/d`, `${base}/s/d/x`].entries()) {
      const page = await open({ ...settings[index], userAgent: PHONE_USER_AGENT });
      await page.goto(path);
      t.same(await findAccessibilityViolations(page), [], path);
      t.ok((await measureHorizontalOverflow(page)) <= 0, `${path}: no horizontal overflow`);
      t.notOk(page.url().includes(plain.token), 'the token is no longer in the address');
      await page.context().close();
    }
  });

  await t.test('a button and a passcode download the document', async (t) => {
    const { url, id } = await share('OTHER', { passcode: 'sesame' });
    const page = await open({ javaScriptEnabled: false, userAgent: PHONE_USER_AGENT });
    await page.goto(url);
    await page.fill('#passcode', 'open');
    await page.click('button');
    await page.waitForSelector('[role=alert]');
    await page.fill('#passcode', 'sesame');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('button')]);
    t.equal(download.suggestedFilename(), 'paper.pdf');
    t.equal(await page.textContent('h1'), 'Your download is starting');
    t.equal(await page.locator('[role=alert]').count(), 0, 'the error is gone');
    const [again] = await Promise.all([page.waitForEvent('download'), page.click('a.act')]);
    t.equal(again.suggestedFilename(), 'paper.pdf');
    const { views } = await test.database.client.documentShare.findUniqueOrThrow({ where: { id } });
    t.equal(views, 1);
    await page.context().close();
  });

  await t.test('the token of a health document is in no request line', async (t) => {
    const { url, id, token: secret } = await share('HEALTH');
    const page = await open({ userAgent: PHONE_USER_AGENT });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(`${request.url()} ${JSON.stringify(request.headers())}`));
    await page.goto(url);
    await page.waitForURL(`**/s/d/${id}*`);
    t.equal(requests.filter((line) => line.includes(secret)).length, 0);
    await page.goBack();
    await page.context().close();
    const without = await open({ javaScriptEnabled: false, userAgent: PHONE_USER_AGENT });
    await without.goto(url);
    await without.fill('#link', url);
    await without.click('button');
    await without.waitForURL(`**/s/d/${id}*`);
    await without.context().close();
  });
});
