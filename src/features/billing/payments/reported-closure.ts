import type { SubscriptionClosure } from '../../../providers/payments/payments.port.ts';

/** The newest end that the events of a subscription report. */
export function findReportedClosure(
  events: readonly { createdAt: Date; closure: unknown }[],
): SubscriptionClosure | null {
  const newestFirst = [...events].sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  return newestFirst.flatMap(({ closure }) => parseClosure(closure) ?? [])[0] ?? null;
}

function parseClosure(stored: unknown): SubscriptionClosure | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { canceledAt, endedAt } = stored as Record<keyof SubscriptionClosure, unknown>;
  if (typeof endedAt !== 'string') return null;
  return {
    canceledAt: typeof canceledAt === 'string' ? new Date(canceledAt) : null,
    endedAt: new Date(endedAt),
  };
}
