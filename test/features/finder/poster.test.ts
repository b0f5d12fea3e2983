import {
  createPosterPdf,
  POSTER_PAPERS,
  type PosterContent,
} from '../../../src/features/finder/poster/poster-document.ts';
import { createPosterDrawer } from '../../../src/features/finder/poster/poster-drawer.ts';
import { openRasterPdf } from '../../../src/platform/pdf/pdf-rasterizer.ts';
import { findUnreadableSymbolOfPdf } from '../../../src/platform/qr-image/decode-pdf.ts';
import { LOCALES } from '../../../src/shared/i18n/locales.ts';
import { startTestApp, type TestApp, type TestUser } from '../../helper.ts';
import { readPdfLines } from '../../platform/pdf/read-pdf.ts';
import { decodeQrCodes } from '../../platform/qr-image/decode-qr-codes.ts';
import { t } from '../../tap.ts';
import { createTestCode } from '../codes/code-helper.ts';
import { createSolidPicture } from '../files/pictures/hostile-pictures.ts';
import { isProblem } from '../identity/accounts/helper.ts';
import { createGalleryClient } from '../memory-tags/gallery-helper.ts';

async function download(app: TestApp, user: TestUser, id: string, query = ''): Promise<Buffer> {
  const answer = await app.app.inject({
    url: `/api/qrcodes/${id}/poster${query}`,
    headers: { authorization: `Bearer ${user.accessToken}` },
  });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.rawPayload;
}

const readText = (pdf: Buffer) =>
  readPdfLines(pdf)
    .map((line) => line.join(''))
    .join('\n');

/** Decode every symbol of the first page. */
async function decodeAll(pdf: Buffer): Promise<string[]> {
  const raster = await openRasterPdf(pdf);
  const found = await decodeQrCodes(raster.draw(0, 150), 20);
  raster.close();
  return found;
}

async function countPages(pdf: Buffer): Promise<number> {
  const raster = await openRasterPdf(pdf);
  raster.close();
  return raster.pages;
}

t.test('the poster of a lost pet has its photo, what everybody may see, and codes that scan', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const data = {
    name: 'Rex',
    breed: 'Border Collie',
    color: 'Black and white',
    sex: 'MALE',
    behaviour: 'Afraid of bicycles',
    owner: { name: 'Ada Lovelace', phone: '+49 30 123456' },
    microchip: '276098106234567',
  };
  const code = await createTestCode(app, user, { data });
  const { add } = createGalleryClient(app, user.accessToken, '/api/qrcodes');
  const photo = await createSolidPicture(1_200, 900).jpeg().toBuffer();
  t.equal((await add(code.id, photo)).status, 201);
  const unavailable = await app.call('GET', `/api/qrcodes/${code.id}/poster`, { token: user.accessToken });
  t.ok(isProblem(unavailable, 409, 'POSTER_UNAVAILABLE'), 'it is not lost');
  await app.call('POST', `/api/qrcodes/${code.id}/lost`, {
    token: user.accessToken,
    body: { message: 'Please do not chase him.', reward: '50 EUR', lastSeen: 'Tempelhofer Feld' },
  });
  const pdf = await download(app, user, code.id);
  const text = readText(pdf);
  for (const part of [
    'Lost',
    'Rex',
    'Breed: Border Collie · Color: Black and white · Sex: Male',
    'Please do not chase him.',
    'Reward: 50 EUR',
    'Last seen: Tempelhofer Feld',
    'Missing since ',
    code.shortNumber,
  ])
    t.ok(text.includes(part), part);
  for (const hidden of ['Lovelace', '+49', '2760', 'bicycles', user.email])
    t.notOk(text.includes(hidden), hidden);
  t.same(await decodeAll(pdf), Array(9).fill(code.scanUrl), 'the code, and eight strips');
  t.same(await decodeAll(await download(app, user, code.id, '?tearOffs=false&paper=LETTER')), [code.scanUrl]);
  t.equal(pdf.toString('latin1').match(/\/Subtype \/Image/g)?.length, 1, 'the photo');
  await app.database.client.qrCode.update({ where: { id: code.id }, data: { takenDownAt: new Date() } });
  t.ok(
    isProblem(
      await app.call('GET', `/api/qrcodes/${code.id}/poster`, { token: user.accessToken }),
      409,
      'POSTER_UNAVAILABLE',
    ),
    'its code leads nowhere',
  );
  const other = await app.createUser();
  const foreign = await app.call('GET', `/api/qrcodes/${code.id}/poster`, { token: other.accessToken });
  t.equal(foreign.status, 404);
  const wrong = await app.call('GET', `/api/qrcodes/${code.id}/poster?paper=A3`, { token: user.accessToken });
  t.equal(wrong.status, 400);
});

