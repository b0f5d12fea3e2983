/** The name of a stream of events: what an account hears, or the finder of a conversation. */
export type Stream = `u:${string}` | `c:${string}`;

/** What happens in streams. */
export type StreamEventName =
  | 'notification.created'
  | 'notification.read'
  | 'message.created'
  | 'message.read'
  | 'conversation.ended';

/** An event as it is added: to which stream or streams, what happened, and the ids of what it is about; nothing that anybody wrote. */
export interface NewEvent {
  stream: Stream | readonly Stream[];
  event: StreamEventName;
  data: Readonly<Record<string, string | null>>;
}

/** What an account hears. */
export function userStream(userId: string): Stream {
  return `u:${userId}`;
}

/** What the finder of a conversation hears. */
export function conversationStream(conversationId: string): Stream {
  return `c:${conversationId}`;
}

/** Whether a word names a stream. */
export function isStream(word: string): word is Stream {
  return /^[uc]:[0-9a-f]{24}$/.test(word);
}
