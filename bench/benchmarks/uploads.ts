import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { createFileContent, downloadFile, uploadFile } from '../../test/features/documents/stream-upload.ts';
import { copyWithEncryption } from '../baselines/encrypted-copy.ts';
import type { OwnBenchmark } from '../benchmark.ts';
import { measureScansBeside } from '../load/beside.ts';
import { alternateSides, compareWithLimit, measureMs } from '../measure.ts';
import { measureMemoryGrowth } from '../process-usage.ts';
import { runWithCleanUp } from '../run-with-clean-up.ts';
import type { Measurement } from '../table.ts';
import { type OwnerWorld, runWithOwner } from '../worlds/owner-world.ts';

const MAX_ROUNDS = 3;
const CONCURRENT_UPLOADS = 100;
const UPLOAD_KILOBYTES = 10_000;
const MAX_RETRIES = 60;

const KIB = 1024;
const LARGE_FILE_KIB = 2 * KIB * KIB;
const MAX_GROWTH_MIB = 60;
const MIN_RATIO = 0.5;

/** Compare public scans beside 100 uploads of 10 MB at once with scans alone. */
export const uploadsBenchmark: OwnBenchmark = {
  world: 'OWN',
  measure: (options) =>
    runWithOwner({}, async (world) => {
      const bytes = options.scale(UPLOAD_KILOBYTES) * 1_000;
      const rounds = Math.min(options.rounds, MAX_ROUNDS);
      const statuses: number[] = [];
      const { scans, seconds } = await measureScansBeside(
        'uploads',
        { ...options, rounds },
        world,
        async () => {
          const uploads = Array.from({ length: CONCURRENT_UPLOADS }, () => uploadWithRetries(world, bytes));
          statuses.push(...(await Promise.all(uploads)));
        },
      );
      const failed = statuses.filter((status) => status !== 201).length;
      const named = { row: 'uploads', measure: 'seconds of 100 uploads', unit: 's', failed };
      return [scans, { ...named, service: seconds, baseline: [], ratioGoal: null }];
    }),
};

async function uploadWithRetries({ base, token }: OwnerWorld, bytes: number): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    const { status } = await uploadFile(`${base}/api/documents`, token, { bytes });
    if (status !== 503 || tries === MAX_RETRIES) return status;
    await wait(1_000);
  }
}

/** Compare upload and download of a document of 2 GiB with an encrypted copy of the same size. */
export const fileTransferBenchmark: OwnBenchmark = {
  world: 'OWN',
  measure(options) {
    const bytes = options.scale(LARGE_FILE_KIB) * KIB;
    const rounds = Math.min(options.rounds, MAX_ROUNDS);
    return runWithOwner({ MAX_DOCUMENT_BYTES: String(bytes + KIB) }, async (world) => {
      await transferDocument(world, KIB * KIB);
      const growths: number[] = [];
      const speeds = await alternateSides({ ...options, rounds }, async (side) => {
        if (side === 'baseline') return copyFile(world.folder, bytes);
        const { result, growthMib } = await measureMemoryGrowth(world.pid, () =>
          transferDocument(world, bytes),
        );
        if (growthMib !== null) growths.push(growthMib);
        return result;
      });
      const toLine = (measure: string, read: (one: TransferTimes) => number): Measurement => ({
        row: 'file-transfer',
        measure,
        unit: 'MiB/s',
        service: speeds.service.map((one) => bytes / KIB / KIB / (read(one) / 1000)),
        baseline: speeds.baseline.map((one) => bytes / KIB / KIB / (read(one) / 1000)),
        ratioGoal: { min: MIN_RATIO },
      });
      const memory = { row: 'file-transfer', measure: 'growth of memory', unit: 'MiB' };
      return [
        toLine('upload', ({ uploadMs }) => uploadMs),
        toLine('download', ({ downloadMs }) => downloadMs),
        compareWithLimit(memory, growths, MAX_GROWTH_MIB),
      ];
    });
  },
};

interface TransferTimes {
  uploadMs: number;
  downloadMs: number;
}

async function transferDocument({ base, token }: OwnerWorld, bytes: number): Promise<TransferTimes> {
  const documents = `${base}/api/documents`;
  let id = '';
  const uploadMs = await measureMs(async () => {
    const { status, body } = await uploadFile(documents, token, { bytes });
    if (status !== 201) throw new Error(`The upload was answered ${status}: ${JSON.stringify(body)}`);
    id = String(body.id);
  });
  const downloadMs = await measureMs(async () => {
    const received = await downloadFile(`${documents}/${id}/content`, token);
    if (received.bytes !== bytes)
      throw new Error(`The download was answered ${received.status} with ${received.bytes} bytes.`);
  });
  const headers = { Authorization: `Bearer ${token}` };
  await fetch(`${documents}/${id}`, { method: 'DELETE', headers });
  return { uploadMs, downloadMs };
}

async function copyFile(folder: string, bytes: number): Promise<TransferTimes> {
  const [plain, encrypted, decrypted] = ['plain', 'encrypted', 'decrypted'].map((name) =>
    join(folder, `bench-${name}`),
  ) as [string, string, string];
  const clean = async () => {
    for (const file of [plain, encrypted, decrypted]) await rm(file, { force: true });
  };
  const key = randomBytes(32);
  return runWithCleanUp(clean, async () => {
    await pipeline(Readable.from(createFileContent(bytes)), createWriteStream(plain, { flush: true }));
    return {
      uploadMs: await measureMs(() => copyWithEncryption(key, 'encrypt', plain, encrypted, bytes)),
      downloadMs: await measureMs(() => copyWithEncryption(key, 'decrypt', encrypted, decrypted, bytes)),
    };
  });
}
