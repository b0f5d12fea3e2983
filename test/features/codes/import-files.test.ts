import { Readable } from 'node:stream';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { isLikelyWindows1252 } from '../../../src/features/codes/imports/legacy-encoding.rules.ts';
import {
  MAX_IMPORT_ROWS,
  MAX_ROW_BYTES,
  readImportRows,
} from '../../../src/features/codes/imports/read-rows.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { sendMultipartForm } from '../documents/upload.ts';
import { createPetBody, createQrCodeClient, listErrorFields } from './code-helper.ts';
import { countCodes, importFile, readErrors, waitForImport } from './import-helper.ts';

const app = await startTestApp(t, { BILLING: 'off' });

const toErrors = (errors: { row: number; field: string | null; code: string }[]) =>
  errors.map(({ row, field, code }) => `${row} ${field} ${code}`);

t.test(
  'CSV with BOM, CRLF, quoted line breaks, JSON and escaped formulas sets every kind of column',
  async (t) => {
    const user = await app.createUser();
    const call = createQrCodeClient(app, user);
    const csv = [
      '\ufeffkind,title,externalId,status,contactable,expiresAt,data.name,data.message,data.owner.name,data.owner.phone,visibility.owner,metadata.order.id,metadata,design.foreground,scanCount',
      `LUGGAGE,"Blue, ""large""",one,PAUSED,FALSE,2100-01-01T00:00:00Z,'=Suitcase,"two\r\nlines",Ada,'+49 30 123456,PRIVATE,007,,#102030,9`,
      '',
      'LUGGAGE,Red,two,,,,Bag,,,,,,"{""color"":""red""}",,',
    ].join('\r\n');
    const done = await waitForImport(app, user, await importFile(app, user, csv));
    t.same(toErrors(await readErrors(app, user, done)), []);
    t.match(done, { status: 'COMPLETED', rowsProcessed: 2, bytesProcessed: Buffer.byteLength(csv) });
    t.match((await call('GET', '/by-external-id/one')).body, {
      title: 'Blue, "large"',
      status: 'PAUSED',
      contactable: false,
      expiresAt: '2100-01-01T00:00:00.000Z',
      data: { name: '=Suitcase', message: 'two\nlines', owner: { name: 'Ada', phone: '+49 30 123456' } },
      visibility: { owner: 'PRIVATE' },
      metadata: { 'order.id': '007' },
      design: { foreground: '#102030' },
      scanCount: 0,
    });
    t.match((await call('GET', '/by-external-id/two')).body, {
      status: 'ACTIVE',
      metadata: { color: 'red' },
    });
    const change =
      'kind,title,externalId,status,data.name\nLUGGAGE,Green,two,PAUSED,Bag\nLUGGAGE,New,three,LOST,Bag\n';
    const changed = await waitForImport(app, user, await importFile(app, user, change));
    t.match(changed.counts, { created: 0, updated: 1, failed: 1 });
    t.same(toErrors(await readErrors(app, user, changed)), ['3 status NOT_ALLOWED']);
    t.match((await call('GET', '/by-external-id/two')).body, { title: 'Green', status: 'PAUSED' });
  },
);

