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

/** Kinds with other parts or another order than the default. */
const PARTS_BY_KIND: Readonly<Record<string, readonly PagePart[]>> = {
  MEDICAL: ['urgent', 'calls', 'pin', 'facts', 'write', 'share'],
  // Nobody finds a grave, and it does not move: no location form.
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

/** Whether a code identifies a person, so that others than its owner may read messages. */
export function isPersonalCard(kind: string | null): boolean {
  return kind === 'MEDICAL' || kind === 'IDENTIFICATION';
}

/** On the page of a lost thing, contacting the owner comes before any details. */
const LOST_FIRST_PARTS: readonly PagePart[] = ['lost', 'urgent', 'calls', 'write', 'share'];

/** List the parts of a page in their order. */
export function listPageParts(kind: string, isLost: boolean): readonly PagePart[] {
  const defaultOrder = PARTS_BY_KIND[kind] ?? DEFAULT_PARTS;
  if (!isLost) return defaultOrder;
  // Emergency information comes first even if the card is lost.
  if (kind === 'MEDICAL') return ['urgent', 'calls', 'lost', ...defaultOrder.slice(2)];
  const leadingParts = LOST_FIRST_PARTS.filter(
    (part) => defaultOrder.includes(part) || ['lost', 'share'].includes(part),
  );
  return [...leadingParts, ...defaultOrder.filter((part) => !leadingParts.includes(part))];
}
