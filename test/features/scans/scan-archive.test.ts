import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import { archiveScansBefore } from '../../../src/features/scans/archive-scans.ts';
import { createScanPartitionsJob } from '../../../src/features/scans/scan-partitions.job.ts';
import { checkStoredFileConsistency } from '../../../src/features/system/file-check/check-files.ts';
import { DAY_MS } from '../../../src/shared/durations.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { t } from '../../tap.ts';
import { startScans } from './helper.ts';
import { createTestScan } from './statistics/helper.ts';

const test = await startScans(t, { SCAN_RETENTION_DAYS: '120', SCAN_ARCHIVE: 'true' });
const { database, services } = test;
const { client } = database;
const { privateFiles } = services;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

async function storeScans(qrCodeId: string, ages: readonly number[]): Promise<void> {
  for (const days of ages) {
    const { codeVersion, previousDayVisitorHash, notification, ...row } = createTestScan(
      test,
      qrCodeId,
      daysAgo(days),
    );
    await client.scan.create({
      data: {
        ...row,
        id: generateId(row.scannedAt),
        accountId: test.owner.id,
        visitorHash: Buffer.from('visitor'),
        position: Buffer.from('position'),
        address: Buffer.from('address'),
        scannerId: test.owner.id,
        userAgent: 'Secret agent',
      },
    });
  }
}

/** The archived lines, of files that have the size and the hash of their rows. */
async function readArchives(): Promise<Record<string, unknown>[]> {
  const lines: string[] = [];
  for (const archive of await client.scanArchive.findMany({ orderBy: { lastId: 'asc' } })) {
    const file = await privateFiles.open(archive.name);
    if (!file) throw new Error(`${archive.name} is missing.`);
    const bytes = Buffer.concat(await file.toArray());
    t.equal(BigInt(bytes.length), archive.size);
    t.equal(createHash('sha256').update(bytes).digest('hex'), archive.sha256);
    const gunzip = createGunzip();
    gunzip.end(bytes);
    const ofFile = (await text(gunzip)).split('\n').slice(0, -1);
    t.equal(ofFile.length, archive.scans);
    lines.push(...ofFile);
  }
  return lines.map((line) => JSON.parse(line));
}

const findExpected = async () =>
  (await client.scan.findMany({ where: { scannedAt: { lt: daysAgo(160) } }, orderBy: { id: 'asc' } })).map(
    (row) => ({
      code_id: row.qrCodeId,
      scanned_at: `${row.scannedAt.toISOString().slice(0, 19)}Z`,
      class: row.class,
      is_unique: row.isUnique,
      country: row.country,
      region: row.region,
      city: row.city,
      device: row.device,
      os: row.os,
      browser: row.browser,
    }),
  );

t.test('scans are archived before they are dropped, and the files are known', async (t) => {
  await storeScans(await test.code(), [1, 10, 165, 166, 167, 168, 230, 231, 400]);
  const expected = await findExpected();
  t.equal(expected.length, 7);
  const stop = AbortSignal.abort();
  t.notOk(await archiveScansBefore({ database, privateFiles }, daysAgo(160), { signal: stop }));
  t.ok(await archiveScansBefore({ database, privateFiles }, daysAgo(300), { maxFileScans: 2 }));
  t.equal((await readArchives()).length, 1, 'continued below');
  await createScanPartitionsJob({ database, privateFiles, keptDays: 120, isArchived: true })({});
  const lines = await readArchives();
  t.same(lines, expected);
  t.same(await findExpected(), [], 'dropped');
  t.equal(await client.scan.count(), 2, 'younger ones stay');
  const findings: unknown[] = [];
  await checkStoredFileConsistency(services, {
    repair: 'ALL',
    onFinding: (finding) => findings.push(finding),
    progress: { step() {} },
    signal: new AbortController().signal,
  });
  t.same(findings, []);
  const [first] = await client.scanArchive.findMany({ take: 1 });
  await privateFiles.remove(first?.name ?? '');
  await checkStoredFileConsistency(services, {
    repair: 'NOTHING',
    onFinding: (finding) => findings.push(finding),
    progress: { step() {} },
    signal: new AbortController().signal,
  });
  t.match(findings, [{ problem: 'MISSING', file: first?.name }]);
  await client.scanArchive.deleteMany({});
});

t.test('scans are dropped only after their archive is stored', async (t) => {
  await storeScans(await test.code(), [200, 201, 202]);
  const expected = await findExpected();
  const full = { ...privateFiles, put: () => Promise.reject(new Error('full')) };
  const job = { database, keptDays: 120, isArchived: true };
  await t.rejects(createScanPartitionsJob({ ...job, privateFiles: full })({}), { message: 'full' });
  t.equal((await findExpected()).length, 3);
  t.equal(await client.scanArchive.count(), 0);
  await createScanPartitionsJob({ ...job, privateFiles })({});
  t.same(await readArchives(), expected);
});

t.test('two instances archive each scan once', async (t) => {
  await client.scanArchive.deleteMany({});
  await storeScans(await test.code(), [190, 191, 220, 221, 260]);
  const expected = await findExpected();
  const archive = () => archiveScansBefore({ database, privateFiles }, daysAgo(160), { maxFileScans: 1 });
  await Promise.all([archive(), archive()]);
  await archive();
  t.same(await readArchives(), expected);
});