t.test('CSV is read as spreadsheets write it', async (t) => {
  const table = [
    [
      ...['Kind', ' TITLE', 'External ID', 'data.Name', 'Data.Message', 'Data.owner.Name'],
      ...['metadata.orderNo', 'Visibility.Owner'],
    ],
    ['LUGGAGE', 'Größe; 1, "x"', 'one', 'Bag', 'a\tb|c', 'Ada', '007', 'PRIVATE'],
  ];
  const format = (delimiter: string, lineEnd: string, rows = table) =>
    rows
      .map((cells) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter)}${lineEnd}`)
      .join('');
  const padded = table.map((cells) => [...cells, '', '', '']);
  const utf16 = Buffer.from(`\ufeff${format('\t', '\r\n')}`, 'utf16le');
  for (const [name, file] of Object.entries({
    semicolons: format(';', '\r\n'),
    'semicolons with BOM': `\ufeff${format(';', '\r\n')}`,
    tabs: format('\t', '\n'),
    'vertical bars': format('|', '\n'),
    'line ends of Mac': format(',', '\r'),
    'a line sep=': `sep=;\r\n${format(';', '\r\n')}`,
    'a line sep= with BOM': `\ufeff"sep=,"\r${format(',', '\r')}`,
    'another separator': `sep=^\n${format('^', '\n')}`,
    'empty columns without a name': format(',', '\r\n', padded),
    'empty columns in the header only': format(',', '\r\n', [padded[0] ?? [], table[1] ?? []]),
    'empty columns in rows only': format(';', '\r\n', [table[0] ?? [], padded[1] ?? []]),
    'UTF-16': utf16,
    'UTF-16 of the other order': Buffer.from(utf16).swap16(),
  })) {
    const user = await app.createUser();
    const done = await waitForImport(app, user, await importFile(app, user, file));
    t.same(toErrors(await readErrors(app, user, done)), [], name);
    t.match(
      (await createQrCodeClient(app, user)('GET', '/by-external-id/one')).body,
      {
        title: 'Größe; 1, "x"',
        data: { name: 'Bag', message: 'a\tb|c', owner: { name: 'Ada' } },
        metadata: { orderNo: '007' },
        visibility: { owner: 'PRIVATE' },
      },
      name,
    );
  }
});

t.test('rows are counted, and cells beyond the header are named, as in the spreadsheet', async (t) => {
  const user = await app.createUser();
  const csv = [
    'sep=;',
    'kind;title;;data.text;;',
    'TEXT;one;;a;;',
    'TEXT;short',
    'TEXT;two;x;a;;',
    'TEXT;three;;a;;;y',
    'TEXT;four;;a\u0007;;',
  ].join('\r\n');
  const done = await waitForImport(app, user, await importFile(app, user, csv));
  t.match(done, { status: 'COMPLETED', counts: { created: 1, failed: 4 } });
  t.same(toErrors(await readErrors(app, user, done)), [
    '3 data.text REQUIRED',
    '4 column 3 UNKNOWN_FIELD',
    '5 row TOO_MANY',
    '6 data.text CONTROL_CHARACTER',
  ]);
});

t.test('a dialect is the same wherever reading continues, and however the file is cut', async (t) => {
  const csv = `\ufeffsep=;\r${['kind;title;data.text', 'TEXT;one;"a\rb"', 'TEXT;two;c', ''].join('\r')}`;
  const bytes = Buffer.from(csv);
  for (const size of [1, 2, 7, 1_000]) {
    const open = async (first: number) => {
      const rest = bytes.subarray(first);
      return Readable.from(
        Array.from({ length: Math.ceil(rest.length / size) }, (_, at) =>
          rest.subarray(at * size, (at + 1) * size),
        ),
      );
    };
    const read = async (position: { rowNumber: number; bytesRead: number }) => {
      const rows = [];
      for await (const row of readImportRows({ format: 'csv', mapping: null, open }, position))
        rows.push(row);
      return rows;
    };
    const all = await read({ rowNumber: 0, bytesRead: 0 });
    t.match(all, [
      { number: 2, item: { kind: 'TEXT', title: 'one', data: { text: 'a\nb' } } },
      { number: 3, item: { title: 'two', data: { text: 'c' } }, end: bytes.length },
    ]);
    t.same(await read({ rowNumber: 2, bytesRead: all[0]?.end ?? 0 }), all.slice(1), `chunks of ${size}`);
  }
});

t.test('rows of JSON Lines that cannot be read fail by themselves', async (t) => {
  const user = await app.createUser();
  const lines = [
    `\ufeff${JSON.stringify(createPetBody({ externalId: 'one', design: { foreground: '#102030' }, pin: '1234' }))}`,
    '{"kind":',
    '[1]',
    '',
    '{"kind":"PET","title":"Rex","__proto__":{}}',
    JSON.stringify(createPetBody({ title: 'a'.repeat(MAX_ROW_BYTES) })),
    JSON.stringify(createPetBody({ externalId: 'one' })),
    JSON.stringify(createPetBody({ kind: 'CAT' })),
    JSON.stringify(createPetBody()),
  ];
  const requested = await importFile(app, user, lines.join('\n'), { format: 'jsonl' });
  const done = await waitForImport(app, user, requested);
  t.match(done, { status: 'COMPLETED', rowsProcessed: 8, counts: { created: 2, failed: 6 } });
  t.same(toErrors(await readErrors(app, user, done)), [
    '2 null MALFORMED_BODY',
    '3 body WRONG_TYPE',
    '5 null MALFORMED_BODY',
    '6 row TOO_LONG',
    '7 externalId NOT_UNIQUE',
    '8 kind NOT_ALLOWED',
  ]);
});

t.test(
  'broken quotation marks and rows that are too long end an import of CSV, and keep the rows before',
  async (t) => {
    const user = await app.createUser();
    const start = 'kind,title,data.text\nTEXT,one,a\nTEXT,two,a,b\n';
    for (const [rest, code] of [
      ['TEXT,"three"x,a\nTEXT,four,a\n', 'BAD_FORMAT'],
      ['TEXT,th"ree,a\nTEXT,four,a\n', 'BAD_FORMAT'],
      ['TEXT,"three,a\nTEXT,four,a\n', 'BAD_FORMAT'],
      [`TEXT,"${'three\n'.repeat(MAX_ROW_BYTES / 5)}`, 'TOO_LONG'],
      [`TEXT,${'a'.repeat(2 * MAX_ROW_BYTES)}\nTEXT,four,a\n`, 'TOO_LONG'],
      [`TEXT${','.repeat(4 * MAX_ROW_BYTES)}\nTEXT,four,a\n`, 'TOO_LONG'],
    ] as const) {
      const done = await waitForImport(app, user, await importFile(app, user, start + rest));
      t.match(done, { status: 'FAILED', counts: { created: 1, failed: 1 }, error: { row: 4, code } });
      t.same(toErrors(await readErrors(app, user, done)), ['3 row TOO_MANY']);
    }
    t.equal(await countCodes(app, user.id), 6);
  },
);

