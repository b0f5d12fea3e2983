import type { BenchedService } from '../service-process.ts';

/** What of one event was taken. */
export interface Delivery {
  times: number;
  /** The keys that make a repeat harmless: Message-IDs of a mail. One, however often. */
  keys: Set<string>;
}

/** A provider on loopback that counts what it took of each event, by the event's address. */
export interface Deliveries {
  name: string;
  /** The queue of their jobs. */
  queue: string;
  /** Settings by which the service and its workers find it. */
  environment: Record<string, string>;
  taken: ReadonlyMap<string, Delivery>;
  /** Makes so many events; answers by what each is counted. */
  make(service: BenchedService, events: number): Promise<Set<string>>;
  /** How many it has been given and has not answered yet. */
  underWay(): number;
  close(): Promise<void>;
}

/** How often the events were delivered. */
export interface Tally {
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
export function tally(
  { name, taken }: Pick<Deliveries, 'name' | 'taken'>,
  events: ReadonlySet<string>,
): Tally {
  const of = [...events].map((event) => taken.get(event));
  const found = of.filter((delivery) => delivery !== undefined);
  return {
    name,
    lost: of.length - found.length,
    once: found.filter(({ times }) => times === 1).length,
    repeats: found.reduce((sum, { times }) => sum + times - 1, 0),
    underAnotherKey: found.filter(({ keys }) => keys.size !== 1 || keys.has('')).length,
    unknown: [...taken.keys()].filter((event) => !events.has(event)).length,
  };
}
