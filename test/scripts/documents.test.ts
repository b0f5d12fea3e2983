import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { parse } from 'yaml';
import { DATABASE_FOLDER, generateDocuments, generateSitePages } from '../../scripts/docs/documents.ts';
import { formatInterface, INTERFACE_FILE } from '../../scripts/docs/openapi.ts';
import { REPORTING_VIEW_KEYS } from '../../scripts/docs/reporting-keys.ts';
import { findBreakingChanges } from '../../scripts/openapi/breaking-changes.ts';
import { ERRORS } from '../../src/catalogue.ts';
import { API_VERSION } from '../../src/platform/http/api-versions.ts';
import { MAX_REQUESTS_PER_CLIENT } from '../../src/platform/http/rate-limit-numbers.ts';
import { LIFETIMES_SECONDS } from '../../src/shared/lifetimes.ts';
import { cloneDatabase, startTestApp } from '../helper.ts';
import { t } from '../tap.ts';

const { app } = await startTestApp(t);
const database = await cloneDatabase(t);
const client = new pg.Client({ connectionString: database.owner });
await client.connect();
t.teardown(async () => {
  await client.end();
  await database.drop();
});
// As it is written to a file; the code samples are added when it is served.
const api = JSON.parse(JSON.stringify(app.swagger()));
const documents = await generateDocuments({ client, routes: app.declaredRoutes(), api });
const sitePages = await generateSitePages(client);
const get = (name: string) => documents.get(`docs/reference/${name}`) ?? '';
const findRow = (text: string, name: string) =>
  text.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? '';

t.test('every generated file is up to date; `npm run docs` writes them', async (t) => {
  for (const [file, text] of documents)
    t.ok((await readFile(file, 'utf8').catch(() => '')) === text, `${file} is outdated: npm run docs`);
});

t.test('a breaking change since the last release has a new version and is in the changelog', async (t) => {
  const released = JSON.parse(await readFile(INTERFACE_FILE, 'utf8'));
  const [, unreleased = ''] = (await readFile('CHANGELOG.md', 'utf8')).split(/^## \[/m);
  const changes = findBreakingChanges(released, JSON.parse(formatInterface(api)));
  for (const change of changes) t.ok(unreleased.includes(change), `### Breaking\n- \`${change}\``);
  if (changes.length > 0) t.not(released.info.version, API_VERSION, 'API_VERSION');
});

t.test('a breaking change of each kind is found, and nothing else', async (t) => {
  const find = (change: (document: typeof api) => void) => {
    const changed = structuredClone(api);
    change(changed);
    return findBreakingChanges(api, changed);
  };
  t.same(
    find(({ paths, components: { schemas, parameters } }) => {
      paths['/api/new'] = paths['/api/qrcodes'];
      schemas.ScanItem.properties.added = { type: 'string' };
      schemas.QrcodesCreateReportRequest.properties.added = { type: 'string' };
      paths['/api/qrcodes'].get.parameters.push({ name: 'added', in: 'query', schema: { type: 'string' } });
      paths['/api/qrcodes'].get.description = 'Other words.';
      const { IdempotencyKey } = parameters;
      IdempotencyKey.name = IdempotencyKey.name.toLowerCase();
    }),
    [],
  );
  t.same(
    find(({ paths, components: { schemas } }) => {
      delete paths['/api/events'];
      delete paths['/api/qrcodes'].post;
      paths['/api/scans'].get.parameters.shift();
      paths['/api/memory-tags'].get.parameters.push({ name: 'added', in: 'query', required: true });
      delete paths['/api/auth/register'].post.requestBody.content['multipart/form-data'];
      delete schemas.ScanItem.properties.kind;
      schemas.ScanItem.properties.title.type = ['string', 'null'];
      schemas.ScanItem.required = schemas.ScanItem.required.filter((name: string) => name !== 'userAgent');
      const { properties, required } = schemas.QrcodesCreateReportRequest;
      properties.note.maxLength = 1;
      properties.category.enum.pop();
      required.push('note');
    }),
    [
      'GET /api/events: removed',
      'GET /api/memory-tags query added: required',
      'GET /api/scans query page: removed',
      'POST /api/auth/register body multipart/form-data: removed',
      'POST /api/qrcodes: removed',
      'QrcodesCreateReportRequest (request).category: value "OTHER" removed',
      'QrcodesCreateReportRequest (request).note: maxLength is smaller',
      'QrcodesCreateReportRequest (request).note: required',
      'ScanItem (response).kind: removed',
      'ScanItem (response).title: type "string" became ["string","null"]',
      'ScanItem (response).userAgent: not always sent',
    ],
  );
});

t.test('each row of a table has as many cells as its header', async (t) => {
  for (const [file, text] of [...documents, ...sitePages]) {
    let cells = 0;
    for (const line of text.split('\n')) {
      if (!line.startsWith('|')) cells = 0;
      else if (cells === 0) cells = countCells(line);
      else if (countCells(line) !== cells) t.fail(`${file}: ${line}`);
    }
  }
});

t.test('a setting is listed with its default, meaning and limits', async (t) => {
  const text = get('configuration.md');
  t.match(findRow(text, 'PORT'), /^\| `PORT` \| `3000` \| Port to listen on.*\|$/);
  t.match(findRow(text, 'JWT_SECRET'), /^\| `JWT_SECRET` \| {2}\| .+ \|$/, 'no default for a secret');
  for (const [name, bounds] of [
    ['AUDIT_RETENTION_DAYS', 'From 90 to 36500.'],
    ['BCRYPT_COST', 'From 4 to 16.'],
    ['RATE_LIMIT_SCALE', 'More than 0, up to 1000000.'],
    ['ADMIN_PASSWORD', '12 characters or more.'],
    ['MAIL_FROM', '3 to 200 characters.'],
  ] as const)
    t.ok(findRow(text, name).includes(bounds), `${name}: ${bounds}`);
});

t.test('limits are listed as the code has them, with tests that exist', async (t) => {
  const text = get('limits.md');
  t.match(text, `| scans | ${MAX_REQUESTS_PER_CLIENT['public-scan']}, 30 of one code |`);
  t.match(text, `| session, however often it is refreshed | ${LIFETIMES_SECONDS.maxSession / 86_400} days |`);
  t.match(text, /^\| requests that send an email: .+ \| 20 an hour, 100 of an IPv6 \/48 \|$/m);
  for (const name of Object.keys(MAX_REQUESTS_PER_CLIENT))
    t.notMatch(text, `| ${name} |`, `${name} has a description`);
  for (const [, file = ''] of text.matchAll(/`(test\/[^`]+)`/g)) t.ok(existsSync(file), file);
});

t.test('an encrypted column is listed with the columns that its values are bound to', async (t) => {
  const text = get('encrypted-columns.md');
  t.match(text, /^\| `second_factors` \| `secret` \| `user_id` \| `user_id` \| 3 \|$/m);
  t.match(text, /^\| `outgoing_mails` \| `content` \| `id` \| none \| 3 \|$/m);
  t.match(text, /^\| `qr_codes` \| `data` \| `id` \| `account_id` \| 4 where `kind` is MEDICAL, else 3 \|$/m);
});

t.test('every table and column has a description, and every index names the query it serves', async (t) => {
  for (const text of sitePages.values()) {
    for (const [name] of text.matchAll(/^\| `[^`]+` \|.*\|\s+\|$/gm)) t.fail(`no meaning: ${name}`);
    for (const [line] of text.matchAll(/^- `\w+`: index, `[^`]*`$/gm)) t.fail(`serves nothing: ${line}`);
  }
  const { rows } = await client.query(
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
     AND relname <> '_prisma_migrations' AND obj_description(oid, 'pg_class') IS NULL`,
  );
  t.same(rows, []);
});