t.test('a file of more than 100,000 rows cannot be read beyond them', async (t) => {
  const read = async () => {
    const open = async () => Readable.from([Buffer.alloc(MAX_IMPORT_ROWS + 1, '\n')]);
    const start = { rowNumber: 0, bytesRead: 0 };
    for await (const { number } of readImportRows({ format: 'jsonl', mapping: null, open }, start))
      last = number;
  };
  let last = 0;
  await t.rejects(read(), { row: MAX_IMPORT_ROWS + 1, code: 'TOO_MANY' });
  t.equal(last, MAX_IMPORT_ROWS);
});

t.test('columns after the beginning of a long header are checked, too', async (t) => {
  const user = await app.createUser();
  const header = `kind,title,data.text${' '.repeat(70_000)},data.__proto__.name`;
  const requested = await importFile(app, user, `${header}\nTEXT,one,a,b\n`);
  const done = await waitForImport(app, user, requested);
  t.match(done, { status: 'FAILED', rowsProcessed: 0, error: { row: 1, code: 'BAD_FORMAT' } });
});

t.test('a file that is no CSV or has a wrong header is refused at once', async (t) => {
  const user = await app.createUser();
  const refuse = async (file: string | Buffer) => {
    const answer = await importFile(app, user, file);
    return [answer.status, answer.body.code, ...listErrorFields(answer)];
  };
  t.same(await refuse('kind,name,title,__proto__,data.constructor,title\n'), [
    400,
    'VALIDATION_FAILED',
    'file.__proto__ UNKNOWN_FIELD',
    'file.data.constructor UNKNOWN_FIELD',
    'file.name UNKNOWN_FIELD',
    'file.title REPEATED',
  ]);
  t.same(await refuse('kind,title\nPET,Rex\n'.replaceAll(',', '~')), [
    400,
    'VALIDATION_FAILED',
    'file BAD_FORMAT',
  ]);
  t.same(await refuse('Kind;Ti/tle;kind;\u200bname\nPET;Rex\n'), [
    400,
    'VALIDATION_FAILED',
    'file.?name UNKNOWN_FIELD',
    'file.Ti/tle UNKNOWN_FIELD',
    'file.kind REPEATED',
    'file.title REQUIRED',
  ]);
  t.same(await refuse(`kind,title,${'data.a,'.repeat(200)}`), [400, 'VALIDATION_FAILED', 'file TOO_MANY']);
  t.same(await refuse('kind,"title\n'), [400, 'VALIDATION_FAILED', 'file BAD_FORMAT']);
  t.same(await refuse(''), [400, 'VALIDATION_FAILED', 'file TOO_SHORT']);
  const zeros = Buffer.alloc(10_000_000);
  for (const file of [
    gzipSync(zeros),
    Buffer.concat([Buffer.from('PK\x03\x04'), deflateRawSync(zeros)]),
    Buffer.from('kind,title\n', 'utf16le'),
    Buffer.from('\ufeffkind,title\nPET,a\ud800b\n', 'utf16le'),
    Buffer.from('\ufeffkind,title\n', 'utf16le').subarray(0, -1),
    Buffer.from('{"kind":"PET","title":"M\xfcller"}\n', 'latin1'),
    Buffer.from('\n{"kind":"PET","title":"M\xfcller"}\n', 'latin1'),
    // The same name in the encoding of Macintosh; a Cyrillic one in Windows-1251.
    Buffer.from('kind,title\nPET,M\x9fller\n', 'latin1'),
    Buffer.from('kind,title\nPET,\xcc\xf3\xf0\xea\xe0\n', 'latin1'),
    Buffer.concat([Buffer.from('kind,title\nPET,Müller\n'), Buffer.from('PET,M\xfcller\n', 'latin1')]),
  ])
    t.same(await refuse(file), [415, 'FILE_TYPE_UNSUPPORTED']);
  const missing = await sendMultipartForm(app, '/api/imports', user.accessToken, []);
  t.match([missing.status, ...listErrorFields(missing)], [400, 'file REQUIRED', 'format REQUIRED']);
  t.equal(await app.database.client.import.count({ where: { accountId: user.id } }), 0);
  const leftOver = { accountId: user.id, state: { not: 'REMOVED' } };
  t.equal(await app.database.client.storedFile.count({ where: leftOver }), 0);
});

