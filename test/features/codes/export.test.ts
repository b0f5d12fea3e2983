import { parse } from 'csv-parse/sync';
import { startTestApp, type TestApp, type TestUser } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createPetBody, createQrCodeClient, createTestCode, listAuditActions } from './code-helper.ts';
import { importFile, readErrors, waitForImport } from './import-helper.ts';

const get = (app: TestApp, user: TestUser, url: string) => app.call('GET', url, { token: user.accessToken });

t.test('an export has all codes, and importing it changes none and creates the same elsewhere', async (t) => {
  const app = await startTestApp(t, { BILLING: 'off' });
  const [user, other] = [await app.createUser(), await app.createUser()];
  const call = createQrCodeClient(app, user);
  await createTestCode(app, user, {
    externalId: 'pet',
    title: '=HYPERLINK("https://example.org")',
    pin: '0047',
    metadata: { order: '007', note: "a;=b;'=c" },
    design: { foreground: '#102030' },
    notifyOn: 'NEVER',
    expiresAt: '2100-01-01T00:00:00.000Z',
  });
  const { data: kinds } = (await call('GET', '/kinds')).body;
  for (const { kind, example } of kinds)
    if (kind !== 'MEMORY_TAG')
      await createTestCode(app, user, { kind, data: example, title: kind, externalId: kind });
  const deleted = await createTestCode(app, user, { externalId: 'deleted' });
  await call('DELETE', `/${deleted.id}`);
  await createTestCode(app, other, { externalId: 'foreign' });

  const csv = await get(app, user, '/api/qrcodes/export?format=csv');
  t.match(csv.headers, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="qr-codes.csv"',
  });
  const rows: Record<string, string>[] = parse(csv.text, { columns: true });
  t.same(
    rows.map((row) => row.externalId),
    [
      ...kinds
        .map(({ kind }: { kind: string }) => kind)
        .filter((kind: string) => kind !== 'MEMORY_TAG')
        .toReversed(),
      'pet',
    ],
    'newest first',
  );
  t.match(rows.at(-1), {
    title: `'=HYPERLINK("https://example.org")`,
    'data.name': 'Rex',
    hasPin: 'true',
    metadata: `{"note":"a;'=b;''=c","order":"007"}`,
  });
  t.notMatch(csv.text, /\b0047\b/);

  const unchanged = await waitForImport(app, user, await importFile(app, user, csv.text));
  t.same(await readErrors(app, user, unchanged), []);
  t.match(unchanged.counts, { created: 0, updated: 0, unchanged: rows.length });
  const created = await waitForImport(app, other, await importFile(app, other, csv.text));
  t.match(created.counts, { created: rows.length, failed: 0 });

  const json = await get(app, user, '/api/qrcodes/export?kind=pet&kind=MEDICAL');
  t.equal(json.headers['content-type'], 'application/x-ndjson; charset=utf-8');
  const codes = json.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.same(
    codes.map(({ externalId }) => externalId),
    ['MEDICAL', 'PET', 'pet'],
  );
  t.match(
    codes.at(-1),
    createPetBody({
      title: '=HYPERLINK("https://example.org")',
      metadata: { order: '007', note: "a;=b;'=c" },
    }),
  );
  const again = await waitForImport(app, user, await importFile(app, user, json.text, { format: 'jsonl' }));
  t.match(again.counts, { created: 0, updated: 0, unchanged: 3, failed: 0 });
  const copies = json.text.replaceAll('"externalId":"', '"externalId":"copy-');
  const copied = await waitForImport(app, other, await importFile(app, other, copies, { format: 'jsonl' }));
  t.match(copied.counts, { created: 3, failed: 0 });

  const actions = (await listAuditActions(app)).map(({ action }) => action);
  t.equal(actions.filter((action) => action === 'QRCODES_EXPORTED').length, 2);
  t.equal(actions.filter((action) => action === 'MEDICAL_DATA_READ').length, 2);
});

t.test('content that fails its integrity check is empty, and each failure is audited', async (t) => {
  const app = await startTestApp(t, { BILLING: 'off' });
  const user = await app.createUser();
  const broken = await createTestCode(app, user, { externalId: 'broken' });
  await createTestCode(app, user, { externalId: 'whole' });
  const row = await app.database.client.qrCode.findUniqueOrThrow({ where: { id: broken.id } });
  const data = Uint8Array.from(row.data ?? []);
  data[data.length - 1] = (data.at(-1) ?? 0) ^ 1;
  await app.database.client.qrCode.update({ where: { id: broken.id }, data: { data } });
  const { text } = await get(app, user, '/api/qrcodes/export');
  t.match(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    [
      { externalId: 'whole', data: { name: 'Rex' } },
      { externalId: 'broken', data: null },
    ],
  );
  t.match(
    (await listAuditActions(app, broken.id)).map(({ action }) => action),
    ['QRCODE_CREATED', 'DATA_INTEGRITY_FAILED'],
  );
  t.same(
    (await get(app, await app.createUser(), '/api/qrcodes/export?format=csv')).text.split('\r\n').length,
    2,
  );
});
