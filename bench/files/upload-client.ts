// The client of bench/uploads-and-scans.ts that uploads, in a process of its own: so many documents at once.
// Sends the statuses of their answers. `fork('bench/files/upload-client.ts', [base, token, uploads, bytes])`.
import { setTimeout as wait } from 'node:timers/promises';
import { uploadFile } from './multipart-upload.ts';

// Whoever asked has gone.
process.on('disconnect', () => process.exit());

const [base = '', token = '', uploads = '0', bytes = '0'] = process.argv.slice(2);

const answers = await Promise.all(Array.from({ length: Number(uploads) }, uploadWithRetry));
process.send?.(answers, () => process.exit(0));

/** The status of an upload that is sent again while the service says that it is busy, as it asks for. */
async function uploadWithRetry(): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    const { status } = await uploadFile(`${base}/api/documents`, token, { bytes: Number(bytes) });
    if (status !== 503 || tries === 60) return status;
    await wait(1_000);
  }
}