t.test('an error of a row names its column as it stands in the file', async (t) => {
  const user = await app.createUser();
  const csv = [
    'Kind; TITLE;Data.Name;data.Allergies;Data.Weight KG;Metadata.Shelf',
    'PET;;Rex;;heavy;1',
    'PET;Rex;;"[{""name"":""Nuts"",""severity"":""BAD""}]";;1',
  ].join('\n');
  const done = await waitForImport(app, user, await importFile(app, user, csv));
  t.same(toErrors(await readErrors(app, user, done)).sort(), [
    '2 Data.Weight KG WRONG_TYPE',
    '2 TITLE REQUIRED',
    '3 Data.Name REQUIRED',
    '3 data.Allergies[0].severity NOT_ALLOWED',
  ]);
  const lines = await importFile(app, user, '{"kind":"PET","data":{"name":"Rex"}}\n', { format: 'jsonl' });
  t.same(toErrors(await readErrors(app, user, await waitForImport(app, user, lines))), ['1 title REQUIRED']);
});

t.test('text in Windows-1252 has letters of the language of the user only', async (t) => {
  for (const [language, text] of [
    ['en', 'Café, Müller – 5 €'],
    ['fr', 'Œuvre «déjà» où'],
    ['ca', 'col·lecció'],
    ['fi', 'yöääni 55×40 cm'],
    ['de-AT', 'GRÖSSE ½'],
    ['es-MX', '¿Niño?'],
  ] as const)
    t.equal(isLikelyWindows1252(text, language), true, text);
  // Havlíček and Erdős in Windows-1250, Ārija in 1257, Ян and папа in 1251, as they read in 1252.
  for (const [language, text] of [
    ['en', 'Havlíèek'],
    ['de', 'Erdõs'],
    ['en', 'Ârija'],
    ['fr', 'ïàïà'],
    ['de', 'ßí'],
    ['en', '£ódŸ'],
    ['pl', 'Müller'],
    // UTF-8, and a part of a character of it.
    ['pt', 'Ã„RZTE'],
    ['fr', 'Rex â‚'],
  ] as const)
    t.equal(isLikelyWindows1252(text, language), false, text);
});

t.test('CSV of a spreadsheet on Windows is read where its language is of Western Europe', async (t) => {
  const user = await app.createUser();
  const call = createQrCodeClient(app, user);
  const csv = Buffer.from(
    'kind;title;data.name;externalId\r\nPET;M\xfcller \x96 10 \x80;\x84Caf\xe9\x93;m-1\r\n',
    'latin1',
  );
  const done = await waitForImport(app, user, await importFile(app, user, csv));
  t.same(toErrors(await readErrors(app, user, done)), []);
  const { body } = await call('GET', '/by-external-id/m-1');
  t.match(body, { title: 'Müller – 10 €', data: { name: '„Café“' } });
  const profile = `/api/auth/profile/${user.id}`;
  await app.call('PUT', profile, { token: user.accessToken, body: { language: 'pl' } });
  const refused = await importFile(app, user, Buffer.from('kind,title\nPET,Rex\nPET,M\xfcller\n', 'latin1'));
  t.equal(refused.status, 415);
  t.match(refused.body.detail, /^Line 3 has characters that are not UTF-8. .*“CSV UTF-8/);
});
