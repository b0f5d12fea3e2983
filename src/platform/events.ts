import type { DomainEventName, DomainEventPayloads } from '../shared/domain-events.ts';
import type { Tx } from './database.ts';

type Subscriber<Name extends DomainEventName> = (
  tx: Tx,
  events: readonly DomainEventPayloads[Name][],
) => Promise<void>;

export interface DomainEventBus {
  /** Run the subscribers in order; an error fails the transaction. */
  publish<Name extends DomainEventName>(
    tx: Tx,
    name: Name,
    ...events: DomainEventPayloads[Name][]
  ): Promise<void>;
  subscribe<Name extends DomainEventName>(name: Name, subscriber: Subscriber<Name>): void;
}

export function createDomainEventBus(): DomainEventBus {
  const subscribers: { [Name in DomainEventName]?: Subscriber<Name>[] } = {};
  return {
    async publish(tx, name, ...events) {
      if (events.length === 0) return;
      for (const subscriber of subscribers[name] ?? []) await subscriber(tx, events);
    },
    subscribe<Name extends DomainEventName>(name: Name, subscriber: Subscriber<Name>) {
      const list: Subscriber<Name>[] = subscribers[name] ?? [];
      list.push(subscriber);
      Object.assign(subscribers, { [name]: list });
    },
  };
}
