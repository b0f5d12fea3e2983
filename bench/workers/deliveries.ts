import type { BenchedService } from '../service-process.ts';

export interface ReceivedDelivery {
  count: number;
  /** Deduplication keys: Message-IDs of a mail. One, however often it was sent. */
  keys: Set<string>;
}

/** Provider on loopback that counts deliveries by the address of the event. */
export interface DeliveryCounter {
  name: string;
  queue: string;
  environment: Record<string, string>;
  received: ReadonlyMap<string, ReceivedDelivery>;
  createEvents(service: BenchedService, events: number): Promise<Set<string>>;
  countInFlight(): number;
  close(): Promise<void>;
}

export interface DeliveryTally {
  name: string;
  lost: number;
  once: number;
  repeats: number;
  withOtherKey: number;
  unknown: number;
}

export function tallyDeliveries(
  { name, received }: Pick<DeliveryCounter, 'name' | 'received'>,
  events: ReadonlySet<string>,
): DeliveryTally {
  const deliveries = [...events].map((event) => received.get(event));
  const receivedDeliveries = deliveries.filter((delivery) => delivery !== undefined);
  return {
    name,
    lost: deliveries.length - receivedDeliveries.length,
    once: receivedDeliveries.filter(({ count }) => count === 1).length,
    repeats: receivedDeliveries.reduce((sum, { count }) => sum + count - 1, 0),
    withOtherKey: receivedDeliveries.filter(({ keys }) => keys.size !== 1 || keys.has('')).length,
    unknown: [...received.keys()].filter((event) => !events.has(event)).length,
  };
}
