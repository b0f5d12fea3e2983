import { getDueTime } from './due-time.ts';
import { generateStripeId } from './ids.ts';
import type { ObjectKind, ObjectsByKind, StripeEvent, StripeObject } from './sales-objects.ts';
import { createNotFoundError } from './stripe-error.ts';
import { toPublicObject } from './stripe-object.ts';

export const API_VERSION = '2026-10-28.endive';

/** State of a subscription after the last failed payment. */
export type UnpaidSubscriptionAction = 'cancel' | 'unpaid' | 'past_due';

export interface StoredAccount {
  offset: number;
  afterRetries: UnpaidSubscriptionAction;
  objects: StripeObject[];
}

/** The objects and the clock of one Stripe account; changes are synchronous, so they never interleave. */
export class Account {
  readonly base: string;
  unpaidSubscriptionAction: UnpaidSubscriptionAction = 'cancel';
  /** The current request, the cause of events. */
  request: { id: string; idempotency_key: string | null } | null = null;
  onEvent: (event: StripeEvent) => void = () => {};
  onChange: () => void = () => {};
  readonly #realNow: () => number;
  #offset = 0;
  #fixedTime: number | null = null;
  readonly #tables = new Map<string, Map<string, StripeObject>>();
  readonly #due = new Map<string, { kind: string; runAt: number }>();

  constructor(base: string, realNow: () => number) {
    this.base = base;
    this.#realNow = realNow;
  }

  /** Unix seconds of the account's clock. */
  getNow(): number {
    return this.#fixedTime ?? Math.floor((this.#realNow() + this.#offset) / 1000);
  }

  getRealSeconds(): number {
    return Math.floor(this.#realNow() / 1000);
  }

  get clockOffsetSeconds(): number {
    return Math.floor(this.#offset / 1000);
  }

  runAt<T>(moment: number, work: () => T): T {
    const before = this.#fixedTime;
    this.#fixedTime = moment;
    try {
      return work();
    } finally {
      this.#fixedTime = before;
    }
  }

  /** Advance the clock without processing due objects. */
  advanceClock(seconds: number): void {
    this.#offset += seconds * 1000;
    this.onChange();
  }

  findNextDue(until: number): { kind: string; id: string; runAt: number } | null {
    let first: { kind: string; id: string; runAt: number } | null = null;
    for (const [id, { kind, runAt }] of this.#due)
      if (runAt <= until && (!first || runAt < first.runAt)) first = { kind, id, runAt };
    return first;
  }

  add<K extends ObjectKind>(kind: K, object: ObjectsByKind[K], event?: string): ObjectsByKind[K] {
    this.#table(kind).set(object.id, object);
    this.#schedule(object);
    if (event) this.emit(event, object);
    this.onChange();
    return object;
  }

  /** Update an object; the event has the previous values of changed fields. */
  update<T extends StripeObject>(object: T, patch: Partial<T>, event?: string): T {
    const previous: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(patch))
      if (JSON.stringify(object[name]) !== JSON.stringify(value))
        previous[name] = structuredClone(object[name]);
    Object.assign(object, patch);
    this.#schedule(object);
    const isUpdate = event?.endsWith('.updated');
    // An update without changes makes no event.
    if (event && !(isUpdate && Object.keys(previous).length === 0))
      this.emit(event, object, isUpdate ? previous : undefined);
    this.onChange();
    return object;
  }

  emit(type: string, object: StripeObject, previous?: Record<string, unknown>): void {
    const event: StripeEvent = {
      id: generateStripeId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: this.getNow(),
      data: { object: toPublicObject(object), ...(previous ? { previous_attributes: previous } : {}) },
      livemode: false,
      pending_webhooks: 1,
      request: this.request ?? { id: null, idempotency_key: null },
      type,
    };
    this.#table('event').set(event.id, event);
    this.onEvent(event);
    this.onChange();
  }

  find<K extends ObjectKind>(kind: K, id: string): ObjectsByKind[K] | undefined {
    return this.#table(kind).get(id) as ObjectsByKind[K] | undefined;
  }

  /** Get an existing object. @param param parameter that named it; `id` is the path */
  require<K extends ObjectKind>(kind: K, id: string, param = 'id'): ObjectsByKind[K] {
    const object = this.find(kind, id);
    if (!object) throw createNotFoundError(kind.split('.').pop() ?? kind, id, param);
    return object;
  }

  list<K extends ObjectKind>(kind: K): ObjectsByKind[K][] {
    return [...this.#table(kind).values()] as ObjectsByKind[K][];
  }

  findById(id: string): StripeObject | undefined {
    for (const table of this.#tables.values()) {
      const object = table.get(id);
      if (object) return object;
    }
    return undefined;
  }

  delete(kind: ObjectKind, id: string): void {
    this.#table(kind).delete(id);
    this.#due.delete(id);
  }

  toStored(): StoredAccount {
    const objects = [...this.#tables.values()].flatMap((table) => [...table.values()]);
    return { offset: this.#offset, afterRetries: this.unpaidSubscriptionAction, objects };
  }

  restore(stored: StoredAccount): void {
    this.#offset = stored.offset;
    this.unpaidSubscriptionAction = stored.afterRetries;
    for (const object of stored.objects) {
      this.#table(object.object).set(object.id, object);
      this.#schedule(object);
    }
  }

  #table(kind: string): Map<string, StripeObject> {
    let table = this.#tables.get(kind);
    if (!table) {
      table = new Map();
      this.#tables.set(kind, table);
    }
    return table;
  }

  #schedule(object: StripeObject): void {
    const runAt = getDueTime(object);
    if (runAt === null) this.#due.delete(object.id);
    else this.#due.set(object.id, { kind: object.object, runAt });
  }
}
