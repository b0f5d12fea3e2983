import type { Static } from 'typebox';
import type { InvoiceRow } from './invoice.repository.ts';
import type { Invoice } from './invoices.schemas.ts';

const STATES = ['OPEN', 'PAID', 'VOID', 'UNCOLLECTIBLE'] as const;

/** An invoice as its person sees it. */
export function invoiceView(row: InvoiceRow): Static<typeof Invoice> {
  const { id, subscriptionId, number, currency, isDisputed, needsAction } = row;
  return {
    ...{ id, subscriptionId, number, currency, isDisputed, needsAction },
    state: STATES.find((state) => state === row.state) ?? 'OPEN',
    total: Number(row.total),
    amountPaid: Number(row.amountPaid),
    amountRefunded: Number(row.amountRefunded),
    nextAttemptAt: isoOf(row.nextAttemptAt),
    periodStart: isoOf(row.periodStart),
    periodEnd: isoOf(row.periodEnd),
    issuedAt: row.issuedAt.toISOString(),
    paidAt: isoOf(row.paidAt),
  };
}

function isoOf(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
