import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Nothing connects to it. */
const UNREACHABLE_DATABASE_URL = 'postgres://127.0.0.1:1/none';

/** Modules of src/ or dist/, whichever is loaded. */
type Modules = Pick<typeof import('../../src/app.ts'), 'buildApp'> &
  Pick<typeof import('../../src/config.ts'), 'loadConfig'> &
  Pick<typeof import('../../src/platform/database.ts'), 'openDatabase'> &
  Pick<typeof import('../../src/services.ts'), 'createServices'>;

/** Build the application, without a database, and return its routes and its OpenAPI document. */
export async function describeApplication({ buildApp, loadConfig, openDatabase, createServices }: Modules) {
  const dataDir = await mkdtemp(join(tmpdir(), 'qr-describe-'));
  const config = loadConfig({
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    UPLOADS_DIR: join(dataDir, 'uploads'),
    DATABASE_URL: UNREACHABLE_DATABASE_URL,
  });
  const database = openDatabase({ url: UNREACHABLE_DATABASE_URL, poolSize: 1, onError: () => {} });
  const createSecret = () => randomBytes(32).toString('base64');
  const secrets = {
    JWT_SECRET: createSecret(),
    HASH_SECRET: createSecret(),
    PASSWORD_PEPPERS: `p1:${createSecret()}`,
    ENCRYPTION_KEYS: `k1:${createSecret()}`,
    AUDIT_SIGNING_KEY: createSecret(),
  };
  const log = { info() {}, warn() {}, error() {} };
  const app = await buildApp(createServices({ config, secrets, database, log }), { level: 'silent' });
  await app.ready();
  const routes = app.declaredRoutes();
  const api = JSON.parse(JSON.stringify(app.swagger()));
  await app.close();
  await database.close();
  await rm(dataDir, { recursive: true, force: true });
  return { routes, api };
}
