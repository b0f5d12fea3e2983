import { formatContentDisposition } from '../../../src/features/documents/content-disposition.rules.ts';
import { computeMaxDocumentFileBytes } from '../../../src/features/documents/document-limits.rules.ts';
import { sanitizeFileName } from '../../../src/features/documents/file-name.rules.ts';
import { t } from '../../tap.ts';

t.test('keeps the script of a file name, and removes special characters', async (t) => {
  const cases: [input: string, expected: string][] = [
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
  for (const [input, expected] of cases)
    t.equal(sanitizeFileName(input, 'application/pdf'), expected, JSON.stringify(input));
  t.equal(sanitizeFileName('a.html', 'text/plain; charset=utf-8'), 'a.html.txt');
  t.equal(sanitizeFileName('a.csv', 'text/plain; charset=utf-8'), 'a.csv');
  for (const sign of ['x', 'é', '犬', '👨‍👩‍👧‍👦']) {
    const long = sanitizeFileName(`${sign.repeat(400)}.pdf`, 'application/pdf');
    t.ok(Buffer.byteLength(long) <= 200 && long.endsWith(`${sign}.pdf`), long);
  }
});

t.test('formats names in any script for old clients by RFC 6266, without breaking headers', async (t) => {
  t.equal(formatContentDisposition('inline', 'a.pdf'), 'inline; filename="a.pdf"');
  t.equal(
    formatContentDisposition('attachment', "Päss (1)'s 100%.pdf"),
    `attachment; filename="P_ss (1)'s 100_.pdf"; filename*=UTF-8''P%C3%A4ss%20%281%29%27s%20100%25.pdf`,
  );
  t.equal(
    formatContentDisposition('attachment', '旅券.pdf'),
    `attachment; filename="_.pdf"; filename*=UTF-8''%E6%97%85%E5%88%B8.pdf`,
  );
  t.match(formatContentDisposition('attachment', 'a"\r\nX: y\\.pdf\ud800'), /^[\x20-\x7e]+$/);
});

t.test('limits a file to a tenth of the storage quota and to the maximum of the operator', async (t) => {
  t.equal(computeMaxDocumentFileBytes(104_857_600, 2 ** 31), 10_485_760);
  t.equal(computeMaxDocumentFileBytes(107_374_182_400, 2 ** 31), 2 ** 31);
  t.equal(computeMaxDocumentFileBytes(null, 5_000), 5_000);
  t.equal(computeMaxDocumentFileBytes(undefined, 5_000), 5_000);
});
