import { domainToUnicode } from 'node:url';
import type { Static } from 'typebox';
import { FORM_RESULT_HTML_ATTRIBUTES } from '../../../platform/pages/page-frame.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t, translateHtml } from '../../../shared/i18n/translate.ts';
import { toMessageNumber, toTelUri } from '../../../shared/phone.ts';
import { getQrCodeKindByName } from '../../codes/index.ts';
import type { ConversationMessage, ConversationSide } from '../../conversations/index.ts';
import type { MemoryTagPlace } from '../../memory-tags/index.ts';
import { CONTACT_AND_CALENDAR_FILES, renderContactOrCalendarFile } from '../code-file.ts';
import { type CallableContact, createMapLinks } from '../contact-links.rules.ts';
import type { OngoingConversation } from '../conversation-access.ts';
import { type ProfileFieldSchema, renderProfileFieldValue, renderWithinBytes } from '../field-value.ts';
import { type FieldTranslationContext, renderMailtoLink, translateFieldName } from '../formatters.ts';
import { type IconName, renderIcon } from './icons.ts';
import { renderQrSymbol } from './qr-symbol.ts';

type Profile = Readonly<Record<string, unknown>>;

export interface SubpageTarget {
  address: string;
  /** The signed token of a visit that entered the PIN; null for public content. */
  visit: string | null;
}

/** Longest link that all phones accept; longer prepared texts can be copied from the page. */
const MAX_LINK_CHARACTERS = 2_000;

export function renderActionsSection(
  kind: string,
  profile: Profile,
  file: SubpageTarget,
  locale: Locale,
): Html | null {
  // On a card, adding the contact comes first, and the rest is secondary.
  const buttons: (Html | null)[] = [renderFileButton(kind, profile, file, locale)];
  if (kind === 'EMAIL' || kind === 'VCARD')
    buttons.push(
      renderButton(createMailLink(profile), t(locale, 'finder.writeMail'), 'message', kind === 'VCARD'),
    );
  if (kind === 'SMS')
    buttons.push(renderButton(createSmsLink(profile), t(locale, 'finder.writeSms'), 'message'));
  const visibleButtons = buttons.filter((each) => each !== null);
  return visibleButtons.length > 0 ? html`<section>${visibleButtons}</section>` : null;
}

function renderButton(href: string | null, label: string, icon: IconName, isPlain = false): Html | null {
  if (href === null) return null;
  return html`<p><a class="act wide${isPlain && ' plain'}" href="${href}">${renderIcon(icon)}${label}</a></p>\n`;
}

function createMailLink({ email, subject, body }: Profile): string | null {
  const mail = getQrCodeKindByName('EMAIL');
  const prepared = mail.toStaticContent({ email, subject, body }, '');
  return prepared && prepared.length > MAX_LINK_CHARACTERS ? mail.toStaticContent({ email }, '') : prepared;
}

function createSmsLink({ phone, message }: Profile): string | null {
  if (typeof phone !== 'string') return null;
  const link = `sms:${toMessageNumber(phone)}`;
  if (typeof message !== 'string') return link;
  // iOS requires the ampersand; others read an empty parameter.
  const prepared = `${link}?&body=${encodeURIComponent(message)}`;
  return prepared.length > MAX_LINK_CHARACTERS ? link : prepared;
}

/** With a PIN it is a form, because the visit token must not be in a URL. */
function renderFileButton(kind: string, profile: Profile, { address, visit }: SubpageTarget, locale: Locale) {
  const file = CONTACT_AND_CALENDAR_FILES.find((each) => each.kind === kind);
  if (!file || renderContactOrCalendarFile(kind, profile, locale) === null) return null;
  const place = `${address}/${file.name}?lang=${locale.tag}`;
  const label = t(locale, `finder.${file.button}`);
  const icon = file.kind === 'EVENT' ? 'calendar' : 'wallet';
  if (visit === null) return renderButton(place, label, icon);
  return html`<form method="post" action="${place}"><input type="hidden" name="visit" value="${visit}"><button class="wide">${renderIcon(icon)}${label}</button></form>`;
}

/** The last buttons are left out first. */
export function renderCallableContacts(
  contacts: readonly CallableContact[],
  bytes: number,
  context: FieldTranslationContext,
): Html | null {
  if (contacts.length === 0) return null;
  const { locale, kind } = context;
  // The number is that of the card, not of somebody to call about it.
  const isOwnNumber = kind === 'VCARD' || kind === 'PHONE';
  const render = (part: readonly CallableContact[]) =>
    html`<section>${!isOwnNumber && html`<h2>${t(locale, 'finder.callTitle')}</h2>\n`}${part.map((call) => renderCallButton(call, context))}</section>`;
  const note = html`<p>${t(locale, 'finder.truncated')}</p>`;
  const truncated = renderWithinBytes(contacts, render, bytes);
  return truncated?.isWhole ? truncated.markup : html`${truncated?.markup}${note}`;
}