t.test('a poster shows neither a person, nor health data, nor what needs a PIN', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const { add } = createGalleryClient(app, user.accessToken, '/api/qrcodes');
  const photo = await createSolidPicture(400, 300).jpeg().toBuffer();
  const medical = await createTestCode(app, user, {
    kind: 'MEDICAL',
    data: { name: 'Maria K.', bloodType: 'O-', notes: 'Carries glucose' },
    visibility: { bloodType: 'PUBLIC', notes: 'PUBLIC', pictures: 'PUBLIC' },
  });
  const luggage = await createTestCode(app, user, {
    kind: 'LUGGAGE',
    data: { name: 'Green backpack', brand: 'Deuter', color: 'Green' },
    pin: '4821',
    visibility: { name: 'PIN', color: 'PRIVATE', pictures: 'PIN' },
  });
  for (const { id } of [medical, luggage]) {
    t.equal((await add(id, photo)).status, 201);
    await app.call('POST', `/api/qrcodes/${id}/lost`, { token: user.accessToken, body: {} });
  }
  const [card, bag] = [await download(app, user, medical.id), await download(app, user, luggage.id)];
  for (const hidden of ['Maria', 'O-', 'glucose']) t.notOk(readText(card).includes(hidden), hidden);
  t.match(readText(bag), 'Deuter');
  for (const hidden of ['backpack', 'Green']) t.notOk(readText(bag).includes(hidden), hidden);
  for (const pdf of [card, bag]) t.notMatch(pdf.toString('latin1'), '/Subtype /Image');
});

t.test('in every language and with long texts, all of it stays on one page and scans', async (t) => {
  const scanUrl = 'https://qr.example.org/s/1f0e3dad99908345f7439f8f';
  for (const tag of LOCALES.keys())
    for (const [index, message] of ['متى رأيت ركس؟', 'Ein sehr langer Satz. '.repeat(45)].entries()) {
      const { bytes: pdf } = await createPosterPdf({
        language: tag,
        paper: POSTER_PAPERS[index] ?? 'A4',
        flag: 'Verloren gegangen',
        name: 'Donaudampfschifffahrtsgesellschaftskapitän '.repeat(4),
        photo: null,
        facts: 'Rasse: Border Collie · Farbe: Schwarz und weiß',
        message,
        circumstances: ['Vermisst seit dem 3. März 2026', `Zuletzt gesehen: ${'Straße '.repeat(25)}`],
        reward: `Finderlohn: ${'50 EUR '.repeat(20)}`,
        scanUrl,
        call: 'Gesehen oder gefunden? Scannen Sie den Code und sagen Sie Bescheid.',
        hints: ['Ohne App, und ohne zu sagen, wer Sie sind.', 'Keine Kamera? Geben Sie 1234-5678-9ABC ein'],
        number: '1234-5678-9ABC',
        hasTearOffs: true,
      });
      t.equal(await countPages(pdf), 1, tag);
      t.same(await decodeAll(pdf), Array(9).fill(scanUrl), tag);
    }
});

t.test('a poster is given out once each of its codes has been decoded as it is printed', async (t) => {
  const content: PosterContent = {
    language: 'en',
    paper: 'A4',
    flag: 'Lost',
    name: 'Rex',
    photo: null,
    facts: null,
    message: null,
    circumstances: [],
    reward: null,
    scanUrl: 'https://qr.example.org/s/1f0e3dad99908345f7439f8f',
    call: 'Found? Please scan.',
    hints: [],
    number: null,
    hasTearOffs: true,
  };
  const { bytes, symbols } = await createPosterPdf(content);
  t.same(
    symbols.map(({ place }) => place),
    ['MAIN', ...Array(8).fill('TEAR_OFF')],
  );
  t.equal(await findUnreadableSymbolOfPdf(bytes, symbols), null);
  const [, , third] = symbols;
  const changed = symbols.map((symbol) => (symbol === third ? { ...symbol, content: 'another' } : symbol));
  t.match(await findUnreadableSymbolOfPdf(bytes, changed), { area: third?.area, content: 'another' });

  const draw = (unreadable: 'MAIN' | 'TEAR_OFF' | null) =>
    createPosterDrawer({ run: async () => ({ bytes, unreadable }), close: async () => {} }).draw(
      'account',
      async () => ({ content }),
    );
  t.same((await draw(null)).pdf, bytes);
  for (const [place, advice] of [
    ['TEAR_OFF', /from its poster at 300 dpi\. Choose a poster without strips/],
    ['MAIN', /Print the code alone, in a larger size\./],
  ] as const)
    await t.rejects(draw(place), { code: 'IMAGE_NOT_SCANNABLE', detail: advice });
});
