import type { Tx } from '../../platform/database.ts';
import { publishEvents } from '../../platform/realtime/publish-events.ts';
import {
  getConversationStream,
  getUserStream,
  type RealtimeEventName,
} from '../../platform/realtime/streams.ts';

/** Has both sides of a conversation hear of something that happened in it: in all their windows, the one of the doer among them. */
export async function publishToParticipants(
  tx: Tx,
  { id, ownerId }: { id: string; ownerId: string },
  event: RealtimeEventName,
  data: Record<string, string>,
): Promise<void> {
  await publishEvents(tx, { stream: [getConversationStream(id), getUserStream(ownerId)], event, data });
}
