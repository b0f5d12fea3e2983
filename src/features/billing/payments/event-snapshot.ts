import type { ProviderInvoice, ProviderSubscription } from '../../../providers/payments/payments.port.ts';
import { compareInvoiceProgress } from './invoice-state.rules.ts';

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Pick the latest state of an object from its waiting events, for an object that the provider no longer
 * knows: a canceled subscription first, the invoice with the most progress, otherwise the newest snapshot.
 */
export function pickLatestSnapshot(
  events: readonly { createdAt: Date; snapshot: unknown }[],
): ProviderSubscription | ProviderInvoice | null {
  const newestFirst = [...events].sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  const copies = newestFirst.flatMap(({ snapshot }) => parseCopy(snapshot) ?? []);
  const invoices = copies.filter((copy) => copy.object === 'INVOICE');
  const [furthest] = invoices.sort((one, other) => compareInvoiceProgress(other, one));
  return furthest ?? copies.find(({ state }) => state === 'CANCELED') ?? copies[0] ?? null;
}

function parseCopy(stored: unknown): ProviderSubscription | ProviderInvoice | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const entries = Object.entries(stored).map(([name, value]) => [
    name,
    typeof value === 'string' && ISO_TIME.test(value) ? new Date(value) : value,
  ]);
  return Object.fromEntries(entries);
}
