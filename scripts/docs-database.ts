// `npm run db:docs`: writes docs/database.md and docs/reporting.md from a database that is migrated for it and gone
// afterwards.
import { writeFile } from 'node:fs/promises';
import pg from 'pg';
import { createDatabaseDocument } from './database-document.ts';
import { createReportingDocument } from './reporting-document.ts';
import { startTestDatabase } from './testing/test-database.ts';

const FILES = { 'docs/database.md': createDatabaseDocument, 'docs/reporting.md': createReportingDocument };

const database = await startTestDatabase();
try {
  const url = new URL(database.environment.TEST_OWNER_URL ?? '');
  url.pathname = `/${database.environment.TEST_TEMPLATE}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    for (const [file, documentOf] of Object.entries(FILES)) {
      await writeFile(file, await documentOf(client));
      console.log(`${file}: up to date`);
    }
  } finally {
    await client.end();
  }
} finally {
  await database.stop();
}
process.exit();