export function renderCallButton(
  { name, role, phone, email }: CallableContact,
  context: FieldTranslationContext,
): Html {
  const who = 'relation' in role ? role.relation : translateFieldName(context, role.field);
  const style = context.kind === 'VCARD' ? 'act wide plain' : 'act wide';
  return html`<p><a class="${style}" href="${toTelUri(phone)}">${renderIcon('call')}${translateHtml(context.locale, 'finder.call', { name: html`<bdi>${name ?? phone}</bdi>` })}
<span><bdi>${who}</bdi> · <bdi>${phone}</bdi></span></a>${email && renderMailtoLink(email)}</p>
`;
}

export function renderConversationLink(link: string, hasEmail: boolean, locale: Locale): Html {
  return html`
<p>${t(locale, 'conversation.sentText')}</p>${hasEmail && html`\n<p>${t(locale, 'conversation.sentConfirmation')}</p>`}
<p><a class="act" href="${link}">${t(locale, 'conversation.openButton')}</a></p>`;
}

/** The script adds a button that copies the link. */
export function renderPrivateLink(
  link: string,
  label: string,
  { copyScript, locale }: { copyScript: string; locale: Locale },
): Html {
  return html`<p><a class="act plain" href="${link}"${renderCopyAttributes(t(locale, 'finder.copyLink'), locale)}>${label}</a></p><script src="${copyScript}" defer></script>`;
}

/** Attributes of an element that `COPY_SCRIPT` adds a button to. */
export function renderCopyAttributes(label: string, locale: Locale): Html {
  return html` data-copy="${label}" data-copied="${t(locale, 'finder.copied')}"`;
}

export function renderOngoingConversation({ address, hasAnswer }: OngoingConversation, locale: Locale): Html {
  return html`<section><p>${t(locale, 'conversation.alreadyWritten')}${hasAnswer && html` <b>${t(locale, 'conversation.unreadAnswer')}</b>`}</p>
<p><a class="act" href="${address}?lang=${locale.tag}">${t(locale, 'conversation.openButton')}</a></p></section>
`;
}

export function findTargetUrl(kind: string, profile: Profile | null): URL | null {
  const { url } = profile ?? {};
  if (kind !== 'URL' || typeof url !== 'string' || !URL.canParse(url)) return null;
  const parsed = new URL(url);
  return ['http:', 'https:'].includes(parsed.protocol) ? parsed : null;
}

/** Internationalized names may imitate others: show Punycode (RFC 3492), too, isolated for RTL text. */
export function formatHost({ host, hostname }: URL, { direction }: Locale): string {
  const unicodeName = domainToUnicode(hostname);
  const isPlain = unicodeName === '' || unicodeName === hostname;
  const label = isPlain ? host : `${host} (\u2068${unicodeName}\u2069)`;
  return isPlain && direction === 'ltr' ? label : `\u2066${label}\u2069`;
}

export function renderTargetLinkSection(kind: string, profile: Profile | null, locale: Locale): Html | null {
  const url = findTargetUrl(kind, profile);
  if (!url) return null;
  const host = formatHost(url, locale);
  // Without a name, the heading says it.
  const isNamed = typeof profile?.name === 'string';
  return html`<section>${isNamed && html`<p>${t(locale, 'finder.redirectText', { host })}</p>\n`}<p><a class="act" rel="noopener noreferrer nofollow" href="${url.href}">${t(locale, 'finder.redirectLink', { host })}</a></p></section>`;
}

/** Limits the symbol to 6 kB. Passwords that can be typed are shorter. */
const MAX_QR_TEXT_BYTES = 271;

const WIFI_FIELDS = ['ssid', 'password', 'security', 'hidden'];

export function renderWifiNetworkSection(
  profile: Profile,
  hiddenFields: readonly string[],
  { copyScript, locale }: { copyScript: string; locale: Locale },
): { section: Html | null; fields: string[] } {
  const context = { kind: 'WIFI', locale };
  const properties: Readonly<Record<string, ProfileFieldSchema>> =
    getQrCodeKindByName('WIFI').schema.properties;
  const fields = WIFI_FIELDS.filter((field) => Object.hasOwn(profile, field));
  const facts = fields.map((field) => {
    const schema = properties[field] ?? {};
    const value = profile[field];
    const copyAttributes =
      field === 'password' &&
      html`${renderCopyAttributes(t(locale, 'finder.copyPassword'), locale)} data-main`;
    const isCode = field === 'ssid' || field === 'password';
    const markup = isCode
      ? html`<code${copyAttributes}>${String(value)}</code>`
      : renderProfileFieldValue(value, schema, context);
    return html`<dt>${translateFieldName(context, field)}</dt><dd>${markup}</dd>\n`;
  });
  const script = fields.includes('password') && html`<script src="${copyScript}" defer></script>\n`;
  const { ssid } = profile;
  const isCopied = fields.includes('password') && typeof ssid === 'string';
  const hint =
    isCopied &&
    html`<p class="hang">${renderIcon('wifi')}<span>${translateHtml(locale, 'finder.wifiThisPhone', { network: html`<bdi>${ssid}</bdi>` })}</span></p>\n`;
  const section = html`<dl>\n${facts}</dl>\n${hint}${script}${renderWifiQrCode(profile, hiddenFields, locale)}`;
  return { section: fields.length > 0 ? section : null, fields };
}

