export type EphemeralEvent = ConversationEphemeralEvent | AccountEphemeralEvent;

export interface ConversationEphemeralEvent {
  event: 'typing' | 'presence';
  conversationId: string;
  accountId: string;
  side: 'FINDER' | 'OWNER';
  /** For presence: whether that side is present, as seen by the sending process. */
  isPresent?: boolean;
}

/** For all sockets of an account, or of the members of an organization: the ids of what it is about. */
export type AccountEphemeralEvent = { accountId: string } & (
  | { event: 'scan.created' | 'scan.located'; data: { scanId: string; qrCodeId: string } }
  | { event: 'import.progress'; data: { importId: string } }
);

export interface RealtimeMessage {
  from: string;
  /** Streams with new events, and `a:<user id>` for changed sessions; null for all topics. */
  words: readonly string[] | null;
  ephemeralEvents: readonly EphemeralEvent[];
}

/** A NOTIFY payload must be shorter than 8,000 bytes. */
const MAX_NOTIFY_PAYLOAD_BYTES = 7_500;

export function getUserAccessTopic(userId: string): string {
  return `a:${userId}`;
}

/** Encode messages into payloads within the size limit; too many topics become null (all topics). */
export function encodeRealtimeMessages(
  from: string,
  topics: readonly string[] | null,
  ephemeralEvents: readonly EphemeralEvent[],
): string[] {
  const encodeMessage = (batch: readonly string[] | null, events: readonly EphemeralEvent[]) =>
    JSON.stringify({ from, words: batch, ephemeralEvents: events });
  const payloads: string[] = [];
  if (topics === null || topics.length > 0) {
    const payload = encodeMessage(topics, []);
    payloads.push(payload.length <= MAX_NOTIFY_PAYLOAD_BYTES ? payload : encodeMessage(null, []));
  }
  let batch: EphemeralEvent[] = [];
  for (const ephemeralEvent of ephemeralEvents) {
    if (encodeMessage([], [...batch, ephemeralEvent]).length > MAX_NOTIFY_PAYLOAD_BYTES) {
      payloads.push(encodeMessage([], batch));
      batch = [];
    }
    batch.push(ephemeralEvent);
  }
  if (batch.length > 0) payloads.push(encodeMessage([], batch));
  return payloads;
}

/** Parse a payload; an unknown one means all topics. */
export function parseRealtimeMessage(text: string): RealtimeMessage {
  try {
    const { from, words, ephemeralEvents } = JSON.parse(text) as RealtimeMessage;
    if (
      typeof from === 'string' &&
      (words === null || Array.isArray(words)) &&
      Array.isArray(ephemeralEvents)
    )
      return { from, words, ephemeralEvents };
  } catch {}
  return { from: '', words: null, ephemeralEvents: [] };
}
