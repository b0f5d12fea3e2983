import { mkdir, writeFile } from 'node:fs/promises';
import { arch, cpus, platform, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { readCommandArguments } from '../src/shared/command-usage.ts';
import { BENCHMARKS } from './catalogue.ts';
import { type BenchOptions, parseBenchOptions } from './options.ts';
import { formatTable, type ReportedMeasurement, summarizeMeasurement } from './table.ts';

const NAMES = BENCHMARKS.map(({ name }) => name);

const USAGE = `Usage:
  npm run bench                        list the benchmarks
  npm run bench -- <name> … [options]  measure the service against baselines on this machine, in alternating rounds
  npm run bench -- data <scans>        fill the database of the service: an organization with so many scans over three
                                       years, and other users with a twentieth as many; prints the account to log in with
Options:
  --rounds <n>         rounds (default 6)
  --seconds <n>        seconds of load in a round (default 4)
  --percent <n>        a part of the rows; the results are not meaningful
  --json <file>        write the table as JSON (default tmp/bench.json)
  --data <folder>      cache generated scans for a day in this folder, which every user may enter
  --postgres <folder>  the PostgreSQL whose programs are there, where no service is started
Starts its own service with an embedded database in a temporary folder. Prints medians, and the median, minimum and
maximum of the ratios per round. Exits with 1 if a goal is missed.`;

const args = readCommandArguments(USAGE, isValid);
if (args.length === 0) listBenchmarks();
else if (args[0] === 'data') await (await import('./data/fill-database.ts')).fillDatabase(Number(args[1]));
else process.exit(await measure(parseBenchOptions(args, NAMES)));

function isValid(words: readonly string[]): boolean {
  if (words[0] === 'data') return words.length === 2 && /^[1-9]\d{2,8}$/.test(words[1] ?? '');
  return words.length === 0 || parseBenchOptions(words, NAMES) !== null;
}

function listBenchmarks(): void {
  const width = Math.max(...NAMES.map((name) => name.length));
  for (const { name, summary } of BENCHMARKS) console.log(`${name.padEnd(width)}  ${summary}`);
  console.log('\nnpm run bench -- <name> … --help shows the options.');
}

async function measure(options: BenchOptions | null): Promise<number> {
  if (!options) throw new Error('Invalid arguments.');
  // Loads the application, which takes seconds.
  const { runBenchmarks } = await import('./run-benchmarks.ts');
  const lines = (await runBenchmarks(options)).map(summarizeMeasurement);
  const missed = lines.filter(isMissed).length;
  const result = { machine: describeMachine(), measuredAt: new Date().toISOString(), ...options, lines };
  await mkdir(dirname(options.json), { recursive: true });
  await writeFile(options.json, `${JSON.stringify(result, null, 2)}\n`);
  console.log(`\n${formatTable(lines)}\n`);
  console.log(
    missed === 0 ? 'Every goal is reached.' : `${missed} of ${lines.length} lines miss their goal.`,
  );
  console.log(`${result.machine}; also in ${options.json}`);
  return missed === 0 ? 0 : 1;
}

function isMissed({ isGoalReached, failed }: ReportedMeasurement): boolean {
  return isGoalReached === false || failed > 0;
}

function describeMachine(): string {
  const [first] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} cores (${first?.model.trim() ?? 'unknown'}), ${gigabytes} GiB, ${platform()} ${arch()}, Node ${process.versions.node}`;
}
