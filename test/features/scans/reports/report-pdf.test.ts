import { createScanReportContent } from '../../../../src/features/scans/reports/report-content.rules.ts';
import { renderScanReportPdf } from '../../../../src/features/scans/reports/report-pdf.ts';
import { createScanReportRenderer } from '../../../../src/features/scans/reports/report-renderer.ts';
import { DAY_MS } from '../../../../src/shared/durations.ts';
import { DEFAULT_LOCALE, LOCALES } from '../../../../src/shared/i18n/locales.ts';
import { t as translate } from '../../../../src/shared/i18n/translate.ts';
import { readPdfLines } from '../../../platform/pdf/read-pdf.ts';
import { t } from '../../../tap.ts';
import { BERLIN_COORDINATE_PATTERN, BERLIN_POSITION, startScans } from '../helper.ts';
import { insertScatteredScans } from '../statistics/helper.ts';
import { createReportData, TEST_BRAND } from './helper.ts';

const readPdfText = (pdf: Buffer): string =>
  readPdfLines(pdf)
    .map((glyphs) => glyphs.join(''))
    .join('\n');

t.test('a PDF report has text and vectors, with its language and structure', async (t) => {
  const test = await startScans(t);
  const { call, owner } = test;
  const token = owner.accessToken;
  const id = await test.code({ title: 'Żółw 東京 <b>Rex</b> (\\) 🐢' });
  await insertScatteredScans(test, [id], 300, [new Date(Date.now() - 40 * DAY_MS), new Date()]);
  await test.scan({ qrCodeId: id, ...BERLIN_POSITION });
  for (const query of ['', `&qrCodeId=${id}`]) {
    const answer = await test.app.inject({
      url: `/api/scans/report?format=pdf${query}`,
      headers: { authorization: `Bearer ${token}` },
    });
    t.equal(answer.statusCode, 200, answer.payload);
    t.match(answer.headers, {
      'content-type': 'application/pdf',
      'cache-control': 'no-store',
      'content-disposition': 'inline; filename="scans-report.pdf"',
    });
    const source = answer.rawPayload.toString('latin1');
    t.match(source, /^%PDF-1\.7/);
    t.match(source, '/Count 2');
    t.match(source, '/Lang (en)');
    t.match(source, '/Marked true');
    t.match(source, '/StructTreeRoot');
    t.match(source, '/S /Figure');
    t.notMatch(source, /\/Subtype \/Image|\/JavaScript|\/URI/);
    const text = readPdfText(answer.rawPayload);
    const { body } = await call('GET', '/api/scans/stats', { token });
    for (const part of ['People', String(body.total), 'Berlin, Germany', 'Scans by day', 'Who scanned'])
      t.ok(text.includes(part), `${part} in ${text.slice(0, 300)}`);
    t.ok(text.includes('Żółw 東京 <b>Rex</b> (\\) 🐢'), text.slice(0, 300));
    t.match(text, 'Characters that this document');
    t.notMatch(text, BERLIN_COORDINATE_PATTERN);
    t.notMatch(text, /NaN|undefined/);
  }
  t.equal((await call('HEAD', '/api/scans/report?format=pdf', { token })).status, 200);
});

t.test('creates a PDF from any title or name', async (t) => {
  const names = [
    '\u0000\u0007\n\t',
    '\u202e\u200f\u2066',
    '𝕬𝖉𝖆',
    'مرحبا',
    'W'.repeat(200),
    '( \\ ) << >> endstream',
  ];
  for (const name of names) {
    const pdf = await renderScanReportPdf(
      createScanReportContent(
        createReportData(name, { total: 123_456_789, humans: 9, unique: 1 }),
        DEFAULT_LOCALE,
      ),
      TEST_BRAND,
    );
    t.match(pdf.toString('latin1'), /\/Count 2\n[\s\S]*%%EOF\s*$/, JSON.stringify(name));
  }
  t.ok(
    (
      await renderScanReportPdf(
        createScanReportContent(
          createReportData('nothing', { total: 0, humans: 0, unique: 0 }),
          DEFAULT_LOCALE,
        ),
        TEST_BRAND,
      )
    ).length > 1_000,
  );
});

t.test('a PDF report is in the language of its reader, with names in any other', async (t) => {
  const renderer = createScanReportRenderer();
  t.teardown(() => renderer.close());
  const names = ['Łódź', 'Diyarbakır', '東京', '龟龙', '한국어', 'हिन्दी', 'Київ', 'Αθήνα'];
  const rightToLeftNames = ['القاهرة', 'ירושלים'];
  t.equal(LOCALES.size, 15);
  for (const [tag, locale] of LOCALES) {
    const facts = createReportData('🐢', { total: 90, humans: 60, unique: 50 });
    facts.topCodes = [...names, ...rightToLeftNames].map((title) => ({
      title,
      total: 9,
      humans: 6,
      unique: 5,
    }));
    const pdf = await renderer.run({ facts, format: 'pdf', language: tag, brand: TEST_BRAND });
    const lines = readPdfLines(Buffer.from(pdf));
    const texts = lines.map((glyphs) => glyphs.join(''));
    const reversedTexts = lines.map((glyphs) => glyphs.toReversed().join(''));
    for (const name of names) t.ok(texts.includes(name), `${tag}: ${name}`);
    for (const name of rightToLeftNames) t.ok(reversedTexts.includes(name), `${tag}: ${name}`);
    const messages = (
      ['report.kicker', 'report.lastScans', 'report.topCodes', 'report.devices'] as const
    ).map((key) => translate(locale, key).normalize('NFC'));
    const localeTexts = locale.direction === 'rtl' ? reversedTexts : texts;
    for (const message of messages) t.ok(localeTexts.includes(message), `${tag}: ${message}`);
    const [note = ''] = translate(locale, 'report.unsupportedCharacters').split(' ');
    t.ok(
      localeTexts.some((text) => text.includes(note)),
      `${tag}: ${note}`,
    );
  }
});

t.test('tables of a right-to-left report begin on the right', async (t) => {
  const title = 'Suitcase';
  const [left = 0, right = 0] = await Promise.all(
    ['en', 'ar'].map(async (tag) => {
      const facts = createReportData(title, { total: 90, humans: 60, unique: 50 });
      const content = createScanReportContent(facts, LOCALES.get(tag) ?? DEFAULT_LOCALE);
      const pdf = await renderScanReportPdf(content, TEST_BRAND);
      return readPdfLines(pdf).find((line) => line.join('') === title)?.x;
    }),
  );
  t.ok(left < 100 && right > 400, `${left}, ${right}`);
});
