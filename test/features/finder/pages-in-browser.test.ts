import t from 'tap';
import { NO_BROWSER, openBrowser, overflowOf, violationsOf } from '../../browser.ts';
import { absentId, PHONE } from '../../helper.ts';
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
      t.same(asked, [`${base}/s/${id}`], 'one request');
      await page.context().close();
    }
  }
});
