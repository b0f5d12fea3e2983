import {
  FORM_RESULT_ATTRIBUTES,
  type HtmlPage,
  MAX_SECTIONS_BYTES,
} from '../../platform/pages/page-frame.ts';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { getQrCodeKind, type LostReport } from '../codes/index.ts';
import { getMemoryTagPlaces } from '../memory-tags/index.ts';
import { extractCallableContacts } from './callable-contacts.rules.ts';
import type { OngoingConversation } from './conversation-access.ts';
import type { VisitGallery } from './gallery.ts';
import { listPageParts, type PagePart } from './layout.rules.ts';
import { mergeMemoryTag } from './memorial.rules.ts';
import type { MemorialContent } from './memorial.ts';
import { renderActionsSection } from './sections/actions.ts';
import { renderCallableContacts } from './sections/callable-contacts.ts';
import { type OfferedDocuments, renderDocumentsSection } from './sections/documents.ts';
import { renderFactsSection } from './sections/facts.ts';
import { renderGallerySection } from './sections/gallery.ts';
import { renderGuestBookSection } from './sections/guest-book.ts';
import { type GuestBookForm, renderGuestBookForm } from './sections/guest-book-form.ts';
import { renderHead } from './sections/head.ts';
import { type LocationForm, renderLocationForm } from './sections/location-form.ts';
import { renderLostSection } from './sections/lost.ts';
import { renderMemorialSection } from './sections/memorial.ts';
import { type MessageForm, renderMessageForm } from './sections/message-form.ts';
import { renderOngoingConversation } from './sections/ongoing-conversation.ts';
import { type PinForm, renderPinForm } from './sections/pin-form.ts';
import { renderPlacesSection } from './sections/places.ts';
import { renderStorySection } from './sections/story.ts';
import { findTargetUrl, renderTargetLinkSection } from './sections/target-link.ts';
import { renderTextSection } from './sections/text.ts';
import { renderWifiNetworkSection } from './sections/wifi-network.ts';
import { translateKind } from './translate-field.ts';
import { countMarkupBytes } from './truncate-to-fit.ts';

type Profile = Readonly<Record<string, unknown>>;

export interface CodePageContent {
  status: number;
  address: string;
  kind: string;
  isLost: boolean;
  lost: LostReport | null;
  profile: Profile | null;
  /** Network fields that are hidden from this visit; empty for other kinds. */
  withheld: readonly string[];
  /** The signed token of a visit that entered the PIN; null in other visits. */
  unlockedVisit: string | null;
  /** The form, or a text instead of it; null if no PIN is required. */
  pin: PinForm | string | null;
  documents: OfferedDocuments | null;
  /** The form, or why a message was not sent; null if the owner accepts no messages. */
  write: MessageForm | string | null;
  done: { text: string; way: Html | null } | null;
  /** The open conversation started from this browser. */
  ongoing: OngoingConversation | null;
  memorial: MemorialContent | null;
  /** The form, or why an entry was not accepted; null without a guest book. */
  sign: GuestBookForm | string | null;
  gallery: VisitGallery | null;
  share: LocationForm | null;
}

/** Values without information, left out to save space. */
const OMITTED_VALUES: Profile = { bloodType: 'UNKNOWN', pregnant: false };

/** Create the page of a code, with its sections in the order of its kind. */
export function createCodePage(content: CodePageContent, locale: Locale): HtmlPage {
  const { address, memorial } = content;
  const page = memorial
    ? {
        ...content,
        profile: mergeMemoryTag(content.profile, {
          ...memorial.tag,
          places: getMemoryTagPlaces(memorial.tag),
        }),
      }
    : content;
  const parts = listPageParts(page.kind, page.isLost);
  const sections = renderSections(page, parts, locale);
  const shown = parts.filter((part) => sections[part]);
  const body = shown.map((part, index) => {
    // Facts get a heading if they do not follow the section on the same subject.
    const isApart = part === 'facts' && page.profile && ![undefined, 'memorial'].includes(shown[index - 1]);
    const heading = isApart ? html`<h2>${t(locale, 'finder.detailsTitle')}</h2>\n` : null;
    return html`${heading}${sections[part]}\n`;
  });
  return {
    status: page.status,
    locale,
    address,
    title: getPageTitle(page.kind, locale),
    body: html`${renderHead(page.kind, page.profile, locale)}\n${renderNotices(page, locale)}${body}`,
  };
}

function getPageTitle(kind: string, locale: Locale): string {
  const label = translateKind(locale, kind);
  if (kind === 'MEDICAL') return t(locale, 'finder.emergencyTitle');
  return kind === 'MEMORY_TAG' ? label : t(locale, 'finder.pageTitle', { kind: label });
}

