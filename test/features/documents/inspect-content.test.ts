import sharp from 'sharp';
import { inspectContentStream } from '../../../src/features/documents/inspect-content.ts';
import { ServiceError } from '../../../src/shared/errors.ts';
import { t } from '../../tap.ts';
import { createOfficeFile, createOpenDocument, createZipArchive } from './office.ts';
import { createTestPdf } from './upload.ts';

const image = sharp({ create: { width: 8, height: 8, channels: 3, background: '#246' } });
const [jpeg, png, webp, gif] = await Promise.all([
  image.clone().jpeg().toBuffer(),
  image.clone().png().toBuffer(),
  image.clone().webp().toBuffer(),
  image.clone().gif().toBuffer(),
]);
const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\x08mdat', 'latin1');
const OOXML = 'application/vnd.openxmlformats-officedocument';
const ODF = 'application/vnd.oasis.opendocument';
const TEXT = 'text/plain; charset=utf-8';

/** Return the type of content read in chunks, or the reason why it is rejected. */
async function typeOf(content: Buffer | string, chunkBytes = 65_536): Promise<string> {
  const bytes = Buffer.from(content);
  async function* splitContent() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const inspected = inspectContentStream(splitContent(), { withDigest: false });
  try {
    for await (const _ of inspected.chunks);
    return inspected.requireType();
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

t.test('detects accepted types by content, regardless of chunk sizes', async (t) => {
  const cases: [string, Buffer | string][] = [
    ['application/pdf', createTestPdf()],
    ['image/jpeg', jpeg],
    ['image/png', png],
    ['image/webp', webp],
    ['image/gif', gif],
    ['image/heic', heic],
    [TEXT, 'Grüße aus Köln\r\n\tund 東京 🗼\f'],
    [TEXT, '\ufeffA,B\n1,2'],
    [TEXT, '1 < 2 and 3 > 2'],
    [`${OOXML}.wordprocessingml.document`, await createOfficeFile('word/document.xml')],
    [
      `${OOXML}.wordprocessingml.document`,
      await createOfficeFile('word/document2.xml', { 'word/media/a.svg': '<svg/>' }),
    ],
    [`${OOXML}.spreadsheetml.sheet`, await createOfficeFile('xl/workbook.xml')],
    [`${OOXML}.presentationml.presentation`, await createOfficeFile('ppt/presentation.xml')],
    [`${ODF}.text`, await createOpenDocument(`${ODF}.text`)],
    [`${ODF}.spreadsheet`, await createOpenDocument(`${ODF}.spreadsheet`)],
    [`${ODF}.presentation`, await createOpenDocument(`${ODF}.presentation`)],
  ];
  for (const [type, content] of cases)
    for (const bytes of [1, 7, 65_536]) t.equal(await typeOf(content, bytes), type, `${type} by ${bytes}`);
  const long = Buffer.concat([
    createTestPdf().subarray(0, -6),
    Buffer.alloc(900_000, 'x'),
    Buffer.from('\n%%EOF\n'),
  ]);
  t.equal(await typeOf(long), 'application/pdf', 'of which the middle is not kept');
  t.equal(await typeOf('ä€😀'.repeat(50_000), 65_537), TEXT, 'characters split between chunks');
  const many = Object.fromEntries(
    Array.from({ length: 900 }, (_, index) => [`xl/sheets/sheet${index}.xml`, 'x']),
  );
  t.equal(
    await typeOf(await createOfficeFile('xl/workbook.xml', many)),
    `${OOXML}.spreadsheetml.sheet`,
    'many parts',
  );
});

t.test('finds the encoding of text, regardless of chunk sizes', async (t) => {
  const text = 'Kürzel;Größe;Straße\r\nÄ;1,5;Große Gasse 3\r\n';
  const long = `${'ASCII only\n'.repeat(10_000)}${text}`;
  const cases: [string, string, Buffer][] = [
    ['windows-1252', 'a CSV of Excel', Buffer.from(text, 'latin1')],
    ['windows-1252', 'letters without others', Buffer.from('äöü\n', 'latin1')],
    ['windows-1252', 'quotes and a currency', Buffer.from('\x935 \x80\x94\n', 'latin1')],
    ['windows-1252', 'that begins as ASCII', Buffer.from(long, 'latin1')],
    ['utf-16', 'Unicode text of Excel', Buffer.from(`\ufeff${text}\t東京 🗼`, 'utf16le')],
    ['utf-16', 'the other byte order', Buffer.from(`\ufeff${text}🗼`, 'utf16le').swap16()],
    ['utf-16', 'a long one', Buffer.from(`\ufeff${long}`, 'utf16le')],
    ['utf-8', 'that begins as ASCII', Buffer.from(long)],
  ];
  for (const [encoding, name, content] of cases)
    for (const bytes of content.length > 50_000 ? [1_001, 65_536] : [1, 7, 65_536])
      t.equal(await typeOf(content, bytes), `text/plain; charset=${encoding}`, `${name} by ${bytes}`);
});

t.test('rejects pages, programs, archives, macros and polyglots', async (t) => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const html = '<!doctype html><script>alert(1)</script>';
  const zip = await createZipArchive({ 'a.txt': 'a' });
  const docx = await createOfficeFile('word/document.xml');
  const twice = Object.fromEntries(
    Object.entries({ pdf: createTestPdf(), jpeg, gif, png: Buffer.concat([png.subarray(0, -12)]) }).flatMap(
      ([name, file]) =>
        Object.entries(foreignFiles).map(([foreign, add]) => [`${name} and ${foreign}`, add(file)]),
    ),
  );
  const cases: Record<string, Buffer | string> = {
    ...twice,
    'a JPEG and a PDF': Buffer.concat([jpeg, createTestPdf()]),
    'a JPEG around a PDF': Buffer.concat([
      jpeg,
      Buffer.alloc(200_000),
      createTestPdf(),
      Buffer.alloc(200_000),
    ]),
    'an office file of two parts with one name': await createRepeatedPartFile(),
    'the same with a count that hides it': setZipCount(await createRepeatedPartFile(), 3),
    'an office file with an encrypted part': changeArchive(docx, (file) => {
      const entry = file.indexOf('PK\x01\x02', 0, 'latin1');
      file.writeUInt16LE(file.readUInt16LE(entry + 8) | 1, entry + 8);
    }),
    'an office file in two volumes': changeArchive(docx, (file) => file.writeUInt16LE(1, file.length - 18)),
    'an office file with a directory that says it is shorter': changeArchive(docx, (file) =>
      file.writeUInt32LE(file.readUInt32LE(file.length - 10) - 1, file.length - 10),
    ),
    'an office file that lists fewer parts': setZipCount(docx, 2),
    'an office file with an unlisted first part': changeArchive(docx, (file) => file.write('x', 30)),
    'an office file with a part outside of it': Buffer.from(
      (await createOfficeFile('word/document.xml', { 'aa/a.xml': 'x' }))
        .toString('latin1')
        .replaceAll('aa/a.xml', '../a.xml'),
      'latin1',
    ),
    svg,
    'svg behind a mark': `\ufeff\n ${svg}`,
    'svg behind words': `My picture: ${svg}`,
    html,
    xml: '<?xml version="1.0"?><a/>',
    'a script': '#!/bin/sh\nrm -rf /',
    'php in text': 'hello <?php system($_GET[0]); ?>',
    'a PDF in a text': 'BM: see %PDF-1.4 and %%EOF',
    rtf: '{\\rtf1\\ansi hello}',
    'a word file of 2003': Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(512)]),
    'a program for Windows': Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), Buffer.alloc(200_000)]),
    'a program for Linux': Buffer.concat([Buffer.from('\x7fELF\x02', 'latin1'), Buffer.alloc(512)]),
    'text with NUL': 'hello\0world',
    'text with an escape': 'hello \x1b[2J',
    'a byte without a character': Buffer.from([0x81]),
    'text with a byte that Windows-1252 has not': Buffer.from('Gr\x8dn', 'latin1'),
    'UTF-8 that ends in a character': Buffer.from('Grüße aus Köl\u00e4').subarray(0, -1),
    'UTF-8 with a foreign byte': Buffer.concat([Buffer.from('Grüße aus Köln'), Buffer.from([0xfc])]),
    'Cyrillic in Windows-1251': encodeWindows1251('Привет из Москвы, дорогие друзья; id 17'),
    'UTF-16 without a mark': Buffer.from('Größe', 'utf16le'),
    'UTF-16 with half a character': Buffer.from('\ufeffGröße', 'utf16le').subarray(0, -1),
    'UTF-16 with a lone surrogate': Buffer.from('\ufeffA\ud800B', 'utf16le'),
    'UTF-16 with NUL': Buffer.from('\ufeffA\0B', 'utf16le'),
    'UTF-16 that is a page': Buffer.from(`\ufeff${html}`, 'utf16le'),
    'UTF-16 that is a picture': Buffer.from(`\ufeff ${svg}`, 'utf16le').swap16(),
    'UTF-16 that is a page for who reads bytes': Buffer.concat([
      Buffer.from('\ufeff', 'utf16le'),
      Buffer.from('<script >alert(1)</script>  '),
    ]),
    'UTF-16 that holds a PDF': Buffer.from('\ufeffhello %PDF-1.4', 'utf16le'),
    'UTF-32': Buffer.from('\ufeff\0A\0', 'utf16le'),
    'Windows-1252 that is a page': Buffer.from(`Größe ${html}`, 'latin1'),
    'Windows-1252 that is a script': Buffer.from('#!/bin/sh\necho Größe', 'latin1'),
    'Windows-1252 with an escape': Buffer.from('Größe \x1b[2J', 'latin1'),
    'Windows-1252 that turns into something else': Buffer.concat([
      Buffer.from('Größe '.repeat(20_000), 'latin1'),
      Buffer.from([0]),
    ]),
    'text that turns into something else': Buffer.concat([Buffer.alloc(100_000, 'a'), Buffer.from([0])]),
    'an archive': zip,
    'an archive of nothing': archiveEnd(4),
    'an archive of archives': await createZipArchive({ 'a.zip': zip.toString('latin1') }, ['a.zip']),
    'an archive that says it is a text': await createZipArchive(
      { mimetype: 'text/plain', 'content.xml': 'x' },
      ['mimetype'],
    ),
    macros: await createOfficeFile('word/document.xml', { 'word/vbaProject.bin': 'x' }),
    'macros in other letters': await createOfficeFile('xl/workbook.xml', { 'XL/VBAPROJECT.BIN': 'x' }),
    'old macros of sheets': await createOfficeFile('xl/workbook.xml', { 'xl/macrosheets/sheet1.xml': 'x' }),
    controls: await createOfficeFile('word/document.xml', { 'word/activeX/activeX1.bin': 'x' }),
    'an office file with macros inside': await createOfficeFile('ppt/presentation.xml', {
      'ppt/embeddings/Sheet1.XLSM': 'x',
    }),
    'a program inside': await createOfficeFile('word/document.xml', { 'word/embeddings/a.exe': 'x' }),
    'macros of an OpenDocument': await createOpenDocument(`${ODF}.text`, {
      'Basic/Standard/Module1.xml': 'x',
    }),
    'a jar': await createZipArchive({ 'META-INF/MANIFEST.MF': 'x', 'A.class': 'x' }),
    'an office file that is cut': docx.subarray(0, -30),
    'an office file with something behind': Buffer.concat([docx, Buffer.from('more')]),
    'an office file behind something': Buffer.concat([Buffer.from('PK\x03\x04junk', 'latin1'), docx]),
    'a PDF that is cut': createTestPdf().subarray(0, 60),
    'a PDF behind another type': Buffer.concat([Buffer.from('GIF89a'), createTestPdf()]),
    'a PDF behind a page': Buffer.concat([Buffer.from('<html>'), createTestPdf()]),
    'a PDF behind a program': Buffer.concat([Buffer.from('MZ'), createTestPdf()]),
    'a PDF with a page behind it': Buffer.concat([createTestPdf(), Buffer.from(html)]),
    'a PDF and an archive': Buffer.concat([createTestPdf(), zip]),
    'a PDF around an archive': Buffer.concat([createTestPdf(), zip, Buffer.from('\n%%EOF\n')]),
    'a PDF around an archive with a comment of 64 KiB': Buffer.concat([
      createTestPdf(),
      zip.subarray(0, -2),
      Buffer.from([0xff, 0xff]),
      Buffer.alloc(65_528, 'x'),
      Buffer.from('\n%%EOF\n'),
    ]),
    'a PDF and an archive of many entries': Buffer.concat([
      createTestPdf(),
      await createZipArchive(
        Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`${'x'.repeat(50)}${n}`, ''])),
      ),
      Buffer.from('\n%%EOF\n'),
    ]),
    'a PDF and a page': Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.from(html), createTestPdf()]),
    'a JPEG and an archive': Buffer.concat([jpeg, zip]),
    'a JPEG and the end of an archive': Buffer.concat([jpeg, archiveEnd(0).subarray(4)]),
    'a JPEG and a page': Buffer.concat([
      jpeg.subarray(0, 2),
      Buffer.from('\xff\xfe\0\x40', 'latin1'),
      Buffer.from(html.padEnd(62)),
      jpeg.subarray(2),
    ]),
    'a JPEG with a page behind it': Buffer.concat([jpeg, Buffer.from(html)]),
    'a JPEG that is a script': Buffer.concat([
      Buffer.from('\xff\xd8\xff\xe0/*', 'latin1'),
      Buffer.alloc(0x2f2a - 2, ' '),
      jpeg.subarray(2),
      Buffer.from('*/=1;alert(1);'),
    ]),
    'a PNG with something behind': Buffer.concat([png, Buffer.from('more')]),
    'a GIF that is a script': Buffer.concat([
      Buffer.from('GIF89a/*'),
      gif.subarray(8),
      Buffer.from('*/=1;alert(1);'),
    ]),
    'a WebP with something behind': Buffer.concat([webp, Buffer.from('more')]),
    'only the beginning of a JPEG': Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
    'a TIFF': await image.clone().tiff().toBuffer(),
    gzip: Buffer.from('1f8b0800000000000003', 'hex'),
  };
  for (const [name, content] of Object.entries(cases))
    for (const bytes of [content.length > 50_000 ? 1_001 : 3, 65_536])
      t.equal(await typeOf(content, bytes), 'FILE_TYPE_UNSUPPORTED', name);
  t.equal(await typeOf(''), 'VALIDATION_FAILED', 'nothing at all');
});

