// `npm test`: the direction of imports, then the whole test suite, or only the files and folders given,
// against a PostgreSQL of its own. Ends with a line "N passed, N failed".
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { checkImports, inWords } from './check-imports.ts';
import { runTap } from './testing/run-tap.ts';

process.exitCode = await main(process.argv.slice(2));

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
    const { passed, failed, notRun } = await runTap(files, database.environment, broken.signal);
    if (broken.signal.aborted) {
      console.log('\nbroken off');
      return 130;
    }
    const allFailed = failed + violations.length;
    if (notRun.length > 0) console.log(`\nnot run:\n${notRun.map((name) => `  ${name}`).join('\n')}`);
    if (passed === 0) console.log('\nno test ran');
    console.log(`\n${passed} passed, ${allFailed} failed`);
    return allFailed > 0 || passed === 0 ? 1 : 0;
  } finally {
    await database.stop();
  }
}

/** Makes what a fresh clone lacks: the generated client, and tap without its TypeScript plugin (see .taprc). */
function build(): void {
  if (!existsSync('src/generated/prisma/client.ts')) run('npm', 'run', 'build');
  // The plugins of .tap are linked into the installed tap; after an `npm ci` the link is missing.
  const isBuilt = existsSync('node_modules/@tapjs/test/test-built/node_modules');
  if (!isBuilt) run('node_modules/.bin/tap', 'build');
}

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
}
