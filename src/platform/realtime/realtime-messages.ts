/** What is told to the other side of a conversation at once and stored nowhere. */
export interface EphemeralEvent {
  event: 'typing' | 'presence';
  conversationId: string;
  /** The owner of the code that it is about. */
  ownerId: string;
  /** The side that types or looks. */
  side: 'FINDER' | 'OWNER';
  /** With presence: whether that side looks, as seen by the process that says so. */
  isPresent?: boolean;
}

/** What a process tells the others. */
export interface RealtimeMessage {
  /** The process that says so. */
  from: string;
  /** Streams with something new, and `a:` with the id of an account whose sessions changed; null for: look everywhere. */
  words: readonly string[] | null;
  ephemeralEvents: readonly EphemeralEvent[];
}

/** A notification of PostgreSQL holds less than 8,000 bytes. */
const MAX_NOTIFY_PAYLOAD_BYTES = 7_500;

/** The word that the sessions of an account changed. */
export function getAccessTopic(userId: string): string {
  return `a:${userId}`;
}

/** Puts what is to be told into texts that are short enough; of too many words remains: look everywhere. */
export function encodeRealtimeMessages(
  from: string,
  words: readonly string[] | null,
  ephemeralEvents: readonly EphemeralEvent[],
): string[] {
  const encodeMessage = (batch: readonly string[] | null, events: readonly EphemeralEvent[]) =>
    JSON.stringify({ from, words: batch, ephemeralEvents: events });
  const payloads: string[] = [];
  if (words === null || words.length > 0) {
    const payload = encodeMessage(words, []);
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

/** Reads such a text; one that is not understood means: look everywhere. */
export function parseRealtimeMessage(text: string): RealtimeMessage {
  try {
    const { from, words, ephemeralEvents } = JSON.parse(text) as RealtimeMessage;
    if (
      typeof from === 'string' &&
      (words === null || Array.isArray(words)) &&
      Array.isArray(ephemeralEvents)
    )
      return { from, words, ephemeralEvents };
  } catch {
    // Told by what follows.
  }
  return { from: '', words: null, ephemeralEvents: [] };
}
