import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import pg from 'pg';
import { withServices } from '../../src/commands/command-context.ts';
import { decorateAccessTokens } from '../../src/platform/access-token.ts';
import { newId } from '../../src/shared/ids.ts';
import { cleaned } from '../broken-off.ts';
import { foldData, type MadeData, makeData } from '../data/make-data.ts';
import { progressByName } from '../data/progress-by-name.ts';
import { type BenchedService, withService } from '../service-process.ts';
import { untilQuiet } from './until-quiet.ts';

/** A running service with the scans that `makeData` makes. */
export interface DataPlace extends BenchedService {
  data: MadeData;
  /** What access tokens are signed with. */
  jwtSecret: string;
  /** The folder with the service's data. */
  folder: string;
  /** A credential of a session that lasts a day. */
  tokenOf(userId: string): Promise<string>;
}

/** Makes so many scans, rolls them up, and runs the service on them for as long as the work lasts. */
export async function withDataWorld<Result>(
  scans: number,
  work: (place: DataPlace) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'qr-bench-'));
  const giveUp = new AbortController();
  let filling: Promise<unknown> = Promise.resolve();
  const cleanUp = async () => {
    giveUp.abort();
    await filling.catch(() => {});
    await rm(folder, { recursive: true, force: true });
  };
  return cleaned(cleanUp, async () => {
    const filled = fill(folder, scans, giveUp.signal);
    filling = filled;
    const data = await filled;
    return withService(
      {},
      async (service) => {
        const jwtSecret = JSON.parse(await readFile(join(folder, 'secrets.json'), 'utf8')).JWT_SECRET;
        const tokenOf = tokensOf(service.ownerUrl, jwtSecret);
        await untilQuiet(service.ownerUrl);
        return work({ ...service, data, jwtSecret, folder, tokenOf });
      },
      false,
      folder,
    );
  });
}

function fill(folder: string, scans: number, stopping: AbortSignal): Promise<MadeData> {
  const { PATH, HOME } = process.env;
  const environment = { PATH, HOME, DATA_DIR: folder, UPLOADS_DIR: join(folder, 'uploads') };
  return withServices(environment, {}, async (services) => {
    const progress = progressByName();
    const account = { email: 'bench@example.org', password: newId() };
    const data = await makeData(services, { scans, ...account, progress, stopping });
    const { spans, seconds } = await foldData(services, { progress, stopping });
    console.log(
      `${data.size.scans + data.size.others} scans rolled up to ${spans} spans in ${seconds.toFixed(0)} s`,
    );
    await vacuum((await readFile(join(folder, 'database-url'), 'utf8')).trim());
    return data;
  });
}

async function vacuum(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query('VACUUM (ANALYZE)');
  await client.end();
}

function tokensOf(ownerUrl: string, jwtSecret: string): DataPlace['tokenOf'] {
  return async (userId) => {
    const app = Fastify();
    await decorateAccessTokens(app, jwtSecret);
    await app.ready();
    const sessionId = newId();
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
