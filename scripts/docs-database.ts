// `npm run docs:database`: writes docs/database.md from a database that is migrated for it and gone afterwards.
import { writeFile } from 'node:fs/promises';
import pg from 'pg';
import { databaseDocument } from './database-document.ts';
import { startTestDatabase } from './testing/test-database.ts';

const FILE = 'docs/database.md';

const database = await startTestDatabase();
try {
  const url = new URL(database.environment.TEST_OWNER_URL ?? '');
  url.pathname = `/${database.environment.TEST_TEMPLATE}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await writeFile(FILE, await databaseDocument(client)).finally(() => client.end());
  console.log(`${FILE}: up to date`);
} finally {
  await database.stop();
}
process.exit();
