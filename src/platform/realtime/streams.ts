/** The name of a stream of events: what an account hears, or the finder of a conversation. */
export type StreamName = `u:${string}` | `c:${string}`;

/** What happens in streams. */
export type RealtimeEventName =
  | 'notification.created'
  | 'notification.read'
  | 'message.created'
  | 'message.read'
  | 'conversation.ended';

/** An event as it is added: to which stream or streams, what happened, and the ids of what it is about; nothing that anybody wrote. */
export interface NewRealtimeEvent {
  stream: StreamName | readonly StreamName[];
  event: RealtimeEventName;
  data: Readonly<Record<string, string | null>>;
}

/** What an account hears. */
export function getUserStream(userId: string): StreamName {
  return `u:${userId}`;
}

/** What the finder of a conversation hears. */
export function getConversationStream(conversationId: string): StreamName {
  return `c:${conversationId}`;
}

/** Whether a word names a stream. */
export function isStreamName(topic: string): topic is StreamName {
  return /^[uc]:[0-9a-f]{24}$/.test(topic);
}
