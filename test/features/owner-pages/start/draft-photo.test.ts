import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { startTestApp, TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import { readHeicPicture } from '../../files/pictures/costly-pictures.ts';
import { queryDatabase } from '../../identity/accounts/helper.ts';
import { createPictureForm, fetchPictureBytes, ONE_PIXEL_PNG } from '../../memory-tags/gallery-helper.ts';
import { TestBrowser } from '../browser.ts';

const DOG = { 'data.name': 'Rex', 'data.owner.name': 'Anna' };

const PHOTO = '/app/start/photo';

const test = await startTestApp(t);
let browsers = 0;
t.beforeEach(async () => {
  await queryDatabase(test, 'DELETE FROM attempt_budgets');
  await queryDatabase(test, 'DELETE FROM code_drafts');
});

/** Start the page of a dog, up to the step of its photo. */
async function startDraft(network = '192.0.2') {
  browsers += 1;
  const remoteAddress = `${network}.${browsers}`;
  const browser = new TestBrowser({
    call: (method, url, options) => test.call(method, url, { ...options, remoteAddress }),
  });
  await browser.open('/app/start/pet');
  await browser.fill('/start/pet', DOG);
  return browser;
}

function upload(browser: TestBrowser, picture: Buffer | undefined, changes: Record<string, string> = {}) {
  const { action, fields } = browser.readForm('/photo');
  const { body, headers } = createPictureForm(picture, { ...fields, ...changes });
  return browser.open(action, { method: 'POST', body, type: headers['content-type'] });
}

function fetchPhoto(browser: TestBrowser) {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return fetchPictureBytes(test.app, PHOTO, { cookie });
}

t.test(
  'somebody without an account adds a photo, sees it in the preview, and gets it with the code',
  async (t) => {
    const browser = await startDraft();
    t.equal(browser.path, '/app/start/pet/photo');
    t.equal(browser.title, 'Add a photo');
    t.match(browser.main, 'Continue without a photo');
    const camera = await sharp(randomBytes(2_000 * 1_000 * 3), {
      raw: { width: 2_000, height: 1_000, channels: 3 },
    })
      .withExif({ IFD0: { Copyright: 'Secret place' } })
      .jpeg()
      .toBuffer();
    await upload(browser, camera);
    t.equal(browser.path, '/app/start/pet/photo');
    t.match(browser.main, `<img src="${PHOTO}"`);
    t.notMatch(browser.main, 'type="file"');
    const photo = await fetchPhoto(browser);
    t.match(photo.headers, {
      'content-type': 'image/jpeg',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': /sandbox/,
    });
    const { width, height, exif } = await sharp(photo.bytes).metadata();
    t.match(
      { width, height, exif },
      { width: 1_600, height: 800, exif: undefined },
      'small, and without metadata',
    );
    const [row] = await queryDatabase(
      test,
      'SELECT id, picture, octet_length(picture) AS size FROM code_drafts',
    );
    t.notOk(row?.picture.includes(photo.bytes.subarray(100, 120)), 'encrypted');
    t.match((await browser.open('/app/start/pet/preview')).text, `src="${PHOTO}?w=`);

    await browser.open('/app/start/pet');
    await browser.fill('/start/pet', { 'data.name': 'Rexy' });
    t.match(browser.main, `<img src="${PHOTO}"`, 'it stays when the page is changed');
    const next = /class="act" href="([^"]*)"/.exec(browser.main)?.[1] ?? '';
    await browser.open(next);
    t.equal(browser.path, '/app/sign-up');
    const email = 'ada@example.org';
    await browser.send('/sign-up', { firstName: 'Ada', lastName: 'Byron', email, password: TEST_PASSWORD });
    await browser.send('/code', { code: await test.getOtp(email) });
    t.equal(browser.title, 'Your page is ready');
    await browser.send('/start');
    t.match(browser.path, /\/print$/);
    t.match(
      await queryDatabase(test, 'SELECT width, height, position FROM pictures WHERE qr_code_id IS NOT NULL'),
      [{ width: 1_600, height: 800, position: 1 }],
    );
    t.same(
      await queryDatabase(
        test,
        `SELECT action FROM audit_entries WHERE action LIKE 'QRCODE%' ORDER BY action`,
      ),
      [{ action: 'QRCODE_CREATED' }, { action: 'QRCODE_PICTURE_ADDED' }],
    );
    t.equal((await fetchPhoto(browser)).status, 404);
  },
);

