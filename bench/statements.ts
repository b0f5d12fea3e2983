// Show the statements of the most frequent requests and of the jobs, with their query plans:
//   npm run bench:statements                                            among 100,000 codes and scans, embedded PostgreSQL
//   npm run bench:statements -- --scans 10000000 --postgres /usr/lib/postgresql/15/bin
//                                                                       more scans, on the one whose programs are there
// There are a tenth as many codes, notifications, sessions, events, audit entries and messages, or 100,000. Exits with 1
// if a statement of a request reads a large table whole, writes to the disk or takes more than 50 ms.
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { buildApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { openDatabase } from '../src/platform/database.ts';
import { createServices } from '../src/services.ts';
import { insertManyCodes } from './many-codes.ts';
import { captureStatements, explainStatement, type SqlStatement } from './plans.ts';
import { isWholeNumber, readOptions } from './read-arguments.ts';
import { type ScratchDatabase, withScratchDatabase } from './scratch-database.ts';
import { fillTables } from './statements/fill-tables.ts';
import { listHotWork } from './statements/hot-work.ts';

const options = readOptions(import.meta.url, parseOptions);
const { scans, binariesFolder } = options;

const MIN_ROWS = 100_000;
const LOG_IN = { email: 'owner@example.org', password: 'a lighthouse for lost dogs' };
/** From the sixth time on PostgreSQL may use a plan for all values of a prepared statement. */
const WARM_UP_RUNS = 5;

process.exitCode = await withScratchDatabase(
  async (scratch) => {
    const rows = Math.max(MIN_ROWS, scans / 10);
    const ownerId = await insertManyCodes(scratch.ownerUrl, rows);
    await fillTables(scratch.ownerUrl, ownerId, { scans, others: rows }, (text) =>
      process.stderr.write(`${text}\n`),
    );
    return (await showPlans(scratch, ownerId)) === 0 ? 0 : 1;
  },
  { binariesFolder },
);
process.exit();

/** Returns the number of statements with a problem. */
async function showPlans(
  { ownerUrl, applicationUrl, folder }: ScratchDatabase,
  ownerId: string,
): Promise<number> {
  const key = randomBytes(32).toString('base64');
  const secrets = {
    JWT_SECRET: key,
    HASH_SECRET: key,
    PASSWORD_PEPPERS: `k:${key}`,
    ENCRYPTION_KEYS: `k:${key}`,
    AUDIT_SIGNING_KEY: key,
  };
  const config = loadConfig({
    DATABASE_URL: applicationUrl,
    DATA_DIR: folder,
    UPLOADS_DIR: folder,
    RATE_LIMIT_SCALE: '1000',
    BCRYPT_COST: '4',
  });
  const database = openDatabase({ url: applicationUrl, poolSize: 4, onError: console.error });
  const log = { info() {}, warn() {}, error: console.error };
  const services = createServices({ config, secrets, database, log });
  const busyCodeId = await prepareOwner(ownerUrl, ownerId, await services.passwords.hash(LOG_IN.password));
  await services.publicFiles.prepare();
  const app = await buildApp(services, false);
  let problems = 0;
  try {
    for (const { name, run, isJob = false } of await listHotWork(
      services,
      app,
      ownerId,
      LOG_IN,
      busyCodeId,
    )) {
      console.log(`\n${name}`);
      for (let time = 0; time < WARM_UP_RUNS; time += 1) await run();
      const earlier = await captureStatements(run);
      const statements = await captureStatements(run);
      for (const [index, statement] of statements.entries()) {
        // One of both may have waited for other work of the machine.
        statement.took = Math.min(statement.took, earlier[index]?.took ?? Number.POSITIVE_INFINITY);
        const hasProblem = await printPlan(ownerUrl, statement);
        if (hasProblem && !isJob) problems += 1;
      }
    }
  } finally {
    await app.close();
    await services.mailProvider.close();
    await database.close();
  }
  console.log(
    problems === 0
      ? '\nNo statement of a request has a problem.'
      : `\n${problems} statements have a problem.`,
  );
  return problems;
}

/** Returns the code of the owner with the most scans. */
async function prepareOwner(ownerUrl: string, ownerId: string, passwordHash: string): Promise<string> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query(
    `UPDATE users SET email = $2, password_hash = $3, status = 'ACTIVE', first_name = 'Ada', last_name = 'Owner',
     account_type = 'INDIVIDUAL' WHERE id = $1`,
    [ownerId, LOG_IN.email, passwordHash],
  );
  await client.query(`UPDATE subscription_packages SET limits = limits || '{"qrCodes": null}'`);
  const { rows } = await client.query<{ id: string }>(
    `SELECT qr_code_id AS id FROM scan_counts JOIN qr_codes ON id = qr_code_id WHERE owner_id = $1 ORDER BY total DESC LIMIT 1`,
    [ownerId],
  );
  await client.end();
  return rows[0]?.id ?? '';
}

async function printPlan(ownerUrl: string, statement: SqlStatement): Promise<boolean> {
  const plan = await explainStatement(ownerUrl, statement);
  const cost =
    plan.milliseconds === null
      ? 'not run twice'
      : `${plan.milliseconds.toFixed(2)} ms with EXPLAIN, ${plan.buffers} pages`;
  console.log(`  ${plan.text}\n    ${statement.took.toFixed(2)} ms, ${cost}`);
  for (const node of plan.nodes) console.log(`    ${node}`);
  for (const estimate of plan.wrongEstimates) console.log(`    wrong estimate: ${estimate}`);
  for (const problem of plan.problems) console.log(`    PROBLEM: ${problem}`);
  return plan.problems.length > 0;
}

function parseOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: { postgres: { type: 'string' }, scans: { type: 'string', default: '100000' } },
  });
  const count = Number(values.scans);
  if (!isWholeNumber(values.scans) || count < 1 || (count % 500_000 > 0 && count > 1_000_000)) return null;
  return { scans: count, binariesFolder: values.postgres };
}
