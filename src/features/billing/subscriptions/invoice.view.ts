import type { Static } from 'typebox';
import type { InvoiceRow } from './invoice.repository.ts';
import type { Invoice } from './invoices.schemas.ts';

const INVOICE_STATES = ['OPEN', 'PAID', 'VOID', 'UNCOLLECTIBLE'] as const;

export function toInvoiceView(row: InvoiceRow): Static<typeof Invoice> {
  const { id, subscriptionId, number, currency, isDisputed, needsAction } = row;
  return {
    id,
    subscriptionId,
    number,
    currency,
    disputed: isDisputed,
    needsAction,
    status: INVOICE_STATES.find((state) => state === row.state) ?? 'OPEN',
    total: Number(row.total),
    amountPaid: Number(row.amountPaid),
    amountRefunded: Number(row.amountRefunded),
    nextAttemptAt: toIsoString(row.nextAttemptAt),
    periodStart: toIsoString(row.periodStart),
    periodEnd: toIsoString(row.periodEnd),
    issuedAt: row.issuedAt.toISOString(),
    paidAt: toIsoString(row.paidAt),
  };
}

function toIsoString(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
