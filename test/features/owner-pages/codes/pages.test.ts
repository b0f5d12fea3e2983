import { t } from '../../../tap.ts';
import { captureAuditEntries } from '../../audit-trail-helper.ts';
import { setPackageLimit } from '../../billing/subscriptions/subscription-helper.ts';
import { createPictureForm, ONE_PIXEL_PNG } from '../../memory-tags/gallery-helper.ts';
import { BERLIN_COORDINATE_PATTERN, BERLIN_POSITION, startScans } from '../../scans/helper.ts';
import { signInBrowser } from '../signed-in-browser.ts';

const HOSTILE_TITLE = '"><img src=x onerror=alert(1)>';

const test = await startScans(t);
await setPackageLimit(test, 'FREE', { qrCodes: null });
const { call, code } = test;

/** A new account, so that lists have what a test expects. */
async function openAccount() {
  const user = await test.createUser();
  const browser = await signInBrowser(test, user);
  const home = `/app/${user.id}`;
  return { user, browser, home, codes: `${home}/codes` };
}

const listTitles = (markup: string) =>
  [...markup.matchAll(/<th scope="row">.*?<bdi>(.*?)<\/bdi>/gs)].map(([, title]) => title);

t.test('the first page of a new account leads to a new code', async (t) => {
  const { browser, home, user } = await openAccount();
  await browser.open(home);
  t.match(browser.main, `href="${home}/codes/new"`);
  t.match(browser.main, 'Make your first code');
  const id = await code({ title: HOSTILE_TITLE }, user);
  await browser.open(home);
  t.match(browser.main, `href="${home}/codes/${id}"`);
  t.match(browser.main, `href="${home}/codes/${id}/print"`, 'and then to what it needs to work');
  t.notMatch(browser.page.text, '<img src=x');
  t.match(browser.main, 'Almost done');
  await browser.send('/hide');
  t.notMatch(browser.main, 'Almost done');
});

t.test('codes are searched, filtered, sorted and leafed through', async (t) => {
  const { browser, codes, user } = await openAccount();
  for (let number = 10; number < 62; number += 1) await code({ title: `Bag ${number}` }, user);
  const pausedId = await code({ title: HOSTILE_TITLE, kind: 'LUGGAGE', data: { name: 'Ada' } }, user);
  await browser.open(`${codes}/${pausedId}`);
  await browser.send('/pause');

  await browser.open(`${codes}?sort=title`);
  t.match(browser.main, '53 codes');
  t.notMatch(browser.page.text, '<img src=x');
  const follow = async (rel: string) => {
    const link = new RegExp(`rel="${rel}" href="([^"]*)"`).exec(browser.main)?.[1] ?? '';
    await browser.open(link);
    return listTitles(browser.main);
  };
  const first = listTitles(browser.main);
  t.equal(first.length, 25);
  const second = await follow('next');
  const third = await follow('next');
  const all = [...first, ...second, ...third].filter((title) => title?.startsWith('Bag'));
  t.same(
    all,
    Array.from({ length: 52 }, (_, index) => `Bag ${index + 10}`),
  );
  t.notMatch(browser.main, 'rel="next"');
  t.same(await follow('prev'), second);
  t.same(await follow('prev'), first);
  t.notMatch(browser.main, 'rel="prev"');

  await browser.open(`${codes}?search=bag+1&kind=PET`);
  t.same(
    listTitles(browser.main).toSorted(),
    Array.from({ length: 10 }, (_, index) => `Bag ${index + 10}`),
  );
  await browser.open(`${codes}?status=PAUSED`);
  t.match(browser.main, '1 code');
  await browser.open(`${codes}?search=nothing&after=made-up`);
  t.equal(browser.page.status, 200);
  t.match(browser.main, 'No code matches.');
  await browser.open(`${codes}?kind=NONE&status=NONE&sort=none`);
  t.match(browser.main, '53 codes', 'what an address cannot have is ignored');
});

