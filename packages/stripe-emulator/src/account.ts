import { dueOf } from './due.ts';
import { newId } from './ids.ts';
import { shown } from './object.ts';
import type { Kind, Kinds, StripeEvent, StripeObject } from './objects.ts';
import { noSuch } from './stripe-error.ts';

export const API_VERSION = '2026-10-28.endive';

/** What a subscription becomes whose payments have failed for the last time. */
export type AfterRetries = 'cancel' | 'unpaid' | 'past_due';

/** What is kept of an account from one start to the next. */
export interface StoredAccount {
  offset: number;
  afterRetries: AfterRetries;
  objects: StripeObject[];
}

/**
 * The objects of one Stripe account and its clock. Every change goes through here: it makes the event, and knows what
 * is due when. All of it is in one process and nothing waits inside a change, so that changes never mix.
 */
export class Account {
  readonly base: string;
  afterRetries: AfterRetries = 'cancel';
  /** The request under way, which events name as their cause. */
  request: { id: string; idempotency_key: string | null } | null = null;
  /** Told each event and each change. */
  onEvent: (event: StripeEvent) => void = () => {};
  onChange: () => void = () => {};
  readonly #realNow: () => number;
  #offset = 0;
  #standing: number | null = null;
  readonly #tables = new Map<string, Map<string, StripeObject>>();
  readonly #due = new Map<string, { kind: string; at: number }>();

  /** @param realNow milliseconds */
  constructor(base: string, realNow: () => number) {
    this.base = base;
    this.#realNow = realNow;
  }

  /** Seconds of the account's clock. */
  now(): number {
    return this.#standing ?? Math.floor((this.#realNow() + this.#offset) / 1000);
  }

  /** Seconds of the clock of everybody else. */
  realSeconds(): number {
    return Math.floor(this.#realNow() / 1000);
  }

  /** Seconds by which the clock was moved on. */
  get moved(): number {
    return Math.floor(this.#offset / 1000);
  }

  /** Does something as of a moment that has passed already. */
  at<T>(moment: number, work: () => T): T {
    const before = this.#standing;
    this.#standing = moment;
    try {
      return work();
    } finally {
      this.#standing = before;
    }
  }

  /** Moves the clock on; what is due meanwhile is not done by this. */
  move(seconds: number): void {
    this.#offset += seconds * 1000;
    this.onChange();
  }

  /** What is due first, up to a moment. */
  nextDue(until: number): { kind: string; id: string; at: number } | null {
    let first: { kind: string; id: string; at: number } | null = null;
    for (const [id, { kind, at }] of this.#due)
      if (at <= until && (!first || at < first.at)) first = { kind, id, at };
    return first;
  }

  /** Keeps a new object. */
  add<K extends Kind>(kind: K, object: Kinds[K], event?: string): Kinds[K] {
    this.#table(kind).set(object.id, object);
    this.#schedule(object);
    if (event) this.emit(event, object);
    this.onChange();
    return object;
  }

  /** Changes an object; the event says what the fields held before. */
  change<T extends StripeObject>(object: T, patch: Partial<T>, event?: string): T {
    const previous: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(patch))
      if (JSON.stringify(object[name]) !== JSON.stringify(value))
        previous[name] = structuredClone(object[name]);
    Object.assign(object, patch);
    this.#schedule(object);
    const isUpdate = event?.endsWith('.updated');
    // What changes nothing is told to nobody.
    if (event && !(isUpdate && Object.keys(previous).length === 0))
      this.emit(event, object, isUpdate ? previous : undefined);
    this.onChange();
    return object;
  }

  /** Makes an event, with a copy of the object as it is now. */
  emit(type: string, object: StripeObject, previous?: Record<string, unknown>): void {
    const event: StripeEvent = {
      id: newId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: this.now(),
      data: { object: shown(object), ...(previous ? { previous_attributes: previous } : {}) },
      livemode: false,
      pending_webhooks: 1,
      request: this.request ?? { id: null, idempotency_key: null },
      type,
    };
    this.#table('event').set(event.id, event);
    this.onEvent(event);
    this.onChange();
  }

  find<K extends Kind>(kind: K, id: string): Kinds[K] | undefined {
    return this.#table(kind).get(id) as Kinds[K] | undefined;
  }

  /** An object that must be there. @param param what named it; `id` is the path */
  need<K extends Kind>(kind: K, id: string, param = 'id'): Kinds[K] {
    const object = this.find(kind, id);
    if (!object) throw noSuch(kind.split('.').pop() ?? kind, id, param);
    return object;
  }

  /** All objects of a kind, oldest first. */
  all<K extends Kind>(kind: K): Kinds[K][] {
    return [...this.#table(kind).values()] as Kinds[K][];
  }

  /** An object of whatever kind. */
  byId(id: string): StripeObject | undefined {
    for (const table of this.#tables.values()) {
      const object = table.get(id);
      if (object) return object;
    }
    return undefined;
  }

  forget(kind: Kind, id: string): void {
    this.#table(kind).delete(id);
    this.#due.delete(id);
  }

  toStored(): StoredAccount {
    const objects = [...this.#tables.values()].flatMap((table) => [...table.values()]);
    return { offset: this.#offset, afterRetries: this.afterRetries, objects };
  }

  restore(stored: StoredAccount): void {
    this.#offset = stored.offset;
    this.afterRetries = stored.afterRetries;
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
    const at = dueOf(object);
    if (at === null) this.#due.delete(object.id);
    else this.#due.set(object.id, { kind: object.object, at });
  }
}
