import { BROWSER_SKIP_REASON } from '../../../browser.ts';
import { t } from '../../../tap.ts';
import { listRefusals, withoutScriptsOfFrames } from '../browser-refusals.ts';
import { startBrowser } from './start-browser.ts';

const PHOTO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A phone that shares files, or addresses only. */
const SHARE_STUB = `
navigator.share = (data) => {
  const [file] = data.files ?? [];
  console.log(JSON.stringify(file ? { name: file.name, type: file.type, isEmpty: file.size === 0 } : data));
  return Promise.resolve();
};
navigator.canShare = () => location.hash !== '#addresses';`;

t.test('scripts of the pages of a code', { skip: BROWSER_SKIP_REASON }, async (t) => {
  const { base, path, open, signIn, createCode, listProblems, test, user } = await startBrowser(t);
  const data = { name: 'Rex', breed: 'Beagle', color: 'brown' };
  const visibility = { name: 'PUBLIC', breed: 'PRIVATE', color: 'PRIVATE' };
  const id = await createCode({ kind: 'PET', title: 'Rex', data, visibility });
  const page = await open({});
  await signIn(page);

  await t.test('what a stranger sees is counted as it is chosen', async (t) => {
    const refusals = listRefusals(page);
    await page.goto(`${path}/codes/${id}/content`);
    t.equal(await page.locator('#visible').textContent(), 'A stranger sees 1 of 3 fields.');
    await page.locator('select[name="visibility.breed"]').selectOption('PUBLIC');
    await page.getByText('A stranger sees 2 of 3 fields.').waitFor();
    await page.locator('[name="data.color"]').fill('');
    await page.getByText('A stranger sees 2 of 2 fields.').waitFor();
    const frame = page.frameLocator('iframe[name=preview]');
    await frame.getByText('Beagle').waitFor();
    t.equal(await frame.getByText('A stranger sees').count(), 0, 'the frame is the page of finders');
    t.same(withoutScriptsOfFrames(refusals), []);
  });

  await t.test('a photo is sent with its progress', async (t) => {
    await page.goto(`${path}/codes/${id}/content`);
    await page.route('**/pictures', async (route) => {
      await page.locator('progress').waitFor({ state: 'visible' });
      await route.continue();
    });
    const field = page.locator('input[type=file]');
    await field.setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no photo') });
    await page.locator('form[enctype] button').click();
    await page.locator('#picture-error').waitFor();
    await field.setInputFiles({ name: 'rex.png', mimeType: 'image/png', buffer: PHOTO });
    await page.locator('form[enctype] button').click();
    await page.waitForURL(/done=picture-added/);
    t.equal(await test.database.client.picture.count({ where: { qrCodeId: id } }), 1);
    await page.unroute('**/pictures');
  });

  await t.test('the poster is shared as a file, or the page of the code by its address', async (t) => {
    await test.call('POST', `/api/qrcodes/${id}/lost`, { token: user.accessToken, body: {} });
    await page.goto(`${path}/codes/${id}`);
    const share = page.getByRole('button', { name: 'Share the poster' });
    t.notOk(await share.isVisible(), 'a browser that shares nothing has no button');
    const phone = await open({ viewport: { width: 320, height: 640 } });
    await phone.addInitScript(SHARE_STUB);
    await signIn(phone);
    await phone.goto(`${path}/codes/${id}`);
    t.same(await listProblems(phone), []);
    const readShared = async () => {
      const shared = phone.waitForEvent('console');
      await phone.getByRole('button', { name: 'Share the poster' }).click();
      return JSON.parse((await shared).text());
    };
    t.same(await readShared(), { name: 'Poster.pdf', type: 'application/pdf', isEmpty: false });
    await phone.goto('about:blank');
    await phone.goto(`${path}/codes/${id}#addresses`);
    t.same(await readShared(), { url: `${base}/s/${id}` });
  });
});
