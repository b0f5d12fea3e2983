import {
  FORM_RESULT_HTML_ATTRIBUTES,
  type LocalizedHtmlPage,
  MAX_PAGE_SECTIONS_BYTES,
} from '../../platform/pages/page-frame.ts';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { getQrCodeKindByName, type LostItemReport, type PageDesign } from '../codes/index.ts';
import { parseMemoryTagPlaces } from '../memory-tags/index.ts';
import { extractCallableContacts } from './contact-links.rules.ts';
import type { OngoingConversation } from './conversation-access.ts';
import { countMarkupBytes } from './field-value.ts';
import { translateQrCodeKind } from './formatters.ts';
import type { VisibleGallery } from './gallery.ts';
import { isKindNamingThing, listQrCodePageParts, type QrCodePagePart } from './layout.rules.ts';
import { type MemorialContent, mergeMemoryTagIntoProfile } from './memorial.ts';
import { renderAvatar } from './sections/avatar.ts';
import {
  findTargetUrl,
  renderActionsSection,
  renderCallableContacts,
  renderMemoryTagPlacesSection,
  renderOngoingConversation,
  renderTargetLinkSection,
  renderWifiNetworkSection,
} from './sections/contact.ts';
import {
  CARD_HEADING_FIELDS,
  type OfferedDocuments,
  renderLostSection,
  renderMemorialStorySection,
  renderOfferedDocumentsSection,
  renderProfileFieldsSection,
  renderQrCodeHeading,
  renderTextSection,
} from './sections/content.ts';
import {
  type GuestBookForm,
  type LocationForm,
  type MessageForm,
  type PinForm,
  renderFormButtons,
  renderGuestBookForm,
  renderLocationForm,
  renderMessageForm,
  renderPinForm,
} from './sections/forms.ts';
import { HEALTH_CARD_FIELDS, hasUrgentFacts, isInformative, renderHealthFacts } from './sections/health.ts';
import { renderLocationSection } from './sections/location.ts';
import { renderGuestBookSection, renderMemorialParts } from './sections/memorial.ts';
import {
  getCardPicture,
  renderGallerySection,
  renderPortrait,
  renderQrCodePictures,
} from './sections/pictures.ts';
import { renderPrintedCode } from './sections/qr-symbol.ts';
import { renderCodeReportLink } from './sections/report-form.ts';

type Profile = Readonly<Record<string, unknown>>;

export interface PageConfirmation {
  text: string;
  /** The place that was sent. */
  sent?: Html;
  link: Html | null;
  /** A position alone starts no conversation. */
  topic: 'conversation' | 'position' | 'guestBook';
}

export interface QrCodePageContent {
  status: number;
  address: string;
  /** URL in the code that is printed with the page. */
  scanUrl: string;
  /** Path of `COPY_SCRIPT`. */
  copyScript: string;
  kind: string;
  pageDesign: PageDesign;
  /** Where the finder is, if known (ISO 3166-1 alpha-2). */
  country: string | null;
  isLost: boolean;
  lost: LostItemReport | null;
  profile: Profile | null;
  /** Network fields that are hidden from this visit; empty for other kinds. */
  hiddenFields: readonly string[];
  /** The signed token of a visit that entered the PIN; null in other visits. */
  unlockedVisit: string | null;
  /** The form, or a text instead of it; null if no PIN is required. */
  pinForm: PinForm | string | null;
  documents: OfferedDocuments | null;
  /** The form, or why a message was not sent; null if the owner accepts no messages. */
  messageForm: MessageForm | string | null;
  confirmation: PageConfirmation | null;
  /** The owner marked this phone, so its scans notify nobody. */
  isOwnPhone: boolean;
  /** The open conversation started from this browser. */
  ongoingConversation: OngoingConversation | null;
  memorial: MemorialContent | null;
  /** The form, or why an entry was not accepted; null without a guest book. */
  guestBookForm: GuestBookForm | string | null;
  gallery: VisibleGallery | null;
  locationForm: LocationForm | null;
}

