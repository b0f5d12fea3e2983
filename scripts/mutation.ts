// Remove guards one at a time and check that a test notices each. See test/mutation.
import { parseArgs } from 'node:util';
import { exitWithUsage, readCommandArguments } from '../src/shared/command-usage.ts';
import { MUTATIONS, type MutationArea, STRICT_AREAS } from '../test/mutation/all-mutations.ts';
import { createMutatedSource, type Mutation } from './testing/mutation.ts';
import { runFiles } from './testing/run-files.ts';
import { transpileChangedSources } from './testing/transpile.ts';

const MIN_NOTICED_PERCENT = 95;

const USAGE = `Usage:
  npm run test:mutation                     remove each guard of test/mutation, one at a time
  npm run test:mutation -- --area <area>    only those of an area: ${Object.keys(MUTATIONS).join(', ')}
  npm run test:mutation -- --from <number>  go on from this number
  npm run test:mutation -- --only <number>  only this one
Ends with 0 when tests notice ${MIN_NOTICED_PERCENT} % of all, and every one in ${STRICT_AREAS.join(', ')}.`;

interface NumberedMutation extends Mutation {
  number: number;
  area: MutationArea;
}

const { area, from, only } = readArguments();
const all: NumberedMutation[] = Object.entries(MUTATIONS)
  .flatMap(([name, mutations]) => mutations.map((one) => ({ ...one, area: name as MutationArea })))
  .map((one, index) => ({ ...one, number: index + 1 }));
const chosen = all.filter(
  (one) => (!area || one.area === area) && one.number >= from && (only === null || one.number === only),
);
if (chosen.length === 0) exitWithUsage(USAGE, 'There is no such guard.');

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
transpileChangedSources();
// Loaded after the build of packages/.
const { startTestDatabase } = await import('./testing/test-database.ts');
const database = await startTestDatabase();
const survivors: NumberedMutation[] = [];
let done = 0;
try {
  for (const mutation of chosen) {
    const startedAt = performance.now();
    const isNoticed = await runTests(mutation);
    if (stopping.signal.aborted) break;
    done += 1;
    if (!isNoticed) survivors.push(mutation);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`${isNoticed ? 'noticed ' : 'SURVIVED'} ${format(mutation)} ${seconds} s`);
  }
} finally {
  await database.stop();
}
process.exitCode = report();

/** Stop at the first test file that fails. */
async function runTests(mutation: NumberedMutation): Promise<boolean> {
  const source = createMutatedSource(mutation);
  try {
    for (const file of mutation.tests) {
      const environment = { ...database.environment, ...source.environment };
      const { failed } = await runFiles([file], environment, stopping.signal, () => {});
      if (failed > 0) return true;
    }
    return false;
  } finally {
    source.remove();
  }
}

function report(): number {
  const percent = done === 0 ? 0 : ((done - survivors.length) / done) * 100;
  if (survivors.length > 0)
    console.log(`\nnot noticed:\n${survivors.map((one) => `  ${format(one)}`).join('\n')}`);
  console.log(`\n${done - survivors.length} of ${done} noticed (${percent.toFixed(1)} %)`);
  if (done < chosen.length) console.log(`stopped; go on with --from ${chosen[done]?.number}`);
  const isStrictSurvivor = survivors.some((one) => STRICT_AREAS.includes(one.area));
  return done < chosen.length || percent < MIN_NOTICED_PERCENT || isStrictSurvivor ? 1 : 0;
}

function format({ number, area: name, file, guard }: NumberedMutation): string {
  return `${number}/${all.length} ${name}: ${guard} (${file})`;
}

function readArguments(): { area: string | undefined; from: number; only: number | null } {
  try {
    const { values } = parseArgs({
      args: readCommandArguments(USAGE, () => true),
      options: { area: { type: 'string' }, from: { type: 'string' }, only: { type: 'string' } },
    });
    if (values.area !== undefined && !(values.area in MUTATIONS)) throw new Error('There is no such area.');
    return {
      area: values.area,
      from: Number(values.from ?? 1),
      only: values.only === undefined ? null : Number(values.only),
    };
  } catch (error) {
    return exitWithUsage(USAGE, error instanceof Error ? error.message : undefined);
  }
}
