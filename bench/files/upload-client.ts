// Client of bench/uploads-and-scans.ts: `fork('bench/files/upload-client.ts', [base, token, uploads, bytes])`.
import { setTimeout as wait } from 'node:timers/promises';
import { uploadFile } from './multipart-upload.ts';

process.on('disconnect', () => process.exit());

const [base = '', token = '', uploads = '0', bytes = '0'] = process.argv.slice(2);

const responses = await Promise.all(Array.from({ length: Number(uploads) }, uploadWithRetry));
process.send?.(responses, () => process.exit(0));

async function uploadWithRetry(): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    const { status } = await uploadFile(`${base}/api/documents`, token, { bytes: Number(bytes) });
    if (status !== 503 || tries === 60) return status;
    await wait(1_000);
  }
}
