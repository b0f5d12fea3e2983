/** Read the filter of a list of cases; undefined for all. */
export function parseDecidedFilter(statuses: readonly ('OPEN' | 'DECIDED')[] = []): boolean | undefined {
  // Both statuses are as none.
  return new Set(statuses).size === 1 ? statuses.includes('DECIDED') : undefined;
}

/** What reports and appeals have in common. */
export function toDecisionView({
  decision,
  decidedAt,
  createdAt,
}: {
  decision: string | null;
  decidedAt: Date | null;
  createdAt: Date;
}) {
  return {
    status: decision === null ? ('OPEN' as const) : ('DECIDED' as const),
    decidedAt: decidedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}
