import { randomBytes } from 'node:crypto';
import type { FastifyInstance, InjectOptions } from 'fastify';
import pg from 'pg';
import { buildApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { openDatabase } from '../src/platform/database.ts';
import { createServices, type Services } from '../src/services.ts';
import { generateId } from '../src/shared/ids.ts';
import { verifyKeysMatchDatabase } from '../src/start/check-keys.ts';
import { openEncryptionKeyRing } from '../src/start/keys/open-key-ring.ts';

const PASSWORD = 'a lighthouse for lost dogs';

const SILENT_LOG = {
  info() {},
  warn() {},
  error: (_details: object, message: string) => console.error(message),
};

export interface BenchResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the service sent
  body: any;
}

export interface BenchApp {
  app: FastifyInstance;
  services: Services;
  environment: Record<string, string>;
  sendRequest(
    method: string,
    url: string,
    options?: { token?: string; body?: unknown },
  ): Promise<BenchResponse>;
  owner(): Promise<{ id: string; token: string }>;
  close(): Promise<void>;
}

export async function startBenchApp(
  scratch: { ownerUrl: string; applicationUrl: string; folder: string },
  overrides: Record<string, string> = {},
): Promise<BenchApp> {
  const { ownerUrl, applicationUrl, folder } = scratch;
  const random = () => randomBytes(32).toString('base64');
  const secrets = {
    JWT_SECRET: random(),
    HASH_SECRET: random(),
    PASSWORD_PEPPERS: `p1:${random()}`,
    AUDIT_SIGNING_KEY: random(),
  };
  const environment = {
    NODE_ENV: 'test',
    DATABASE_URL: applicationUrl,
    DATABASE_OWNER_URL: ownerUrl,
    DATA_DIR: folder,
    UPLOADS_DIR: folder,
    RATE_LIMIT_SCALE: '1000000',
    BCRYPT_COST: '4',
    ENCRYPTION_KEYS_FILE: `${folder}/encryption-keys.json`,
    ...secrets,
    ...overrides,
  };
  const config = loadConfig(environment);
  const database = openDatabase({ url: applicationUrl, poolSize: 6, onError: () => {} });
  const keyRing = await openEncryptionKeyRing(config, database, SILENT_LOG);
  await verifyKeysMatchDatabase(database, secrets, keyRing.current());
  const services = createServices({ config, secrets, keyRing, database, log: SILENT_LOG });
  await services.publicFiles.prepare();
  await services.instanceHeartbeat.start();
  const app = await buildApp(services, false);

  const sendRequest: BenchApp['sendRequest'] = async (method, url, { token, body } = {}) => {
    const response = await app.inject({
      method: method as NonNullable<InjectOptions['method']>,
      url,
      headers: token ? { authorization: `Bearer ${token}` } : {},
      ...(body === undefined ? {} : { payload: body as object }),
    });
    return { status: response.statusCode, body: response.payload ? response.json() : undefined };
  };

  return {
    app,
    services,
    environment,
    sendRequest,
    async owner() {
      const id = generateId();
      const client = new pg.Client({ connectionString: ownerUrl });
      await client.connect();
      await client.query(`UPDATE subscription_packages SET limits = limits || '{"qrCodes": null}'`);
      await client.query(
        `INSERT INTO users (id, email, password_hash, status, first_name, last_name, account_type)
         VALUES ($1, $1 || '@example.org', $2, 'ACTIVE', 'Ada', 'Owner', 'INDIVIDUAL')`,
        [id, await services.passwords.hash(PASSWORD)],
      );
      await client.end();
      const body = { email: `${id}@example.org`, password: PASSWORD };
      const session = await sendRequest('POST', '/api/auth/login', { body });
      return { id, token: session.body.accessToken };
    },
    async close() {
      await app.close();
      await services.instanceHeartbeat.stop();
      await services.mailProvider.close();
      await database.close();
    },
  };
}