export function createQrCodePage(content: QrCodePageContent, locale: Locale): LocalizedHtmlPage {
  const { address, memorial } = content;
  const page = memorial
    ? {
        ...content,
        profile: mergeMemoryTagIntoProfile(content.profile, {
          ...memorial.tag,
          places: parseMemoryTagPlaces(memorial.tag),
        }),
      }
    : content;
  const { accentColor, sectionOrder } = page.pageDesign;
  const parts = listQrCodePageParts(page.kind, page.isLost, sectionOrder);
  const { pictures, heading, printedCode, buttons, ...sections } = renderSections(page, parts, locale);
  const visibleParts = parts.filter((part) => sections[part]);
  const body = visibleParts.map((part, index) => {
    // Facts get a heading if they do not follow the section on the same subject.
    const isApart =
      part === 'facts' && page.profile && ![undefined, 'memorial'].includes(visibleParts[index - 1]);
    const heading = isApart ? html`<h2>${t(locale, 'finder.detailsTitle')}</h2>\n` : null;
    return html`${heading}${sections[part]}\n`;
  });
  // A helper needs an emergency card before the picture.
  const firstPicture = page.kind === 'MEDICAL' ? null : (pictures?.first ?? null);
  return {
    status: page.status,
    locale,
    address,
    title: getPageTitle(page, locale),
    accentColor,
    hasMemorial: page.kind === 'MEMORY_TAG',
    picture: pictures && page.gallery ? getCardPicture(page.gallery, page.pageDesign) : undefined,
    body: html`${pictures?.cover}${firstPicture && html`<div class="columns">${firstPicture}<div>`}${pictures?.logo}${heading}\n${page.kind === 'MEDICAL' && pictures?.first}${pictures?.others}${renderNotices(page, locale)}${body}${printedCode}${firstPicture && html`</div></div>`}${buttons}`,
    footer: renderCodeReportLink(address, locale),
  };
}

/** The name is in link previews and the history of the browser: only of a thing, and if everybody may see it. */
function getPageTitle(
  { kind, profile, unlockedVisit }: Pick<QrCodePageContent, 'kind' | 'profile' | 'unlockedVisit'>,
  locale: Locale,
): string {
  const label = translateQrCodeKind(locale, kind);
  if (typeof profile?.name === 'string' && unlockedVisit === null && isKindNamingThing(kind))
    return `${profile.name} · ${label}`;
  if (kind === 'MEDICAL') return t(locale, 'finder.emergencyTitle');
  return kind === 'MEMORY_TAG' ? label : t(locale, 'finder.pageTitle', { kind: label });
}

function renderErrorMessage(text: string): Html {
  return html`<p class="wrong"${FORM_RESULT_HTML_ATTRIBUTES} role="alert">${text}</p>`;
}

function renderNotices(
  { confirmation, isOwnPhone, ongoingConversation, messageForm }: QrCodePageContent,
  locale: Locale,
): Html {
  const canWrite = messageForm !== null && typeof messageForm === 'object';
  const offersMessage = confirmation?.topic === 'position' && !ongoingConversation && canWrite;
  return html`${isOwnPhone && html`<p class="done">${t(locale, 'finder.ownPhone')}</p>\n`}${confirmation && html`<div class="done"${FORM_RESULT_HTML_ATTRIBUTES}><p><b>${confirmation.text}</b></p>${confirmation.sent}${confirmation.link}${offersMessage && html`\n<p>${t(locale, 'finder.shareMessage')}</p>\n<p><a class="act" href="#write">${t(locale, 'finder.writeButton')}</a></p>`}</div>\n`}${ongoingConversation && renderOngoingConversation(ongoingConversation, locale)}`;
}

/** Sections that may each end with a note that something is left out. */
const MAX_TRUNCATION_NOTES = 3;

