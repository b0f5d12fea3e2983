import { applyInvoice, type InvoiceFacts, type SeenInvoice } from './invoice-state.rules.ts';
import {
  applySubscription,
  changedFields,
  type SeenSubscription,
  type SoldPackage,
  type SubscriptionFacts,
} from './subscription-state.rules.ts';

/** A field in which a row is not what its provider says; `id` stands for a row that is missing. */
export interface FieldDifference {
  field: string;
  ours: string;
  theirs: string;
}

/** In what the row of a subscription differs from what its provider says: what writing that would change. */
export function compareSubscription(
  facts: SubscriptionFacts | null,
  seen: SeenSubscription,
  sold: SoldPackage | null,
): FieldDifference[] {
  // What has ended is never written again, and is still to be seen.
  if (facts?.state === 'CANCELED')
    return seen.state === 'CANCELED' ? [] : [{ field: 'state', ours: facts.state, theirs: seen.state }];
  const applied = applySubscription(facts, seen, sold, { now: seen.startedAt, version: 0 });
  const noPrice = sold === null ? [{ field: 'price', ours: 'not known', theirs: 'of no package' }] : [];
  if (facts === null) return [{ field: 'id', ours: 'none', theirs: seen.state }, ...noPrice];
  return [...differences(facts, applied.facts ?? facts), ...noPrice];
}

/** The same of an invoice. */
export function compareInvoice(facts: InvoiceFacts | null, seen: SeenInvoice): FieldDifference[] {
  const applied = applyInvoice(facts, seen);
  if (applied.facts === null) return [];
  if (facts === null) return [{ field: 'id', ours: 'none', theirs: seen.state }];
  return differences(facts, applied.facts);
}

function differences<Facts extends object>(ours: Facts, theirs: Facts): FieldDifference[] {
  return changedFields(ours, theirs).map((field) => ({
    field,
    ours: shown(ours[field]),
    theirs: shown(theirs[field]),
  }));
}

function shown(value: unknown): string {
  if (value === null) return 'none';
  return value instanceof Date ? value.toISOString() : String(value);
}
