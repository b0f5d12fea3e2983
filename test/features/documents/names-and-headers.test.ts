import t from 'tap';
import { decideAnswer } from '../../../src/features/documents/conditional-request.rules.ts';
import { contentDisposition } from '../../../src/features/documents/content-disposition.rules.ts';
import { maxFileBytes } from '../../../src/features/documents/document-limits.rules.ts';
import { safeFileName } from '../../../src/features/documents/file-name.rules.ts';

t.test('a file name keeps its script, and nothing that is taken for something else', async (t) => {
  const cases: [given: string, kept: string][] = [
    ['passport.pdf', 'passport.pdf'],
    ['Lease.PDF', 'Lease.PDF'],
    ['旅券 📘.pdf', '旅券 📘.pdf'],
    ['جواز السفر.pdf', 'جواز السفر.pdf'],
    ['पासपोर्ट.pdf', 'पासपोर्ट.pdf'],
    ['Cafe\u0301.pdf', 'Café.pdf'],
    ['../../etc/passwd', 'passwd.pdf'],
    ['C:\\Users\\ada\\a.pdf', 'a.pdf'],
    ['a/b\\c.pdf', 'c.pdf'],
    ['folder/', 'document.pdf'],
    ['', 'document.pdf'],
    ['...', 'document.pdf'],
    ['.htaccess', 'htaccess.pdf'],
    ['.pdf', 'pdf.pdf'],
    ['invoice.pdf.exe', 'invoice.pdf.exe.pdf'],
    ['page.html', 'page.html.pdf'],
    ['fdp.\u202eexe.pdf', 'fdp.exe.pdf'],
    ['a\u0000b\u0007\r\nc.pdf', 'abc.pdf'],
    ['a\u200b\u2066b\u200f.pdf', 'ab.pdf'],
    ['CON', '_CON.pdf'],
    ['nul.pdf', '_nul.pdf'],
    ['com1.tar.pdf', '_com1.tar.pdf'],
    ['LPT¹.pdf', '_LPT¹.pdf'],
    ['console.pdf', 'console.pdf'],
    ['a<b>:"c"|d?*.pdf', 'a_b___c__d__.pdf'],
    ['a.txt::$DATA', 'a.txt__$DATA.pdf'],
    ['  a   b .pdf . ', 'a b .pdf'],
    ['\ufffd\ufffd.pdf', 'pdf.pdf'],
    ['\ud800.pdf', 'pdf.pdf'],
    ['\u3164\u2800', 'document.pdf'],
  ];
  for (const [given, kept] of cases)
    t.equal(safeFileName(given, 'application/pdf'), kept, JSON.stringify(given));
  t.equal(safeFileName('a.html', 'text/plain; charset=utf-8'), 'a.html.txt');
  t.equal(safeFileName('a.csv', 'text/plain; charset=utf-8'), 'a.csv');
  for (const sign of ['x', 'é', '犬', '👨‍👩‍👧‍👦']) {
    const long = safeFileName(`${sign.repeat(400)}.pdf`, 'application/pdf');
    t.ok(Buffer.byteLength(long) <= 200 && long.endsWith(`${sign}.pdf`), long);
  }
});

t.test('RFC 6266 names in any script reach old clients, too, and break no header', async (t) => {
  t.equal(contentDisposition('inline', 'a.pdf'), 'inline; filename="a.pdf"');
  t.equal(
    contentDisposition('attachment', "Päss (1)'s 100%.pdf"),
    `attachment; filename="P_ss (1)'s 100_.pdf"; filename*=UTF-8''P%C3%A4ss%20%281%29%27s%20100%25.pdf`,
  );
  t.equal(
    contentDisposition('attachment', '旅券.pdf'),
    `attachment; filename="_.pdf"; filename*=UTF-8''%E6%97%85%E5%88%B8.pdf`,
  );
  t.match(contentDisposition('attachment', 'a"\r\nX: y\\.pdf\ud800'), /^[\x20-\x7e]+$/);
});