function encodeWindows1251(text: string): Buffer {
  return Buffer.from(
    text.replace(/[А-я]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x410 + 0xc0)),
    'latin1',
  );
}

/** Files that other readers find in a file, at any place or at a fixed one. */
const foreignFiles: Record<string, (file: Buffer) => Buffer> = {
  RAR: (file) => Buffer.concat([file, Buffer.from('Rar!\x1a\x07\x01\0', 'latin1'), endOf(file)]),
  '7-Zip': (file) => Buffer.concat([file, Buffer.from('7z\xbc\xaf\x27\x1c\0\x04', 'latin1'), endOf(file)]),
  'a far RAR': (file) =>
    Buffer.concat([
      file,
      Buffer.alloc(300_000),
      Buffer.from('Rar!\x1a\x07\0', 'latin1'),
      Buffer.alloc(200_000),
      endOf(file),
    ]),
  ARJ: (file) =>
    Buffer.concat([
      file,
      Buffer.from([0x60, 0xea, 0x2b, 0, 0x22, 11, 1, 2, 0x10, 0, 2, 0, 0, 0, 0, 0]),
      endOf(file),
    ]),
  'a disc image': (file) => placeText(file, 32_769, 'CD001'),
  DICOM: (file) => placeText(file, 128, 'DICM'),
  TAR: (file) => Buffer.concat([createTapeArchive(file), file, endOf(file)]),
  'a TAR behind': (file) => Buffer.concat([file, createTapeArchive(Buffer.from('a.txt')), endOf(file)]),
  cabinet: (file) => Buffer.concat([file, Buffer.from('MSCF\0\0\0\0\x44\0'), endOf(file)]),
  ACE: (file) => Buffer.concat([file, Buffer.from('\x31\0\0**ACE**\x14'), endOf(file)]),
};

