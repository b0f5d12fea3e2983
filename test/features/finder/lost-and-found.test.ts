import { PHONE_USER_AGENT, type TestResponse } from '../../helper.ts';
import { t } from '../../tap.ts';
import { startSecondInstance } from '../identity/sign-in/second-instance.ts';
import { findCounts, startScans } from '../scans/helper.ts';

const LOST = '<p class="flag">Lost</p>';

const presetsIn = ({ text }: TestResponse) =>
  [...text.matchAll(/name="preset" value="([A-Z_]+)"/g)].map(([, preset]) => preset);

t.test('lost codes, owner previews and repeated visits', async (t) => {
  const test = await startScans(t);
  const { call, code, database, owner } = test;
  const token = owner.accessToken;

  await t.test('lost and found change page, alerts and presets immediately on every instance', async (t) => {
    const other = await startSecondInstance(t, test);
    const id = await code({ kind: 'CAR', title: 'Car', data: { name: 'Blue van' } });
    const report = (what: string) => test.call('POST', `/api/qrcodes/${id}/${what}`, { token, body: {} });
    const readState = async () => {
      const pages = [];
      for (const app of [test, other]) {
        pages.push(await app.call('GET', `/s/${id}`, { headers: { 'user-agent': PHONE_USER_AGENT } }));
        await app.call('POST', '/api/scans/public', {
          body: { qrCodeId: id },
          headers: { 'user-agent': PHONE_USER_AGENT, 'content-type': 'application/json' },
        });
      }
      return pages;
    };
    const alerts = () =>
      database.client.notification.count({ where: { userId: owner.id, event: 'code.scanned_while_lost' } });

    for (const page of await readState()) {
      t.notMatch(page.text, LOST);
      t.match(presetsIn(page), ['CAR_BLOCKING', 'CAR_LIGHTS']);
    }
    t.equal(await alerts(), 0);
    await report('lost');
    for (const page of await readState()) {
      t.match(page.text, LOST);
      t.match(presetsIn(page), ['FOUND', 'CAR_BLOCKING']);
    }
    t.equal(await alerts(), 4, 'one alert per scan, even of the same visitor');
    await report('found');
    for (const page of await readState()) {
      t.notMatch(page.text, LOST);
      t.match(presetsIn(page), ['CAR_BLOCKING', 'CAR_LIGHTS']);
    }
    t.equal(await alerts(), 4);
  });

  await t.test(
    'owners preview their codes without alerting themselves, even if the code is lost',
    async (t) => {
      const id = await code();
      const link = await call('POST', `/api/qrcodes/${id}/test`, { token });
      const opened = await call('POST', new URL(link.body.url).pathname, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: '',
      });
      const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? '';
      await database.client.notification.deleteMany();
      const note = '<p class="done">This phone is marked as yours, so this scan notifies nobody.</p>\n';
      const recorded = 'This scan was recorded, and the owner may be notified.';
      const plain = ({ text }: TestResponse) =>
        text
          .replaceAll(/name="visit" value="[^"]*"/g, '')
          .replace(note, '')
          .replace(`<p>${recorded}</p>`, '');

      for (const isLost of [false, true]) {
        if (isLost) await call('POST', `/api/qrcodes/${id}/lost`, { token, body: {} });
        const own = await call('GET', `/s/${id}`, { headers: { cookie } });
        t.equal(own.status, 200);
        t.equal(await database.client.notification.count(), 0, 'no notification');
        const strangers = await call('GET', `/s/${id}`, {
          headers: { 'user-agent': `${PHONE_USER_AGENT} ${isLost}` },
        });
        t.match([own.text.includes(note), strangers.text.includes(note)], [true, false]);
        t.match([own.text.includes(recorded), strangers.text.includes(recorded)], [false, true]);
        t.equal(plain(own), plain(strangers), 'it is the page that strangers see');
        t.equal(await database.client.notification.count(), 1);
        await database.client.notification.deleteMany();
      }
      t.match(await findCounts(test, id), { counters: { total: 4, humans: 2, unique: 2 } });
      t.equal(await database.client.scan.count({ where: { qrCodeId: id, class: 'OWNER' } }), 2);
    },
  );

  await t.test('reloading a page, or reopening it soon, counts as the same visit', async (t) => {
    const id = await code();
    for (const cache of ['', 'max-age=0', 'no-cache']) {
      const headers = { 'cache-control': cache, 'user-agent': `${PHONE_USER_AGENT} again` };
      t.equal((await call('GET', `/s/${id}`, { headers })).status, 200);
    }
    const scans = await database.client.scan.findMany({
      where: { qrCodeId: id },
      orderBy: { scannedAt: 'asc' },
    });
    t.same(
      scans.map((scan) => scan.class),
      ['HUMAN', 'DUPLICATE', 'DUPLICATE'],
    );
    t.match(await findCounts(test, id), { counters: { total: 3, humans: 1, unique: 1 } });
    t.equal(
      await database.client.notification.count({
        where: { event: 'scan.created', data: { path: ['qrCodeId'], equals: id } },
      }),
      1,
    );
  });
});
