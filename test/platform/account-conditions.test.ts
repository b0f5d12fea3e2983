import pg from 'pg';
import { cloneDatabase } from '../clone-database.ts';
import { t } from '../tap.ts';
import { findUnboundCalls, findUnboundStatements, type UnboundStatement } from './account-conditions.ts';
import { collectPrismaCalls } from './prisma-calls.ts';
import { collectRawStatements } from './raw-statements.ts';
import { createSourceProgram } from './source-program.ts';
import { STATEMENTS_OVER_ACCOUNTS } from './statements-over-accounts.ts';

const MIN_STATEMENTS = 330;
const MIN_CALLS = 450;

const PLANTED_FILE = 'src/planted.repository.ts';
const PLANTED_SOURCE = `
  import { Prisma } from './generated/prisma/client.ts';
  import type { Db } from './platform/database.ts';
  import { querySql, sql } from './platform/sql.ts';

  export async function selectWithout(db: Db, id: string) {
    return querySql<{ id: string }>(db)\`SELECT id FROM documents WHERE id = \${id}\`;
  }
  export async function selectWith(db: Db, accountId: string, id: string) {
    const conditions = [sql\`account_id = \${accountId}\`, sql\`id = \${id}\`];
    return querySql<{ id: string }>(db)\`SELECT id FROM documents WHERE \${Prisma.join(conditions, ' AND ')}\`;
  }
  export async function findWithout(db: Db, id: string) {
    return db.document.findFirst({ where: { id, deletedAt: null } });
  }
  export async function findWithOptional(db: Db, id: string, filter: { accountId?: string }) {
    return db.document.findFirst({ where: { id, ...filter } });
  }
  export async function findWith(db: Db, accountId: string, id: string) {
    const where = { accountId, deletedAt: null };
    return db.document.findFirst({ where: { ...where, id } });
  }
  export async function updateByKey(db: Db, accountId: string, id: string) {
    await db.import.update({ where: { accountId_id: { accountId, id } }, data: {} });
  }`;

/** Joins, subqueries and alternatives that name the account, but leave rows of others. */
const WITHOUT_ACCOUNT = [
  'SELECT FROM qr_codes WHERE id = $1',
  "SELECT FROM qr_codes WHERE account_id <> $1 OR account_id = 'a'",
  'SELECT FROM qr_codes WHERE (account_id = $1 OR status = $2) AND kind = $3',
  'SELECT FROM qr_codes WHERE $1::text IS NULL OR account_id = $1',
  'SELECT FROM qr_codes WHERE account_id = account_id AND id = $1',
  'SELECT FROM qr_codes AS code JOIN pictures AS picture ON picture.account_id = code.account_id WHERE code.id = $1',
  'SELECT FROM qr_codes AS code JOIN accounts ON accounts.id = code.account_id WHERE code.id = $1',
  'SELECT FROM qr_codes AS code LEFT JOIN users ON code.account_id = $1 AND users.id = $2',
  'SELECT FROM qr_codes WHERE id IN (SELECT qr_code_id FROM memory_tags WHERE account_id = $1)',
  'SELECT FROM scans WHERE qr_code_id = $1 AND scanned_at > now()',
  'SELECT count(*) FROM qr_codes',
  'UPDATE qr_codes SET account_id = $1 WHERE id = $2',
  'DELETE FROM qr_codes WHERE id = ANY ($1)',
  'WITH gone AS (DELETE FROM pictures WHERE id = $1 RETURNING 1) SELECT count(*) FROM gone',
];

const WITH_ACCOUNT = [
  'SELECT FROM qr_codes WHERE account_id = $1 AND id = $2',
  'SELECT FROM qr_codes WHERE account_id = ANY ($1)',
  'SELECT FROM qr_codes WHERE (account_id = $1 AND id = $2) OR (account_id = $1 AND status = $3)',
  'SELECT FROM qr_codes AS code JOIN pictures AS picture ON picture.account_id = code.account_id WHERE code.account_id = $1',
  'SELECT FROM qr_codes AS code LEFT JOIN pictures AS picture ON picture.account_id = code.account_id WHERE code.account_id = $1',
  'SELECT FROM unnest($1::text[]) AS input (account_id) JOIN qr_codes AS code USING (account_id)',
  'SELECT FROM scans WHERE account_id = $1 AND scanned_at > now()',
  'DELETE FROM qr_codes WHERE account_id = $1 AND id = $2',
];

const program = createSourceProgram('tsconfig.json', { [PLANTED_FILE]: PLANTED_SOURCE });
const statements = collectRawStatements(program);
const calls = collectPrismaCalls(program);

t.test('statements on records of accounts name the account', async (t) => {
  const client = await connect(t);
  t.ok(statements.length >= MIN_STATEMENTS, `${statements.length} statements`);
  t.ok(calls.length >= MIN_CALLS, `${calls.length} calls`);
  const unbound = [...(await findUnboundStatements(client, statements)), ...findUnboundCalls(calls)];
  const [planted, found] = [unbound.filter(isPlanted), unbound.filter((one) => !isPlanted(one))];

  await t.test('but for those in the list', async (t) => {
    const unknown = found.filter((one) => !(toEntry(one) in STATEMENTS_OVER_ACCOUNTS));
    t.same(unknown, [], 'Name the account in the statement, or it in statements-over-accounts.ts.');
  });

  await t.test('and the list has no others', async (t) => {
    const entries = new Set(found.map(toEntry));
    t.same(
      Object.keys(STATEMENTS_OVER_ACCOUNTS).filter((entry) => !entries.has(entry)),
      [],
    );
  });

  await t.test('a statement without it is noticed', async (t) => {
    t.same(
      planted.map(({ name, problem }) => `${name}: ${problem}`),
      [
        'selectWithout: documents: read without the owner',
        'findWithout: Document.findFirst: without the account',
        'findWithOptional: Document.findFirst: without the account',
      ],
    );
  });

  await t.test('by its plan', async (t) => {
    const findNames = async (texts: readonly string[]) => {
      const found = await findUnboundStatements(
        client,
        texts.map((text) => ({ position: '', name: text, text })),
      );
      return found
        .filter(({ problem }) => problem.endsWith(': read without the owner'))
        .map(({ name }) => name);
    };
    t.same([...new Set(await findNames(WITHOUT_ACCOUNT))], WITHOUT_ACCOUNT);
    t.same(await findNames(WITH_ACCOUNT), []);
  });
});

/** What is read or written without the account, and where. */
function toEntry({ name, problem }: UnboundStatement): string {
  return `${name}: ${problem.split(':')[0]}`;
}

function isPlanted({ position }: UnboundStatement): boolean {
  return position.startsWith(PLANTED_FILE);
}

async function connect(t: Parameters<typeof cloneDatabase>[0]): Promise<pg.Client> {
  const { owner, drop } = await cloneDatabase(t);
  const client = new pg.Client({ connectionString: owner });
  await client.connect();
  t.teardown(async () => {
    await client.end();
    await drop();
  });
  return client;
}
