import type { ClientRequest } from 'node:http';
import type { Log } from './log.ts';
import { postEvent } from './post-event.ts';
import type { StripeEvent } from './sales-objects.ts';
import { createWebhookSignature } from './webhook-signature.ts';

/** Delays after each failed attempt; none follows the last. */
const RETRY_DELAYS_SECONDS = [1, 2, 4, 8, 15, 30, 60, 120, 300, 600, 1_800, 3_600];
const DELIVERY_CONCURRENCY = 4;
const MAX_FINISHED_DELIVERIES = 500;

export interface WebhookDelivery {
  event: string;
  type: string;
  state: 'waiting' | 'held' | 'delivered' | 'failed' | 'dropped';
  attempts: number;
  /** HTTP status or error code of the last attempt. */
  lastResult: string | null;
}

interface QueuedDelivery extends WebhookDelivery {
  timer?: NodeJS.Timeout | undefined;
}

/** Delivers signed events in order unless an attempt fails; paused ones wait until a test sends them. */
export class WebhookDeliveries {
  isPaused = false;
  #url: string | null;
  readonly #secret: string;
  readonly #log: Log;
  readonly #find: (id: string) => StripeEvent | undefined;
  readonly #all = new Map<string, QueuedDelivery>();
  readonly #ready: { delivery: QueuedDelivery; anyway: boolean }[] = [];
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

  /** Set the URL of later deliveries. */
  direct(url: string | null): void {
    this.#url = url;
    this.#sendQueued();
  }

  add(event: StripeEvent): void {
    const delivery = this.#remember(event, this.isPaused ? 'held' : 'waiting');
    if (delivery.state === 'waiting') this.#enqueue(delivery);
    this.#forget();
  }

  /** Send events now, in this order, in any state. Duplicates are sent twice. */
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

  /** Drop an event, as if it was lost. */
  discard(id: string): void {
    const delivery = this.#all.get(id);
    if (!delivery) return;
    clearTimeout(delivery.timer);
    delivery.state = 'dropped';
  }

  /** List deliveries, oldest first. */
  listDeliveries(): WebhookDelivery[] {
    return [...this.#all.values()].map(({ timer: _timer, ...delivery }) => ({ ...delivery }));
  }

  /** Create the signed request of an event, for a test that sends it itself. @param at seconds */
  createSignedEvent(id: string, at: number): { body: string; signature: string } | null {
    const event = this.#find(id);
    if (!event) return null;
    const body = formatEventBody(event);
    return { body, signature: createWebhookSignature(body, this.#secret, at) };
  }

  listUnfinishedIds(): string[] {
    return [...this.#all.values()]
      .filter(({ state }) => state === 'waiting' || state === 'held')
      .map(({ event }) => event);
  }

  close(): void {
    this.#closed = true;
    for (const { timer } of this.#all.values()) clearTimeout(timer);
    for (const one of this.#open) one.destroy();
  }

  #remember({ id, type }: StripeEvent, state: WebhookDelivery['state']): QueuedDelivery {
    const delivery: QueuedDelivery = { event: id, type, state, attempts: 0, lastResult: null };
    this.#all.set(id, delivery);
    return delivery;
  }

  /** @param anyway also a delivered event */
  #enqueue(delivery: QueuedDelivery, anyway = false): void {
    this.#ready.push({ delivery, anyway });
    // Deferred: the request that caused the event gets its response first.
    setImmediate(() => this.#sendQueued());
  }

  #sendQueued(): void {
    while (!this.#closed && this.#url && this.#open.size < DELIVERY_CONCURRENCY) {
      const next = this.#ready.shift();
      if (!next) return;
      const { delivery, anyway } = next;
      const event = anyway || delivery.state === 'waiting' ? this.#find(delivery.event) : undefined;
      if (event) this.#post(this.#url, delivery, formatEventBody(event));
    }
  }

  #post(url: string, delivery: QueuedDelivery, body: string): void {
    const signature = createWebhookSignature(body, this.#secret, Math.floor(Date.now() / 1000));
    const sent = postEvent(url, body, signature, (result, isTaken) => {
      this.#open.delete(sent);
      this.#handleResult(delivery, result, isTaken);
      this.#sendQueued();
    });
    this.#open.add(sent);
  }

  #handleResult(delivery: QueuedDelivery, result: string, isTaken: boolean): void {
    delivery.attempts += 1;
    delivery.lastResult = result;
    if (this.#closed || delivery.state === 'dropped') return;
    if (isTaken) {
      delivery.state = 'delivered';
      return;
    }
    const seconds = RETRY_DELAYS_SECONDS[delivery.attempts - 1];
    if (seconds === undefined) {
      delivery.state = 'failed';
      this.#log.warn({ event: delivery.event, result }, 'payments: webhook delivery failed');
      return;
    }
    delivery.timer = setTimeout(() => this.#enqueue(delivery), seconds * 1000).unref();
  }

  #forget(): void {
    if (this.#all.size <= MAX_FINISHED_DELIVERIES * 2) return;
    const ended = [...this.#all.values()].filter(({ state }) => state !== 'waiting' && state !== 'held');
    for (const { event } of ended.slice(0, Math.max(0, ended.length - MAX_FINISHED_DELIVERIES)))
      this.#all.delete(event);
  }
}

function formatEventBody(event: StripeEvent): string {
  return JSON.stringify(event, null, 2);
}
