import { buildApp } from '../../src/app.ts';
import type { Services } from '../../src/services.ts';
import { captureStatements, type SqlStatement } from '../../test/platform/capture-statements.ts';
import type { TablesBenchmark } from '../benchmark.ts';
import { compareWithLimit } from '../measure.ts';
import { runWithScratchServices, withClient } from '../scratch-database.ts';
import type { Measurement } from '../table.ts';
import { type HotWork, listHotWork } from '../tables/hot-work.ts';
import { explainStatement, MAX_STATEMENT_MS } from '../tables/plans.ts';

const LOG_IN = { email: 'owner@example.org', password: 'a lighthouse for lost dogs' };
/** From the sixth time on PostgreSQL may use a plan for all values of a prepared statement. */
const WARM_UP_RUNS = 5;

/**
 * Compare the slowest statement of frequent requests and of the jobs with a limit, and print all plans. Reading a large
 * table whole or writing to the disk counts as failed, except in jobs.
 */
export const statementsBenchmark: TablesBenchmark = {
  world: 'TABLES',
  measure: (_options, world) =>
    runWithScratchServices(world, async (services) => {
      const busyCodeId = await prepareOwner(services, world.ownerUrl, world.accountId);
      const server = await buildApp(services, false);
      const lines: Measurement[] = [];
      try {
        const work = await listHotWork(services, server, world.accountId, LOG_IN, busyCodeId);
        for (const one of work) lines.push(await explainWork(world.ownerUrl, one));
      } finally {
        await server.close();
      }
      return lines;
    }),
};

async function explainWork(ownerUrl: string, { name, run, isJob = false }: HotWork): Promise<Measurement> {
  console.log(`\n${name}`);
  for (let time = 0; time < WARM_UP_RUNS; time += 1) await run();
  const earlier = await captureStatements(run);
  const statements = await captureStatements(run);
  let problems = 0;
  for (const [index, statement] of statements.entries()) {
    // One of both may have waited for other work of the machine.
    statement.took = Math.min(statement.took, earlier[index]?.took ?? Number.POSITIVE_INFINITY);
    problems += await printPlan(ownerUrl, statement);
  }
  const slowest = Math.max(0, ...statements.map(({ took }) => took));
  const named = { row: name, measure: 'slowest statement', unit: 'ms' };
  const note = `${statements.length} statements${problems > 0 ? `, ${problems} with a problem` : ''}`;
  if (isJob) return { ...named, service: [slowest], baseline: [], ratioGoal: null, note };
  return compareWithLimit({ ...named, note, failed: problems }, [slowest], MAX_STATEMENT_MS);
}

/** Let the owner log in; returns their code with the most scans. */
async function prepareOwner(services: Services, ownerUrl: string, accountId: string): Promise<string> {
  const passwordHash = await services.passwords.hash(LOG_IN.password);
  return withClient(ownerUrl, async (client) => {
    await client.query(
      `UPDATE users SET email = $2, password_hash = $3, status = 'ACTIVE', first_name = 'Ada', last_name = 'Owner',
       account_type = 'INDIVIDUAL' WHERE id = $1`,
      [accountId, LOG_IN.email, passwordHash],
    );
    const { rows } = await client.query<{ id: string }>(
      `SELECT qr_code_id AS id FROM scan_counts JOIN qr_codes ON id = qr_code_id WHERE account_id = $1
       ORDER BY total DESC LIMIT 1`,
      [accountId],
    );
    return rows[0]?.id ?? '';
  });
}

/** Returns the number of problems. */
async function printPlan(ownerUrl: string, statement: SqlStatement): Promise<number> {
  const plan = await explainStatement(ownerUrl, statement);
  const cost =
    plan.milliseconds === null
      ? 'not run twice'
      : `${plan.milliseconds.toFixed(2)} ms with EXPLAIN, ${plan.buffers} pages`;
  console.log(`  ${plan.text}\n    ${statement.took.toFixed(2)} ms, ${cost}`);
  for (const node of plan.nodes) console.log(`    ${node}`);
  for (const estimate of plan.wrongEstimates) console.log(`    wrong estimate: ${estimate}`);
  for (const problem of plan.problems) console.log(`    PROBLEM: ${problem}`);
  return plan.problems.length;
}