t.test('a deleted code comes back', async (t) => {
  const { browser, codes, user } = await openAccount();
  const id = await code({ title: 'Rex' }, user);
  await browser.open(`${codes}/${id}`);
  await browser.send('/delete');
  t.equal(browser.path, `${codes}?done=deleted&id=${id}`);
  t.notMatch(listTitles(browser.main), ['Rex']);
  await browser.send('/restore');
  t.equal(browser.path, `${codes}/${id}?done=restored`);
  t.match(browser.main, 'The code is back.');

  await browser.send('/delete');
  await browser.open(`${codes}?status=DELETED`);
  t.equal(browser.path, `${codes}/deleted`);
  t.same(listTitles(browser.main), ['Rex']);
  await setPackageLimit(test, 'FREE', { qrCodes: 0 });
  await browser.send('/restore');
  t.equal(browser.page.status, 403);
  t.match(browser.main, 'Your package has no room');
  await setPackageLimit(test, 'FREE', { qrCodes: null });
  await browser.open(`${codes}/deleted`);
  await browser.send('/restore');
  t.equal(browser.path, `${codes}/deleted?done=restored`);
  t.match(browser.main, 'The code is back.');
});

t.test('pictures are shown to their owner, those of medical codes only on their page', async (t) => {
  const { browser, home, codes, user } = await openAccount();
  const addPicture = async (id: string) =>
    (
      await call('POST', `/api/qrcodes/${id}/pictures`, {
        token: user.accessToken,
        ...createPictureForm(ONE_PIXEL_PNG, { caption: 'caption' }),
      })
    ).body.id;
  const pet = await code({ title: 'Rex', visibility: { pictures: 'PRIVATE' } }, user);
  const card = await code({ title: 'Card', kind: 'MEDICAL', data: { name: 'Ada' } }, user);
  const [petPicture, cardPicture] = [await addPicture(pet), await addPicture(card)];
  for (const page of [home, codes]) {
    await browser.open(page);
    t.match(browser.main, `${codes}/${pet}/pictures/${petPicture}`);
    t.notMatch(browser.main, cardPicture);
  }
  await browser.open(`${codes}/${pet}/pictures/${petPicture}?w=320`);
  t.match(browser.page.headers, { 'content-type': /^image\// });
  const recorded = await captureAuditEntries(test, async () => {
    await browser.open(`${codes}/${card}`);
    t.match(browser.main, cardPicture);
    await browser.open(`${codes}/${card}/pictures/${cardPicture}?w=320`);
  });
  t.match(recorded, [{ action: 'MEDICAL_DATA_READ', resourceId: card }]);
  await browser.open(`${codes}/${pet}/pictures/${cardPicture}?w=320`);
  t.equal(browser.page.status, 404);
  const stranger = await openAccount();
  await stranger.browser.open(`${codes}/${pet}/pictures/${petPicture}?w=320`);
  t.equal(stranger.browser.page.status, 404);
});

t.test('codes are filtered by own data, last scan and end, with counts', async (t) => {
  const { browser, codes, user } = await openAccount();
  const berlin = await code({ title: 'Berlin', metadata: { site: 'Berlin <b>' } }, user);
  await code({ title: 'Rome', metadata: { site: 'Rome' }, expiresAt: '2999-01-01T00:00:00Z' }, user);
  await call('POST', '/api/scans/public', { body: { qrCodeId: berlin } });
  await browser.open(codes);
  t.match(browser.main, '<option value="PET">Pet (2)</option>');
  t.match(browser.main, '<option value="ACTIVE">Active (2)</option>');
  const open = async (query: string) => {
    await browser.open(`${codes}?${query}`);
    return listTitles(browser.main);
  };
  t.same(await open(new URLSearchParams({ metadata: 'site:Berlin <b>' }).toString()), ['Berlin']);
  t.match(browser.main, '<option value="site:Rome">Rome (1)</option>', 'other values can be chosen');
  t.notMatch(browser.page.text, 'Berlin <b>');
  t.same(await open('notScannedSince=2026-01-01'), ['Rome']);
  t.same(await open('expiresTo=2999-06-01'), ['Rome']);
  t.same(await open('expiresTo=2998-06-01'), []);
  for (const query of ['metadata=site', 'notScannedSince=2026-02-31', 'expiresTo=soon'])
    t.equal((await open(query)).length, 2, 'what is no filter is as if it were missing');
});

t.test('a code is printed and saved', async (t) => {
  const { browser, codes, user } = await openAccount();
  const id = await code({ title: HOSTILE_TITLE }, user);
  const path = `${codes}/${id}`;
  const { shortNumber } = (await call('GET', `/api/qrcodes/${id}`, { token: user.accessToken })).body;
  for (const page of [codes, path, `${codes}?search=${shortNumber}`]) {
    await browser.open(page);
    t.match(browser.main, shortNumber, page);
  }
  await browser.open(`${path}/print?size=60&caption=title`);
  t.match(browser.main, 'class="mm-60"');
  t.match(
    browser.main,
    new RegExp(`<figcaption>.*${shortNumber}.*qr\\.example\\.org`),
    'to type where it cannot be scanned',
  );
  t.notMatch(browser.page.text, '<img src=x');
  await browser.open(`${path}/print?size=${encodeURIComponent('"onload=x')}&caption=constructor`);
  t.match(browser.main, /class="mm-40".*Found me\? Please scan\./s);
  const types = { png: 'image/png', svg: 'image/svg+xml', pdf: 'application/pdf' };
  for (const [format, type] of Object.entries(types)) {
    await browser.open(`${path}/image/${format}`);
    t.match(browser.page.headers, {
      'content-type': type,
      'cache-control': 'no-store',
      'content-disposition': /^attachment; filename="[\w-]+\.\w{3}"$/,
    });
  }
  await browser.open(`${path}/image/pdf?size=100`);
  t.match(browser.page.text, '/MediaBox [0 0 283.46', 'a PDF has the size in millimeters');
  await browser.open(`${path}/image.gif`);
  t.ok(browser.page.status >= 400);

  await browser.open(`${path}/print?size=60&caption=none`);
  t.match(browser.main, shortNumber);
  t.match(browser.main, `${path}/image/pdf?size=60&number=yes`);
  await browser.open(`${path}/image/pdf?size=60&number=yes`);
  const [, width, height] = /MediaBox \[0 0 (\S+) (\S+)\]/.exec(browser.page.text) ?? [];
  t.ok(Number(height) > Number(width), 'the number stands below the symbol');
  const dense = {
    kind: 'TEXT',
    mode: 'STATIC',
    title: 'Whole <b>song</b>',
    data: { text: 'La la la la. '.repeat(200) },
  };
  const song = `${codes}/${await code(dense, user)}`;
  await browser.open(`${song}/image/pdf?size=20`);
  t.equal(browser.path, `${song}/print?size=20&done=unreadable`, 'no PDF from which it cannot be scanned');
  t.match(browser.main, '<bdi>Whole <b>song</b></bdi>” would be too fine to scan');
  await browser.open(`${song}/image/pdf?size=100`);
  t.match(browser.page.headers, { 'content-type': 'application/pdf' });

  await browser.open(`${path}/print?caption=none&number=no`);
  t.notMatch(browser.main, shortNumber);
  t.match(browser.main, `href="${path}/image/png"`);
});

t.test('scans are listed, and each says where it was', async (t) => {
  const { browser, codes, user } = await openAccount();
  const id = await code({ title: HOSTILE_TITLE }, user);
  const path = `${codes}/${id}`;
  await browser.open(`${path}/scans`);
  t.match(browser.main, 'Nobody has scanned it yet.');
  const scanned = await call('POST', '/api/scans/geocoded', { body: { qrCodeId: id, ...BERLIN_POSITION } });
  const scanId = scanned.body.scan.id;
  for (const page of [path, `${path}/scans`]) {
    await browser.open(page);
    t.match(browser.main, /Berlin.*Phone.*Person/s);
    t.match(browser.main, `href="${path}/scans/${scanId}"`);
    t.notMatch(browser.main, BERLIN_COORDINATE_PATTERN, 'lists have no exact place');
  }
  await browser.open(`${path}/scans/${scanId}`);
  t.match(browser.main, BERLIN_COORDINATE_PATTERN);
  t.match(browser.main, 'OpenStreetMap');
  const other = await code({ title: 'Other' }, user);
  await browser.open(`${codes}/${other}/scans/${scanId}`);
  t.equal(browser.page.status, 404, 'a scan is a page of its own code only');
});
