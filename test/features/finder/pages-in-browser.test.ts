import type { Page } from 'playwright-core';
import t from 'tap';
import { freePort } from '../../../src/sandbox/free-port.ts';
import { NO_BROWSER, openBrowser, overflowOf, violationsOf } from '../../browser.ts';
import { absentId, PHONE } from '../../helper.ts';
import { mailsAfter } from '../accounts/helper.ts';
import { startScans } from '../scans/helper.ts';

const LONG = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(2);

t.test('the pages of codes are for everybody, however they look at them', { skip: NO_BROWSER }, async (t) => {
  const { app, call, code, owner } = await startScans(t);
  const open = await openBrowser(t);
  const base = await app.listen({ host: '127.0.0.1', port: 0 });
  const allergies = [{ name: LONG, reaction: 'Anaphylaxis', severity: 'LIFE_THREATENING' }];
  const contacts = [{ name: 'Ada', phone: '+49 170 1234567', email: 'ada@example.org' }];
  const medical = await code({
    kind: 'MEDICAL',
    data: { name: LONG, bloodType: 'AB-', allergies, emergencyContacts: contacts },
    visibility: { name: 'PUBLIC', allergies: 'PUBLIC', emergencyContacts: 'PUBLIC' },
  });
  const pin = await code({ pin: '0047' });
  const lost = await code();
  await call('POST', `/api/qrcodes/${lost}/lost`, { token: owner.accessToken, body: { reward: '100 EUR' } });
  const paused = await code();
  await call('PUT', `/api/qrcodes/${paused}`, { token: owner.accessToken, body: { status: 'PAUSED' } });
  const network = await code({ kind: 'WIFI', data: { ssid: 'Guests', password: 'secret words' } });
  const settings = [
    { locale: 'en' },
    { locale: 'de', colorScheme: 'dark' },
    { locale: 'ar', javaScriptEnabled: true },
    { locale: 'hi', forcedColors: 'active' },
    // 1,280 pixels at 400 %: WCAG 2.2, 1.4.10.
    { locale: 'ja', viewport: { width: 320, height: 256 } },
  ] as const;
  for (const [index, id] of [medical, pin, lost, paused, network, absentId()].entries()) {
    // Each page in one setting, the first in all of them.
    for (const setting of index === 0 ? settings : [settings[index % settings.length] ?? {}]) {
      const page = await open({ ...setting, userAgent: PHONE });
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(`${base}/s/${id}`);
      const what = `${index}, ${JSON.stringify(setting)}`;
      t.same(await violationsOf(page), [], what);
      t.ok((await overflowOf(page)) <= 0, `${what}: nothing is beside the window`);
      // Paused and unknown codes have no form, and what is small enough to do without.
      const others = asked.filter((url) => url !== `${base}/s/position.js`);
      t.same(others, [`${base}/s/${id}`], 'one request, and a small file where script is allowed');
      await page.context().close();
    }
  }
});

for (const [locale, javaScriptEnabled] of [
  ['he', false],
  ['de', true],
] as const) {
  const name = `a finder and an owner talk by their pages, ${javaScriptEnabled ? 'with' : 'without'} script (${locale})`;
  t.test(name, { skip: NO_BROWSER }, async (t) => {
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    const test = await startScans(t, { PUBLIC_BASE_URL: base });
    await test.app.listen({ host: '127.0.0.1', port });
    const open = await openBrowser(t);
    const id = await test.code();
    const look = async (page: Page, what: string) => {
      if (javaScriptEnabled) t.same(await violationsOf(page), [], what);
      t.ok((await overflowOf(page)) <= 0, `${what}: nothing is beside the window`);
    };
    const finder = await open({ locale, javaScriptEnabled, userAgent: PHONE, colorScheme: 'dark' });
    await finder.goto(`${base}/s/${id}`);
    await finder.locator('input[value="ANIMAL_FOUND"]').check();
    await finder.locator('#message').fill('In the park');
    // Nobody writes as fast as a robot.
    await finder.waitForTimeout(2_100);
    const [mail] = await mailsAfter(test, test.owner.email, async () => {
      await finder.locator('#write button').click();
      await look(finder, 'sent');
    });
    await finder.locator('a.act').click();
    t.equal(finder.url(), `${base}/s/${id}/c`, 'a clean address');
    t.match(await finder.locator('.own .text').textContent(), 'In the park');
    await look(finder, 'the conversation');

    const owner = await open({ locale: 'fr', javaScriptEnabled });
    await owner.goto(/https?:\S+\/c\/\S+/.exec(mail?.text ?? '')?.[0] ?? '');
    t.match(await owner.locator('.other .text').textContent(), 'In the park');
    await look(owner, 'the owner’s side');
    await owner.locator('#message').fill('I am on my way.');
    await owner.locator('form button').first().click();
    t.match(await owner.locator('.own .text').textContent(), 'I am on my way.');

    await finder.locator('p a').first().click();
    t.match(await finder.locator('.other .text').textContent(), 'I am on my way.');
    t.notMatch(await finder.content(), test.owner.email);
  });
}
