import sharp from 'sharp';
import { isQrCodeDecodableAs } from '../../../src/platform/qr-image/decode-image.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createTestCode } from './code-helper.ts';

t.test('the short number stands in the image where it is asked for', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const code = await createTestCode(app, user, { title: 'Rex' });
  const read = (query: string) =>
    app.call('GET', `/api/qrcodes/${code.id}/image?${query}`, { token: user.accessToken });
  const plain = await read('format=svg');
  t.match(plain.text, 'width="512" height="512"', 'without the parameter it is as it was');
  t.equal((await read('format=svg&shortNumber=false')).text, plain.text);
  const numbered = await read('format=svg&shortNumber=true');
  t.equal(numbered.headers['content-type'], 'image/svg+xml');
  const png = await sharp(Buffer.from(numbered.text)).png().toBuffer();
  const { width = 0, height = 0 } = await sharp(png).metadata();
  t.equal(width, 512);
  t.ok(height > 512);
  t.ok(await isQrCodeDecodableAs(png, `https://qr.example.org/s/${code.id}`));
  t.match((await read('shortNumber=true')).headers, { 'content-type': 'image/png' });
  t.match((await read('format=pdf&shortNumber=true')).headers, { 'content-type': 'application/pdf' });
  t.equal((await read('shortNumber=perhaps')).status, 400);

  // As before the job that numbers codes of an earlier version.
  await app.database.client.shortNumber.deleteMany({ where: { qrCodeId: code.id } });
  t.equal((await read('format=svg&shortNumber=true')).text, plain.text);
});
