// Run the tests that depend on the calendar under other dates. The last line is "N passed, N failed".
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { exitWithUsage } from '../src/shared/command-usage.ts';
import { chooseDateFiles } from './testing/date-files.ts';
import {
  appendDateResult,
  formatDateTable,
  parseResultLine,
  readDateResults,
  removeDateResults,
} from './testing/date-results.ts';
import { createFakeDateEnvironment, findFakeTimeLibrary, toUpcomingDate } from './testing/fake-date.ts';
import { findTests } from './testing/run-files.ts';

const USAGE = `Usage:
  npm run test:dates                        the tests that depend on the calendar, under every date
  npm run test:dates -- <file or folder> …  only these
  npm run test:dates -- --date 2028-02-29   only under this date (repeatable), at noon or with a time: 2026-12-31T23:59
  npm run test:dates -- --quick             three dates, and only tests without a database
  npm run test:dates -- --again             forget the results of a stopped run
A stopped run goes on where it was, until the next commit. Needs Linux and Debian's faketime.`;

/** Ends of months and years, leap days, the minutes before clocks change, and dates on which a test has failed. */
const DATES = [
  '2026-11-28T12:00',
  '2026-12-31T23:59',
  '2027-01-01T00:00',
  '2027-01-04T00:00',
  '2027-01-30T12:00',
  '2027-02-28T12:00',
  '2027-03-14T06:59',
  '2027-03-28T00:59',
  '2027-04-30T23:59',
  '2027-05-31T12:00',
  '2027-06-15T12:00',
  '2027-07-31T12:00',
  '2027-08-28T12:00',
  '2027-09-30T12:00',
  '2027-10-13T12:00',
  '2027-10-31T00:59',
  '2027-11-07T05:59',
  '2027-12-31T12:00',
  '2028-01-29T12:00',
  '2028-02-28T23:59',
  '2028-02-29T12:00',
  '2028-03-01T00:00',
  '2028-12-31T23:59',
  '2032-01-31T12:00',
  '2032-02-29T12:00',
  '2032-10-31T00:59',
];

const QUICK_DATES = ['2026-11-28T12:00', '2026-12-31T23:59', '2028-02-29T12:00'];

const { values: options, positionals: names } = readArguments();
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());
process.exitCode = await runDates();

async function runDates(): Promise<number> {
  const library = findFakeTimeLibrary();
  if (!library) {
    console.log('libfaketime is missing: install faketime (Debian, Ubuntu).');
    return 1;
  }
  const chosen = chooseDateFiles(await findTests(names, 'test'));
  const files = chosen.filter((one) => !options.quick || !one.needsDatabase).map(({ file }) => file);
  const dates = options.date ?? (options.quick ? QUICK_DATES : DATES).map((date) => toUpcomingDate(date));
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  if (options.again) removeDateResults();
  for (const [index, date] of dates.entries()) {
    const passed = readDateResults(commit).filter((one) => one.date === date && one.hasPassed);
    const waiting = files.filter((file) => passed.every((one) => one.file !== file));
    if (waiting.length === 0) continue;
    console.log(`\n${date} (${index + 1} of ${dates.length})`);
    await runFilesAt(date, waiting, library, commit);
    if (stopping.signal.aborted) {
      console.log('stopped; the same command goes on');
      return 130;
    }
  }
  return report(files, dates, commit);
}

/** Run files and keep each result at once. A file without a result has failed. */
async function runFilesAt(date: string, files: string[], library: string, commit: string): Promise<void> {
  const environment = createFakeDateEnvironment(library, parseDate(date));
  const flags = options.quick ? ['--without-database'] : [];
  const child = spawn(process.execPath, ['--import=tsx', 'scripts/test.ts', ...flags, ...files], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = () => child.kill('SIGTERM');
  stopping.signal.addEventListener('abort', stop, { once: true });
  const closed = once(child, 'close');
  const missing = new Set(files);
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line);
    const result = parseResultLine(line);
    if (!result) continue;
    appendDateResult({ commit, date, ...result });
    missing.delete(result.file);
  }
  await closed;
  stopping.signal.removeEventListener('abort', stop);
  if (stopping.signal.aborted) return;
  for (const file of missing) appendDateResult({ commit, date, file, hasPassed: false });
}

function report(files: readonly string[], dates: readonly string[], commit: string): number {
  const results = readDateResults(commit).filter(
    ({ date, file }) => dates.includes(date) && files.includes(file),
  );
  const failed = results.filter(({ hasPassed }) => !hasPassed);
  console.log(`\n${formatDateTable(files, dates, results).join('\n')}`);
  for (const { file, date } of failed) console.log(`FAILED ${file} on ${date}`);
  console.log(`\n${results.length - failed.length} passed, ${failed.length} failed`);
  return failed.length > 0 || results.length === 0 ? 1 : 0;
}

function parseDate(text: string): Date {
  return new Date(/T/.test(text) ? `${text}Z` : `${text}T12:00Z`);
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      options: {
        date: { type: 'string', multiple: true },
        quick: { type: 'boolean' },
        again: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
      allowPositionals: true,
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const wrong = values.date?.find((date) => Number.isNaN(parseDate(date).getTime()));
    if (wrong !== undefined) return exitWithUsage(USAGE, `${wrong} is not a date.`);
    return { values, positionals };
  } catch (error) {
    return exitWithUsage(USAGE, error instanceof Error ? error.message : undefined);
  }
}
