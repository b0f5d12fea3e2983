import { findFreePort } from '../../../../src/start/find-free-port.ts';
import { BROWSER_SKIP_REASON, findAccessibilityViolations, openBrowser } from '../../../browser.ts';
import { TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { startInbox } from '../inbox-helper.ts';

t.test('a conversation shows and sends typing', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const port = await findFreePort();
  const base = `http://127.0.0.1:${port}`;
  const test = await startInbox(t, { PUBLIC_BASE_URL: base });
  await test.app.listen({ host: '127.0.0.1', port });
  const { body: opened } = await test.write(await test.code({ title: 'Rex' }), { message: 'Found him.' });
  const open = await openBrowser(t);
  const page = await open({});
  await page.goto(`${base}/app/sign-in`);
  await page.fill('[name=email]', test.owner.email);
  await page.fill('[name=password]', TEST_PASSWORD);
  await page.click('main form button');
  await page.waitForURL(/\/app\/[0-9a-f]{24}$/);
  await page.goto(`${base}${test.path}/inbox/${opened.id}`);

  const sent = page.waitForResponse((response) => response.url().endsWith('/typing'));
  await page.fill('#message', 'On my');
  t.equal((await sent).status(), 204);
  t.ok(test.services.typing.isTyping({ conversationId: opened.id, side: 'OWNER' }));
  test.services.typing.publish({ conversationId: opened.id, accountId: test.owner.id, side: 'FINDER' });
  await page.getByText('The finder is typing…').waitFor();
  t.same(await findAccessibilityViolations(page), []);
  await page.getByText('The finder is typing…').waitFor({ state: 'hidden' });
  t.equal(await page.inputValue('#message'), 'On my', 'what is being written stays');
});
