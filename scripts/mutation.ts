// Remove guards one at a time and check that a test notices each. See test/mutation.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { exitWithUsage, readCommandArguments } from '../src/shared/command-usage.ts';
import { GUARDS } from '../test/mutation/all-guards.ts';
import { createSourceFinder, type Guard, parseRemoval } from './mutation/guards.ts';
import { createMutatedSource } from './mutation/mutated-source.ts';
import { type MutationResult, readFailure } from './mutation/outcome.ts';
import { removeGuard } from './mutation/remove-guard.ts';
import { runFiles } from './testing/run-files.ts';
import { transpileChangedSources } from './testing/transpile.ts';

const USAGE = `Usage:
  npm run test:mutation                     remove each guard of test/mutation, one at a time
  npm run test:mutation -- <text> …         only those with one of the texts: a test file, a name, words
  npm run test:mutation -- --from <number>  go on from this number
Ends with 0 when a test notices each of them.`;

interface NumberedGuard extends Guard {
  number: number;
}

const chosen = chooseGuards();
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
transpileChangedSources();
// Loaded after the build of packages/.
const { createTemplateWithoutTrigger, startTestDatabase } = await import('./testing/test-database.ts');
const database = await startTestDatabase();
try {
  process.exitCode = await runAll();
} finally {
  await database.stop();
}

async function runAll(): Promise<number> {
  const findSource = createSourceFinder();
  const missed: string[] = [];
  const startedAt = performance.now();
  let done = 0;
  for (const guard of chosen) {
    const mutated = await createMutation(guard, findSource);
    const { outcome, reason } = await runTest(guard, mutated.environment).finally(() => mutated.remove());
    if (stopping.signal.aborted) break;
    done++;
    const minutesLeft = Math.ceil(((performance.now() - startedAt) / 60_000 / done) * (chosen.length - done));
    console.log(`${outcome.padEnd(8)} ${format(guard)}, ${minutesLeft} min left`);
    if (outcome !== 'NOTICED') missed.push(`${outcome} ${format(guard)} ${reason}`);
  }
  for (const line of ['', ...missed]) console.log(line);
  console.log(`${done - missed.length} of ${done} noticed`);
  if (stopping.signal.aborted) console.log(`stopped: --from ${chosen[done]?.number} goes on`);
  return missed.length > 0 || stopping.signal.aborted ? 1 : 0;
}

async function createMutation({ removal }: Guard, findSource: (name: string) => string) {
  const parsed = parseRemoval(removal);
  if ('trigger' in parsed)
    return createTemplateWithoutTrigger(database.environment.TEST_OWNER_URL ?? '', parsed.trigger);
  const file = findSource(parsed.name);
  return createMutatedSource(file, removeGuard(parsed, readFileSync(file, 'utf8')));
}

/** Stop at the first assertion that fails. */
async function runTest({ test }: Guard, environment: Record<string, string>): Promise<MutationResult> {
  const lines: string[] = [];
  const variables = { ...database.environment, ...environment, TAP_BAIL: '1' };
  const { failed } = await runFiles([test], variables, stopping.signal, (line) => lines.push(line));
  return failed > 0 ? readFailure(test, lines) : { outcome: 'SURVIVED', reason: '' };
}

function format({ number, name, removal, test }: NumberedGuard): string {
  return `${number} ${name}: ${removal} (${test})`;
}

function chooseGuards(): NumberedGuard[] {
  const { from, texts } = readArguments();
  const guards = GUARDS.map((guard, index) => ({ ...guard, number: index + 1 })).filter(
    (guard) =>
      guard.number >= from && (texts.length === 0 || texts.some((text) => format(guard).includes(text))),
  );
  return guards.length > 0 ? guards : exitWithUsage(USAGE, 'There is no such guard.');
}

function readArguments(): { from: number; texts: string[] } {
  try {
    const { values, positionals } = parseArgs({
      args: readCommandArguments(USAGE, () => true),
      options: { from: { type: 'string' } },
      allowPositionals: true,
    });
    return { from: Number(values.from ?? 1), texts: positionals };
  } catch (error) {
    return exitWithUsage(USAGE, error instanceof Error ? error.message : undefined);
  }
}
