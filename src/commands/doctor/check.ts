import { getErrorCodeOrName } from '../../platform/error-reason.ts';
import { ConfigError } from '../../shared/config-error.ts';
import { HttpRequestError } from '../../shared/http-client.ts';
import { withinTime } from '../../shared/within-time.ts';
import { isProviderUnavailableError } from '../../start/get-exit-code.ts';

export type FindingState = 'ok' | 'warning' | 'problem' | 'not configured';

export interface Finding {
  state: FindingState;
  found: string;
  /** What to do, in one or more lines. */
  advice?: string;
}

export interface CheckResult extends Finding {
  name: string;
}

export interface Check {
  name: string;
  /** The advice when it fails or gets no answer. */
  advice: string;
  /** Do what a busy machine needs long for, before the time limits begin: load libraries, connect. Has its own limit. */
  prepare?(): Promise<unknown>;
  /** Null where nothing can be known and another check has the reason. */
  run(): Promise<Finding | null>;
}

/** For each check. */
export const CHECK_TIMEOUT_SECONDS = 5;

export const NOT_CONFIGURED: Finding = { state: 'not configured', found: '' };

export function createOk(found: string): Finding {
  return { state: 'ok', found };
}

export function createWarning(found: string, advice: string): Finding {
  return { state: 'warning', found, advice };
}

export function createProblem(found: string, advice: string): Finding {
  return { state: 'problem', found, advice };
}

/** Run all checks concurrently, each within its time limit; the results are in the order of the checks. */
export async function runChecks(
  checks: readonly Check[],
  timeoutSeconds = CHECK_TIMEOUT_SECONDS,
): Promise<CheckResult[]> {
  // What cannot be loaded fails again in its check.
  await Promise.allSettled(checks.map((check) => check.prepare?.()));
  const results = await Promise.all(checks.map((check) => runCheck(check, timeoutSeconds)));
  return results.filter((result) => result !== null);
}

async function runCheck(check: Check, timeoutSeconds: number): Promise<CheckResult | null> {
  const { name, advice } = check;
  try {
    const finding = await withinTime(timeoutSeconds * 1_000, () => check.run());
    return finding && { name, ...finding };
  } catch (error) {
    return { name, ...createProblem(describeFailure(error, timeoutSeconds), advice) };
  }
}

const TIMEOUT_REASONS = ['timeout', 'TIMEOUT', 'ETIMEDOUT', 'TimeoutError'];

/** Describe an error without its message, which can repeat values. */
function describeFailure(error: unknown, timeoutSeconds: number): string {
  if (error instanceof ConfigError) return error.problems.join(' ');
  const reason = getFailureReason(error);
  return TIMEOUT_REASONS.includes(reason)
    ? `no answer within ${timeoutSeconds} seconds`
    : `fails (${reason})`;
}

function getFailureReason(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof HttpRequestError) return cause.message;
  if (isProviderUnavailableError(error)) return getErrorCodeOrName(error.cause);
  const reason: unknown = error instanceof Error ? Reflect.get(error, 'reason') : undefined;
  return typeof reason === 'string' && /^[A-Z_]{3,40}$/.test(reason) ? reason : getErrorCodeOrName(error);
}