t.test('F5 RFC 9110: conditions in every combination', async (t) => {
  const at = new Date('2026-11-22T10:00:00.700Z');
  const of = { etag: '"a"', modifiedAt: at, size: 1000 };
  const [same, before, after] = [0, -1000, 1000].map((ms) => new Date(at.getTime() + ms).toUTCString());
  const status = (headers: Record<string, string>, method = 'GET') =>
    decideAnswer(headers, method, of).status;
  const RANGE = { range: 'bytes=0-9' };
  const matches = { '*': true, '"a"': true, '"b", "a"': true, '"b"': false, 'W/"a"': false };
  for (const [tag, isOurs] of Object.entries(matches)) {
    t.equal(status({ 'if-match': tag }), isOurs ? 200 : 412, `If-Match ${tag}`);
    const isKnown = isOurs || tag === 'W/"a"';
    t.equal(status({ 'if-none-match': tag }), isKnown ? 304 : 200, `If-None-Match ${tag}`);
    t.equal(status({ ...RANGE, 'if-none-match': tag }), isKnown ? 304 : 206, `and a range`);
    t.equal(status({ 'if-match': '"b"', 'if-none-match': tag }), 412, 'If-Match comes first');
    t.equal(
      status({ 'if-none-match': tag, 'if-modified-since': isKnown ? (before ?? '') : (after ?? '') }),
      isKnown ? 304 : 200,
      'and the date does not count beside it',
    );
  }
  for (const [date, isSince, isUnmodified] of [
    [same, 304, 200],
    [before, 200, 412],
    [after, 304, 200],
    ['yesterday', 200, 200],
  ] as const) {
    t.equal(status({ 'if-modified-since': String(date) }), isSince, `If-Modified-Since ${date}`);
    t.equal(status({ 'if-unmodified-since': String(date) }), isUnmodified, `If-Unmodified-Since ${date}`);
    t.equal(
      status({ 'if-match': '"a"', 'if-unmodified-since': String(date) }),
      200,
      'which If-Match replaces',
    );
  }
  const ifRanges = {
    '"a"': 206,
    '"b"': 200,
    'W/"a"': 200,
    [String(same)]: 206,
    [String(after)]: 200,
    x: 200,
  };
  for (const [value, wanted] of Object.entries(ifRanges)) {
    t.equal(status({ ...RANGE, 'if-range': value }), wanted, `If-Range ${value}`);
    t.equal(
      status({ range: 'bytes=0-9,20-29', 'if-range': value }),
      wanted === 206 ? 416 : 200,
      'and several',
    );
    t.equal(status({ 'if-range': value }), 200, 'If-Range without a range');
  }
  t.equal(status(RANGE, 'HEAD'), 200, 'a range means nothing to HEAD');
});

t.test('F5 one range of bytes, as RFC 9110 has it', async (t) => {
  const of = { etag: '"a"', modifiedAt: new Date(), size: 1000 };
  const ranges: Record<string, string | number> = {
    'bytes=0-0': '0-0',
    'bytes=0-': '0-999',
    'bytes=999-': '999-999',
    'bytes=-1': '999-999',
    'bytes=-5000': '0-999',
    'bytes=990-99999999': '990-999',
    'BYTES=1-2': '1-2',
    'bytes= 1-2 ': '1-2',
    'bytes=1000-': 416,
    'bytes=1000-1001': 416,
    'bytes=-0': 416,
    'bytes=0-1,2-3': 416,
    'bytes=0-,0-,0-': 416,
    'bytes=5-4': 200,
    'bytes=-': 200,
    'bytes=a-b': 200,
    'bytes=1-2-3': 200,
    'bytes=0x1-2': 200,
    'bytes=99999999999999999999-': 200,
    'lines=0-1': 200,
    bytes: 200,
  };
  for (const [range, wanted] of Object.entries(ranges)) {
    const answer = decideAnswer({ range }, 'GET', of);
    const got = answer.status === 206 ? `${answer.range.first}-${answer.range.last}` : answer.status;
    t.equal(got, wanted, range);
  }
});

t.test(
  'a file may have a tenth of what the package stores, and no more than the operator allows',
  async (t) => {
    t.equal(maxFileBytes(104_857_600, 2 ** 31), 10_485_760);
    t.equal(maxFileBytes(107_374_182_400, 2 ** 31), 2 ** 31);
    t.equal(maxFileBytes(null, 5_000), 5_000);
    t.equal(maxFileBytes(undefined, 5_000), 5_000);
  },
);
