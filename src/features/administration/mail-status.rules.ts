import { MINUTE_MS } from '../../shared/durations.ts';

/** Why emails do not reach a user, in the order in which to look at them. */
export const MAIL_PROBLEMS = [
  'SUSPENDED',
  'ADDRESS_NOT_CONFIRMED',
  'OUTBOX_STUCK',
  'JOB_FAILED',
  'MAIL_DELAYED',
  'LAST_MAIL_FAILED',
  'SUPPRESSED',
  'QUIET_HOURS',
  'SWITCHED_OFF',
] as const;

export type MailProblem = (typeof MAIL_PROBLEMS)[number];

export interface MailFacts {
  status: string;
  isSuppressed: boolean;
  /** Since when the oldest mail of the whole service waits. */
  outboxWaitingSince: Date | null;
  waiting: readonly { attempts: number; failedJobId: string | null }[];
  /** Newest first. */
  deliveries: readonly { status: string; reason: string | null }[];
  /** Events whose emails the user switched off. */
  switchedOff: readonly string[];
}

/** A mail is sent within seconds. */
const STUCK_AFTER_MS = 15 * MINUTE_MS;

/** Find what keeps emails from a user, the first to look at first. Empty if nothing does. */
export function findMailProblems(facts: MailFacts, now: Date): MailProblem[] {
  const { status, isSuppressed, outboxWaitingSince, waiting, deliveries, switchedOff } = facts;
  const lastSettled = deliveries.find((one) => one.status === 'DELIVERED' || one.status === 'FAILED');
  const hasProblem: Record<MailProblem, boolean> = {
    SUSPENDED: status === 'SUSPENDED',
    ADDRESS_NOT_CONFIRMED: status === 'PENDING_VERIFICATION',
    OUTBOX_STUCK:
      outboxWaitingSince !== null && now.getTime() - outboxWaitingSince.getTime() > STUCK_AFTER_MS,
    JOB_FAILED: waiting.some(({ failedJobId }) => failedJobId !== null),
    MAIL_DELAYED: waiting.some(({ attempts, failedJobId }) => attempts > 0 && failedJobId === null),
    LAST_MAIL_FAILED: lastSettled?.status === 'FAILED',
    SUPPRESSED: isSuppressed,
    QUIET_HOURS: deliveries.some((one) => one.status === 'WAITING' && one.reason === 'QUIET_HOURS'),
    SWITCHED_OFF: switchedOff.length > 0,
  };
  return MAIL_PROBLEMS.filter((problem) => hasProblem[problem]);
}
