import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { createDatabaseDocument } from '../../scripts/database-document.ts';
import { createReportingDocument } from '../../scripts/reporting-document.ts';
import { cloneDatabase } from '../helper.ts';
import { t } from '../tap.ts';

t.test(
  'docs/database.md and docs/reporting.md are what `npm run db:docs` makes of the migrations',
  async (t) => {
    const { client, document } = await made(t);
    t.equal(await readFile('docs/database.md', 'utf8'), document);
    t.equal(await readFile('docs/reporting.md', 'utf8'), await createReportingDocument(client));
  },
);

t.test('Every table, column and index that serves a query says what it is for', async (t) => {
  const { document, client } = await made(t);
  for (const [name] of document.matchAll(/^\| `[^`]+` \|.*\|\s+\|$/gm)) t.fail(`no meaning: ${name}`);
  const { rows } = await client.query(
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
     AND relname <> '_prisma_migrations' AND obj_description(oid, 'pg_class') IS NULL`,
  );
  t.same(rows, []);
  for (const [line] of document.matchAll(/^- `\w+`: index, `[^`]*`$/gm)) t.fail(`serves nothing: ${line}`);
});

async function made(t: Parameters<typeof cloneDatabase>[0]) {
  const database = await cloneDatabase(t);
  const client = new pg.Client({ connectionString: database.owner });
  await client.connect();
  t.teardown(async () => {
    await client.end();
    await database.drop();
  });
  return { client, document: await createDatabaseDocument(client) };
}
