export type StreamName = `u:${string}` | `c:${string}`;

export type RealtimeEventName =
  | 'notification.created'
  | 'notification.read'
  | 'message.created'
  | 'message.read'
  | 'conversation.ended';

/** An event to append: its streams, its name and the ids of what it is about; no user content. */
export interface NewRealtimeEvent {
  stream: StreamName | readonly StreamName[];
  event: RealtimeEventName;
  data: Readonly<Record<string, string | null>>;
}

export function getUserStream(userId: string): StreamName {
  return `u:${userId}`;
}

export function getConversationStream(conversationId: string): StreamName {
  return `c:${conversationId}`;
}

export function isStreamName(topic: string): topic is StreamName {
  return /^[uc]:[0-9a-f]{24}$/.test(topic);
}
