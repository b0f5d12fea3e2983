// Run tests against a temporary PostgreSQL. The last line is "N passed, N failed".
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { AUDIT_ACTION_NAMES } from '../src/audit-actions.ts';
import { exitWithUsage } from '../src/shared/command-usage.ts';
import { buildPackages } from './build/build-packages.ts';
import { measureCoverage } from './testing/coverage.ts';
import { findTests, runFiles, runFilesAndRepeatFailed } from './testing/run-files.ts';
import { STOCK_SERVER_FOLDER, STOCK_SERVER_TESTS } from './testing/stock-server.ts';
import type { FailedFile, TestTotals } from './testing/tap-report.ts';
import { transpileChangedSources } from './testing/transpile.ts';

const USAGE = `Usage:
  npm test                                  all tests but system tests
  npm test -- <file or folder> …            only these
  npm test -- --watch <file or folder> …    these again whenever a source changes
  npm run test:system                       the slow tests: processes, browsers, fuzzing (*.system.test.ts)
  npm test -- --postgres <folder> <file> …  on the PostgreSQL whose programs are there: /usr/lib/postgresql/15/bin
  npm test -- --coverage <file or folder> … which lines of src these tests run
  npm test -- --without-database <file> …   tests that need no PostgreSQL, without the time of its start
Brings a PostgreSQL of its own. Ends with 0 when all passed, with 1 when one failed or none ran.`;

const { values: options, positionals: names } = readArguments();
const POLL_MS = 200;

/** Audit actions that the last complete run of each suite reached, one per line. */
const ACTIONS_FILE = 'node_modules/.cache/qr-profile-service/audit-actions';

const stopping = new AbortController();
let lastSyntaxError = '';
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());

completeInstallation();
await buildSources();
// Loaded after the build of packages/.
const { startTestDatabase } = await import('./testing/test-database.ts');
process.exitCode = options['without-database'] ? await main({}) : await runOnServer(options.postgres, main);

async function runOnServer<Result>(
  binariesFolder: string | undefined,
  work: (environment: Record<string, string>) => Promise<Result>,
): Promise<Result> {
  const database = await startTestDatabase(binariesFolder);
  try {
    return await work(database.environment);
  } finally {
    await database.stop();
  }
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        system: { type: 'boolean' },
        watch: { type: 'boolean' },
        coverage: { type: 'boolean' },
        postgres: { type: 'string' },
        'without-database': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const missing = positionals.find((name) => !existsSync(name));
    if (missing !== undefined) exitWithUsage(USAGE, `There is no file or folder ${missing}.`);
    return { values, positionals };
  } catch (error) {
    return exitWithUsage(USAGE, error instanceof Error ? error.message : undefined);
  }
}

async function main(environment: Record<string, string>): Promise<number> {
  const files = await findTests(names, options.system ? 'system' : 'test');
  if (options.watch) return runOnChange(files, environment);
  if (options.coverage)
    return measureCoverage((variables) => runOnce(files, { ...environment, ...variables }));
  return names.length === 0 ? runSuite(files, environment) : runOnce(files, environment);
}

/** Run a complete suite; after both suites check that tests reach every audit action. */
async function runSuite(files: string[], environment: Record<string, string>): Promise<number> {
  const variables = { ...environment, TEST_ACTIONS_FILE: ACTIONS_FILE };
  if (options.system) return runOnce(files, variables, findUnreachedActions, runOnStockServer);
  await mkdir(dirname(ACTIONS_FILE), { recursive: true });
  await writeFile(ACTIONS_FILE, '');
  return runOnce(files, variables);
}

/**
 * Run the files and print the totals.
 * @param findMore finds further failures after the files
 * @returns the exit code
 */
