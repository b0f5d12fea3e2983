import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import { type LostItemReport, type QrCodeKindDefinition, translateLostMessage } from '../../codes/index.ts';
import type { SharedDocument } from '../../documents/index.ts';
import type { CallableContact } from '../contact-links.rules.ts';
import { findLocalEmergencyNumber, INTERNATIONAL_EMERGENCY_NUMBER } from '../emergency-number.rules.ts';
import {
  canTruncateFieldText,
  countMarkupBytes,
  type ProfileFieldSchema,
  renderProfileFieldValue,
  renderWithinBytes,
} from '../field-value.ts';
import { INTL_FORMATTERS, renderEventTime, translateFieldName, translateQrCodeKind } from '../formatters.ts';
import { isPersonalCardKind } from '../layout.rules.ts';
import { formatFileTypeAndSize } from '../share-page.ts';
import { findTargetUrl, formatHost, renderCallButton, type SubpageTarget } from './contact.ts';
import { renderIcon } from './icons.ts';

export function renderQrCodeHeading(
  {
    kind,
    profile,
    country,
    firstContact,
    healthFacts,
    portrait,
    dates,
  }: {
    kind: string;
    profile: Readonly<Record<string, unknown>> | null;
    country: string | null;
    firstContact: CallableContact | null;
    /** What an emergency card says first; null for other kinds. */
    healthFacts: Html | null;
    /** Beside or above the name, where no large picture is. */
    portrait: Html | null;
    /** Of the life that a memorial remembers. */
    dates: readonly Html[];
  },
  locale: Locale,
): Html {
  const name = typeof profile?.name === 'string' ? profile.name : null;
  if (kind === 'MEDICAL') {
    const contactButton = firstContact && renderCallButton(firstContact, { kind, locale });
    return html`<div class="card"><h1>${t(locale, 'finder.emergencyTitle')}</h1>${name && html`\n<p class="name">${name}</p>`}
${renderEmergencyCall(country, html`${healthFacts}${contactButton}`, locale)}</div>`;
  }
  const url = findTargetUrl(kind, profile);
  if (url && !name)
    return html`<h1>${t(locale, 'finder.redirectText', { host: formatHost(url, locale) })}</h1>`;
  const label =
    kind === 'MEMORY_TAG' && name ? t(locale, 'finder.inMemory') : translateQrCodeKind(locale, kind);
  const position = kind === 'VCARD' && name ? listCardPosition(profile ?? {}) : [];
  const title = name
    ? html`<p class="kind">${label}</p>\n<h1>${name}</h1>${position.length > 0 && html`\n<p class="text">${position.join(t(locale, 'finder.listSeparator'))}</p>`}`
    : html`<h1${kind === 'TEXT' && html` class="kind"`}>${label}</h1>`;
  if (kind === 'MEMORY_TAG') return html`<div class="life">${portrait}${title}\n${dates}</div>`;
  return portrait ? html`<div class="head">${portrait}<div>${title}</div></div>` : title;
}

/** Fields of a business card that stand below the name. */
export const CARD_HEADING_FIELDS = ['jobTitle', 'organization'];

function listCardPosition(profile: Readonly<Record<string, unknown>>): string[] {
  return CARD_HEADING_FIELDS.flatMap((field) => {
    const value = profile[field];
    return typeof value === 'string' ? [value] : [];
  });
}

/** The number is text, too: nobody has to trust a button. What it does if it fails comes after `facts`. */
function renderEmergencyCall(country: string | null, facts: Html, locale: Locale): Html {
  const local = findLocalEmergencyNumber(country);
  const number = local ?? INTERNATIONAL_EMERGENCY_NUMBER;
  const hint =
    local && country
      ? t(locale, 'finder.emergencyLocal', {
          country: INTL_FORMATTERS.country(locale.tag).of(country) ?? country,
          international: INTERNATIONAL_EMERGENCY_NUMBER,
        })
      : t(locale, 'finder.emergencyInternational', { number });
  return html`<p><a class="act wide sos" href="tel:${number}">${t(locale, 'finder.emergencyCall', { number })}</a></p>
${facts}
<p class="kind">${hint}</p>`;
}

export function renderTextSection(text: unknown, bytes: number, locale: Locale) {
  if (typeof text !== 'string') return null;
  const truncated = renderWithinBytes(text, (part) => html`<p class="text">${part}</p>`, bytes);
  return truncated?.isWhole
    ? truncated.markup
    : html`${truncated?.markup}<p>${t(locale, 'finder.truncated')}</p>`;
}

