import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { deleteAbandonedFiles } from '../../../src/features/files/delete-abandoned-files.use-case.ts';
import { REMOVE_FILES_QUEUE } from '../../../src/features/files/remove-files.job.ts';
import { generateId } from '../../../src/shared/ids.ts';
import type { TestApp, TestResponse } from '../../helper.ts';

/** A field of a form, or a file if it has a file name. */
export interface FormPart {
  name: string;
  value: string | Buffer;
  fileName?: string;
}

/** Create a small valid PDF; `note` makes it unique. */
export function createTestPdf(note = ''): Buffer {
  return Buffer.from(
    `%PDF-1.4\n% ${note}\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`,
  );
}

/** Create a multipart body as a browser sends it. */
export function encodeMultipartForm(parts: readonly FormPart[], boundary = 'XX'): Buffer {
  const chunks = parts.flatMap(({ name, value, fileName }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName.replaceAll('"', '%22')}"`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
    return [Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')];
  });
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
}

export async function sendMultipartForm(
  { call }: TestApp,
  url: string,
  token: string | undefined,
  parts: readonly FormPart[],
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const type = 'multipart/form-data; boundary=XX';
  return call('POST', url, {
    token,
    body: encodeMultipartForm(parts),
    headers: { 'content-type': type, ...headers },
  });
}

export async function uploadDocument(
  test: TestApp,
  token: string | undefined,
  content: Buffer = createTestPdf(generateId()),
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const { fileName = 'paper.pdf', ...others } = fields;
  const parts = Object.entries(others).map(([name, value]) => ({ name, value }));
  const file = { name: 'file', value: content, fileName };
  return sendMultipartForm(test, '/api/documents', token, [...parts, file], headers);
}

/** Count stored files by rows and in the store, once pending ones are gone. Files that a busy database kept are cleaned up first. */
export async function countStoredFiles({
  database,
  services,
}: TestApp): Promise<{ rows: number; files: number }> {
  for (let tries = 0; ; tries += 1) {
    const states = await database.client.storedFile.groupBy({ by: ['state'], _count: true });
    const rows = states.find(({ state }) => state === 'STORED')?._count ?? 0;
    const names = await readdir(join(services.config.dataDir, 'files'), {
      recursive: true,
      withFileTypes: true,
    });
    const files = names.filter((name) => name.isFile()).length;
    const isQuiet = states.every(({ state }) => state === 'STORED') && rows === files;
    if (isQuiet || tries === 200) return { rows, files };
    services.jobs.wake(REMOVE_FILES_QUEUE);
    if (tries === 100) {
      const hours = new Date(Date.now() - 25 * 60 * 60 * 1000);
      await database.client.storedFile.updateMany({
        where: { state: 'WRITING' },
        data: { createdAt: hours },
      });
      await deleteAbandonedFiles(services);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Count the rows of private files by state. */
export async function countFileRowsByState({ database }: TestApp): Promise<Record<string, number>> {
  const { rows } = await database.pool.query<{ state: string; count: number }>(
    'SELECT state, count(*)::int AS count FROM stored_files GROUP BY state',
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}