function renderWifiQrCode(profile: Profile, hiddenFields: readonly string[], locale: Locale): Html | null {
  // Without a hidden password the network would seem open, without its security type WPA.
  if (WIFI_FIELDS.some((field) => hiddenFields.includes(field))) return null;
  const text = getQrCodeKindByName('WIFI').toStaticContent(profile, '');
  if (text === null || Buffer.byteLength(text) > MAX_QR_TEXT_BYTES) return null;
  return html`<section><p id="join">${t(locale, 'finder.wifiText')}</p>
${renderQrSymbol(text, html`class="code" role="img" aria-labelledby="join"`)}</section>`;
}

/** The last places are left out first. */
export function renderMemoryTagPlacesSection(
  places: readonly Static<typeof MemoryTagPlace>[],
  bytes: number,
  locale: Locale,
): Html | null {
  if (places.length === 0) return null;
  const render = (part: readonly Static<typeof MemoryTagPlace>[]) =>
    html`<section><h2>${t(locale, 'memorial.placesTitle')}</h2>\n<ul>${part.map((place) => renderPlaceItem(place, locale))}</ul></section>`;
  const truncated = renderWithinBytes(places, render, bytes);
  return truncated?.isWhole
    ? truncated.markup
    : html`${truncated?.markup}<p>${t(locale, 'finder.truncated')}</p>`;
}

function renderPlaceItem(
  { label, kind, latitude, longitude }: Static<typeof MemoryTagPlace>,
  locale: Locale,
): Html {
  const title =
    kind && kind !== 'OTHER'
      ? html`${t(locale, `memorial.placeKinds.${kind}`)}${t(locale, 'finder.labelSeparator')}`
      : null;
  const link =
    typeof latitude === 'number' &&
    typeof longitude === 'number' &&
    html` <a rel="noopener noreferrer nofollow" href="${createMapLinks({ latitude, longitude }).openStreetMap}">${t(locale, 'finder.mapLink')}</a>`;
  return html`<li>${title}<bdi>${label}</bdi>${link}</li>\n`;
}

export interface MessagesViewOptions {
  reader: ConversationSide;
  /** Marks the newest message as the result of a form. */
  isAnswer: boolean;
  /** For the script that polls; null if nothing can change. */
  updates: { address: string; state: string } | null;
}

const TYPING_BY_READER = {
  FINDER: 'conversation.ownerTyping',
  OWNER: 'app.inbox.typing',
} as const satisfies Record<ConversationSide, MessageKey>;

/** Times are in UTC; the script shows them in the time zone of the reader. */
export function renderConversationMessagesSection(
  messages: readonly Static<typeof ConversationMessage>[],
  { reader, isAnswer, updates }: MessagesViewOptions,
  locale: Locale,
): Html {
  const format = new Intl.DateTimeFormat(locale.tag, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  const time = (iso: string) => html`<time datetime="${iso}">${format.format(new Date(iso))} UTC</time>`;
  const other = reader === 'FINDER' ? t(locale, 'conversation.owner') : t(locale, 'conversation.finder');
  return html`<ol class="messages"${updates && html` data-updates="${updates.address}" data-state="${updates.state}"`}>${messages.map(
    ({ id, from, message, sentAt, readAt }, index) => {
      const isOwn = from === reader;
      const state =
        isOwn &&
        (readAt
          ? translateHtml(locale, 'conversation.readAt', { time: time(readAt) })
          : t(locale, 'conversation.unread'));
      const isNewest = index === messages.length - 1;
      return html`<li class="${isOwn ? 'own' : 'other'}" data-id="${id}"${isAnswer && isNewest && FORM_RESULT_HTML_ATTRIBUTES}><p class="kind">${isOwn ? t(locale, 'conversation.you') : other}${t(locale, 'finder.listSeparator')}${time(sentAt)}${state && html` · ${state}`}</p>
<p class="text">${message ?? t(locale, 'conversation.unreadable')}</p></li>
`;
    },
  )}</ol>${updates && html`<p id="typing" role="status" data-text="${t(locale, TYPING_BY_READER[reader])}"></p><p id="notice" role="status" data-text="${t(locale, 'conversation.newMessage')}"></p>`}`;
}