/** Kinds whose name is that of the lost thing or animal; others have the name of a person, or a title. */
const KINDS_NAMED_WHEN_LOST: readonly string[] = ['PET', 'LUGGAGE', 'CAR'];

export function renderLostSection(
  { kind, lost, name }: { kind: string; lost: LostItemReport | null; name: string | null },
  bytes: number,
  locale: Locale,
): Html {
  const flag = t(locale, 'finder.lostFlag', { subject: kind === 'PET' ? 'animal' : 'other' });
  const { reward = null, lastSeen = null } = lost ?? {};
  const message = lost && translateLostMessage(lost, locale);
  const render = (
    text: Html,
    reward: string | null,
    lastSeen: string | null,
  ) => html`<section class="lost"><p class="flag">${flag}</p>
<h2>${renderLostTitle(kind, name, locale)}</h2>
${text}${reward && html`<p><strong class="tag">${renderIcon('wallet')}${translateHtml(locale, 'finder.reward', { reward: html`<bdi>${reward}</bdi>` })}</strong></p>`}${lastSeen && html`<p class="hang">${renderIcon('pin')}<span>${translateHtml(locale, 'finder.lastSeen', { place: html`<bdi>${lastSeen}</bdi>` })}</span></p>`}</section>`;
  const renderQuote = (words: string) =>
    render(html`<blockquote class="text">${words}</blockquote>`, reward, lastSeen);
  const quoted = message === null ? null : renderWithinBytes(message, renderQuote, bytes);
  const thanks = html`<p>${t(locale, 'finder.lostText')}</p>`;
  const shorter = [render(thanks, reward, lastSeen), render(thanks, reward, null)];
  return (
    quoted?.markup ??
    shorter.find((section) => countMarkupBytes(section) <= bytes) ??
    render(thanks, null, null)
  );
}

function renderLostTitle(kind: string, name: string | null, locale: Locale): Html {
  if (name !== null && KINDS_NAMED_WHEN_LOST.includes(kind))
    return translateHtml(locale, 'finder.lostNamed', { name: html`<bdi>${name}</bdi>` });
  // The card is lost, not the person.
  const subject = isPersonalCardKind(kind) ? 'person' : 'other';
  return html`${t(locale, 'finder.lostTitle', { subject })}`;
}

export function renderProfileFieldsSection(
  kind: QrCodeKindDefinition,
  fields: Readonly<Record<string, unknown>>,
  options: {
    bytes: number;
    locale: Locale;
    isFolded?: boolean;
    /** Null if no field fits, because another section then shows them. */
    isOptional?: boolean;
  },
): Html | null {
  const { locale } = options;
  const context = { kind: kind.kind, locale };
  const properties: Readonly<Record<string, ProfileFieldSchema>> = kind.schema.properties;
  const facts: Html[] = [];
  const truncationNote = html`<p>${t(locale, 'finder.truncated')}</p>`;
  let remainingBytes = options.bytes - countMarkupBytes(truncationNote);
  let isWhole = true;
  const eventTime = kind.kind === 'EVENT' ? renderEventTime(fields, locale.tag) : null;
  for (const [field, unsorted] of Object.entries(fields)) {
    if (eventTime && (field === 'endsAt' || field === 'allDay')) continue;
    const value = sortBySeverity(unsorted);
    const schema = properties[field] ?? {};
    const render = (part: unknown) =>
      field === 'startsAt' && eventTime
        ? html`<dt>${t(locale, 'fields.when')}</dt><dd>${eventTime}</dd>\n`
        : html`<dt>${translateFieldName(context, field)}</dt><dd>${renderMeasure(field, part, locale) ?? renderProfileFieldValue(part, schema, context)}${renderExpiry(kind.kind, field, part, locale)}</dd>\n`;
    const truncated = renderWithinBytes(value, render, remainingBytes, canTruncateFieldText(schema));
    isWhole &&= truncated?.isWhole === true;
    if (!truncated) continue;
    facts.push(truncated.markup);
    remainingBytes -= countMarkupBytes(truncated.markup);
  }
  const note = isWhole ? null : truncationNote;
  if (facts.length === 0) return options.isOptional ? null : note;
  const isFolded = options.isFolded && facts.length >= FACTS_BEFORE_FOLD + MIN_FOLDED_FACTS;
  const firstFacts = isFolded ? facts.slice(0, FACTS_BEFORE_FOLD) : facts;
  const folded = facts.slice(firstFacts.length);
  return html`<dl>\n${firstFacts}</dl>\n${folded.length > 0 && html`<details><summary>${t(locale, 'finder.moreDetails')}</summary><dl>\n${folded}</dl></details>\n`}${note}`;
}

