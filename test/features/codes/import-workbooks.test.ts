import { assertWorkbookSize } from '../../../src/features/codes/imports/workbook.rules.ts';
import { formatCsvCell, toCellText } from '../../../src/features/codes/imports/workbook-cells.rules.ts';
import { startTestApp, type TestApp, type TestUser } from '../../helper.ts';
import { t } from '../../tap.ts';
import { sendMultipartForm } from '../documents/upload.ts';
import { countCodes, importFile, readErrors, waitForImport } from './import-helper.ts';
import { createSheetRow, createWorkbook } from './workbook.ts';

const NO_LIMITS = { BILLING: 'off' };

const importWorkbook = (app: TestApp, user: TestUser, value: Buffer, format = 'xlsx') =>
  importFile(app, user, value, { format });

const dryRun = (app: TestApp, user: TestUser, value: Buffer) =>
  sendMultipartForm(app, '/api/imports?dryRun=true', user.accessToken, [
    { name: 'format', value: 'xlsx' },
    { name: 'file', fileName: 'codes.xlsx', value },
  ]);

t.test('the first sheet of a workbook is imported, with the numbers of its rows', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const workbook = await createWorkbook({
    sheet: [
      createSheetRow(1, [
        'kind',
        'title',
        'data.text',
        'metadata.chip',
        'metadata.born',
        'metadata.visit',
        'contactable',
      ]),
      '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="str"><f>CONCAT("Tag ",1)</f><v>Tag 1</v></c><c r="C2" t="s"><v>1</v></c><c r="D2"><v>276098106123456</v></c><c r="E2" s="1"><v>45000</v></c><c r="F2" s="2"><v>45000.604166666664</v></c><c r="G2" t="b"><v>0</v></c></row>',
      '<row r="3"><c r="A3" s="1"/></row>',
      createSheetRow(5, ['TEXT', '', 'b']),
    ].join(''),
    secondSheet: createSheetRow(1, ['secret']),
    sharedStrings: ['TEXT', 'a, &quot;b&quot;&#10;c'],
  });
  const check = await dryRun(app, user, workbook);
  t.equal(check.status, 200, check.text);
  t.same(check.body.rows, [
    {
      row: 2,
      code: {
        kind: 'TEXT',
        title: 'Tag 1',
        data: { text: 'a, "b"\nc' },
        metadata: { chip: '276098106123456', born: '2023-03-15', visit: '2023-03-15T14:30:00Z' },
        contactable: false,
      },
    },
  ]);
  const done = await waitForImport(app, user, await importWorkbook(app, user, workbook));
  t.match(done, { format: 'csv', status: 'COMPLETED', counts: { created: 1, failed: 1 } });
  t.match(await readErrors(app, user, done), [{ row: 5, field: 'title', code: 'REQUIRED' }]);
});

t.test('a workbook that unpacks to too much is refused', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const refuse = async (workbook: Buffer) => (await importWorkbook(app, user, workbook)).status;
  const huge = await createWorkbook({ sheet: ' '.repeat(210 * 1024 * 1024) });
  t.ok(huge.length < 1024 * 1024);
  t.equal(await refuse(huge), 413, 'says that it is large');
  t.equal(await refuse(setUnpackedSize(huge, 1_000)), 415, 'says that it is small');
  t.equal(await refuse(setUnpackedSize(huge, 0)), 415, 'says nothing');
  const emptyRows = Array.from({ length: 1_000_000 }, (_, index) => `<row r="${index + 1}"><c s="1"/></row>`);
  t.equal(await refuse(await createWorkbook({ sheet: emptyRows.join('') })), 413, 'a million empty cells');
  const far = `${createSheetRow(1, ['kind', 'title'])}${createSheetRow(1_048_576, ['TEXT', 'a'])}`;
  t.equal(await refuse(await createWorkbook({ sheet: far })), 413, 'a row at the end of the sheet');
  const wide = '<row r="1"><c r="XFD1" t="str"><v>title</v></c></row>';
  t.equal(await refuse(await createWorkbook({ sheet: wide })), 413, 'a cell at the end of the row');
  t.equal(await countCodes(app, user.id), 0);
  t.equal(await app.database.client.storedFile.count({ where: { state: { not: 'REMOVED' } } }), 0);
  const small = await createWorkbook({ sheet: createSheetRow(1, ['kind', 'title']) });
  t.equal(await refuse(small), 202, 'the next one is read');
});

t.test('what is no workbook, or another format than the form says, is refused', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const refuse = async (file: Buffer, format?: string) => {
    const { status, body } = await importWorkbook(app, user, file, format);
    return [status, body.code];
  };
  const unsupported = [415, 'FILE_TYPE_UNSUPPORTED'];
  const workbook = await createWorkbook({ sheet: createSheetRow(1, ['kind', 'title']) });
  t.same(await refuse(workbook, 'csv'), unsupported);
  t.same(await refuse(Buffer.from('kind,title\n')), unsupported);
  t.same(await refuse(workbook.subarray(0, 200)), unsupported, 'cut off');
  t.same(await refuse(Buffer.from('PK\x03\x04')), unsupported, 'only the first bytes');
  const empty = await importWorkbook(app, user, await createWorkbook({ sheet: '' }));
  t.match(empty, { status: 400, body: { errors: [{ field: 'file', code: 'TOO_SHORT' }] } });
});

t.test('an archive without sizes, or with more than memory has, is never unpacked', async (t) => {
  t.throws(() => assertWorkbookSize(Buffer.alloc(10)), { code: 'FILE_TYPE_UNSUPPORTED' });
  t.throws(() => assertWorkbookSize(Buffer.from(`PK\x05\x06${'\0'.repeat(3)}`)), {
    code: 'FILE_TYPE_UNSUPPORTED',
  });
  const workbook = await createWorkbook({ sheet: createSheetRow(1, ['kind']) });
  assertWorkbookSize(workbook);
  t.throws(() => assertWorkbookSize(setUnpackedSize(workbook, 0xffffffff)), { code: 'PAYLOAD_TOO_LARGE' });
  const directory = workbook.indexOf('PK\x01\x02');
  const moved = Buffer.from(workbook);
  moved.writeUInt32LE(directory + 1, workbook.lastIndexOf('PK\x05\x06') + 16);
  t.throws(() => assertWorkbookSize(moved), { code: 'FILE_TYPE_UNSUPPORTED' });
});

t.test('cells are text as people read it', async (t) => {
  t.equal(toCellText(null), '');
  t.equal(toCellText(12.5), '12.5');
  t.equal(toCellText(true), 'true');
  t.equal(toCellText(new Date('1899-12-31T14:30:00Z')), '14:30');
  t.equal(toCellText(new Date(Number.NaN)), '');
  t.equal(formatCsvCell('a "b"'), '"a ""b"""');
  t.equal(formatCsvCell('a'), 'a');
});

/** Change the size that the last part says it has. */
function setUnpackedSize(archive: Buffer, size: number): Buffer {
  const changed = Buffer.from(archive);
  changed.writeUInt32LE(size, changed.lastIndexOf('PK\x01\x02') + 24);
  return changed;
}