/** Render the sections that have content. Forms get the bytes that they need; content of the owner gets the rest. */
function renderSections(
  page: QrCodePageContent,
  parts: readonly QrCodePagePart[],
  locale: Locale,
): Partial<Record<QrCodePagePart, Html | null>> & {
  pictures: ReturnType<typeof renderQrCodePictures> | null;
  heading: Html;
  printedCode: Html | null;
  buttons: Html | null;
} {
  const kind = getQrCodeKindByName(page.kind);
  const profile = page.profile ?? {};
  const isMedical = page.kind === 'MEDICAL';
  const hidesHealth = isMedical && !hasUrgentFacts(kind, profile);
  const hasPart = (part: QrCodePagePart) => parts.includes(part);
  // A message form beside an address or a number would leave people wondering which to use.
  const hasOwnAddress = ['EMAIL', 'SMS', 'PHONE'].includes(page.kind) && (profile.email ?? profile.phone);
  const offersMessage = hasPart('messageForm') && (page.isLost || !hasOwnAddress);
  const memorial = hasPart('memorial') ? renderMemorialParts(profile, locale) : null;
  const { copyScript } = page;
  const network = hasPart('network')
    ? renderWifiNetworkSection(profile, page.hiddenFields, { copyScript, locale })
    : null;
  const location = page.kind === 'LOCATION' ? renderLocationSection(profile, copyScript, locale) : null;
  const file = { address: page.address, visit: page.unlockedVisit };
  const pinForm =
    typeof page.pinForm === 'string'
      ? html`<p>${page.pinForm}</p>`
      : page.pinForm && renderPinForm(page.pinForm, locale, hidesHealth);
  const formSections: Partial<Record<QrCodePagePart, Html | null>> = {
    targetLink: renderTargetLinkSection(page.kind, page.profile, locale),
    memorial: memorial?.epitaph ?? null,
    network: network?.section ?? null,
    actions: hasPart('actions')
      ? (location?.section ?? renderActionsSection(page.kind, profile, file, locale))
      : null,
    pinForm,
    documents:
      hasPart('documents') && page.documents
        ? renderOfferedDocumentsSection(page.documents, Math.floor(MAX_PAGE_SECTIONS_BYTES / 3), locale)
        : null,
    guestBookForm:
      typeof page.guestBookForm === 'string'
        ? renderErrorMessage(page.guestBookForm)
        : page.guestBookForm && renderGuestBookForm(page.guestBookForm, locale),
    messageForm:
      typeof page.messageForm === 'string'
        ? renderErrorMessage(page.messageForm)
        : page.messageForm && (offersMessage || page.messageForm.errorMessage)
          ? renderMessageForm(
              {
                ...page.messageForm,
                canShareLocation: hasPart('locationForm') && page.locationForm !== null,
              },
              locale,
            )
          : null,
    locationForm:
      hasPart('locationForm') && page.locationForm ? renderLocationForm(page.locationForm, locale) : null,
  };
  const { contacts, otherFields } = hasPart('contacts')
    ? extractCallableContacts(kind.schema.properties, profile)
    : { contacts: [], otherFields: profile };
  // The first contact is called from the emergency card, above the fold; the others further down.
  const [firstContact = null] = isMedical ? contacts : [];
  const buttons = renderFormButtons(
    {
      hasMessageForm: offersMessage && page.messageForm !== null && typeof page.messageForm === 'object',
      hasLocationForm: hasPart('locationForm') && page.locationForm !== null,
      // Only one button is filled: adding a contact or an event, opening a link or copying a password comes first.
      hasOtherAction:
        !page.isLost &&
        (network?.fields.includes('password') ||
          (formSections.actions ?? formSections.targetLink ?? null) !== null),
      isMemorial: page.kind === 'MEMORY_TAG',
      // A car stays where it is. Who has shared a place can still write.
      isLocationFirst: page.isLost && page.kind !== 'CAR' && page.confirmation?.topic !== 'position',
    },
    locale,
  );
  let bytes =
    MAX_PAGE_SECTIONS_BYTES - MAX_TRUNCATION_NOTES * Buffer.byteLength(t(locale, 'finder.truncated'));
  const deductBytes = <Section extends Html | null>(section: Section): Section => {
    bytes -= section ? countMarkupBytes(section) : 0;
    return section;
  };
  for (const section of [
    ...Object.values(formSections),
    renderNotices(page, locale),
    buttons,
    renderCodeReportLink(page.address, locale),
  ])
    deductBytes(section);
  const name = typeof profile.name === 'string' ? profile.name : null;
  const pictures =
    page.gallery && !hasPart('gallery')
      ? renderQrCodePictures(
          page.gallery,
          { kind: page.kind, name, pageDesign: page.pageDesign },
          Math.floor(bytes / 3),
          locale,
        )
      : null;
  for (const section of Object.values(pictures ?? {})) deductBytes(section);
  const isPictured = Boolean(pictures?.first ?? pictures?.logo);
  const ownPortrait = page.gallery && hasPart('gallery') ? renderPortrait(page.gallery) : null;
  const portrait = isPictured ? null : (ownPortrait ?? renderAvatar(page.kind, name, locale));
  const headingOptions = { ...page, firstContact, portrait, dates: memorial?.dates ?? [] };
  deductBytes(renderQrCodeHeading({ ...headingOptions, healthFacts: null }, locale));
  const lostBytes = isMedical ? Math.floor((bytes * 3) / 4) : bytes;
  const lost = page.isLost ? deductBytes(renderLostSection({ ...page, name }, lostBytes, locale)) : null;
  const healthFacts = isMedical
    ? deductBytes(
        renderHealthFacts(kind, profile, { isHidden: hidesHealth, bytes: Math.floor(bytes / 2), locale }),
      )
    : null;
  const heading = renderQrCodeHeading({ ...headingOptions, healthFacts }, locale);

  const shownElsewhere = [
    'name',
    // They are parts of the name above.
    ...(page.kind === 'VCARD' && name !== null ? ['firstName', 'lastName', ...CARD_HEADING_FIELDS] : []),
    ...(healthFacts ? HEALTH_CARD_FIELDS : []),
    ...(memorial?.fields ?? []),
    ...(network?.fields ?? []),
    ...(location?.fields ?? []),
    ...(hasPart('text') ? ['text'] : []),
    ...(findTargetUrl(page.kind, page.profile) ? ['url'] : []),
    ...(page.isLost && page.lost?.reward ? ['reward'] : []),
  ];
  // A finder must know how to handle a lost thing or animal before they write.
  const urgent = hasPart('urgent') ? [...(kind.urgent ?? []), ...(page.isLost ? ['notes'] : [])] : [];
  const fields = Object.entries(otherFields).filter(
    ([field]) => !shownElsewhere.includes(field) && isInformative(profile, field),
  );
  const selectFields = (isUrgent: boolean) =>
    Object.fromEntries(fields.filter(([field]) => urgent.includes(field) === isUrgent));
  // Contacts get their bytes before long lists use them up.
  const contactsSection = deductBytes(
    renderCallableContacts(firstContact ? contacts.slice(1) : contacts, Math.floor(bytes / 2), {
      kind: page.kind,
      locale,
    }),
  );
  const { tag } = page.memorial ?? {};
  const story = deductBytes(
    renderMemorialStorySection(tag?.story ?? null, Math.floor(bytes / 2), file, locale),
  );
  const places = deductBytes(
    renderMemoryTagPlacesSection(tag ? parseMemoryTagPlaces(tag) : [], Math.floor(bytes / 3), locale),
  );
  const guestBook =
    page.memorial && deductBytes(renderGuestBookSection(page.memorial, Math.floor(bytes / 2), file, locale));
  const gallery =
    page.gallery && hasPart('gallery')
      ? deductBytes(renderGallerySection(page.gallery, Math.floor(bytes / 2), locale))
      : null;
  const urgentSection = deductBytes(renderProfileFieldsSection(kind, selectFields(true), { bytes, locale }));
  const text = hasPart('text') ? deductBytes(renderTextSection(profile.text, bytes, locale)) : null;
  const facts = deductBytes(
    page.profile
      ? renderProfileFieldsSection(kind, selectFields(false), { bytes, locale, isFolded: true })
      : html`<p>${t(locale, 'finder.nothingPublic')}</p>`,
  );
  const printedCode = renderPrintedCode(page.scanUrl);
  return {
    ...formSections,
    pictures,
    heading,
    buttons,
    printedCode: countMarkupBytes(printedCode) <= bytes ? printedCode : null,
    lost,
    story,
    places,
    guestBook,
    gallery,
    urgent: urgentSection,
    contacts: contactsSection,
    text,
    facts,
  };
}
