import { inflateSync } from 'node:zlib';
import { toPdfPrintableText } from '../../../../src/features/scans/reports/pdf-text.rules.ts';
import { createScanReportContent } from '../../../../src/features/scans/reports/report-content.rules.ts';
import { renderScanReportPdf } from '../../../../src/features/scans/reports/report-pdf.ts';
import { DAY_MS } from '../../../../src/shared/durations.ts';
import { DEFAULT_LOCALE } from '../../../../src/shared/i18n/locales.ts';
import { fc } from '../../../property.ts';
import { t } from '../../../tap.ts';
import { BERLIN_COORDINATE_PATTERN, BERLIN_POSITION, startScans } from '../helper.ts';
import { insertScatteredScans } from '../statistics/helper.ts';
import { createReportData, TEST_BRAND } from './helper.ts';

function readPdfText(pdf: Buffer): string {
  const source = pdf.toString('latin1');
  const streams = [...source.matchAll(/stream\n([\s\S]*?)\nendstream/g)].map(([, bytes = '']) => {
    try {
      return inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1');
    } catch {
      return '';
    }
  });
  return [...streams.join('\n').matchAll(/\[([^\]]*)\] TJ/g)]
    .map(([, parts = '']) =>
      [...parts.matchAll(/<([0-9a-f]*)>/g)]
        .map(([, hex = '']) => new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex')))
        .join(''),
    )
    .join('\n');
}

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
    t.ok(text.includes('Zó?w ?? <b>Rex</b> (\\) ?'), text.slice(0, 300));
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

t.test('replaces characters that the PDF cannot show with question marks, and keeps the rest', async (t) => {
  t.same(toPdfPrintableText('Größe 5 € – “ok”'), { text: 'Größe 5 € – “ok”', isWhole: true });
  t.same(toPdfPrintableText('Žižkov ąćę'), { text: 'Žižkov ace', isWhole: true });
  t.same(toPdfPrintableText('Пёс'), { text: '???', isWhole: false });
  t.same(toPdfPrintableText('a\u202eb\tc'), { text: 'ab c', isWhole: true });
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const output = toPdfPrintableText(text).text;
      const decoded = new TextDecoder('windows-1252').decode(encodeText(output));
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
      return !/[\x00-\x1f]/.test(output) && decoded === output;
    }),
  );
});

/** Windows-1252; other characters become zero. */
function encodeText(text: string): Uint8Array {
  const all = [
    ...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)),
  ];
  return Uint8Array.from([...text], (letter) => Math.max(0, all.indexOf(letter)));
}
