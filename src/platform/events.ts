import type { DomainEventName, DomainEvents } from '../shared/domain-events.ts';
import type { Tx } from './database.ts';

type Subscriber<Name extends DomainEventName> = (
  tx: Tx,
  events: readonly DomainEvents[Name][],
) => Promise<void>;

/** Calls subscribers of domain events within the transaction that publishes. */
export interface EventBus {
  /** Runs the subscribers one after another; where one throws, the transaction fails. */
  publish<Name extends DomainEventName>(tx: Tx, name: Name, ...events: DomainEvents[Name][]): Promise<void>;
  /** Called at composition, before anything is published. */
  subscribe<Name extends DomainEventName>(name: Name, subscriber: Subscriber<Name>): void;
}

/** Create the event bus of a process. */
export function createEventBus(): EventBus {
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
