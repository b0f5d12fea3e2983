// Upload a document of 2 GB to the real service and download it again: time and growth of resident memory, compared
// with an encrypted copy of the same size in one process: `npm run bench:file-transfer -- [MiB]`. Exits with 1 if
// memory grows by more than 60 MiB or a direction is slower than half of the copy.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createFileContent, downloadFile, uploadFile } from './files/multipart-upload.ts';
import { readNumberArguments } from './read-arguments.ts';
import { createOwner } from './scan/scanned-codes.ts';
import { watchMemory } from './scan-export/watch-memory.ts';
import { type BenchedService, runWithService } from './service-process.ts';

const [mebibytes = 0] = readNumberArguments(import.meta.url, 2_048);

const MIB = 1024 * 1024;
const FILE_BYTES = mebibytes * MIB;
const MAX_GROWTH_MIB = 60;
const MIN_RATIO = 0.5;
const ROUND_COUNT = 3;

process.exitCode = await runWithService(
  { BILLING: 'off', MAX_DOCUMENT_BYTES: String(FILE_BYTES + MIB), LOG_LEVEL: 'error' },
  measureTransfer,
  false,
);

async function measureTransfer(service: BenchedService): Promise<number> {
  const base = `http://localhost:${service.port}`;
  const { token } = await createOwner(base, service.ownerUrl);
  await transferDocument(base, token, service.pid, MIB);
  const ratios: { up: number; down: number }[] = [];
  let growth = 0;
  for (let round = 1; round <= ROUND_COUNT; round += 1) {
    const copyTimes = await measureEncryptedCopy(service.folder);
    const transferTimes = await transferDocument(base, token, service.pid, FILE_BYTES);
    growth = Math.max(growth, transferTimes.up.growth, transferTimes.down.growth);
    ratios.push({
      up: copyTimes.encrypt / transferTimes.up.ms,
      down: copyTimes.decrypt / transferTimes.down.ms,
    });
    console.log(
      `round ${round} of ${ROUND_COUNT}: upload ${formatMs(transferTimes.up.ms)} against ${formatMs(copyTimes.encrypt)}, ` +
        `download ${formatMs(transferTimes.down.ms)} against ${formatMs(copyTimes.decrypt)}; ` +
        `memory + ${transferTimes.up.growth.toFixed(0)} and + ${transferTimes.down.growth.toFixed(0)} MiB`,
    );
  }
  const [up, down] = (['up', 'down'] as const).map((direction) =>
    median(ratios.map((ratio) => ratio[direction])),
  );
  console.log(
    `throughput against a copy: upload ${up?.toFixed(2)}, download ${down?.toFixed(2)} (goal ${MIN_RATIO})`,
  );
  console.log(`growth of resident memory: ${growth.toFixed(0)} MiB at the most (goal ${MAX_GROWTH_MIB})`);
  return (up ?? 0) >= MIN_RATIO && (down ?? 0) >= MIN_RATIO && growth <= MAX_GROWTH_MIB ? 0 : 1;
}

async function transferDocument(base: string, token: string, pid: number, bytes: number) {
  const documents = `${base}/api/documents`;
  let lastLoggedAt = Date.now();
  const onSent = (sent: number) => {
    if (Date.now() - lastLoggedAt < 5_000) return;
    lastLoggedAt = Date.now();
    process.stderr.write(`${(sent / MIB).toFixed(0)} of ${(bytes / MIB).toFixed(0)} MiB sent\n`);
  };
  const up = await measureCpuAndTime(pid, () => uploadFile(documents, token, { bytes }, { onSent }));
  if (up.result.status !== 201)
    throw new Error(`The upload was answered ${up.result.status}: ${JSON.stringify(up.result.body)}`);
  const id = String(up.result.body.id);
  const down = await measureCpuAndTime(pid, () => downloadFile(`${documents}/${id}/content`, token));
  if (down.result.status !== 200 || down.result.bytes !== bytes)
    throw new Error(`The download was answered ${down.result.status} with ${down.result.bytes} bytes.`);
  await fetch(`${documents}/${id}`, { method: 'DELETE', headers: { Authorization: `Bearer ${token}` } });
  return { up, down };
}

async function measureCpuAndTime<Result>(pid: number, work: () => Promise<Result>) {
  const memory = await watchMemory(pid);
  const startedAt = performance.now();
  const result = await work();
  const ms = performance.now() - startedAt;
  const { initialMib = 0, maxMib = 0 } = (await memory?.()) ?? {};
  return { result, ms, growth: maxMib - initialMib };
}

async function measureEncryptedCopy(folder: string): Promise<{ encrypt: number; decrypt: number }> {
  const [plain, encrypted, decrypted] = ['plain', 'sealed', 'again'].map((name) =>
    join(folder, `bench-${name}`),
  );
  const key = randomBytes(32);
  try {
    await pipeline(
      Readable.from(createFileContent(FILE_BYTES)),
      createWriteStream(plain ?? '', { flush: true }),
    );
    const encrypt = await runCopyProcess(key, 'encrypt', plain ?? '', encrypted ?? '');
    const decrypt = await runCopyProcess(key, 'decrypt', encrypted ?? '', decrypted ?? '');
    return { encrypt, decrypt };
  } finally {
    for (const file of [plain, encrypted, decrypted]) await rm(file ?? '', { force: true });
  }
}

async function runCopyProcess(key: Buffer, direction: string, from: string, to: string): Promise<number> {
  const args = ['--import=tsx', 'bench/files/encrypted-copy.ts', direction, from, to, String(FILE_BYTES)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  child.stdin.end(key);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The copy ended with ${code}.`);
  return Number(text);
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function formatMs(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s (${(FILE_BYTES / MIB / (ms / 1000)).toFixed(0)} MiB/s)`;
}
