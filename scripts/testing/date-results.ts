import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** One JSON object a line, so that a stopped run loses nothing. */
const RESULTS_FILE = 'node_modules/.cache/qr-profile-service/date-results.jsonl';

export interface DateResult {
  /** The commit; results of another one do not count. */
  commit: string;
  date: string;
  file: string;
  hasPassed: boolean;
}

/** Read the result of a file from a line of the test runner; null for any other line. */
export function parseResultLine(line: string): { file: string; hasPassed: boolean } | null {
  const [, outcome, file] = /^(passed|FAILED) (\S+\.test\.ts) /.exec(line) ?? [];
  return file === undefined ? null : { file, hasPassed: outcome === 'passed' };
}

export function appendDateResult(result: DateResult, path = RESULTS_FILE): void {
  mkdirSync(dirname(path), { recursive: true });
  // The line break comes first: it ends a line that was cut off.
  appendFileSync(path, `\n${JSON.stringify(result)}`);
}

/** Read the results of a commit, of which the last of a file and a date counts. */
export function readDateResults(commit: string, path = RESULTS_FILE): DateResult[] {
  const results = new Map<string, DateResult>();
  for (const line of readTextIfExists(path).split('\n')) {
    const result = parseLine(line);
    if (result?.commit === commit) results.set(`${result.date} ${result.file}`, result);
  }
  return [...results.values()];
}

export function removeDateResults(path = RESULTS_FILE): void {
  rmSync(path, { force: true });
}

/** Format files as rows and dates as numbered columns: `.` passed, `F` failed, `-` not run. */
export function formatDateTable(
  files: readonly string[],
  dates: readonly string[],
  results: readonly DateResult[],
): string[] {
  const marks = new Map(
    results.map(({ date, file, hasPassed }) => [`${date} ${file}`, hasPassed ? '.' : 'F']),
  );
  const width = Math.max(...files.map(({ length }) => length));
  const formatRow = (name: string, cells: readonly string[]) =>
    `${name.padEnd(width)} ${cells.map((cell) => cell.padStart(2)).join(' ')}`;
  return [
    ...dates.map((date, index) => `${String(index + 1).padStart(2)} ${date}`),
    '',
    formatRow(
      '',
      dates.map((_, index) => String(index + 1)),
    ),
    ...files.map((file) =>
      formatRow(
        file,
        dates.map((date) => marks.get(`${date} ${file}`) ?? '-'),
      ),
    ),
  ];
}

/** Null for a line that a killed run cut off. */
function parseLine(line: string): DateResult | null {
  try {
    return JSON.parse(line) as DateResult;
  } catch {
    return null;
  }
}

function readTextIfExists(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