/** @param name first 100 bytes: the name of the archived file */
function createTapeArchive(name: Buffer): Buffer {
  const block = Buffer.alloc(1_024);
  name.copy(block, 0, 0, Math.min(name.length, 100));
  block.write('00000000017\0', 124);
  block.write('ustar\x0000', 257, 'latin1');
  block.fill(0x20, 148, 156);
  const sum = block.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}

/** What the reader of a type looks for at its end. */
function endOf(file: Buffer): Buffer {
  return file.subarray(-64);
}

function placeText(file: Buffer, at: number, text: string): Buffer {
  const bytes = Buffer.concat([file, Buffer.alloc(Math.max(0, at + 2_048 - file.length)), endOf(file)]);
  bytes.write(text, at, 'latin1');
  return bytes;
}

/** Create an Office file of which two parts have one name: readers disagree on which counts. */
async function createRepeatedPartFile(): Promise<Buffer> {
  const archive = await createOfficeFile('word/document.xml', { 'word/documenT.xml': 'another' });
  return Buffer.from(
    archive.toString('latin1').replaceAll('word/documenT.xml', 'word/document.xml'),
    'latin1',
  );
}

function changeArchive(archive: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(archive);
  change(copy);
  return copy;
}

/** Set the number of parts in the end record of an archive without a comment. */
function setZipCount(archive: Buffer, count: number): Buffer {
  const changed = Buffer.from(archive);
  changed.writeUInt16LE(count, changed.length - 14);
  changed.writeUInt16LE(count, changed.length - 12);
  return changed;
}

