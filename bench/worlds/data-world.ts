import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Fastify from 'fastify';
import pg from 'pg';
import { registerAccessTokenSigning } from '../../src/platform/access-token.ts';
import { generateId } from '../../src/shared/ids.ts';
import type { GeneratedData } from '../data/generate-data.ts';
import { type BenchedService, runWithService } from '../service-process.ts';
import { runWithFilledFolder } from './filled-folder.ts';
import { waitUntilIdle } from './wait-until-idle.ts';

export interface DataWorld extends BenchedService {
  data: GeneratedData;
  jwtSecret: string;
  folder: string;
  createToken(userId: string): Promise<string>;
}

export async function runWithDataWorld<Result>(
  scans: number,
  keepIn: string | null,
  work: (world: DataWorld) => Promise<Result>,
): Promise<Result> {
  return runWithFilledFolder(scans, keepIn, (folder, data) =>
    runWithService(
      {},
      async (service) => {
        const jwtSecret = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8')).JWT_SECRET;
        const createToken = createTokenFactory(service.ownerUrl, jwtSecret);
        await waitUntilIdle(service.ownerUrl);
        return work({ ...service, data, jwtSecret, folder, createToken });
      },
      false,
      folder,
    ),
  );
}

function createTokenFactory(ownerUrl: string, jwtSecret: string): DataWorld['createToken'] {
  return async (userId) => {
    const app = Fastify();
    await registerAccessTokenSigning(app, jwtSecret);
    await app.ready();
    const sessionId = generateId();
    const client = new pg.Client({ connectionString: ownerUrl });
    await client.connect();
    await client.query(
      `INSERT INTO sessions (id, user_id, ip, user_agent, expires_at) VALUES ($1, $2, '127.0.0.1', 'bench', now() + interval '1 day')`,
      [sessionId, userId],
    );
    await client.end();
    return app.signAccessToken({ id: userId, role: 'USER' }, sessionId, 86_400);
  };
}
