import type { Tx } from '../../platform/database.ts';
import { publishEvents } from '../../platform/realtime/publish-events.ts';
import {
  getConversationStream,
  getUserStream,
  type RealtimeEventName,
} from '../../platform/realtime/streams.ts';

/** Publish an event to all sockets of both sides, including those of the sender. */
export async function publishToParticipants(
  tx: Tx,
  { id, ownerId }: { id: string; ownerId: string },
  event: RealtimeEventName,
  data: Record<string, string>,
): Promise<void> {
  await publishEvents(tx, { stream: [getConversationStream(id), getUserStream(ownerId)], event, data });
}