t.test('accepts files as programs write them', async (t) => {
  const docx = await createOfficeFile('word/document.xml');
  const pdf = createTestPdf();
  const compressedFirst = await createZipArchive({ 'content.xml': '<a/>', mimetype: `${ODF}.text` });
  const cases: [string, string, Buffer][] = [
    ['a PDF behind a mark', 'application/pdf', Buffer.concat([Buffer.from('\ufeff'), pdf])],
    ['a PDF behind lines', 'application/pdf', Buffer.concat([Buffer.from('\r\n@PJL SET COPIES=1\r\n'), pdf])],
    ['a PDF before 6 kB of zeros', 'application/pdf', Buffer.concat([pdf, Buffer.alloc(6_000)])],
    [
      'an office file before a byte',
      `${OOXML}.wordprocessingml.document`,
      Buffer.concat([docx, Buffer.from([7])]),
    ],
    [
      'an office file before zeros',
      `${OOXML}.wordprocessingml.document`,
      Buffer.concat([docx, Buffer.alloc(100)]),
    ],
    ['an OpenDocument whose media type is not first', `${ODF}.text`, compressedFirst],
  ];
  for (const [name, type, content] of cases)
    for (const bytes of [7, 65_536]) t.equal(await typeOf(content, bytes), type, name);
});

