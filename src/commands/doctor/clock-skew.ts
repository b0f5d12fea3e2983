import { createOk, createProblem, createWarning, type Finding } from './check.ts';

/** Codes of a second factor are valid for 30 seconds before and after their own. */
const MAX_SKEW_MS = 30_000;
const MAX_EXACT_SKEW_MS = 2_000;

/** Compare a clock with that of this process; the reading was taken at any moment between question and answer. */
export function describeClockSkew(
  whose: string,
  clockMs: number,
  { askedAt, answeredAt }: { askedAt: number; answeredAt: number },
): Finding {
  const skewMs = Math.max(clockMs - answeredAt, askedAt - clockMs, 0);
  const isAhead = clockMs > answeredAt;
  if (skewMs <= MAX_EXACT_SKEW_MS) return createOk('equal within two seconds');
  const found = `${whose} is ${Math.round(skewMs / 1_000)} s ${isAhead ? 'ahead of' : 'behind'} this process`;
  const advice = 'Synchronize the clocks of both machines (NTP).';
  return skewMs > MAX_SKEW_MS ? createProblem(found, advice) : createWarning(found, advice);
}
