import type { BenchedService } from '../service-process.ts';

/** What of one event was taken. */
export interface ReceivedDelivery {
  count: number;
  /** The keys that make a repeat harmless: Message-IDs of a mail. One, however often. */
  keys: Set<string>;
}

/** A provider on loopback that counts what it took of each event, by the event's address. */
export interface DeliveryCounter {
  name: string;
  /** The queue of their jobs. */
  queue: string;
  /** Settings by which the service and its workers find it. */
  environment: Record<string, string>;
  received: ReadonlyMap<string, ReceivedDelivery>;
  /** Makes so many events; answers by what each is counted. */
  createEvents(service: BenchedService, events: number): Promise<Set<string>>;
  /** How many it has been given and has not answered yet. */
  countInFlight(): number;
  close(): Promise<void>;
}

/** How often the events were delivered. */
export interface DeliveryTally {
  name: string;
  lost: number;
  once: number;
  /** Deliveries beyond the first of each event. */
  repeats: number;
  /** Events whose repeats did not carry the key of the first. */
  underAnotherKey: number;
  /** Deliveries of no event. */
  unknown: number;
}

/** Counts deliveries against the events that there were. */
export function tallyDeliveries(
  { name, received }: Pick<DeliveryCounter, 'name' | 'received'>,
  events: ReadonlySet<string>,
): DeliveryTally {
  const of = [...events].map((event) => received.get(event));
  const found = of.filter((delivery) => delivery !== undefined);
  return {
    name,
    lost: of.length - found.length,
    once: found.filter(({ count }) => count === 1).length,
    repeats: found.reduce((sum, { count }) => sum + count - 1, 0),
    underAnotherKey: found.filter(({ keys }) => keys.size !== 1 || keys.has('')).length,
    unknown: [...received.keys()].filter((event) => !events.has(event)).length,
  };
}
