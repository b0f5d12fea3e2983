import { publishEvents } from './publish-events.ts';
import type { createRealtimeBus } from './realtime-bus.ts';
import type { StreamName } from './streams.ts';

/** How anything tells people with an open socket: `publish` in the transaction of what happened. */
export function createRealtimePublisher(
  realtimeBus: Pick<ReturnType<typeof createRealtimeBus>, 'publishTopics'>,
) {
  return {
    publish: publishEvents,
    /**
     * Announces what was published otherwise than in `database.transaction`, which does so by itself: call it after the
     * commit. Without streams: look everywhere.
     */
    wake: (...streams: readonly StreamName[]) =>
      realtimeBus.publishTopics(streams.length > 0 ? streams : null),
  };
}
