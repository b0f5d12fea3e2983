/** What is told to the other side of a conversation at once and stored nowhere. */
export interface Whisper {
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
export interface Notice {
  /** The process that says so. */
  from: string;
  /** Streams with something new, and `a:` with the id of an account whose sessions changed; null for: look everywhere. */
  words: readonly string[] | null;
  whispers: readonly Whisper[];
}

/** A notification of PostgreSQL holds less than 8,000 bytes. */
const MOST_BYTES = 7_500;

/** The word that the sessions of an account changed. */
export function accessWord(userId: string): string {
  return `a:${userId}`;
}

/** Puts what is to be told into texts that are short enough; of too many words remains: look everywhere. */
export function textsOf(
  from: string,
  words: readonly string[] | null,
  whispers: readonly Whisper[],
): string[] {
  const textOf = (some: readonly string[] | null, others: readonly Whisper[]) =>
    JSON.stringify({ from, words: some, whispers: others });
  const texts: string[] = [];
  if (words === null || words.length > 0) {
    const whole = textOf(words, []);
    texts.push(whole.length <= MOST_BYTES ? whole : textOf(null, []));
  }
  let some: Whisper[] = [];
  for (const whisper of whispers) {
    if (textOf([], [...some, whisper]).length > MOST_BYTES) {
      texts.push(textOf([], some));
      some = [];
    }
    some.push(whisper);
  }
  if (some.length > 0) texts.push(textOf([], some));
  return texts;
}

/** Reads such a text; one that is not understood means: look everywhere. */
export function noticeOf(text: string): Notice {
  try {
    const { from, words, whispers } = JSON.parse(text) as Notice;
    if (typeof from === 'string' && (words === null || Array.isArray(words)) && Array.isArray(whispers))
      return { from, words, whispers };
  } catch {
    // Told by what follows.
  }
  return { from: '', words: null, whispers: [] };
}
