import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import yauzl from 'yauzl';
import { deleteRemovedFile } from '../../../src/features/files/remove-files.job.ts';
import { TEST_PASSWORD, type TestApp, type TestUser } from '../../helper.ts';

/** Erases an account. */
export function eraseAccountOf(app: TestApp, user: TestUser, password = TEST_PASSWORD) {
  return app.call('DELETE', '/api/auth/account', { token: user.accessToken, body: { password } });
}

/** Bytes of an answer. */
export async function fetchBytes(app: TestApp, url: string, token: string) {
  const answer = await app.app.inject({ url, headers: { authorization: `Bearer ${token}` } });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    bytes: answer.rawPayload,
    text: answer.payload,
  };
}

/** Files of a zip by their names. */
export async function readZip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return files;
}

/** data.json of a zip. */
export async function readExportData(bytes: Buffer) {
  return JSON.parse((await readZip(bytes)).get('data.json')?.toString('utf8') ?? '');
}

/** Longer than a worker takes to start on a busy machine, or a failed job to be repeated. */
const WAIT_LIMIT_MS = 120_000;

/** Asks again until something holds. */
export async function waitFor<Value>(read: () => Promise<Value | null | undefined | false>): Promise<Value> {
  for (const end = Date.now() + WAIT_LIMIT_MS; Date.now() < end; ) {
    const value = await read();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`It did not happen within ${WAIT_LIMIT_MS} ms.`);
}

/** Has every erasure come to its end. */
export async function waitForErasures(app: TestApp): Promise<void> {
  const { erasure } = app.database.client;
  await waitFor(async () => (await erasure.count({ where: { finishedAt: null } })) === 0);
}

/** Names of all files of the private store, complete or not, once the removed ones are deleted. */
export async function listAllPrivateFiles({ services, database }: TestApp): Promise<string[]> {
  for (const { id } of await database.client.storedFile.findMany({ where: { state: 'REMOVED' } }))
    await deleteRemovedFile(services, id);
  const names: string[] = [];
  for await (const { name } of services.privateFiles.list()) names.push(name);
  return names;
}

/** Names of the files of a user who stored nothing else, and of those that no row names. */
export async function listExportFilesOf(app: TestApp, { id }: TestUser): Promise<string[]> {
  const names = await listAllPrivateFiles(app);
  const others = await app.database.client.storedFile.findMany({ where: { accountId: { not: id } } });
  return names.filter((name) => !others.some((other) => name.includes(other.name)));
}

/** Names of the images of codes. */
export function listImageFiles({ dataDir }: TestApp): Promise<string[]> {
  return readdir(join(dataDir, 'uploads', 'qrcodes'));
}

/** Moves the beginning of a person's sessions into the past. */
export async function backdateSessions(
  { database }: TestApp,
  userId: string,
  minutes: number,
): Promise<void> {
  const createdAt = new Date(Date.now() - minutes * 60_000);
  await database.client.session.updateMany({ where: { userId }, data: { createdAt } });
}
