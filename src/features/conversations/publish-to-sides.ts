import type { Tx } from '../../platform/database.ts';
import { publish } from '../../platform/realtime/publish.ts';
import { conversationStream, type StreamEventName, userStream } from '../../platform/realtime/streams.ts';

/** Has both sides of a conversation hear of something that happened in it: in all their windows, the one of the doer among them. */
export async function publishToSides(
  tx: Tx,
  { id, ownerId }: { id: string; ownerId: string },
  event: StreamEventName,
  data: Record<string, string>,
): Promise<void> {
  await publish(tx, { stream: [conversationStream(id), userStream(ownerId)], event, data });
}
