import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { placesOf } from '../memory-tags/memory-tag.view.ts';
import type { Lost } from '../qrcodes/encrypted-content.ts';
import { kindOf } from '../qrcodes/qrcode.view.ts';
import { splitCalls } from './calls.rules.ts';
import { bytesOf } from './fit.ts';
import type { Gallery } from './gallery.ts';
import { type Part, partsOf } from './layout.rules.ts';
import { withTag } from './memorial.rules.ts';
import type { Memorial } from './memorial.ts';
import type { Begun } from './opened-conversation.ts';
import { ANSWER, type Page, SECTIONS_BYTES } from './page-frame.ts';
import { actionsSection } from './sections/actions.ts';
import { begunSection } from './sections/begun.ts';
import { callsSection } from './sections/calls.ts';
import { documentsSection, type OfferedDocuments } from './sections/documents.ts';
import { factsSection } from './sections/facts.ts';
import { gallerySection } from './sections/gallery.ts';
import { guestBookSection } from './sections/guest-book.ts';
import { headOf } from './sections/head.ts';
import { lostSection } from './sections/lost.ts';
import { memorialSection } from './sections/memorial.ts';
import { networkSection } from './sections/network.ts';
import { onwardSection, onwardUrl } from './sections/onward-link.ts';
import { type PinForm, pinForm } from './sections/pin-form.ts';
import { placesSection } from './sections/places.ts';
import { type ShareForm, shareForm } from './sections/share-form.ts';
import { type SignForm, signForm } from './sections/sign-form.ts';
import { storySection } from './sections/story.ts';
import { wordsSection } from './sections/words.ts';
import { type WriteForm, writeForm } from './sections/write-form.ts';
import { translateKind } from './translate-field.ts';

type Profile = Readonly<Record<string, unknown>>;

/** What a page about a code is made from. */
export interface CodePage {
  status: number;
  /** Where the page is. */
  address: string;
  kind: string;
  isLost: boolean;
  lost: Lost | null;
  profile: Profile | null;
  /** The fields of a network that are not shown, or not yet; none of any other kind. */
  withheld: readonly string[];
  /** The signed token of a visit in which the PIN was given; null in any other. */
  unlockedVisit: string | null;
  /** The form, or a text in its place; null where no PIN is asked for. */
  pin: PinForm | string | null;
  /** The documents that it offers to whoever sees this much of it. */
  documents: OfferedDocuments | null;
  /** The form for a message to the owner, or why one was not sent; null where nobody can write. */
  write: WriteForm | string | null;
  /** What was done on it, which it is answered by; null where nothing was. */
  done: { text: string; way: Html | null } | null;
  /** The open conversation that the finder began from this phone; null where there is none. */
  begun: Begun | null;
  /** The memory tag that is bound to the code; null where none is shown. */
  memorial: Memorial | null;
  /** The form for its guest book, or why an entry was not taken; null where it has none. */
  sign: SignForm | string | null;
  /** The pictures of the memory tag that is bound to the code; null where none are shown. */
  gallery: Gallery | null;
  /** The form for where the finder is; null where it would reach nobody. */
  share: ShareForm | null;
}

/** What a card need not say: it takes the place of what matters. */
const SAYS_NOTHING: Profile = { bloodType: 'UNKNOWN', pregnant: false };

/** The page of a code: what the owner tells and the forms, in the order that fits its kind. */
export function codePage(given: CodePage, locale: Locale): Page {
  const { address, memorial } = given;
  const page = memorial
    ? { ...given, profile: withTag(given.profile, { ...memorial.tag, places: placesOf(memorial.tag) }) }
    : given;
  const parts = partsOf(page.kind, page.isLost);
  const sections = sectionsOf(page, parts, locale);
  const shown = parts.filter((part) => sections[part]);
  const body = shown.map((part, index) => {
    // Facts that do not follow whom they are about are found by a heading of their own.
    const isApart = part === 'facts' && page.profile && ![undefined, 'memorial'].includes(shown[index - 1]);
    const heading = isApart ? html`<h2>${t(locale, 'finder.detailsTitle')}</h2>\n` : null;
    return html`${heading}${sections[part]}\n`;
  });
  return {
    status: page.status,
    locale,
    address,
    title: titleOf(page.kind, locale),
    body: html`${headOf(page.kind, page.profile, locale)}\n${before(page, locale)}${body}`,
  };
}

