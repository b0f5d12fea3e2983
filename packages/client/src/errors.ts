import type { Schemas } from './operation-types.ts';

export type ErrorCode = Schemas['ErrorCode'];
export type Problem = Schemas['Problem'];
export type FieldProblem = Schemas['FieldProblem'];

/** The service answered with an error. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Null if the answer is no problem document, such as that of a proxy. */
  readonly code: ErrorCode | null;
  /** Name it to the operator. */
  readonly requestId: string | null;
  /** Every field that failed validation. */
  readonly errors: readonly FieldProblem[];
  /** From `Retry-After`; null without it. */
  readonly retryAfterMs: number | null;
  readonly problem: Problem | null;

  constructor(status: number, problem: Problem | null, headers: Headers) {
    super(problem ? `${problem.code}: ${problem.detail}` : `The service answered ${status}.`);
    this.status = status;
    this.code = problem?.code ?? null;
    this.requestId = problem?.requestId ?? headers.get('x-request-id');
    this.errors = problem?.errors ?? [];
    this.retryAfterMs = parseRetryAfter(headers.get('retry-after'));
    this.problem = problem;
  }
}

/** No answer came. Whether the service got the request is unknown. */
export class NetworkError extends Error {
  override readonly name: string = 'NetworkError';
}

/** No complete answer came in time. */
export class TimeoutError extends NetworkError {
  override readonly name = 'TimeoutError';
}

/** The account has a second factor, and `logIn` had no `secondFactor`. Go on with `verifySecondFactor`. */
export class SecondFactorRequiredError extends Error {
  override readonly name = 'SecondFactorRequiredError';
  readonly mfaToken: string;

  constructor(mfaToken: string) {
    super('The login needs a second factor.');
    this.mfaToken = mfaToken;
  }
}

/** Parse the body of an error; null if it is no problem document. */
export function parseProblem(contentType: string, text: string): Problem | null {
  if (!contentType.startsWith('application/problem+json')) return null;
  try {
    const value: unknown = JSON.parse(text);
    const isProblem = typeof value === 'object' && value !== null && 'code' in value && 'detail' in value;
    return isProblem ? (value as Problem) : null;
  } catch {
    return null;
  }
}

/** Parse Retry-After, seconds or a date, to milliseconds. */
function parseRetryAfter(value: string | null): number | null {
  if (value === null) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
