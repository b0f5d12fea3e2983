import { applyRemoteInvoice, type InvoiceFields, type RemoteInvoice } from './invoice-state.rules.ts';
import {
  applyRemoteSubscription,
  listChangedFields,
  type PurchasedPackageVersion,
  type RemoteSubscription,
  type SubscriptionFields,
} from './subscription-state.rules.ts';

/** `id` for a missing row. */
export interface FieldDifference {
  field: string;
  ours: string;
  theirs: string;
}

export function listSubscriptionDifferences(
  facts: SubscriptionFields | null,
  remote: RemoteSubscription,
  sold: PurchasedPackageVersion | null,
): FieldDifference[] {
  // Canceled subscriptions are final in the database; a difference is still reported.
  if (facts?.state === 'CANCELED')
    return remote.state === 'CANCELED' ? [] : [{ field: 'state', ours: facts.state, theirs: remote.state }];
  const applied = applyRemoteSubscription(facts, remote, sold, { now: remote.startedAt, version: 0 });
  const noPrice = sold === null ? [{ field: 'price', ours: 'unknown', theirs: 'unknown package' }] : [];
  if (facts === null) return [{ field: 'id', ours: 'none', theirs: remote.state }, ...noPrice];
  return [...listDifferences(facts, applied.facts ?? facts), ...noPrice];
}

export function listInvoiceDifferences(
  facts: InvoiceFields | null,
  remote: RemoteInvoice,
): FieldDifference[] {
  const applied = applyRemoteInvoice(facts, remote);
  if (applied.facts === null) return [];
  if (facts === null) return [{ field: 'id', ours: 'none', theirs: remote.state }];
  return listDifferences(facts, applied.facts);
}

function listDifferences<Facts extends object>(ours: Facts, theirs: Facts): FieldDifference[] {
  return listChangedFields(ours, theirs).map((field) => ({
    field,
    ours: formatValue(ours[field]),
    theirs: formatValue(theirs[field]),
  }));
}

function formatValue(value: unknown): string {
  if (value === null) return 'none';
  return value instanceof Date ? value.toISOString() : String(value);
}
