import type { createAnnouncer } from './announcer.ts';
import { publish } from './publish.ts';
import type { Stream } from './streams.ts';

/** How anything tells people with an open socket: `publish` in the transaction of what happened. */
export function createRealtime(announcer: Pick<ReturnType<typeof createAnnouncer>, 'tell'>) {
  return {
    publish,
    /**
     * Announces what was published otherwise than in `database.transaction`, which does so by itself: call it after the
     * commit. Without streams: look everywhere.
     */
    wake: (...streams: readonly Stream[]) => announcer.tell(streams.length > 0 ? streams : null),
  };
}
