import pg from 'pg';
import { getQrCodeImagePath } from '../../../src/features/codes/image-files.ts';
import type { CallOptions, TestApp, TestResponse, TestUser } from '../../helper.ts';

export function createPetBody(more: Record<string, unknown> = {}) {
  return { kind: 'PET', title: 'Rex', data: { name: 'Rex' }, ...more };
}

export async function createTestCode(app: TestApp, user: TestUser, more: Record<string, unknown> = {}) {
  const created = await app.call('POST', '/api/qrcodes', {
    token: user.accessToken,
    body: createPetBody(more),
  });
  if (created.status !== 201) throw new Error(`${created.status} ${created.text}`);
  return created.body;
}

export function createQrCodeClient(app: TestApp, user: TestUser) {
  return (
    method: string,
    url: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<TestResponse> => {
    const options: CallOptions = { token: user.accessToken };
    if (body !== undefined) options.body = body;
    if (headers) options.headers = headers;
    return app.call(method, `/api/qrcodes${url}`, options);
  };
}

/** List the field errors of a problem as `field CODE`, sorted. */
export function listErrorFields(answer: TestResponse): string[] {
  const errors: { field: string; code: string }[] = answer.body.errors ?? [];
  return errors.map(({ field, code }) => `${field} ${code}`).toSorted();
}

export async function listImagesOnDisk(app: TestApp): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of app.services.publicFiles.list())
    if (name.startsWith(getQrCodeImagePath(''))) names.push(name.slice(getQrCodeImagePath('').length));
  return names.toSorted();
}

export async function listImagesInDatabase(app: TestApp): Promise<string[]> {
  const rows = await app.database.client.qrCode.findMany({ select: { imageFile: true } });
  return rows.flatMap(({ imageFile }) => imageFile ?? []).toSorted();
}

/** List images on the disk that no code names. */
export async function listOrphanedImages(app: TestApp): Promise<string[]> {
  const named = new Set(await listImagesInDatabase(app));
  return (await listImagesOnDisk(app)).filter((name) => !named.has(name));
}

/** Fetch the image of a code, which draws it. */
export async function fetchImage(app: TestApp, code: { imageUrl: string }): Promise<Buffer> {
  const { statusCode, rawPayload, body } = await app.app.inject(new URL(code.imageUrl).pathname);
  if (statusCode !== 200) throw new Error(`${statusCode} ${body}`);
  return rawPayload;
}

/** List audit actions, oldest first, of one resource or all. */
export async function listAuditActions(app: TestApp, resourceId?: string) {
  return app.database.client.auditEntry.findMany({
    where: resourceId ? { resourceId } : {},
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
}

/** Dump all rows of qr_codes, to compare them. */
export async function dumpAllRows(app: TestApp): Promise<string> {
  const { rows } = await app.database.pool.query('SELECT * FROM qr_codes ORDER BY id');
  return JSON.stringify(rows);
}

/** Run SQL as the owner of the test database, without the restrictions of the application's role. */
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