t.test('no other browser gets the photo, and none after a day', async (t) => {
  const browser = await startDraft();
  await upload(browser, ONE_PIXEL_PNG);
  t.equal((await fetchPhoto(browser)).status, 200);
  const [row] = await queryDatabase(test, 'SELECT id FROM code_drafts');
  const other = await startDraft();
  for (const value of [undefined, row?.id ?? '', 'x'.repeat(43), other.cookies.get('__Host-draft')]) {
    const stranger = new TestBrowser(test);
    if (value !== undefined) stranger.cookies.set('__Host-draft', value);
    t.equal((await fetchPhoto(stranger)).status, 404);
  }
  await other.open('/app/start/pet/photo');
  await upload(other, ONE_PIXEL_PNG, { token: browser.readForm('/photo').fields.token ?? '' });
  t.same(
    await queryDatabase(test, 'SELECT count(picture)::int AS photos FROM code_drafts'),
    [{ photos: 1 }],
    'a token is of one browser',
  );
  await browser.open('/app/start/luggage/photo');
  t.equal(browser.path, '/app/start/luggage', 'a draft of another kind has no photo there');
  await queryDatabase(test, "UPDATE code_drafts SET expires_at = now() - interval '1 second'");
  t.equal((await fetchPhoto(browser)).status, 404);
});

t.test('a photo is removed, and does not stay when the page becomes that of another thing', async (t) => {
  const browser = await startDraft();
  await upload(browser, ONE_PIXEL_PNG);
  await browser.fill('/photo');
  t.match(browser.main, 'type="file"');
  t.equal((await fetchPhoto(browser)).status, 404);
  await upload(browser, ONE_PIXEL_PNG);
  await browser.open('/app/start/text');
  await browser.fill('/start/text', { 'data.text': 'Water me' });
  t.equal(browser.path, '/app/sign-up', 'a kind without photos has no such step');
  t.equal((await fetchPhoto(browser)).status, 404);
});

t.test('what is no photo is refused at its field', async (t) => {
  const browser = await startDraft();
  const bomb = await sharp({ create: { width: 8_000, height: 8_000, channels: 3, background: '#000' } })
    .png({ compressionLevel: 9 })
    .toBuffer();
  const bytes = Buffer.from('GIF89a<script>alert(1)</script>');
  for (const picture of [undefined, Buffer.from('<svg onload="alert(1)"/>'), bytes]) {
    await upload(browser, picture);
    t.equal(browser.page.status, 400);
    t.match(browser.main, 'id="picture-error"');
    t.notMatch(browser.page.text, 'me.svg');
  }
  for (const large of [bomb, randomBytes(20_000_001)]) {
    await upload(browser, large);
    t.equal(browser.page.status, 413);
    t.match(browser.main, 'This photo is too large.');
    t.match(browser.main, 'Continue without a photo');
  }
  t.equal((await fetchPhoto(browser)).status, 404);
  await upload(browser, await readHeicPicture());
  t.match(browser.main, `<img src="${PHOTO}"`, 'a photo of an iPhone');
});

t.test('photos of strangers are bounded for a network and in all; the page works without', async (t) => {
  const browser = await startDraft();
  const use = (key: string, bytes: number) =>
    queryDatabase(
      test,
      `UPDATE attempt_budgets SET used = ${bytes} WHERE key LIKE 'accountless-pictures${key}:%'`,
    );
  await upload(browser, ONE_PIXEL_PNG);
  const [{ used } = { used: 0 }] = await queryDatabase(
    test,
    "SELECT used FROM attempt_budgets WHERE key LIKE 'accountless-pictures:%'",
  );
  t.ok(Number(used) > 0 && Number(used) < 2_000, 'what is stored counts');
  await use('', 19_000_000);
  await browser.fill('/photo');
  await upload(browser, ONE_PIXEL_PNG);
  t.equal(browser.page.status, 429);
  t.match(browser.main, 'there were too many from your network, or from everybody together');
  t.match(browser.main, 'Continue without a photo');
  const neighbor = await startDraft('203.0.113');
  await upload(neighbor, ONE_PIXEL_PNG);
  t.equal(neighbor.page.status, 200, 'of another network');
  await use('-all', 800_000_000);
  await neighbor.fill('/photo');
  await upload(neighbor, ONE_PIXEL_PNG);
  t.equal(neighbor.page.status, 429);
  await neighbor.open('/app/sign-up');
  t.match(neighbor.main, 'Your page is saved in this browser');
});

t.test('a code is made without a photo that cannot be added', async (t) => {
  const browser = await startDraft();
  await upload(browser, ONE_PIXEL_PNG);
  const user = await test.createUser();
  await browser.open('/app/sign-in');
  await browser.send('/sign-in', { email: user.email, password: TEST_PASSWORD });
  await queryDatabase(test, `UPDATE subscription_packages SET limits = limits || '{"storageBytes": 0}'`);
  await browser.send('/start');
  t.match(browser.main, 'couldn’t be added');
  t.match(browser.path, /\/content\?done=without-photo$/);
  t.same(await queryDatabase(test, 'SELECT id FROM code_drafts'), []);
});
