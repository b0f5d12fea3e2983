import { buffer } from 'node:stream/consumers';
import pg from 'pg';
import { getImagePath } from '../../../src/features/codes/image-files.ts';
import type { CallOptions, TestApp, TestResponse, TestUser } from '../../helper.ts';

/** A small body for a pet's code; what is given replaces or adds. */
export function createPetBody(more: Record<string, unknown> = {}) {
  return { kind: 'PET', title: 'Rex', data: { name: 'Rex' }, ...more };
}

/** Makes a code and answers it; fails where it is not made. */
export async function createTestCode(app: TestApp, person: TestUser, more: Record<string, unknown> = {}) {
  const made = await app.call('POST', '/api/qrcodes', {
    token: person.accessToken,
    body: createPetBody(more),
  });
  if (made.status !== 201) throw new Error(`${made.status} ${made.text}`);
  return made.body;
}

/** Calls as one person. */
export function createQrCodeClient(app: TestApp, person: TestUser) {
  return (
    method: string,
    url: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<TestResponse> => {
    const options: CallOptions = { token: person.accessToken };
    if (body !== undefined) options.body = body;
    if (headers) options.headers = headers;
    return app.call(method, `/api/qrcodes${url}`, options);
  };
}

/** The field errors of a problem as `field CODE`, sorted. */
export function listErrorFields(answer: TestResponse): string[] {
  const errors: { field: string; code: string }[] = answer.body.errors ?? [];
  return errors.map(({ field, code }) => `${field} ${code}`).toSorted();
}

/** Names of the images that are stored. */
export async function listImagesOnDisk(app: TestApp): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of app.services.publicFiles.list())
    if (name.startsWith(getImagePath(''))) names.push(name.slice(getImagePath('').length));
  return names.toSorted();
}

/** Names of the images that rows have. */
export async function listImagesInDatabase(app: TestApp): Promise<string[]> {
  const rows = await app.database.client.qrCode.findMany({ select: { imageFile: true } });
  return rows.flatMap(({ imageFile }) => imageFile ?? []).toSorted();
}

/** The bytes of the image that an answer names. */
export async function fetchImage(app: TestApp, code: { imageUrl: string }): Promise<Buffer> {
  const name = new URL(code.imageUrl).pathname.split('/').at(-1) ?? '';
  const stream = await app.services.publicFiles.open(getImagePath(name));
  if (!stream) throw new Error('There is no such image.');
  return buffer(stream);
}

/** Actions of the audit trail, oldest first, about one resource or all. */
export async function listAuditActions(app: TestApp, resourceId?: string) {
  return app.database.client.auditEntry.findMany({
    where: resourceId ? { resourceId } : {},
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}

/** Every row of the codes' table, to see that nothing changed. */
export async function dumpAllRows(app: TestApp): Promise<string> {
  const { rows } = await app.database.pool.query('SELECT * FROM qr_codes ORDER BY id');
  return JSON.stringify(rows);
}

/** Runs SQL as the owner of the test's database: what the application itself may not do. */
export async function runAsDatabaseOwner(app: TestApp, sql: string): Promise<void> {
  const { rows } = await app.database.pool.query<{ name: string }>('SELECT current_database() AS name');
  const url = new URL(process.env.TEST_OWNER_URL ?? '');
  url.pathname = `/${rows[0]?.name}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