const FACTS_BEFORE_FOLD = 3;

/** Folding fewer facts takes more room than showing them. */
const MIN_FOLDED_FACTS = 3;

/** Only that a card or a document has expired: a date that its owner typed proves nothing. Its last day is that of UTC. */
function renderExpiry(kind: string, field: string, value: unknown, locale: Locale): Html | null {
  if (field !== 'validUntil' || typeof value !== 'string') return null;
  if (kind !== 'IDENTIFICATION' && kind !== 'DOCUMENT') return null;
  // A month or a year lasts to its end.
  const isExpired = value < new Date().toISOString().slice(0, value.length);
  return isExpired ? html` <strong class="tag">${t(locale, 'finder.noLongerValid')}</strong>` : null;
}

/** Render the value of a field whose name has its unit. */
function renderMeasure(field: string, value: unknown, { tag }: Locale): Html | null {
  if (typeof value !== 'number') return null;
  if (field.endsWith('Kg')) return html`${INTL_FORMATTERS.kilogram(tag).format(value)}`;
  return field.endsWith('Cm') ? html`${INTL_FORMATTERS.centimeter(tag).format(value)}` : null;
}

/** An unknown severity may be either and comes between. */
const SEVERITY_ORDER: readonly unknown[] = ['LIFE_THREATENING', 'SEVERE', undefined, 'MODERATE', 'MILD'];

/** Sort a list with the most severe first, because its end may be truncated. */
function sortBySeverity(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const rank = (item: unknown) => {
    const { severity } = Object(item);
    return SEVERITY_ORDER.indexOf(severity);
  };
  return value.toSorted((one, other) => rank(one) - rank(other));
}

export function renderMemorialStorySection(
  story: string | null,
  bytes: number,
  place: SubpageTarget,
  locale: Locale,
): Html | null {
  if (!story) return null;
  const heading = html`<h2>${t(locale, 'memorial.storyTitle')}</h2>\n`;
  const moreButton = renderSubpageButton(place, '/story', t(locale, 'memorial.storyMore'), locale);
  const render = (text: string) =>
    html`<section>${heading}<p class="story text">${text}</p>${text !== story && moreButton}</section>`;
  return renderWithinBytes(story, render, bytes)?.markup ?? html`<section>${heading}${moreButton}</section>`;
}

export interface OfferedDocuments {
  /** The id of a share is appended. */
  action: string;
  visit: string;
  shares: readonly SharedDocument[];
  showsTitles: boolean;
}

/** Only submitting a form counts as an access. */
export function renderOfferedDocumentsSection(
  { action, visit, shares, showsTitles }: OfferedDocuments,
  bytes: number,
  locale: Locale,
): Html | null {
  const { tag } = locale;
  const renderForm = (share: SharedDocument) => {
    const title = showsTitles && share.passcodeHash === null ? share.title : t(locale, 'sharePage.unnamed');
    return html`<form method="post" action="${action}/${share.id}?lang=${tag}">
<p class="name">${title}</p><p class="kind">${formatFileTypeAndSize(share, locale)}</p>
<input type="hidden" name="visit" value="${visit}"><button aria-label="${t(locale, 'finder.documentButton')}${t(locale, 'finder.labelSeparator')}${title}">${t(locale, 'finder.documentButton')}</button></form>
`;
  };
  const render = (
    part: readonly SharedDocument[],
  ) => html`<section><h2>${t(locale, 'sharePage.sectionTitle')}</h2>
<p>${t(locale, 'sharePage.text')}</p>
${part.map(renderForm)}</section>`;
  return shares.length > 0 ? (renderWithinBytes(shares, render, bytes)?.markup ?? null) : null;
}

/** With a PIN it is a form, because the visit token must not be in a URL. */
export function renderSubpageButton(
  { address, visit }: SubpageTarget,
  path: '' | '/story' | '/entries',
  label: string,
  { tag }: Locale,
  parameters: Readonly<Record<string, string>> = {},
): Html {
  const place = `${address}${path}?lang=${tag}`;
  const entries = Object.entries(parameters);
  if (visit === null) {
    const query = entries.map(([name, value]) => `&${name}=${encodeURIComponent(value)}`).join('');
    return html`<p><a class="act plain" href="${place}${query}">${label}</a></p>\n`;
  }
  const fields = entries.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  return html`<form method="post" action="${place}"><input type="hidden" name="visit" value="${visit}">${fields}<button class="plain">${label}</button></form>\n`;
}