/** The title of the tab: of a card and of somebody who has died there is no owner who tells something. */
function titleOf(kind: string, locale: Locale): string {
  const label = translateKind(locale, kind);
  if (kind === 'MEDICAL') return t(locale, 'finder.emergencyTitle');
  return kind === 'MEMORY_TAG' ? label : t(locale, 'finder.pageTitle', { kind: label });
}

function complaintOf(text: string): Html {
  return html`<p class="wrong"${ANSWER} role="alert">${text}</p>`;
}

/** What is said before all else: what was done, and the way to what the finder wrote. */
function before({ done, begun }: CodePage, locale: Locale): Html {
  return html`${done && html`<div${ANSWER}><p>${done.text}</p>${done.way}</div>\n`}${begun && begunSection(begun, locale)}`;
}

/** The parts that have something to show. Forms take the room they need; what the owner wrote gets what is left. */
function sectionsOf(
  page: CodePage,
  parts: readonly Part[],
  locale: Locale,
): Partial<Record<Part, Html | null>> {
  const kind = kindOf(page.kind);
  const profile = page.profile ?? {};
  const has = (part: Part) => parts.includes(part);
  const memorial = has('memorial') ? memorialSection(profile, locale) : null;
  const network = has('network') ? networkSection(profile, page.withheld, locale) : null;
  const file = { address: page.address, visit: page.unlockedVisit };
  const pin = typeof page.pin === 'string' ? html`<p>${page.pin}</p>` : page.pin && pinForm(page.pin, locale);
  const fixed: Partial<Record<Part, Html | null>> = {
    onward: onwardSection(page.kind, page.profile, locale),
    memorial: memorial?.section ?? null,
    network: network?.section ?? null,
    actions: has('actions') ? actionsSection(page.kind, profile, file, locale) : null,
    pin,
    documents:
      has('documents') && page.documents
        ? documentsSection(page.documents, Math.floor(SECTIONS_BYTES / 3), locale)
        : null,
    sign: typeof page.sign === 'string' ? complaintOf(page.sign) : page.sign && signForm(page.sign, locale),
    write:
      typeof page.write === 'string'
        ? complaintOf(page.write)
        : has('write') && page.write
          ? writeForm(page.write, locale)
          : null,
    share: has('share') && page.share ? shareForm(page.share, locale) : null,
  };
  let bytes = SECTIONS_BYTES;
  const spend = <Section extends Html | null>(section: Section): Section => {
    bytes -= section ? bytesOf(section) : 0;
    return section;
  };
  for (const section of [...Object.values(fixed), before(page, locale)]) spend(section);
  const lost = page.isLost ? spend(lostSection(page.kind, page.lost, bytes, locale)) : null;

  const { calls, others } = has('calls')
    ? splitCalls(kind.schema.properties, profile)
    : { calls: [], others: profile };
  const elsewhere = [
    ...['name', ...(memorial?.shown ?? []), ...(network?.shown ?? [])],
    ...(has('words') ? ['text'] : []),
    ...(onwardUrl(page.kind, page.profile) ? ['url'] : []),
    ...(page.isLost && page.lost?.reward ? ['reward'] : []),
  ];
  // Who finds what is lost must know how to treat it before they write.
  const urgent = has('urgent') ? [...(kind.urgent ?? []), ...(page.isLost ? ['notes'] : [])] : [];
  const fields = Object.entries(others).filter(
    ([field, value]) => !elsewhere.includes(field) && SAYS_NOTHING[field] !== value,
  );
  const only = (isUrgent: boolean) =>
    Object.fromEntries(fields.filter(([field]) => urgent.includes(field) === isUrgent));
  // Whom to call must be there however long the lists before it are.
  const callable = spend(callsSection(calls, Math.floor(bytes / 2), { kind: page.kind, locale }));
  const { tag } = page.memorial ?? {};
  const story = spend(storySection(tag?.story ?? null, Math.floor(bytes / 2), file, locale));
  const places = spend(placesSection(tag ? placesOf(tag) : [], Math.floor(bytes / 3), locale));
  const guestBook =
    page.memorial && spend(guestBookSection(page.memorial, Math.floor(bytes / 2), file, locale));
  const gallery = page.gallery && spend(gallerySection(page.gallery, Math.floor(bytes / 2), locale));
  return {
    ...fixed,
    lost,
    story,
    places,
    guestBook,
    gallery,
    urgent: spend(factsSection(kind, only(true), { bytes, locale })),
    calls: callable,
    words: has('words') ? spend(wordsSection(profile.text, bytes, locale)) : null,
    facts: page.profile
      ? factsSection(kind, only(false), { bytes, locale })
      : html`<p>${t(locale, 'finder.nothingPublic')}</p>`,
  };
}
