// Measure the service against baselines on this machine, in alternating rounds. Exits with 1 if a goal is missed.
//   npm run bench                        all rows
//   npm run bench -- scan cursor         some rows: scan, scan-one-code, scan-alone, page, pgbench, image, code-list,
//                                        scan-list, cursor, cards, export, statistics
//   npm run bench -- --rounds 2 --seconds 1 --percent 5   fewer and shorter rounds (default 6 of 4 s) and a part of
//                                        the scans; the results are not meaningful
//   npm run bench -- --json <file>       write the table as JSON to this file; default tmp/bench.json
//   npm run bench -- --data <folder>     cache the generated scans for a day in this folder, which every user may enter;
//                                        generating them takes longer than measuring
// Prints a table of medians, and of the ratios per round: median, minimum and maximum. Starts its own service with an
// embedded database and generated scans in a temporary folder.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseBenchOptions } from './bench-options.ts';
import { describeMachine } from './describe-machine.ts';
import { readOptions } from './read-arguments.ts';
import { BENCH_ROWS } from './rows/all-rows.ts';
import { runRows } from './run-rows.ts';
import { formatTable, summarizeMeasurement } from './table.ts';

const choice = readOptions(import.meta.url, parseChoice);

const lines = (await runRows(choice)).map(summarizeMeasurement);
const missed = lines.filter(({ isGoalReached, failed }) => isGoalReached === false || failed > 0).length;
const measurements = { ...describeMachine(), measuredAt: new Date().toISOString(), ...choice, lines };
await mkdir(dirname(choice.json), { recursive: true });
await writeFile(choice.json, `${JSON.stringify(measurements, null, 2)}\n`);
console.log(`\n${formatTable(lines)}\n`);
console.log(missed === 0 ? 'Every goal is reached.' : `${missed} of ${lines.length} lines miss their goal.`);
console.log(`${measurements.machine}; also in ${choice.json}`);
process.exit(missed === 0 ? 0 : 1);

function parseChoice(args: readonly string[]) {
  return parseBenchOptions(
    args,
    BENCH_ROWS.map(({ name }) => name),
  );
}
