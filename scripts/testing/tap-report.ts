/** What a run of tests came to. */
export interface TapResult {
  passed: number;
  failed: number;
  /** Tests that were not run, `file: name (reason)`. */
  notRun: string[];
}

/** Takes the lines of a TAP stream, one file of tests after another. */
export interface TapReport {
  /** Takes one line; answers the lines to show because of it. */
  take(line: string): string[];
  /** The result, with the exit code of what wrote the stream. */
  result(exitCode: number): TapResult;
}

const FILE =
  /^(?<not>not )?ok \d+ - (?<name>.*?)(?: # time=(?<time>[\d.]+)ms)?(?: # SKIP (?<skip>.*))?(?: \{)?$/;
const NOT_RUN = /^ +ok \d+ - (?<name>.*?) # (?:SKIP|TODO)(?: (?<reason>.*))?$/i;
const SUMMARY = /^# \{ total: \d+(?:, pass: (?<pass>\d+))?(?:, fail: (?<fail>\d+))?/;
const MOST_LINES = 400;

/**
 * Reads what `tap --reporter=tap` writes: a line for each file as it ends, with the failed tests of it and
 * what they say. A file in which nothing is tested counts as failed, since it would pass whatever happens.
 */
export function createTapReport(): TapReport {
  let block: string[] = [];
  const counts = { pass: 0, fail: 0, empty: 0 };
  const notRun: string[] = [];

  return {
    take(line) {
      block.push(line);
      const summary = SUMMARY.exec(line)?.groups;
      if (summary) {
        counts.pass = Number(summary.pass ?? 0);
        counts.fail = Number(summary.fail ?? 0);
      }
      const file = FILE.exec(line)?.groups;
      if (!file) return [];
      const { name = '', not, skip, time } = file;
      const skipped = block.flatMap((text) => testNotRun(name, text));
      if (skip && skip !== 'no tests found') skipped.push(`${name} (${skip})`);
      notRun.push(...skipped);
      const empty = skip === 'no tests found';
      if (empty) counts.empty += 1;
      const shown = [
        `${not || empty ? 'FAILED' : skip ? 'not run' : 'passed'} ${name}${seconds(time)}`,
        ...(empty ? ['  there is no test in it'] : []),
        ...(not ? failures(block) : []),
        ...skipped.map((text) => `  not run: ${text}`),
      ];
      block = [];
      return shown;
    },
    result(exitCode) {
      const failed = counts.fail + counts.empty;
      // A stream that broke off has no summary, or one that says nothing of the end.
      return { passed: counts.pass, failed: failed === 0 && exitCode !== 0 ? 1 : failed, notRun };
    },
  };
}

function testNotRun(file: string, line: string): string[] {
  const test = NOT_RUN.exec(line)?.groups;
  return test ? [`${file}: ${test.name}${test.reason ? ` (${test.reason})` : ''}`] : [];
}

function seconds(milliseconds: string | undefined): string {
  return milliseconds ? ` ${(Number(milliseconds) / 1000).toFixed(1)} s` : '';
}

/** The lines of failed points with what is said about them. */
function failures(block: readonly string[]): string[] {
  const kept: string[] = [];
  let keeping = false;
  for (const line of block) {
    if (/^\s*not ok /.test(line)) keeping = true;
    else if (/^\s*(ok \d|# Subtest|\d+\.\.\d+)/.test(line)) keeping = false;
    if (keeping && line.trim() !== '') kept.push(line);
  }
  return kept.length > MOST_LINES ? [...kept.slice(0, MOST_LINES), '  …'] : kept;
}
