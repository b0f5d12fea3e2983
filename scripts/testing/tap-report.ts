import { findFailures } from './tap-failures.ts';

export interface TestTotals {
  passed: number;
  failed: number;
  failedFiles: FailedFile[];
  /** Skipped tests as `file: name (reason)`. */
  skipped: string[];
}

export interface FailedFile {
  file: string;
  /** The title of each failed test, or why there is none. */
  tests: string[];
}

/** Result of a file, which a worker writes as a comment after its TAP. */
export interface FileResult {
  file: string;
  isEmpty: boolean;
  passed: number;
  failed: number;
}

export const FILE_RESULT_PREFIX = '# file result ';

export const READY_MESSAGE = 'ready';

const SKIPPED_TEST_PATTERN = /^ +ok \d+ - (?<name>.*?) # (?:SKIP|TODO)(?: (?<reason>.*))?$/i;
const MAX_FAILURES = 20;

/** Parse a line of output as a result; returns null for any other line. */
export function parseFileResult(line: string): FileResult | null {
  return line.startsWith(FILE_RESULT_PREFIX)
    ? (JSON.parse(line.slice(FILE_RESULT_PREFIX.length)) as FileResult)
    : null;
}

/**
 * Format the report of one test file: a summary line, then its failed tests with diagnostics. A file without tests
 * counts as failed, because it would always pass; so does a file whose process exited early.
 * @param lines its output (TAP 14)
 * @param end its result, or how its process ended
 */
export function reportFile(
  file: string,
  lines: readonly string[],
  end: FileResult | { exit: string },
  seconds: number,
): TestTotals & { lines: string[] } {
  const problem =
    'exit' in end ? `its process ended ${end.exit}` : end.isEmpty ? 'there is no test in it' : null;
  const failedCount = 'exit' in end ? 0 : end.failed;
  const failed = problem ? Math.max(failedCount, 1) : failedCount;
  const failures = failed > 0 ? findFailures(lines) : [];
  const titles = failures.map((failure) => failure.titles.join(' > ') || 'outside of a test');
  const skipped = lines.flatMap((line) => formatSkippedTest(file, line));
  return {
    passed: 'exit' in end || end.isEmpty ? 0 : end.passed,
    failed,
    failedFiles:
      failed > 0 ? [{ file, tests: [...new Set([...(problem ? [problem] : []), ...titles])] }] : [],
    skipped,
    lines: [
      `${failed > 0 ? 'FAILED' : 'passed'} ${file} ${seconds.toFixed(1)} s`,
      ...(problem ? [`  ${problem}`] : []),
      ...failures.slice(0, MAX_FAILURES).flatMap((failure) => failure.lines.map((line) => `  ${line}`)),
      ...(failures.length > MAX_FAILURES ? [`  and ${failures.length - MAX_FAILURES} more`] : []),
      ...skipped.map((text) => `  skipped: ${text}`),
    ],
  };
}

function formatSkippedTest(file: string, line: string): string[] {
  const test = SKIPPED_TEST_PATTERN.exec(line)?.groups;
  return test ? [`${file}: ${test.name}${test.reason ? ` (${test.reason})` : ''}`] : [];
}