t.test('says what to do with a protected file and with text of another encoding', async (t) => {
  const reasonOf = async (content: Buffer) => {
    const inspected = inspectContentStream([content] as never, { withDigest: false });
    try {
      for await (const _ of inspected.chunks);
      return inspected.requireType();
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  };
  const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1_024)]);
  const encrypted = Buffer.concat([compound, Buffer.from('EncryptedPackage', 'utf16le'), Buffer.alloc(512)]);
  t.match(await reasonOf(encrypted), /protected by a password/);
  t.match(await reasonOf(compound), /before 2007/);
  t.match(await reasonOf(encodeWindows1251('Размер одежды и обуви')), /must be UTF-8/);
  t.match(await reasonOf(Buffer.from('\ufeffName\tGröße\r\n', 'utf16le').subarray(0, -1)), /must be UTF-8/);
});

/** Create the start of an archive and its end record, with nothing between them. */
function archiveEnd(offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), end]);
}

t.test('stops reading content that cannot be of an accepted type', async (t) => {
  let read = 0;
  async function* endless() {
    for (; read < 10_000; read += 1) yield Buffer.alloc(16_384);
  }
  const { chunks } = inspectContentStream(endless(), { withDigest: false });
  await t.rejects(
    async () => {
      for await (const _ of chunks);
    },
    { code: 'FILE_TYPE_UNSUPPORTED', members: { accepted: /application\/pdf/ } },
  );
  t.ok(read <= 4, `${read} chunks`);
});
