import { publishRealtimeEvents } from './publish-events.ts';
import type { createRealtimeBus } from './realtime-bus.ts';
import type { RealtimeStreamName } from './streams.ts';

/** Create the publisher of realtime events. Call `publish` in the transaction of the change. */
export function createRealtimePublisher(
  realtimeBus: Pick<ReturnType<typeof createRealtimeBus>, 'publishTopics'>,
) {
  return {
    publish: publishRealtimeEvents,
    /** Publish streams written outside of `database.transaction`, after the commit; none means all. */
    wake: (...streams: readonly RealtimeStreamName[]) =>
      realtimeBus.publishTopics(streams.length > 0 ? streams : null),
  };
}
