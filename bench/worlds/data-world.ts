import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Fastify from 'fastify';
import { registerAccessTokenSigning } from '../../src/platform/access-token.ts';
import { generateId } from '../../src/shared/ids.ts';
import type { GeneratedData } from '../data/generate-data.ts';
import type { ScannedCode } from '../load/beside.ts';
import { withClient } from '../scratch-database.ts';
import { type BenchedService, runWithService } from '../service-process.ts';
import { runWithFilledFolder } from './filled-folder.ts';
import { waitUntilIdle } from './wait-until-idle.ts';

const TOKEN_SECONDS = 86_400;

/** Service with generated users, codes and scans. */
export interface DataWorld extends BenchedService {
  data: GeneratedData;
  jwtSecret: string;
  createToken(userId: string): Promise<string>;
}

export async function runWithDataWorld<Result>(
  scans: number,
  cacheFolder: string | null,
  work: (world: DataWorld) => Promise<Result>,
  environment: Record<string, string> = {},
): Promise<Result> {
  return runWithFilledFolder(scans, cacheFolder, (folder, data) =>
    runWithService(
      environment,
      async (service) => {
        const jwtSecret = await readTokenSecret(folder);
        const createToken = async (userId: string) => (await createSessionTokens(service, [userId]))[0] ?? '';
        await waitUntilIdle(service.ownerUrl);
        return work({ ...service, data, jwtSecret, createToken });
      },
      folder,
    ),
  );
}

/** Create a code of a user with few scans. */
export async function createScannedCode({ base, data, createToken }: DataWorld): Promise<ScannedCode> {
  const token = await createToken(data.users[0]?.id ?? '');
  const response = await fetch(`${base}/api/qrcodes`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ kind: 'URL', title: 'Scanned', data: { url: 'https://example.org/' } }),
  });
  if (!response.ok) throw new Error(`A code was answered with ${response.status}.`);
  const { id } = (await response.json()) as { id: string };
  return { base, qrCodeId: id };
}

/** Create a session of each user in the database, and return their access tokens. */
export async function createSessionTokens(
  { folder, ownerUrl }: Pick<BenchedService, 'folder' | 'ownerUrl'>,
  userIds: readonly string[],
): Promise<string[]> {
  const app = Fastify();
  await registerAccessTokenSigning(app, await readTokenSecret(folder));
  await app.ready();
  const sessionIds = userIds.map(() => generateId());
  await withClient(ownerUrl, (client) =>
    client.query(
      `INSERT INTO sessions (id, user_id, ip, user_agent, expires_at)
       SELECT id, user_id, '127.0.0.1', 'bench', now() + interval '1 day'
       FROM unnest($1::text[], $2::text[]) AS made (id, user_id)`,
      [sessionIds, userIds],
    ),
  );
  return userIds.map((id, index) =>
    app.signAccessToken({ id, role: 'USER' }, sessionIds[index] ?? '', TOKEN_SECONDS),
  );
}

async function readTokenSecret(folder: string): Promise<string> {
  return JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8')).JWT_SECRET;
}
