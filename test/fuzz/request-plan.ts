import type { Operation } from './document.ts';

/** Who sends a request: people of the world, or nobody. */
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
  /** What becomes JSON, or the fields of a form; places for what the service has are filled in when it is sent. */
  value?: unknown;
  /** Bytes (Latin-1) that take the place of the text `RAW` within the JSON. */
  raw?: string;
  /** Bytes (Latin-1) that are the whole body. */
  bytes?: string;
}

/** The text that `Body.raw` replaces, quotes included. */
export const RAW_PLACEHOLDER = '@@raw@@';

/** A request before it is sent: plain data, the same for the same seed. */
export interface RequestPlan {
  operation: string;
  kind: 'valid' | 'nearly valid' | 'hostile';
  /** What is wrong with it, in words; empty for a valid one. */
  change: string;
  actor: Actor;
  method: string;
  /** `/api/qrcodes/{id}`. */
  template: string;
  /** Values of the path's parameters. */
  path: Record<string, unknown>;
  /** Takes the place of the whole path. */
  rawPath?: string;
  query: [string, unknown][];
  /** Added to the query as it is. */
  rawQuery?: string;
  headers: [string, unknown][];
  body?: RequestBody;
  /** Whether the framing is wrong, so that the connection cannot be used again. */
  isOdd?: boolean;
  isChunked?: boolean;
}

/** Something that is made wrong in a plan; `nth` chooses among the places where it can be. */
export interface PlanChange {
  name: string;
  /** The changed plan (`plan` is a copy and may be changed), or null where there is no place for it. */
  apply(plan: RequestPlan, nth: number, operation: Operation): RequestPlan | null;
}

/** One of a list by any whole number. */
export function pickByIndex<Item>(items: readonly Item[] | undefined, nth: number): Item | undefined {
  return items && items.length > 0 ? items[nth % items.length] : undefined;
}
