import pg from 'pg';
import { cloneDatabase } from '../clone-database.ts';
import { t } from '../tap.ts';
import { collectRawStatements, type RawStatement } from './raw-statements.ts';
import { createSourceProgram } from './source-program.ts';
import { compareRow, describeWithFragments } from './statement-description.ts';

/** A condition of the statement excludes null. */
const NOT_NULL_BY_CONDITION: Readonly<Record<string, RegExp>> = {
  findAnniversaryRecipients: /^date: may be null$/,
  findExpiringDocumentsToNotify: /^expiresOn: may be null$/,
  findUnnotifiedExpiringQrCodes: /^expiresAt: may be null$/,
  lockFileIds: /^fileId: may be null$/,
};

/** Tables, directions or whole selects that are only known at run time. */
const KNOWN_AT_RUN_TIME: Readonly<Record<string, RegExp>> = {
  countEncryptedValuesPage: /^syntax error/,
  deleteUserRows: /^syntax error/,
  findEncryptedValues: /^syntax error/,
  findStaleEncryptedValues: /^syntax error/,
  listAuditEntries: /^total: bigint is /,
  listScansByOwner: /^unknown$/,
  listUserRowCursors: /^syntax error/,
  lockMovableRows: /^syntax error/,
  measureTables: /: no column$/,
  moveReferencedRows: /^syntax error/,
  moveUnreferencedRows: /^syntax error/,
  selectAuditEntries: /^syntax error/,
  updateEncryptedValues: /^syntax error/,
};

const EXCEPTIONS = { ...NOT_NULL_BY_CONDITION, ...KNOWN_AT_RUN_TIME };
const MIN_STATEMENTS = 330;

const statements = collectRawStatements(createSourceProgram('tsconfig.json'));

t.test('raw statements fit the database, and their rows the types that the sources promise', async (t) => {
  t.ok(statements.length >= MIN_STATEMENTS, `${statements.length} statements`);
  t.same(await findDifferences(await connect(t)), []);
  const names = new Set(statements.map(({ name }) => name));
  t.same(
    Object.keys(EXCEPTIONS).filter((name) => !names.has(name)),
    [],
    'no outdated exception',
  );
});

t.test('a changed column is noticed', async (t) => {
  const client = await connect(t);
  await client.query(`
    ALTER TABLE documents RENAME COLUMN title TO label;
    ALTER TABLE refresh_tokens ALTER COLUMN rotated_at TYPE text;
    ALTER TABLE users ALTER COLUMN email DROP NOT NULL`);
  const texts = (await findDifferences(client)).flatMap(({ differences }) => differences);
  for (const difference of [
    'column document.title does not exist',
    'rotatedAt: Date is text',
    'email: may be null',
  ])
    t.ok(texts.includes(difference), difference);
});

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

async function findDifferences(client: pg.Client) {
  const found: { statement: string; differences: string[] }[] = [];
  for (const statement of statements) {
    const { position, name } = statement;
    const all = await compareStatement(client, statement);
    const differences = all.filter((text) => !Reflect.get(EXCEPTIONS, name)?.test(text));
    if (differences.length > 0) found.push({ statement: `${position} ${name}`, differences });
  }
  return found;
}

async function compareStatement(client: pg.Client, { text, row }: RawStatement): Promise<string[]> {
  if (text === null) return ['unknown'];
  try {
    const columns = await describeWithFragments(client, text);
    return row ? compareRow(row, columns) : [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