async function runOnce(
  files: string[],
  environment: Record<string, string>,
  findMore: () => Promise<string[]> = async () => [],
  runMore: () => Promise<TestTotals> = async () => ({ passed: 0, failed: 0, failedFiles: [], skipped: [] }),
): Promise<number> {
  // A test may depend on how busy the machine is. CI says so instead of failing.
  const run = process.env.CI ? runFilesAndRepeatFailed : runFiles;
  const result: TestTotals & { unstable?: string[] } = await run(files, environment, stopping.signal);
  const totals = [result, ...(stopping.signal.aborted ? [] : [await runMore()])];
  const [passed, failed] = [sum(totals.map((one) => one.passed)), sum(totals.map((one) => one.failed))];
  const skipped = totals.flatMap((one) => one.skipped);
  if (stopping.signal.aborted) {
    console.log('\nstopped');
    return 130;
  }
  const furtherFailures = await findMore();
  if (skipped.length > 0) console.log(`\nskipped:\n${listIndented(skipped)}`);
  const { unstable = [] } = result;
  if (unstable.length > 0)
    console.log(`\nunstable, failed beside other tests and passed alone:\n${listIndented(unstable)}`);
  const failedTests = totals.flatMap(({ failedFiles }) => failedFiles.flatMap(listFailedTests));
  if (failedTests.length + furtherFailures.length > 0)
    console.log(`\nfailed:\n${listIndented([...failedTests, ...furtherFailures])}`);
  if (passed === 0) console.log('\nno test ran');
  console.log(`\n${passed} passed, ${failed + furtherFailures.length} failed`);
  return failed + furtherFailures.length > 0 || passed === 0 ? 1 : 0;
}

/** Run what depends on the server's plans and versions again on the oldest supported PostgreSQL. */
async function runOnStockServer(): Promise<TestTotals> {
  const reason = existsSync(STOCK_SERVER_FOLDER) ? null : 'there is no postgresql-15';
  if (reason !== null)
    return {
      passed: 0,
      failed: 0,
      failedFiles: [],
      skipped: STOCK_SERVER_TESTS.map((file) => `${file} on PostgreSQL 15 (${reason})`),
    };
  console.log('\non PostgreSQL 15:');
  return runOnServer(STOCK_SERVER_FOLDER, (environment) =>
    runFiles(STOCK_SERVER_TESTS, environment, stopping.signal),
  );
}

function listFailedTests({ file, tests }: FailedFile): string[] {
  return [file, ...tests.map((test) => `  ${test}`)];
}

function listIndented(names: readonly string[]): string {
  return names.map((name) => `  ${name}`).join('\n');
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

async function findUnreachedActions(): Promise<string[]> {
  const reached = new Set((await readFile(ACTIONS_FILE, 'utf8').catch(() => '')).split('\n'));
  if (!reached.has('USER_REGISTERED')) {
    console.log('audit actions are not checked: run npm test first');
    return [];
  }
  return AUDIT_ACTION_NAMES.filter((name) => !reached.has(name)).map(
    (name) => `no test reaches the audit action ${name}`,
  );
}

async function runOnChange(files: string[], environment: Record<string, string>): Promise<number> {
  while (!stopping.signal.aborted) {
    await runOnce(files, environment);
    console.log('\nwaiting for a change (Ctrl-C stops)');
    while (!stopping.signal.aborted && !(await buildChanges())) await sleep(POLL_MS);
  }
  return 0;
}

async function buildSources(): Promise<boolean> {
  const changed = transpileChangedSources();
  const isBuilt = existsSync('packages/embedded-postgres/dist');
  if (!isBuilt || changed.some((file) => file.startsWith('packages/'))) await buildPackages();
  return changed.length > 0;
}

/** Build while a change may be incomplete; a syntax error is printed once per change. */
async function buildChanges(): Promise<boolean> {
  try {
    return await buildSources();
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    if (text !== lastSyntaxError) console.log(text);
    lastSyntaxError = text;
    return false;
  }
}

/** Create what a fresh clone lacks: generated sources, and tap without its TypeScript plugin (see .taprc). */
function completeInstallation(): void {
  if (!existsSync('src/generated/prisma/client.ts') || !existsSync('packages/client/src/generated'))
    runCommand('npm', 'run', 'build');
  // The plugins of .tap are linked into the installed tap; `npm ci` removes the link.
  if (!existsSync('node_modules/@tapjs/test/test-built/node_modules'))
    runCommand('node_modules/.bin/tap', 'build');
}

function runCommand(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
}
