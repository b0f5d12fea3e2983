/** Only a failing assertion notices a guard: a process that ends, a time limit or a busy service prove nothing. */
export type MutationOutcome = 'NOTICED' | 'SURVIVED' | 'UNCLEAR';

export interface MutationResult {
  outcome: MutationOutcome;
  /** The assertion that failed, or what else ended the test. */
  reason: string;
}

const MAX_REASON_LENGTH = 300;

/** Status codes of a service that a change broke, or of a machine that is busy, as an assertion found them. */
const SERVICE_FAILURE_PATTERN = /^\s*\+(?:.*\b(?:status|statusCode)\b.*)?\b50[0-4]\b/;

/**
 * Read why a test file failed from the report of its failures (TAP 14).
 * @param lines from the runner, which are indented by the depth of their test
 */
export function readFailure(file: string, lines: readonly string[]): MutationResult {
  const failures = splitFailures(lines);
  const assertion = failures.find(isAssertion);
  if (assertion) return { outcome: 'NOTICED', reason: `${file}: ${formatFailure(assertion)}` };
  const [first = lines] = failures;
  return { outcome: 'UNCLEAR', reason: `${file}: ${formatFailure(first)}` };
}

function splitFailures(lines: readonly string[]): string[][] {
  const failures: string[][] = [];
  for (const line of lines) {
    if (/^\s*not ok /.test(line)) failures.push([line]);
    else failures.at(-1)?.push(line);
  }
  // A test that contains the failing one has only its duration.
  return failures.filter(([line]) => !/ # time=/.test(line ?? ''));
}

function isAssertion(failure: readonly string[]): boolean {
  const hasPosition = failure.some((line) => /^\s+(?:at|stack|compare):/.test(line));
  const showsOtherFailure = (line: string) =>
    /^\s+(?:tapCaught|expired):/.test(line) || SERVICE_FAILURE_PATTERN.test(line);
  return hasPosition && !failure.some(showsOtherFailure);
}

/** The name, the error, and the difference of the compared values. */
function formatFailure(failure: readonly string[]): string {
  const [name = '', ...details] = failure.map((line) => line.trim());
  const error = details.filter((line) => /^(?:type|tapCaught|expired):/.test(line));
  const start = details.indexOf('diff: |');
  const difference = start < 0 ? [] : details.slice(start + 1).filter((line) => /^[-+](?![-+])/.test(line));
  const text = [name.replace(/^not ok (?:\d+ )?- /, ''), ...error, ...difference].join(' ');
  return text.slice(0, MAX_REASON_LENGTH);
}
