// `npm run check`: everything about a change that needs no test. Every check runs, whatever the others find.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { exitWithUsage, readCommandArguments } from '../src/shared/command-usage.ts';

interface Check {
  description: string;
  command: readonly [string, ...string[]];
  /** What repairs it, if a command does. */
  repair?: string;
}

const CHECKS: Readonly<Record<string, Check>> = {
  // First, because it writes the types of the client, which the types need.
  generated: {
    description: 'generated files are those of the sources',
    command: ['tsx', 'scripts/run-transpiled.ts', 'scripts/docs/generate.ts', '--check'],
    repair: 'npm run docs',
  },
  types: { description: 'types', command: ['tsc', '--noEmit', '--checkers', '2'] },
  lint: { description: 'format and lint', command: ['biome', 'check', '.'], repair: 'npm run lint -- --fix' },
  imports: {
    description: 'imports keep the rules of .dependency-cruiser.mjs',
    command: [
      'depcruise',
      'src',
      'packages/*/src',
      '--config',
      '.dependency-cruiser.mjs',
      '--output-type',
      'err-long',
    ],
  },
  names: {
    description: 'names have no word that docs/glossary.md replaces',
    command: ['tsx', 'scripts/check-names.ts'],
  },
  messages: {
    description: 'message catalogues have the same keys in the same order and no English left',
    command: ['tsx', 'scripts/i18n/check.ts'],
  },
};

/** Checks that run one after another; the sequences run side by side. */
const SEQUENCES = [
  ['generated', 'types'],
  ['imports', 'lint', 'names', 'messages'],
];

const USAGE = `Usage:
  npm run check              all checks: ${Object.keys(CHECKS).join(', ')}
  npm run check -- <name> …  only these
  npm run lint               lint, imports and names
  npm run lint -- --fix      repairs format and lint`;

const isFix = process.argv.includes('--fix');
const words = readCommandArguments(USAGE, () => true).filter((word) => word !== '--fix');
// Only lint can repair.
const names = isFix && words.every((word) => ['lint', 'imports', 'names'].includes(word)) ? ['lint'] : words;
const unknown = names.find((name) => !Object.hasOwn(CHECKS, name));
if (unknown !== undefined) exitWithUsage(USAGE, `There is no check ${unknown}.`);

const failed: string[] = [];
await Promise.all(SEQUENCES.map(runSequence));
if (failed.length > 0) console.log(`\nfailed: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;

async function runSequence(sequence: readonly string[]): Promise<void> {
  for (const name of sequence) if (names.length === 0 || names.includes(name)) await runCheck(name);
}

async function runCheck(name: string): Promise<void> {
  const { description, command, repair } = CHECKS[name] as Check;
  const [program, ...words] = command;
  const startedAt = performance.now();
  const child = spawn(
    join('node_modules/.bin', program),
    isFix && name === 'lint' ? [...words, '--write'] : words,
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (code === 0) {
    console.log(`ok      ${name}: ${description} (${seconds} s)`);
    return;
  }
  failed.push(name);
  console.log(`${output}${errors}`.trimEnd());
  console.log(`FAILED  ${name}: ${description} (${seconds} s)${repair ? `; ${repair}` : ''}`);
}
