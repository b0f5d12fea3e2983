import { PAGE_SECTIONS, type PageSection } from '../codes/index.ts';

export type QrCodePagePart =
  | 'lost'
  | 'targetLink'
  | 'memorial'
  | 'story'
  | 'places'
  | 'guestBook'
  | 'guestBookForm'
  | 'gallery'
  | 'text'
  | 'urgent'
  | 'contacts'
  | 'actions'
  | 'network'
  | 'facts'
  | 'pinForm'
  | 'documents'
  | 'messageForm'
  | 'locationForm';

const DEFAULT_PARTS: readonly QrCodePagePart[] = [
  'urgent',
  'contacts',
  'facts',
  'pinForm',
  'messageForm',
  'locationForm',
];

const PARTS_BY_KIND: Readonly<Record<string, readonly QrCodePagePart[]>> = {
  MEDICAL: ['urgent', 'contacts', 'pinForm', 'facts', 'messageForm', 'locationForm'],
  // Nobody finds a grave, and it does not move: no location form.
  MEMORY_TAG: [
    'memorial',
    'gallery',
    'story',
    'places',
    'facts',
    'pinForm',
    'guestBook',
    'guestBookForm',
    'messageForm',
  ],
  DOCUMENT: ['facts', 'pinForm', 'documents', 'contacts', 'messageForm', 'locationForm'],
  // Nobody finds these, unless they are lost.
  WIFI: ['network', 'pinForm', 'facts', 'messageForm'],
  TEXT: ['text', 'pinForm', 'facts', 'messageForm'],
  VCARD: ['actions', 'contacts', 'pinForm', 'facts', 'messageForm'],
  PHONE: ['contacts', 'pinForm', 'facts', 'messageForm'],
  EMAIL: ['actions', 'pinForm', 'facts', 'messageForm'],
  SMS: ['actions', 'pinForm', 'facts', 'messageForm'],
  LOCATION: ['actions', 'pinForm', 'facts', 'messageForm'],
  EVENT: ['facts', 'actions', 'pinForm', 'messageForm'],
  URL: ['targetLink', 'pinForm', 'facts', 'messageForm'],
};

/** Whether a code identifies a person, so that others than its owner may read messages. */
export function isPersonalCardKind(kind: string | null): boolean {
  return kind === 'MEDICAL' || kind === 'IDENTIFICATION';
}

/** Kinds whose name says what it is; all others may have the name of a person. */
const KINDS_NAMING_A_THING: readonly string[] = ['PET', 'LUGGAGE', 'CAR', 'DOCUMENT', 'EVENT', 'LOCATION'];

export function isKindNamingThing(kind: string): boolean {
  return KINDS_NAMING_A_THING.includes(kind);
}

/** On the page of a lost thing, contacting the owner comes before any details. */
const LOST_FIRST_PARTS: readonly QrCodePagePart[] = [
  'lost',
  'urgent',
  'contacts',
  'messageForm',
  'locationForm',
];

const PARTS_BY_SECTION: Readonly<Record<PageSection, readonly QrCodePagePart[]>> = {
  URGENT: ['urgent'],
  CONTACTS: ['contacts'],
  ACTIONS: ['actions', 'targetLink'],
  NETWORK: ['network'],
  TEXT: ['text'],
  DETAILS: ['facts'],
  PIN: ['pinForm'],
  DOCUMENTS: ['documents'],
  MEMORIAL: ['memorial'],
  PICTURES: ['gallery'],
  STORY: ['story'],
  PLACES: ['places'],
  GUEST_BOOK: ['guestBook', 'guestBookForm'],
};

/** What helpers and finders need comes first, whatever order the owner chose. */
export function listQrCodePageParts(
  kind: string,
  isLost: boolean,
  sectionOrder: readonly PageSection[] = [],
): readonly QrCodePagePart[] {
  const defaultOrder = PARTS_BY_KIND[kind] ?? DEFAULT_PARTS;
  const orderedParts = sectionOrder
    .flatMap((section) => PARTS_BY_SECTION[section] ?? [])
    .filter((part) => defaultOrder.includes(part));
  const parts = [...new Set([...orderedParts, ...defaultOrder])];
  // Emergency information comes first even if the card is lost.
  if (kind === 'MEDICAL')
    return [
      ...new Set<QrCodePagePart>(['urgent', 'contacts', ...(isLost ? ['lost' as const] : []), ...parts]),
    ];
  if (!isLost) return parts;
  const leadingParts = LOST_FIRST_PARTS.filter(
    (part) => defaultOrder.includes(part) || ['lost', 'locationForm'].includes(part),
  );
  return [...leadingParts, ...parts.filter((part) => !leadingParts.includes(part))];
}

export interface OrderedSection {
  section: PageSection;
  /** First in any order. */
  isFixed: boolean;
}

/** List the sections that the page of a kind can have, in the order of the page. */
export function listPageSections(
  kind: string,
  sectionOrder: readonly PageSection[] = [],
): readonly OrderedSection[] {
  const sections = listQrCodePageParts(kind, false, sectionOrder).flatMap(
    (part) => PAGE_SECTIONS.find((section) => PARTS_BY_SECTION[section].includes(part)) ?? [],
  );
  return [...new Set(sections)].map((section) => ({
    section,
    isFixed: kind === 'MEDICAL' && (section === 'URGENT' || section === 'CONTACTS'),
  }));
}
