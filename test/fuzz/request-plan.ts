import type { Operation } from './document.ts';

export const ACTORS = [
  'anonymous',
  'owner',
  'stranger',
  'newcomer',
  'suspended',
  'support',
  'auditor',
  'admin',
  'expired',
] as const;

export type Actor = (typeof ACTORS)[number];

export interface RequestBody {
  type: string;
  /** JSON or form fields; placeholders are resolved when the request is sent. */
  value?: unknown;
  /** Bytes (Latin-1) that replace the text `RAW_PLACEHOLDER` in the JSON. */
  raw?: string;
  /** Complete body as bytes (Latin-1). */
  bytes?: string;
}

/** Text that `Body.raw` replaces, including the quotes. */
export const RAW_PLACEHOLDER = '@@raw@@';

/** A request before it is sent: plain data, the same for the same seed. */
export interface RequestPlan {
  operation: string;
  kind: 'valid' | 'nearly valid' | 'hostile';
  change: string;
  actor: Actor;
  method: string;
  template: string;
  path: Record<string, unknown>;
  rawPath?: string;
  query: [string, unknown][];
  /** Appended to the query unchanged. */
  rawQuery?: string;
  headers: [string, unknown][];
  body?: RequestBody;
  /** Malformed framing, so that the connection cannot be reused. */
  isMalformed?: boolean;
  isChunked?: boolean;
}

/** A change that makes a plan invalid; `nth` selects the position. */
export interface PlanChange {
  name: string;
  /** Change the plan, which is a copy; returns null if not applicable. */
  apply(plan: RequestPlan, nth: number, operation: Operation): RequestPlan | null;
}

/** Pick an item by any integer. */
export function pickByIndex<Item>(items: readonly Item[] | undefined, nth: number): Item | undefined {
  return items && items.length > 0 ? items[nth % items.length] : undefined;
}
