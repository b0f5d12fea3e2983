import { toBuffer } from 'qrcode';
import sharp from 'sharp';
import { BROWSER_SKIP_REASON } from '../../../browser.ts';
import { t } from '../../../tap.ts';
import { listRefusals } from '../browser-refusals.ts';
import { startBrowser } from './start-browser.ts';

/** A camera that shows what `location.hash` says: this Chromium has no detector. */
const CAMERA_STUB = `
const read = () => decodeURIComponent(location.hash.slice(1));
window.BarcodeDetector = class {
  static getSupportedFormats() { return Promise.resolve(['ean_13', 'qr_code']); }
  detect(video) { return Promise.resolve(read() && video.srcObject ? [{ rawValue: read() }] : []); }
};
navigator.mediaDevices.getUserMedia = () => {
  if (read() === 'denied') return Promise.reject(new DOMException('', 'NotAllowedError'));
  window.stream = document.createElement('canvas').captureStream();
  return Promise.resolve(window.stream);
};`;

t.test(
  'the camera reads a code of the service, and opens nothing else',
  { skip: BROWSER_SKIP_REASON },
  async (t) => {
    const { base, open, createCode, listProblems } = await startBrowser(t);
    const id = await createCode({ kind: 'PET', title: 'Rex', data: { name: 'Rex' } });
    const other = await open({});
    await other.goto(`${base}/`);
    await other.getByLabel('Or photograph the code').waitFor();
    t.notOk(
      await other.getByRole('button', { name: 'Scan with the camera' }).isVisible(),
      'without a detector',
    );

    const page = await open({ viewport: { width: 320, height: 640 }, locale: 'en-GB' });
    await page.addInitScript(CAMERA_STUB);
    const refusals = listRefusals(page);
    const start = page.getByRole('button', { name: 'Scan with the camera' });
    const stop = page.getByRole('button', { name: 'Stop the camera' });
    const show = (text: string) =>
      page.evaluate(`void (location.hash = ${JSON.stringify(encodeURIComponent(text))})`);
    const isStopped = () =>
      page.evaluate('window.stream.getTracks().every(({ readyState }) => readyState === "ended")');

    await page.goto(`${base}/?lang=en`);
    await start.click();
    await page.getByText('Point the camera at the code.').waitFor();
    t.same(await listProblems(page), []);
    t.notOk(await isStopped());
    for (const foreign of [
      `https://example.com/s/${id}`,
      `${base}.example.com/s/${id}`,
      `${base}/s/${id}/../../app`,
      `javascript:alert(1)//${base}/s/${id}`,
      'WIFI:S:x;;',
    ]) {
      await show(foreign);
      await page.getByText('This is another kind of code').waitFor();
      await stop.click();
      t.ok(await isStopped(), 'the camera is off');
      await start.click();
    }
    t.match(page.url(), `${base}/?lang=en#`);
    await show(`${base}/s/${id}?x=1`);
    await page.waitForURL(`${base}/s/${id}?lang=en`);
    t.same(refusals, []);

    await page.goto(`${base}/?lang=en#denied`);
    await start.click();
    await page.getByText('The camera is blocked for this page.').waitFor();
    t.ok(await start.isVisible());
    t.same(await listProblems(page), []);
  },
);

t.test(
  'without a detector the service reads the code on a photo',
  { skip: BROWSER_SKIP_REASON },
  async (t) => {
    const { base, test, open, createCode, listProblems } = await startBrowser(t);
    const id = await createCode({ kind: 'PET', title: 'Rex', data: { name: 'Rex' } });
    const photograph = async (content: string) => {
      const symbol = await toBuffer(content, { width: 300, margin: 4 });
      return sharp(symbol)
        .extend({ left: 200, right: 400, top: 300, background: '#aa8866' })
        .jpeg()
        .toBuffer();
    };
    const page = await open({ viewport: { width: 320, height: 640 } });
    const refusals = listRefusals(page);
    await page.goto(`${base}/?lang=en`);
    const field = page.getByLabel('Or photograph the code');
    await field.waitFor();
    t.same(await listProblems(page), []);
    const take = async (buffer: Buffer) =>
      field.setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer });
    await take(await photograph(`https://example.com/s/${id}`));
    await page.getByText('There is no code of this service in the photo.').waitFor();
    await take(Buffer.from('no photo'));
    await page.getByText('Reading the code…').waitFor({ state: 'hidden' });
    await page.getByText('There is no code of this service in the photo.').waitFor();
    t.match(page.url(), `${base}/?lang=en`);
    await take(await photograph(`${base}/s/${id}`));
    await page.waitForURL(`${base}/s/${id}?lang=en`);
    t.same(refusals, []);
    const answer = await test.call('POST', '/app/read-photo', {
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    t.equal(answer.status, 403, 'no other site sends photos');
  },
);
