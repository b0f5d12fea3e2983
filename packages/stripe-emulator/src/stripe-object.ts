/** A Stripe object; declared fields are used by the emulator, others only returned. */
export interface StripeObject {
  id: string;
  object: string;
  created: number;
  [field: string]: unknown;
}

export type Metadata = Record<string, string>;

export interface NestedList<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  total_count?: number;
  url: string;
}

export function toPublicObject<T extends StripeObject>(object: T): T {
  const copy = structuredClone(object);
  delete copy.trial_end_notified;
  delete copy.behavior;
  delete copy.line;
  return copy;
}
