import { startTestApp, type TestApp, type TestResponse, type TestUser } from '../../helper.ts';
import { t } from '../../tap.ts';
import { sendMultipartForm } from '../documents/upload.ts';
import { countCodes, createCsv, readErrors, waitForImport } from './import-helper.ts';

const NO_LIMITS = { BILLING: 'off' };

interface MappedImport {
  mapping?: unknown;
  format?: string;
  dryRun?: boolean;
}

const importMapped = (
  app: TestApp,
  user: TestUser,
  file: string,
  { mapping, format = 'csv', dryRun = false }: MappedImport,
): Promise<TestResponse> =>
  sendMultipartForm(app, `/api/imports${dryRun ? '?dryRun=true' : ''}`, user.accessToken, [
    { name: 'format', value: format },
    ...(mapping === undefined ? [] : [{ name: 'mapping', value: JSON.stringify(mapping) }]),
    { name: 'file', fileName: `codes.${format}`, value: file },
  ]);

const PETS = [
  'Hund;Chip;Besitzer;Telefon;Notiz;title',
  'Rex;276098106123456;Ada;+49 30 123456;kommt aus Bonn;Rex',
  'Bella;276098106123457;;;;Bella',
].join('\n');

const PET_MAPPING = {
  kind: 'PET',
  columns: {
    Hund: 'data.name',
    Chip: 'metadata.chip',
    Besitzer: 'data.owner.name',
    Telefon: 'data.owner.phone',
    Notiz: null,
  },
};

t.test('a mapping says the kind and what each column of a file is', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const done = await waitForImport(app, user, await importMapped(app, user, PETS, { mapping: PET_MAPPING }));
  t.match(done, { status: 'COMPLETED', counts: { created: 2, failed: 0 } });
  const { body } = await app.call('GET', '/api/qrcodes?metadata=chip:276098106123456', {
    token: user.accessToken,
  });
  t.equal(body.data.length, 1);
  const code = await app.call('GET', `/api/qrcodes/${body.data[0].id}`, { token: user.accessToken });
  t.match(code.body, {
    kind: 'PET',
    title: 'Rex',
    data: { name: 'Rex', owner: { name: 'Ada', phone: '+49 30 123456' } },
    metadata: { chip: '276098106123456' },
  });
  t.notMatch(code.text, 'Bonn');
});

t.test('codes without a title are named by their name, unless titles would reveal it', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const mapping = { kind: 'PET', columns: { Hund: 'data.name' } };
  await waitForImport(app, user, await importMapped(app, user, 'Hund\nRex\n', { mapping }));
  const { title } = await app.database.client.qrCode.findFirstOrThrow({ where: { accountId: user.id } });
  t.equal(title, 'Rex');
  const medical = { ...mapping, kind: 'MEDICAL' };
  const refused = await importMapped(app, user, 'Hund\nRex\n', { mapping: medical });
  t.match(refused, { status: 400, body: { errors: [{ field: 'file.title', code: 'REQUIRED' }] } });
});

t.test('a mapping of what the file does not have, or an import does not know, is refused', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const refuse = async (mapping: unknown, format = 'csv') => {
    const { status, body } = await importMapped(app, user, PETS, { mapping, format });
    return [
      status,
      body.errors?.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
    ];
  };
  t.same(await refuse({ ...PET_MAPPING, columns: { Katze: 'data.name' } }), [
    400,
    ['mapping.columns.Katze UNKNOWN_FIELD'],
  ]);
  t.same(await refuse({ ...PET_MAPPING, columns: { Hund: 'name' } }), [
    400,
    ['mapping.columns.Hund NOT_ALLOWED'],
  ]);
  t.same(await refuse({ ...PET_MAPPING, columns: { Hund: 'data.__proto__' } }), [
    400,
    ['mapping.columns.Hund NOT_ALLOWED'],
  ]);
  t.same(await refuse({ ...PET_MAPPING, kind: 'DRAGON' }), [400, ['mapping.kind NOT_ALLOWED']]);
  t.same(await refuse({ ...PET_MAPPING, columns: { ...PET_MAPPING.columns, Notiz: 'data.name' } }), [
    400,
    ['file.Notiz REPEATED'],
  ]);
  t.same(await refuse(PET_MAPPING, 'jsonl'), [400, ['mapping NOT_ALLOWED']]);
  t.equal(await app.database.client.storedFile.count({ where: { state: { not: 'REMOVED' } } }), 0);
});

t.test('a dry run shows the first rows and all errors, and keeps nothing', async (t) => {
  const app = await startTestApp(t, NO_LIMITS);
  const user = await app.createUser();
  const csv = createCsv('Art,title,externalId,Telefon,pin', 600, (index) =>
    index % 100 === 99 ? `PET,,tag-${index},nobody,2468` : `PET,Tag ${index},tag-${index},,2468`,
  );
  const mapping = { columns: { Art: 'kind', Telefon: 'data.owner.phone', title: 'data.name' }, kind: 'PET' };
  const { status, body } = await importMapped(app, user, csv, { mapping, dryRun: true });
  t.equal(status, 200);
  t.match(body, { isComplete: true, rowsChecked: 600, counts: { created: 594, updated: 0, failed: 6 } });
  t.equal(body.rows.length, 5);
  t.same(body.rows[0], {
    row: 2,
    code: { kind: 'PET', title: 'Tag 0', externalId: 'tag-0', data: { name: 'Tag 0' } },
  });
  t.match(
    body.errors.filter(({ row }: { row: number }) => row === 101),
    [
      { field: 'title', code: 'REQUIRED' },
      { field: 'title', code: 'REQUIRED' },
      { field: 'data.owner.name', code: 'REQUIRED' },
      { field: 'Telefon', code: 'BAD_FORMAT' },
    ],
  );
  t.equal(await countCodes(app, user.id), 0);
  t.equal(await app.database.client.import.count(), 0);
  t.equal(await app.database.client.storedFile.count({ where: { state: { not: 'REMOVED' } } }), 0);

  const done = await waitForImport(app, user, await importMapped(app, user, csv, { mapping }));
  t.match(done.counts, { created: 594, failed: 6 });
  t.same(await readErrors(app, user, done), body.errors);
  const again = await importMapped(app, user, csv, { mapping, dryRun: true });
  t.match(again.body.counts, { created: 0, updated: 594, failed: 6 });
});

t.test('a dry run names the row from which a file cannot be read, and rows beyond the package', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  const csv = createCsv('kind,title,data.text', 53, (index) => `TEXT,Note ${index},a`);
  const { body } = await importMapped(app, user, `${csv}TEXT,"a"b,c\n`, { dryRun: true });
  t.match(body, { counts: { created: 50, failed: 3 }, error: { row: 55, code: 'BAD_FORMAT' } });
  t.match(body.errors, [
    { row: 52, field: null, code: 'PLAN_LIMIT_REACHED' },
    { row: 53, code: 'PLAN_LIMIT_REACHED' },
    { row: 54, code: 'PLAN_LIMIT_REACHED' },
  ]);
});
