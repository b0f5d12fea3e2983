// `npm run docs`: write the generated reference in docs/reference and .env.example, from the sources and a temporary
// migrated database. With `-- --release` also the interface that later changes are compared with.
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { createServices } from '../../src/services.ts';
import { startTestDatabase } from '../testing/test-database.ts';
import { DATABASE_FOLDER, generateDocuments } from './documents.ts';
import { formatInterface, INTERFACE_FILE } from './openapi.ts';

const testDatabase = await startTestDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'qr-docs-'));
try {
  const { TEST_OWNER_URL = '', TEST_APPLICATION_URL = '', TEST_TEMPLATE = '' } = testDatabase.environment;
  const client = new pg.Client({ connectionString: setDatabaseName(TEST_OWNER_URL, TEST_TEMPLATE) });
  await client.connect();
  try {
    const application = await describeApplication(setDatabaseName(TEST_APPLICATION_URL, TEST_TEMPLATE));
    const documents = await generateDocuments({ client, ...application });
    if (process.argv.includes('--release')) documents.set(INTERFACE_FILE, formatInterface(application.api));
    for (const [file, text] of documents) {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    for (const name of await readdir(DATABASE_FOLDER))
      if (!documents.has(`${DATABASE_FOLDER}/${name}`)) await rm(join(DATABASE_FOLDER, name));
    console.log(`${documents.size} files are up to date.`);
  } finally {
    await client.end();
  }
} finally {
  await testDatabase.stop();
  await rm(dataDir, { recursive: true, force: true });
}
process.exit();

async function describeApplication(databaseUrl: string) {
  const config = loadConfig({
    NODE_ENV: 'test',
    DATA_DIR: dataDir,
    UPLOADS_DIR: join(dataDir, 'uploads'),
    DATABASE_URL: databaseUrl,
  });
  const database = openDatabase({ url: databaseUrl, poolSize: 2, onError: () => {} });
  const createSecret = () => randomBytes(32).toString('base64');
  const log = { info() {}, warn() {}, error() {} };
  const services = createServices({
    config,
    secrets: {
      JWT_SECRET: createSecret(),
      HASH_SECRET: createSecret(),
      PASSWORD_PEPPERS: `p1:${createSecret()}`,
      ENCRYPTION_KEYS: `k1:${createSecret()}`,
      AUDIT_SIGNING_KEY: createSecret(),
    },
    database,
    log,
  });
  const app = await buildApp(services, { level: 'silent' });
  await app.ready();
  const routes = app.declaredRoutes();
  const { payload } = await app.inject({ method: 'GET', url: '/api/docs/json' });
  await app.close();
  await database.close();
  return { routes, api: JSON.parse(payload) };
}

function setDatabaseName(address: string, name: string): string {
  const url = new URL(address);
  url.pathname = `/${name}`;
  return url.href;
}