t.test('each table is in exactly one area and in the index', async (t) => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace
     AND relname <> '_prisma_migrations'`,
  );
  const index = sitePages.get(`${DATABASE_FOLDER}/README.md`) ?? '';
  for (const { name } of rows) {
    const areas = [...sitePages].filter(([, text]) => text.includes(`\n## ${name}\n`));
    t.equal(areas.length, 1, name);
    t.ok(index.includes(`[\`${name}\`](`), name);
  }
});

interface DbtNode {
  name: string;
  description: string;
  data_tests?: unknown[];
}

t.test('each reporting view is a dbt source with descriptions and tests of its key', async (t) => {
  const { version, sources } = parse(documents.get('deploy/dbt/sources.yml') ?? '');
  t.equal(version, 2);
  t.same(
    sources.map(({ name, schema }: { name: string; schema: string }) => [name, schema]),
    [['reporting', 'reporting']],
  );
  const tables: (DbtNode & { columns: DbtNode[] })[] = sources[0].tables;
  t.same(
    tables.map(({ name }) => name),
    Object.keys(REPORTING_VIEW_KEYS).sort(),
  );
  for (const { name, description, columns, data_tests = [] } of tables) {
    const key = REPORTING_VIEW_KEYS[name] ?? [];
    t.ok(description && columns.every((column) => column.description), name);
    t.same(
      key.filter((column) => !columns.some((one) => one.name === column)),
      [],
      `${name} has the columns of its key`,
    );
    const combination = { arguments: { combination_of_columns: key } };
    t.same(data_tests, key.length > 1 ? [{ 'dbt_utils.unique_combination_of_columns': combination }] : []);
    const unique = columns.filter((column) => column.data_tests?.includes('unique'));
    t.same(
      unique.map((column) => column.name),
      key.length === 1 ? key : [],
    );
  }
  const testsOf = (view: string, column: string) =>
    tables.find(({ name }) => name === view)?.columns.find(({ name }) => name === column)?.data_tests;
  t.same(testsOf('codes', 'id'), ['unique', 'not_null']);
  t.same(testsOf('audit', 'sequence'), ['unique'], 'null until it is sealed');
  t.same(testsOf('storage', 'type'), ['not_null']);
  t.same(testsOf('storage', 'bytes'), undefined);
});

t.test('permissions are listed with their roles and operations', async (t) => {
  const text = get('permissions.md');
  t.match(findRow(text, 'support:find'), /\| {2}\| yes \| {2}\| {2}\|$/);
  t.match(text, /### admin:jobs\n[^#]*\| `GET \/api\/admin\/jobs` \| \S.* \| `ADMIN_JOBS_READ` \|/);
  t.match(text, /### Without a permission\n[^#]*\| `POST \/api\/scans\/public` \| \S/);
  for (const { method, url } of app.declaredRoutes())
    t.ok(text.includes(`\`${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}\``), `${method} ${url}`);
});

t.test('every error code and the usage of every command are listed', async (t) => {
  for (const code of Object.keys(ERRORS)) t.ok(findRow(get('errors.md'), code), code);
  t.match(get('cli.md'), /^npm run keys -- retire <id> +\S/m);
  t.match(get('cli.md'), /the invoices of 120 days/);
});

function countCells(line: string): number {
  return line.split(/(?<!\\)\|/).length;
}
