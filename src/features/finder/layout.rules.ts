/** A part of the page of a code. */
export type Part =
  | 'lost'
  | 'onward'
  | 'memorial'
  | 'story'
  | 'places'
  | 'guestBook'
  | 'sign'
  | 'gallery'
  | 'words'
  | 'urgent'
  | 'calls'
  | 'actions'
  | 'network'
  | 'facts'
  | 'pin'
  | 'documents'
  | 'write'
  | 'share';

const OF_THINGS: readonly Part[] = ['onward', 'urgent', 'calls', 'facts', 'pin', 'write', 'share'];

/** Kinds whose page has other parts, or another order. */
const OF_KIND: Readonly<Record<string, readonly Part[]>> = {
  MEDICAL: ['urgent', 'calls', 'pin', 'facts', 'write', 'share'],
  // A grave has not been found by anybody, and does not move.
  MEMORY_TAG: ['memorial', 'gallery', 'story', 'places', 'facts', 'pin', 'guestBook', 'sign', 'write'],
  DOCUMENT: ['facts', 'pin', 'documents', 'calls', 'write', 'share'],
  WIFI: ['network', 'pin', 'facts', 'write', 'share'],
  TEXT: ['words', 'pin', 'facts', 'write', 'share'],
  VCARD: ['calls', 'actions', 'pin', 'facts', 'write', 'share'],
  PHONE: ['calls', 'pin', 'facts', 'write', 'share'],
  EMAIL: ['actions', 'pin', 'facts', 'write', 'share'],
  SMS: ['actions', 'pin', 'facts', 'write', 'share'],
  LOCATION: ['actions', 'pin', 'facts', 'write', 'share'],
  EVENT: ['facts', 'actions', 'pin', 'write', 'share'],
};

/** Whether a code is the card or bracelet of a person, which others than its owner may read for them. */
export function isCardOfPerson(kind: string | null): boolean {
  return kind === 'MEDICAL' || kind === 'IDENTIFICATION';
}

/** What comes before all else on the page of a lost thing: how to reach the owner before any details. */
const AHEAD_WHEN_LOST: readonly Part[] = ['lost', 'urgent', 'calls', 'write', 'share'];

/** The parts of the page of a code of a kind, in their order. */
export function partsOf(kind: string, isLost: boolean): readonly Part[] {
  const usual = OF_KIND[kind] ?? OF_THINGS;
  if (!isLost) return usual;
  // An emergency is one whether the card was lost or not.
  if (kind === 'MEDICAL') return ['urgent', 'calls', 'lost', ...usual.slice(2)];
  const ahead = AHEAD_WHEN_LOST.filter((part) => usual.includes(part) || ['lost', 'share'].includes(part));
  return [...ahead, ...usual.filter((part) => !ahead.includes(part))];
}
