import type { RealtimeOnlyEventName } from '../../shared/event-types.ts';

export type RealtimeStreamName = `u:${string}` | `c:${string}`;

export type RealtimeEventName = 'message.created' | RealtimeOnlyEventName;

/** An event to append: its streams, its name and the ids of what it is about; no user content. */
export interface NewRealtimeEvent {
  stream: RealtimeStreamName | readonly RealtimeStreamName[];
  event: RealtimeEventName;
  data: Readonly<Record<string, string | null>>;
}

export function getUserStreamName(userId: string): RealtimeStreamName {
  return `u:${userId}`;
}

export function getConversationStreamName(conversationId: string): RealtimeStreamName {
  return `c:${conversationId}`;
}

/** Get the id of the user or the conversation whose stream it is. */
export function getStreamSubject(stream: RealtimeStreamName): string {
  return stream.slice(2);
}

export function isRealtimeStreamName(topic: string): topic is RealtimeStreamName {
  return /^[uc]:[0-9a-f]{24}$/.test(topic);
}