function renderErrorMessage(text: string): Html {
  return html`<p class="wrong"${FORM_RESULT_ATTRIBUTES} role="alert">${text}</p>`;
}

function renderNotices({ done, ongoing }: CodePageContent, locale: Locale): Html {
  return html`${done && html`<div${FORM_RESULT_ATTRIBUTES}><p>${done.text}</p>${done.way}</div>\n`}${ongoing && renderOngoingConversation(ongoing, locale)}`;
}

/** Render the sections that have content. Forms get the bytes that they need; content of the owner gets the rest. */
function renderSections(
  page: CodePageContent,
  parts: readonly PagePart[],
  locale: Locale,
): Partial<Record<PagePart, Html | null>> {
  const kind = getQrCodeKind(page.kind);
  const profile = page.profile ?? {};
  const has = (part: PagePart) => parts.includes(part);
  const memorial = has('memorial') ? renderMemorialSection(profile, locale) : null;
  const network = has('network') ? renderWifiNetworkSection(profile, page.withheld, locale) : null;
  const file = { address: page.address, visit: page.unlockedVisit };
  const pin =
    typeof page.pin === 'string' ? html`<p>${page.pin}</p>` : page.pin && renderPinForm(page.pin, locale);
  const fixed: Partial<Record<PagePart, Html | null>> = {
    onward: renderTargetLinkSection(page.kind, page.profile, locale),
    memorial: memorial?.section ?? null,
    network: network?.section ?? null,
    actions: has('actions') ? renderActionsSection(page.kind, profile, file, locale) : null,
    pin,
    documents:
      has('documents') && page.documents
        ? renderDocumentsSection(page.documents, Math.floor(MAX_SECTIONS_BYTES / 3), locale)
        : null,
    sign:
      typeof page.sign === 'string'
        ? renderErrorMessage(page.sign)
        : page.sign && renderGuestBookForm(page.sign, locale),
    write:
      typeof page.write === 'string'
        ? renderErrorMessage(page.write)
        : has('write') && page.write
          ? renderMessageForm(page.write, locale)
          : null,
    share: has('share') && page.share ? renderLocationForm(page.share, locale) : null,
  };
  let bytes = MAX_SECTIONS_BYTES;
  const deductBytes = <Section extends Html | null>(section: Section): Section => {
    bytes -= section ? countMarkupBytes(section) : 0;
    return section;
  };
  for (const section of [...Object.values(fixed), renderNotices(page, locale)]) deductBytes(section);
  const lost = page.isLost ? deductBytes(renderLostSection(page.kind, page.lost, bytes, locale)) : null;

  const { calls: contacts, others } = has('calls')
    ? extractCallableContacts(kind.schema.properties, profile)
    : { calls: [], others: profile };
  const shownElsewhere = [
    ...['name', ...(memorial?.shown ?? []), ...(network?.shown ?? [])],
    ...(has('words') ? ['text'] : []),
    ...(findTargetUrl(page.kind, page.profile) ? ['url'] : []),
    ...(page.isLost && page.lost?.reward ? ['reward'] : []),
  ];
  // A finder must know how to handle a lost thing or animal before they write.
  const urgent = has('urgent') ? [...(kind.urgent ?? []), ...(page.isLost ? ['notes'] : [])] : [];
  const fields = Object.entries(others).filter(
    ([field, value]) => !shownElsewhere.includes(field) && OMITTED_VALUES[field] !== value,
  );
  const only = (isUrgent: boolean) =>
    Object.fromEntries(fields.filter(([field]) => urgent.includes(field) === isUrgent));
  // Contacts get their bytes before long lists use them up.
  const contactsSection = deductBytes(
    renderCallableContacts(contacts, Math.floor(bytes / 2), { kind: page.kind, locale }),
  );
  const { tag } = page.memorial ?? {};
  const story = deductBytes(renderStorySection(tag?.story ?? null, Math.floor(bytes / 2), file, locale));
  const places = deductBytes(
    renderPlacesSection(tag ? getMemoryTagPlaces(tag) : [], Math.floor(bytes / 3), locale),
  );
  const guestBook =
    page.memorial && deductBytes(renderGuestBookSection(page.memorial, Math.floor(bytes / 2), file, locale));
  const gallery =
    page.gallery && deductBytes(renderGallerySection(page.gallery, Math.floor(bytes / 2), locale));
  return {
    ...fixed,
    lost,
    story,
    places,
    guestBook,
    gallery,
    urgent: deductBytes(renderFactsSection(kind, only(true), { bytes, locale })),
    calls: contactsSection,
    words: has('words') ? deductBytes(renderTextSection(profile.text, bytes, locale)) : null,
    facts: page.profile
      ? renderFactsSection(kind, only(false), { bytes, locale })
      : html`<p>${t(locale, 'finder.nothingPublic')}</p>`,
  };
}
