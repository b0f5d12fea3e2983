import { generateId } from '../../../src/shared/ids.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createQrCodeClient, createTestCode } from './code-helper.ts';

const app = await startTestApp(t);

const LUGGAGE = { kind: 'LUGGAGE', data: { name: 'Bag' } };

async function createCodes() {
  const owner = await app.createUser();
  const call = createQrCodeClient(app, owner);
  const codes = [];
  for (const more of [
    { metadata: { site: 'Berlin', order: '1' } },
    { metadata: { site: 'Berlin', order: '2' }, expiresAt: '2999-01-01T00:00:00Z' },
    { ...LUGGAGE, metadata: { site: 'Rome' } },
    LUGGAGE,
  ])
    codes.push(await createTestCode(app, owner, more));
  const deleted = await createTestCode(app, owner, { metadata: { site: 'Paris' } });
  await call('DELETE', `/${deleted.id}`);
  return { owner, call, codes };
}

t.test('codes are counted by kind, current status and pairs of metadata', async (t) => {
  const { call, codes } = await createCodes();
  await createTestCode(app, await app.createUser(), { metadata: { site: 'Oslo' } });
  await call('PATCH', `/${codes[3].id}`, { status: 'PAUSED' });
  await app.database.client.qrCode.update({
    where: { id: codes[1].id },
    data: { expiresAt: new Date(0) },
  });
  t.same((await call('GET', '/facets')).body, {
    kinds: [
      { value: 'LUGGAGE', count: 2 },
      { value: 'PET', count: 2 },
    ],
    statuses: [
      { value: 'ACTIVE', count: 2 },
      { value: 'EXPIRED', count: 1 },
      { value: 'PAUSED', count: 1 },
    ],
    folders: [{ value: 'none', count: 4 }],
    metadata: [
      {
        key: 'site',
        count: 3,
        valueCount: 2,
        values: [
          { value: 'Berlin', count: 2 },
          { value: 'Rome', count: 1 },
        ],
      },
      {
        key: 'order',
        count: 2,
        valueCount: 2,
        values: [
          { value: '1', count: 1 },
          { value: '2', count: 1 },
        ],
      },
    ],
  });
});

t.test('the counts of a field ignore its own filter, and take those of others', async (t) => {
  const { call } = await createCodes();
  const { body } = await call('GET', '/facets?kind=PET&metadata=site:Rome');
  t.same(body.kinds, [{ value: 'LUGGAGE', count: 1 }]);
  t.same(body.statuses, []);
  t.match(body.metadata[1], { key: 'site', values: [{ value: 'Berlin', count: 2 }] });
  t.equal((await call('GET', '/facets?kind=NONE')).status, 400);
  t.equal((await call('GET', '/facets?sort=title')).status, 400, 'as any unknown parameter');
});

t.test('keys and values of metadata are bounded', async (t) => {
  const owner = await app.createUser();
  const call = createQrCodeClient(app, owner);
  const { id } = await createTestCode(app, owner);
  const row = await app.database.client.qrCode.findUniqueOrThrow({ where: { id } });
  const metadata = Object.fromEntries(Array.from({ length: 24 }, (_, index) => [`key${index}`, 'x']));
  const rows = Array.from({ length: 22 }, (_, index) => ({
    id: generateId(),
    imageFile: null,
    metadata: { ...metadata, a: String(index) },
  }));
  for (const more of rows)
    await app.database.client.qrCode.create({
      data: { ...row, visibility: {}, design: {}, adjusted: [], pageDesign: {}, ...more },
      select: { id: true },
    });
  const { body } = await call('GET', '/facets');
  t.equal(body.metadata.length, 20);
  t.match(body.metadata[0], { key: 'a', count: 22, valueCount: 22 });
  t.equal(body.metadata[0].values.length, 20);
});

t.test('codes are found that were not scanned since a time, those without scans too', async (t) => {
  const { call, codes } = await createCodes();
  const [recent, old] = codes;
  for (const [code, lastScannedAt] of [
    [recent, new Date()],
    [old, new Date('2026-01-31T12:00:00Z')],
  ])
    await app.database.client.scanCount.upsert({
      where: { qrCodeId: code.id },
      create: { qrCodeId: code.id, total: 1n, humans: 1n, uniques: 1n, lastScannedAt },
      update: { lastScannedAt },
    });
  const list = async (since: string) => {
    const { body } = await call('GET', `?notScannedSince=${since}&sort=createdAt`);
    return body.data.map(({ id }: { id: string }) => id);
  };
  t.same((await list('2026-02-01')).length, 3);
  t.notOk((await list('2026-02-01')).includes(recent.id));
  t.same((await list('2026-01-30')).length, 2, 'only those without scans');
  t.equal((await call('GET', '?notScannedSince=yesterday')).status, 400);
});
