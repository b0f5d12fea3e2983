import type { Tx } from '../../platform/database.ts';
import { listMemberIds } from '../../platform/membership.repository.ts';
import { publishRealtimeEvents } from '../../platform/realtime/publish-events.ts';
import {
  getConversationStreamName,
  getUserStreamName,
  type NewRealtimeEvent,
  type RealtimeEventName,
} from '../../platform/realtime/streams.ts';
import { ROLES_BY_TOPIC } from '../../shared/notification-topics.ts';

/** Publish an event to all sockets of both sides, including those of the sender. */
export async function publishToConversationParticipants(
  tx: Tx,
  { id, accountId }: { id: string; accountId: string },
  event: RealtimeEventName,
  data: Record<string, string>,
): Promise<void> {
  const owner = await createOwnerEvent(tx, accountId, event, data);
  const stream = getConversationStreamName(id);
  // Finders are not told which organization it is.
  if (owner.data === data)
    await publishRealtimeEvents(tx, { ...owner, stream: [stream, ...[owner.stream].flat()] });
  else await publishRealtimeEvents(tx, { stream, event, data }, owner);
}

/** Publish an event to the sockets of the owner's side alone. */
export async function publishToConversationOwner(
  tx: Tx,
  accountId: string,
  event: RealtimeEventName,
  data: Record<string, string>,
): Promise<void> {
  await publishRealtimeEvents(tx, await createOwnerEvent(tx, accountId, event, data));
}

async function createOwnerEvent(
  tx: Tx,
  accountId: string,
  event: RealtimeEventName,
  data: Record<string, string>,
): Promise<NewRealtimeEvent> {
  const memberIds = await listMemberIds(tx, accountId, ROLES_BY_TOPIC.MESSAGES);
  const isPersonal = memberIds.includes(accountId);
  return {
    stream: memberIds.map(getUserStreamName),
    event,
    data: isPersonal ? data : { ...data, accountId },
  };
}
