// Remove guards one at a time and check that a test notices each. See test/mutation.
import { parseArgs } from 'node:util';
import { exitWithUsage, readCommandArguments } from '../src/shared/command-usage.ts';
import { MUTATIONS, type MutationArea, STRICT_AREAS } from '../test/mutation/all-mutations.ts';
import { createMutatedSource, type Mutation, parseTestName } from './testing/mutation.ts';
import { type MutationResult, readFailure } from './testing/mutation-outcome.ts';
import { appendResult, computeMutationKey, readEarlierResults } from './testing/mutation-results.ts';
import { runFiles } from './testing/run-files.ts';
import { transpileChangedSources } from './testing/transpile.ts';

const MIN_NOTICED_PERCENT = 95;

const USAGE = `Usage:
  npm run test:mutation                     remove each guard of test/mutation, one at a time
  npm run test:mutation -- --area <area>    only those of an area: ${Object.keys(MUTATIONS).join(', ')}
  npm run test:mutation -- --from <number>  go on from this number
  npm run test:mutation -- --only <number>  only this one
  npm run test:mutation -- --again          also those that have a result
Results but unclear ones are kept until the guard, its file or its tests change: a run that was stopped goes on where it was.
Ends with 0 when tests notice ${MIN_NOTICED_PERCENT} % of all, and every one in ${STRICT_AREAS.join(', ')}.`;

type NumberedMutation = Mutation & { number: number; area: MutationArea };

const { area, from, only, again } = readArguments();
const all: NumberedMutation[] = Object.entries(MUTATIONS)
  .flatMap(([name, mutations]) => mutations.map((one) => ({ ...one, area: name as MutationArea })))
  .map((one, index) => ({ ...one, number: index + 1 }));
const chosen = all.filter(
  (one) => (!area || one.area === area) && one.number >= from && (only === null || one.number === only),
);
if (chosen.length === 0) exitWithUsage(USAGE, 'There is no such guard.');

const earlierResults = readEarlierResults();
const results = new Map<number, MutationResult>();
if (!again)
  for (const one of chosen) {
    const result = earlierResults.get(computeMutationKey(one));
    if (result) results.set(one.number, result);
  }
const waiting = chosen.filter(({ number }) => !results.has(number));
if (results.size > 0) console.log(`${results.size} results are kept, ${waiting.length} guards are left`);

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
if (waiting.length > 0) await runWaiting();
process.exitCode = report();

async function runWaiting(): Promise<void> {
  transpileChangedSources();
  // Loaded after the build of packages/.
  const { createMutatedTemplate, startTestDatabase } = await import('./testing/test-database.ts');
  const database = await startTestDatabase();
  const startedAt = performance.now();
  try {
    for (const [index, mutation] of waiting.entries()) {
      const key = computeMutationKey(mutation);
      const mutationStartedAt = performance.now();
      const mutated =
        'sql' in mutation
          ? await createMutatedTemplate(database.environment.TEST_OWNER_URL ?? '', mutation.sql)
          : createMutatedSource(mutation);
      const environment = { ...database.environment, ...mutated.environment, TAP_BAIL: '1' };
      const result = await runTests(mutation, environment).finally(() => mutated.remove());
      if (stopping.signal.aborted) break;
      const seconds = (performance.now() - mutationStartedAt) / 1000;
      results.set(mutation.number, result);
      if (result.outcome !== 'UNCLEAR') appendResult({ key, ...result, seconds: Math.round(seconds) });
      const minutesEach = (performance.now() - startedAt) / 60_000 / (index + 1);
      const minutesLeft = Math.ceil(minutesEach * (waiting.length - index - 1));
      console.log(
        `${result.outcome.padEnd(8)} ${format(mutation)} ${seconds.toFixed(1)} s, ${minutesLeft} min left`,
      );
    }
  } finally {
    await database.stop();
  }
}

/** Stop at the first assertion that fails. */
async function runTests(mutation: Mutation, environment: Record<string, string>): Promise<MutationResult> {
  let result: MutationResult = { outcome: 'SURVIVED', reason: '' };
  for (const { file, title } of mutation.tests.map(parseTestName)) {
    const lines: string[] = [];
    const variables = title ? { ...environment, TEST_TITLE: title } : environment;
    const { failed } = await runFiles([file], variables, stopping.signal, (line) => lines.push(line));
    if (failed > 0) result = readFailure(file, lines);
    if (result.outcome === 'NOTICED') return result;
  }
  return result;
}

function report(): number {
  console.log('');
  for (const one of chosen) {
    const result = results.get(one.number);
    if (result && result.outcome !== 'NOTICED')
      console.log(`${result.outcome} ${format(one)} ${result.reason}`);
  }
  for (const name of new Set(chosen.map((one) => one.area)))
    console.log(
      formatRate(
        name,
        chosen.filter((one) => one.area === name),
      ),
    );
  console.log(formatRate('all', chosen));
  if (results.size < chosen.length) console.log('stopped; the same command goes on');
  const missed = chosen.filter((one) => !isNoticed(one));
  const isRateReached = (missed.length / chosen.length) * 100 <= 100 - MIN_NOTICED_PERCENT;
  return isRateReached && !missed.some((one) => STRICT_AREAS.includes(one.area)) ? 0 : 1;
}

function formatRate(name: string, mutations: readonly NumberedMutation[]): string {
  const tried = mutations.filter(({ number }) => results.has(number));
  const noticed = tried.filter(isNoticed).length;
  const percent = tried.length === 0 ? 0 : (noticed / tried.length) * 100;
  return `${name}: ${noticed} of ${tried.length} noticed (${percent.toFixed(1)} %), ${mutations.length} guards`;
}

function isNoticed({ number }: NumberedMutation): boolean {
  return results.get(number)?.outcome === 'NOTICED';
}

function format({ number, area: name, file, guard }: NumberedMutation): string {
  return `${number}/${all.length} ${name}: ${guard} (${file})`;
}

function readArguments(): { area: string | undefined; from: number; only: number | null; again: boolean } {
  try {
    const { values } = parseArgs({
      args: readCommandArguments(USAGE, () => true),
      options: {
        area: { type: 'string' },
        from: { type: 'string' },
        only: { type: 'string' },
        again: { type: 'boolean' },
      },
    });
    if (values.area !== undefined && !(values.area in MUTATIONS)) throw new Error('There is no such area.');
    return {
      area: values.area,
      from: Number(values.from ?? 1),
      only: values.only === undefined ? null : Number(values.only),
      again: values.again ?? false,
    };
  } catch (error) {
    return exitWithUsage(USAGE, error instanceof Error ? error.message : undefined);
  }
}
