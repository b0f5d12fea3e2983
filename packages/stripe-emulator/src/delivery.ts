import type { ClientRequest } from 'node:http';
import type { Log } from './log.ts';
import type { StripeEvent } from './objects.ts';
import { postEvent } from './post-event.ts';
import { signatureOf } from './sign.ts';

/** Seconds after each failed try until the next; after the last there is none. */
const RETRIES = [1, 2, 4, 8, 15, 30, 60, 120, 300, 600, 1_800, 3_600];
const TOGETHER = 4;
/** Deliveries that are remembered after they have ended. */
const REMEMBERED = 500;

/** An event on its way to the webhook. */
export interface Delivery {
  event: string;
  type: string;
  state: 'waiting' | 'held' | 'delivered' | 'failed' | 'dropped';
  tries: number;
  /** What the last try came to: a status, or a word. */
  last: string | null;
}

interface Waiting extends Delivery {
  timer?: NodeJS.Timeout | undefined;
}

/**
 * Delivers events to the webhook: signed, in the order in which they happened as far as nothing fails, and again after
 * a while where it did not take one. Held ones wait until a test says in which order they go.
 */
export class Deliveries {
  holds = false;
  #url: string | null;
  readonly #secret: string;
  readonly #log: Log;
  readonly #find: (id: string) => StripeEvent | undefined;
  readonly #all = new Map<string, Waiting>();
  readonly #ready: { delivery: Waiting; anyway: boolean }[] = [];
  readonly #open = new Set<ClientRequest>();
  #closed = false;

  constructor(options: {
    url: string | null;
    secret: string;
    log: Log;
    find: (id: string) => StripeEvent | undefined;
  }) {
    this.#url = options.url;
    this.#secret = options.secret;
    this.#log = options.log;
    this.#find = options.find;
  }

  /** Where events go from now on. */
  direct(url: string | null): void {
    this.#url = url;
    this.#pump();
  }

  /** Takes a new event. */
  add(event: StripeEvent): void {
    const delivery = this.#remember(event, this.holds ? 'held' : 'waiting');
    if (delivery.state === 'waiting') this.#enqueue(delivery);
    this.#forget();
  }

  /** Delivers events now, in this order, whatever was of them. One may be named twice. */
  send(events: readonly string[]): void {
    for (const id of events) {
      const event = this.#find(id);
      const delivery = this.#all.get(id) ?? (event && this.#remember(event, 'waiting'));
      if (!delivery) continue;
      clearTimeout(delivery.timer);
      delivery.state = 'waiting';
      this.#enqueue(delivery, true);
    }
  }

  /** Never delivers an event, as if it had been lost. */
  drop(id: string): void {
    const delivery = this.#all.get(id);
    if (!delivery) return;
    clearTimeout(delivery.timer);
    delivery.state = 'dropped';
  }

  /** All that is remembered, oldest first. */
  all(): Delivery[] {
    return [...this.#all.values()].map(({ timer: _timer, ...delivery }) => ({ ...delivery }));
  }

  /** What a request with an event would be, for a test that makes it by itself. @param at seconds */
  signed(id: string, at: number): { body: string; signature: string } | null {
    const event = this.#find(id);
    if (!event) return null;
    const body = bodyOf(event);
    return { body, signature: signatureOf(body, this.#secret, at) };
  }

  /** Events that have not arrived yet, for the next start. */
  unfinished(): string[] {
    return [...this.#all.values()]
      .filter(({ state }) => state === 'waiting' || state === 'held')
      .map(({ event }) => event);
  }

  close(): void {
    this.#closed = true;
    for (const { timer } of this.#all.values()) clearTimeout(timer);
    for (const one of this.#open) one.destroy();
  }

  #remember({ id, type }: StripeEvent, state: Delivery['state']): Waiting {
    const delivery: Waiting = { event: id, type, state, tries: 0, last: null };
    this.#all.set(id, delivery);
    return delivery;
  }

  /** @param anyway also where it has arrived meanwhile */
  #enqueue(delivery: Waiting, anyway = false): void {
    this.#ready.push({ delivery, anyway });
    // Not at once: what caused it is answered first.
    setImmediate(() => this.#pump());
  }

  #pump(): void {
    while (!this.#closed && this.#url && this.#open.size < TOGETHER) {
      const next = this.#ready.shift();
      if (!next) return;
      const { delivery, anyway } = next;
      const event = anyway || delivery.state === 'waiting' ? this.#find(delivery.event) : undefined;
      if (event) this.#post(this.#url, delivery, bodyOf(event));
    }
  }

  #post(url: string, delivery: Waiting, body: string): void {
    const signature = signatureOf(body, this.#secret, Math.floor(Date.now() / 1000));
    const sent = postEvent(url, body, signature, (result, isTaken) => {
      this.#open.delete(sent);
      this.#after(delivery, result, isTaken);
      this.#pump();
    });
    this.#open.add(sent);
  }

  #after(delivery: Waiting, result: string, isTaken: boolean): void {
    delivery.tries += 1;
    delivery.last = result;
    if (this.#closed || delivery.state === 'dropped') return;
    if (isTaken) {
      delivery.state = 'delivered';
      return;
    }
    const seconds = RETRIES[delivery.tries - 1];
    if (seconds === undefined) {
      delivery.state = 'failed';
      this.#log.warn(
        { event: delivery.event, result },
        'payments: an event of the sandbox could not be delivered',
      );
      return;
    }
    delivery.timer = setTimeout(() => this.#enqueue(delivery), seconds * 1000).unref();
  }

  #forget(): void {
    if (this.#all.size <= REMEMBERED * 2) return;
    const ended = [...this.#all.values()].filter(({ state }) => state !== 'waiting' && state !== 'held');
    for (const { event } of ended.slice(0, Math.max(0, ended.length - REMEMBERED))) this.#all.delete(event);
  }
}

function bodyOf(event: StripeEvent): string {
  return JSON.stringify(event, null, 2);
}
