/** An object of Stripe’s API; what the emulator works with is named, the rest is only shown. */
export interface StripeObject {
  id: string;
  object: string;
  created: number;
  [field: string]: unknown;
}

export type Metadata = Record<string, string>;

/** A list inside an object. */
export interface NestedList<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  total_count?: number;
  url: string;
}

/** A copy of an object without the fields that are the emulator's own. */
export function toPublicObject<T extends StripeObject>(object: T): T {
  const copy = structuredClone(object);
  delete copy.trial_told;
  delete copy.behavior;
  delete copy.line;
  return copy;
}
