import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportRowError, ImportView } from '../../../src/features/codes/imports/imports.schemas.ts';
import type { TestApp, TestResponse, TestUser } from '../../helper.ts';
import { sendMultipartForm } from '../documents/upload.ts';

/** Create CSV with a header and rows. */
export function createCsv(header: string, rows: number, createRow: (index: number) => string): string {
  return [header, ...Array.from({ length: rows }, (_, index) => createRow(index)), ''].join('\n');
}

/** Request an import. */
export async function importFile(
  app: TestApp,
  user: TestUser,
  value: string | Buffer,
  { format = 'csv', headers = {} }: { format?: string; headers?: Record<string, string> } = {},
): Promise<TestResponse> {
  const parts = [
    { name: 'format', value: format },
    { name: 'file', fileName: `codes.${format}`, value },
  ];
  return sendMultipartForm(app, '/api/imports', user.accessToken, parts, headers);
}

export async function getImport(app: TestApp, user: TestUser, id: string): Promise<ImportView> {
  return (await app.call('GET', `/api/imports/${id}`, { token: user.accessToken })).body;
}

/** Wait until a requested import has ended. */
export async function waitForImport(
  app: TestApp,
  user: TestUser,
  requested: TestResponse,
): Promise<ImportView> {
  if (requested.status !== 202) throw new Error(`${requested.status} ${requested.text}`);
  for (;;) {
    const view = await getImport(app, user, requested.body.id);
    if (view.finishedAt !== null) return view;
    await sleep(20);
  }
}

/** Download the errors of rows. */
export async function readErrors(
  app: TestApp,
  user: TestUser,
  { id }: { id: string },
): Promise<ImportRowError[]> {
  const { text } = await app.call('GET', `/api/imports/${id}/errors`, { token: user.accessToken });
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

export async function countCodes(app: TestApp, accountId: string): Promise<number> {
  return app.database.client.qrCode.count({ where: { accountId } });
}
