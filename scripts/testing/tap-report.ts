/** What a test file, or a run of them, came to. */
export interface TapResult {
  passed: number;
  failed: number;
  /** Tests that were not run, `file: name (reason)`. */
  notRun: string[];
}

/** How the process of a test file ended. */
export interface FileEnd {
  /** Null where it was ended by a signal. */
  exitCode: number | null;
  seconds: number;
}

const NOT_RUN = /^ +ok \d+ - (?<name>.*?) # (?:SKIP|TODO)(?: (?<reason>.*))?$/i;
const SUMMARY = /^# \{ total: \d+(?:, pass: (?<pass>\d+))?(?:, fail: (?<fail>\d+))?/;
const NOTHING = /^1\.\.0 # (?<reason>.*)$/;
const NO_TESTS = 'no tests found';
const MOST_LINES = 400;

/**
 * Reads what one test file wrote (TAP 14): a line that says how it went, with its failed tests and what they say. A file in
 * which nothing is tested counts as failed, since it would pass whatever happens; so does one whose process ended with an error.
 */
export function reportOf(
  name: string,
  lines: readonly string[],
  { exitCode, seconds }: FileEnd,
): TapResult & { shown: string[] } {
  const summary = lines.map((line) => SUMMARY.exec(line)?.groups).find((found) => found !== undefined);
  const nothing = lines
    .map((line) => NOTHING.exec(line)?.groups?.reason)
    .find((found) => found !== undefined);
  const isEmpty = nothing === NO_TESTS;
  const skipped = nothing !== undefined && !isEmpty && exitCode === 0;
  const notRun = skipped ? [`${name} (${nothing})`] : lines.flatMap((line) => testNotRun(name, line));
  const counted = Number(summary?.fail ?? 0);
  // One that broke off has no summary, or one that says nothing of the end.
  const isBroken = exitCode !== 0 || isEmpty || (!summary && !skipped);
  const failed = counted === 0 && isBroken ? 1 : counted;
  return {
    passed: Number(summary?.pass ?? 0),
    failed,
    notRun,
    shown: [
      `${failed > 0 ? 'FAILED' : skipped ? 'not run' : 'passed'} ${name} ${seconds.toFixed(1)} s`,
      ...(isEmpty ? ['  there is no test in it'] : []),
      ...(failed > 0 ? failures(lines) : []),
      ...(failed > 0 && counted === 0
        ? [`  its process ended ${exitCode === null ? 'by a signal' : `with ${exitCode}`}`]
        : []),
      ...notRun.map((text) => `  not run: ${text}`),
    ],
  };
}

function testNotRun(file: string, line: string): string[] {
  const test = NOT_RUN.exec(line)?.groups;
  return test ? [`${file}: ${test.name}${test.reason ? ` (${test.reason})` : ''}`] : [];
}

/** The lines of failed points with what is said about them. */
function failures(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let keeping = false;
  for (const line of lines) {
    if (/^\s*not ok /.test(line)) keeping = true;
    else if (/^\s*(ok \d|# |\d+\.\.\d+)/.test(line)) keeping = false;
    if (keeping && line.trim() !== '') kept.push(line);
  }
  return kept.length > MOST_LINES ? [...kept.slice(0, MOST_LINES), '  …'] : kept;
}
