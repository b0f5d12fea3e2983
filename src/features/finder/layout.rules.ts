/** A part of the page of a code. */
export type PagePart =
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

const DEFAULT_PARTS: readonly PagePart[] = ['onward', 'urgent', 'calls', 'facts', 'pin', 'write', 'share'];

/** Kinds whose page has other parts, or another order. */
const PARTS_BY_KIND: Readonly<Record<string, readonly PagePart[]>> = {
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
export function isPersonalCard(kind: string | null): boolean {
  return kind === 'MEDICAL' || kind === 'IDENTIFICATION';
}

/** What comes before all else on the page of a lost thing: how to reach the owner before any details. */
const LOST_FIRST_PARTS: readonly PagePart[] = ['lost', 'urgent', 'calls', 'write', 'share'];

/** The parts of the page of a code of a kind, in their order. */
export function listPageParts(kind: string, isLost: boolean): readonly PagePart[] {
  const defaultOrder = PARTS_BY_KIND[kind] ?? DEFAULT_PARTS;
  if (!isLost) return defaultOrder;
  // An emergency is one whether the card was lost or not.
  if (kind === 'MEDICAL') return ['urgent', 'calls', 'lost', ...defaultOrder.slice(2)];
  const leadingParts = LOST_FIRST_PARTS.filter(
    (part) => defaultOrder.includes(part) || ['lost', 'share'].includes(part),
  );
  return [...leadingParts, ...defaultOrder.filter((part) => !leadingParts.includes(part))];
}
