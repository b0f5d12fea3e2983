// `npm test`: the direction of imports, then the whole test suite, or only the files and folders given,
// against a PostgreSQL of its own. A whole run must reach every action of the audit trail. Ends with a line "N passed, N failed".
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AUDIT_ACTION_NAMES } from '../src/shared/audit-actions.ts';
import { readWords } from '../src/shared/usage.ts';
import { checkImports, inWords } from './check-imports.ts';
import { COMPILED, runTap } from './testing/run-tap.ts';

const USAGE = `Usage:
  npm test                           the direction of imports, then all tests
  npm test -- <file or folder> …     only these tests
  npm run bench:foreign-ids          the test of other people's ids, with 10,000 of them
Brings a PostgreSQL of its own. Ends with 0 when all passed, with 1 when one failed or none ran.`;

process.exitCode = await main(readWords(USAGE, (words) => words.every((word) => existsSync(word))));

async function main(files: string[]): Promise<number> {
  const broken = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => broken.abort());
  build();
  // With files to run somebody is in the middle of a change.
  const violations = files.length === 0 ? await checkImports('.') : [];
  for (const violation of violations) console.log(`FAILED ${inWords(violation)}`);

  const { startTestDatabase } = await import('./testing/test-database.ts');
  const database = await startTestDatabase();
  try {
    const actions = await mkdtemp(join(tmpdir(), 'qr-actions-'));
    const actionsFile = join(actions, 'seen');
    const environment = { ...database.environment, TEST_ACTIONS_FILE: actionsFile };
    const { passed, failed, notRun } = await runTap(files, environment, broken.signal);
    const unreached = files.length === 0 ? unreachedActions(await readFile(actionsFile, 'utf8')) : [];
    await rm(actions, { recursive: true });
    if (broken.signal.aborted) {
      console.log('\nbroken off');
      return 130;
    }
    for (const action of unreached) console.log(`FAILED no test reaches the audit action ${action}`);
    const allFailed = failed + violations.length + unreached.length;
    if (notRun.length > 0) console.log(`\nnot run:\n${notRun.map((name) => `  ${name}`).join('\n')}`);
    if (passed === 0) console.log('\nno test ran');
    console.log(`\n${passed} passed, ${allFailed} failed`);
    return allFailed > 0 || passed === 0 ? 1 : 0;
  } finally {
    await database.stop();
  }
}

/** The actions of the audit trail that no database of the whole run has an entry of. */
function unreachedActions(seen: string): string[] {
  const reached = new Set(seen.split('\n'));
  return AUDIT_ACTION_NAMES.filter((name) => !reached.has(name));
}

/**
 * Compiles the commands and the server, which tests run as they are run in earnest, and the tests; makes what a fresh clone
 * lacks: the generated client, and tap without its TypeScript plugin (see .taprc).
 */
function build(): void {
  if (!existsSync('src/generated/prisma/client.ts')) run('npm', 'run', '--silent', 'build');
  else run('node_modules/.bin/tsc', '-p', 'tsconfig.build.json');
  run('node_modules/.bin/tsc', '-p', 'tsconfig.tests.json');
  // What sources find from where they are, and what is no source.
  for (const file of readdirSync('test', { recursive: true, encoding: 'utf8' }))
    if (file.endsWith('.mjs')) cpSync(join('test', file), join(COMPILED, 'test', file));
  cpSync('package.json', join(COMPILED, 'package.json'));
  rmSync(join(COMPILED, 'prisma'), { recursive: true, force: true });
  cpSync('prisma/migrations', join(COMPILED, 'prisma', 'migrations'), { recursive: true });
  cpSync('locales', join(COMPILED, 'locales'), { recursive: true });
  // The plugins of .tap are linked into the installed tap; after an `npm ci` the link is missing.
  const isBuilt = existsSync('node_modules/@tapjs/test/test-built/node_modules');
  if (!isBuilt) run('node_modules/.bin/tap', 'build');
}

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
}
