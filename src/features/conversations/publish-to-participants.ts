import type { Tx } from '../../platform/database.ts';
import { publishRealtimeEvents } from '../../platform/realtime/publish-events.ts';
import {
  getConversationStreamName,
  getUserStreamName,
  type RealtimeEventName,
} from '../../platform/realtime/streams.ts';

/** Publish an event to all sockets of both sides, including those of the sender. */
export async function publishToConversationParticipants(
  tx: Tx,
  { id, accountId }: { id: string; accountId: string },
  event: RealtimeEventName,
  data: Record<string, string>,
): Promise<void> {
  await publishRealtimeEvents(tx, {
    stream: [getConversationStreamName(id), getUserStreamName(accountId)],
    event,
    data,
  });
}
