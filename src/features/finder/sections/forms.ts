import { FORM_RESULT_HTML_ATTRIBUTES } from '../../../platform/pages/page-frame.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  CONVERSATION_REPORT_CATEGORIES,
  MAX_CONVERSATION_REPORT_NOTE_CHARACTERS,
  MAX_MESSAGE_CHARACTERS,
  type MessagePreset,
} from '../../conversations/index.ts';
import { isPersonalCardKind } from '../layout.rules.ts';
import { renderIcon } from './icons.ts';

export interface PinForm {
  action: string;
  visit: string;
  errorMessage: string | null;
  isDocument: boolean;
}

/** The form never contains the previous input. */
export function renderPinForm(
  { action, visit, errorMessage, isDocument }: PinForm,
  locale: Locale,
  hidesHealth = false,
): Html {
  const instruction = isDocument ? t(locale, 'finder.documentText') : t(locale, 'finder.pinText');
  const text = html`${hidesHealth && html`${t(locale, 'finder.healthBehindPin')} `}${instruction}`;
  const described = errorMessage ? html` aria-invalid="true" aria-describedby="answer"` : null;
  return html`<form method="post" action="${action}"><h2>${t(locale, 'finder.pinTitle')}</h2>
${errorMessage && html`<p class="wrong"${FORM_RESULT_HTML_ATTRIBUTES} role="alert">${errorMessage}</p>\n`}<p>${text}</p>
<input type="hidden" name="visit" value="${visit}">
<label for="pin">${t(locale, 'finder.pinLabel')}</label>
<input id="pin" name="pin" type="password" inputmode="numeric" pattern="[0-9٠-٩۰-۹०-९０-９\\s]{4,24}" maxlength="24" autocomplete="off" required${described}>
<button>${t(locale, 'finder.pinButton')}</button></form>`;
}

/** A form unfolds when its button is pressed (`:target`); one with an error is open. */
function getFoldClass(isOpen: unknown): string {
  return isOpen ? 'fold open' : 'fold';
}

/** The buttons that unfold the forms of a page; they stay in reach of the thumb where a thing can be found. */
export function renderFormButtons(
  {
    hasMessageForm,
    hasLocationForm,
    isLocationFirst,
    isMemorial,
    hasOtherAction,
  }: {
    hasMessageForm: boolean;
    hasLocationForm: boolean;
    isLocationFirst: boolean;
    isMemorial: boolean;
    hasOtherAction: boolean;
  },
  locale: Locale,
): Html | null {
  const label = isMemorial
    ? t(locale, 'conversation.writeTitle', { recipient: 'family' })
    : t(locale, 'finder.writeButton');
  const message = { href: '#write', icon: 'message', label } as const;
  const location = { href: '#share', icon: 'pin', label: t(locale, 'finder.shareButton') } as const;
  const buttons = [...(hasMessageForm ? [message] : []), ...(hasLocationForm ? [location] : [])];
  if (buttons.length === 0) return null;
  const ordered = isLocationFirst ? buttons.toReversed() : buttons;
  return html`<p class="${hasLocationForm ? 'bar' : 'buttons'}">${ordered.map(
    ({ href, icon, label }, index) =>
      html`<a class="act${(index > 0 || hasOtherAction || (isMemorial && !hasLocationForm)) && ' plain'}" href="${href}">${renderIcon(icon)}${label}</a>`,
  )}</p>\n`;
}

export interface LocationForm {
  action: string;
  script: string;
  visit: string;
  place: string;
  errorMessage: string | Html | null;
  needsConfirmation: boolean;
}

export function renderLocationForm(
  { action, script, visit, place, errorMessage, needsConfirmation }: LocationForm,
  locale: Locale,
  { isFolded = true, text = t(locale, 'finder.shareText') } = {},
): Html {
  const described = errorMessage ? html` aria-invalid="true" aria-describedby="answer"` : null;
  return html`<form method="post" action="${action}" id="share" class="${getFoldClass(!isFolded || errorMessage)}" data-button="${t(locale, 'finder.sharePosition')}"><h2>${t(locale, 'finder.shareTitle')}</h2>
${errorMessage && html`<p class="wrong"${FORM_RESULT_HTML_ATTRIBUTES} role="alert">${errorMessage}</p>\n`}<p>${text}</p>
<input type="hidden" name="visit" value="${visit}"><input type="hidden" name="latitude"><input type="hidden" name="longitude"><input type="hidden" name="accuracy">
${needsConfirmation && html`<input type="hidden" name="confirmed" value="yes">\n`}<label for="place">${t(locale, 'finder.shareLabel')}</label>
<input id="place" name="place" maxlength="${MAX_MESSAGE_CHARACTERS}" dir="auto" autocomplete="off" value="${place}"${described}>
<button>${needsConfirmation ? t(locale, 'conversation.sendAnyway') : t(locale, 'finder.shareButton')}</button></form><script src="${script}" defer></script>`;
}

export interface MessageDraft {
  message: string;
  preset: MessagePreset | null;
  name: string;
  email: string;
  /** Whether the position was to be sent, too. */
  sharesLocation?: boolean;
}

export const EMPTY_FORM_STATE = { draft: null, errorMessage: null, needsConfirmation: false };

export interface MessageForm {
  action: string;
  visit: string;
  /** Null if the page must not show the kind. */
  kind: string | null;
  presets: readonly MessagePreset[];
  draft: MessageDraft | null;
  errorMessage: string | Html | null;
  needsConfirmation: boolean;
  /** Shown only after it was filled in. */
  showsHoneypot?: boolean;
  /** The script of the location form offers to send the position, too. */
  canShareLocation?: boolean;
}

/** Messages about a person may be read by others than the owner. */
function getMessageFormTitle(kind: string | null, locale: Locale): string {
  const recipient = kind === 'MEMORY_TAG' ? 'family' : isPersonalCardKind(kind) ? 'carer' : 'other';
  return t(locale, 'conversation.writeTitle', { recipient });
}

export function renderMessageForm(form: MessageForm, locale: Locale, { isFolded = true } = {}): Html {
  const { action, visit, presets, draft, errorMessage, needsConfirmation, showsHoneypot } = form;
  const described = errorMessage ? html` aria-invalid="true" aria-describedby="answer"` : null;
  const choices = presets.map(
    (
      preset,
    ) => html`<label><input type="radio" name="preset" value="${preset}"${draft?.preset === preset && html` checked`}> ${t(locale, `conversation.presets.${preset}`)}</label>
`,
  );
  return html`<form method="post" action="${action}" id="write" class="${getFoldClass(!isFolded || errorMessage)}"${form.canShareLocation && html` data-share="${t(locale, 'conversation.alsoShare')}"${draft?.sharesLocation && html` data-shares`}`}><h2>${getMessageFormTitle(form.kind, locale)}</h2>
${errorMessage && html`<p class="wrong"${FORM_RESULT_HTML_ATTRIBUTES} role="alert">${errorMessage}</p>\n`}<p>${t(locale, 'conversation.writeText')}</p>
<input type="hidden" name="visit" value="${visit}">
${needsConfirmation && html`<input type="hidden" name="confirmed" value="yes">\n`}${
  choices.length > 0 &&
  html`<fieldset><legend>${t(locale, 'conversation.presetLabel')}</legend>
${choices}</fieldset>
`
}<label for="message">${t(locale, 'conversation.messageLabel')}</label>
<textarea id="message" name="message" rows="4" maxlength="${MAX_MESSAGE_CHARACTERS}" dir="auto"${described}>${draft?.message ?? ''}</textarea>
<label for="name">${t(locale, 'conversation.nameLabel')}</label>
<input id="name" name="name" maxlength="80" dir="auto" autocomplete="name" value="${draft?.name ?? ''}">
<label for="email">${t(locale, 'conversation.emailLabel')}</label>
<input id="email" name="email" type="email" maxlength="254" dir="ltr" autocomplete="email" aria-describedby="email-use" value="${draft?.email ?? ''}">
<p id="email-use">${t(locale, 'conversation.emailText')}</p>
<p${!showsHoneypot && html` class="visually-hidden"`}><label>${t(locale, 'conversation.honeypotLabel')} <input name="nothing"${!showsHoneypot && html` tabindex="-1"`} autocomplete="off"></label></p>
<button>${needsConfirmation ? t(locale, 'conversation.sendAnyway') : t(locale, 'conversation.sendButton')}</button></form>`;
}

export interface RejectedConversationReport {
  category: string;
  note: string;
  errorMessage: string;
}

interface ReportFormContent {
  action: string;
  token: string;
  report: { decision: string | null } | null;
  rejectedReport: RejectedConversationReport | null;
}

export function renderConversationReportSection(
  { action, token, report, rejectedReport }: ReportFormContent,
  locale: Locale,
): Html {
  if (report)
    return html`<p${rejectedReport && FORM_RESULT_HTML_ATTRIBUTES}>${report.decision === null ? t(locale, 'conversation.reported') : t(locale, 'conversation.reportDecided')}</p>`;
  const choices = CONVERSATION_REPORT_CATEGORIES.map(
    (category) =>
      html`<label><input type="radio" name="category" value="${category}" required${rejectedReport?.category === category && html` checked`}> ${t(locale, `conversation.reportCategories.${category}`)}</label>
`,
  );
  return html`<details${rejectedReport && html` open`}><summary>${t(locale, 'conversation.reportTitle')}</summary><form method="post" action="${action}?lang=${locale.tag}#answer">${rejectedReport && html`<p class="wrong"${FORM_RESULT_HTML_ATTRIBUTES} role="alert">${rejectedReport.errorMessage}</p>\n`}<p>${t(locale, 'conversation.reportText')}</p>
<input type="hidden" name="visit" value="${token}"><fieldset><legend>${t(locale, 'conversation.reportLabel')}</legend>
${choices}</fieldset>
<label for="note">${t(locale, 'conversation.reportNoteLabel')}</label>
<textarea id="note" name="note" rows="3" maxlength="${MAX_CONVERSATION_REPORT_NOTE_CHARACTERS}" dir="auto"${rejectedReport && html` aria-describedby="answer"`}>${rejectedReport?.note ?? ''}</textarea>
<button>${t(locale, 'conversation.reportButton')}</button></form></details>`;
}

export function truncateConversationReportFields({
  category = '',
  note = '',
}: {
  category?: string;
  note?: string;
}) {
  return { category, note: [...note].slice(0, MAX_CONVERSATION_REPORT_NOTE_CHARACTERS).join('') };
}

export interface GuestBookForm {
  action: string;
  visit: string;
  draft: Pick<MessageDraft, 'message' | 'name'> | null;
  errorMessage: string | Html | null;
  needsConfirmation: boolean;
  /** Shown only after it was filled in. */
  showsHoneypot?: boolean;
}

export function renderGuestBookForm(form: GuestBookForm, locale: Locale): Html {
  const { action, visit, draft, errorMessage, needsConfirmation, showsHoneypot } = form;
  const described = errorMessage ? html` aria-invalid="true" aria-describedby="answer"` : null;
  return html`<form method="post" action="${action}" id="guest-book"><h2>${t(locale, 'memorial.signTitle')}</h2>
${errorMessage && html`<p class="wrong"${FORM_RESULT_HTML_ATTRIBUTES} role="alert">${errorMessage}</p>\n`}<p>${t(locale, 'memorial.signText')}</p>
<input type="hidden" name="visit" value="${visit}">
${needsConfirmation && html`<input type="hidden" name="confirmed" value="yes">\n`}<label for="entry">${t(locale, 'memorial.signLabel')}</label>
<textarea id="entry" name="message" rows="4" maxlength="${MAX_MESSAGE_CHARACTERS}" dir="auto"${described}>${draft?.message ?? ''}</textarea>
<label for="entry-name">${t(locale, 'conversation.nameLabel')}</label>
<input id="entry-name" name="name" maxlength="80" dir="auto" autocomplete="name" value="${draft?.name ?? ''}">
<p${!showsHoneypot && html` class="visually-hidden"`}><label>${t(locale, 'conversation.honeypotLabel')} <input name="nothing"${!showsHoneypot && html` tabindex="-1"`} autocomplete="off"></label></p>
<button>${needsConfirmation ? t(locale, 'conversation.sendAnyway') : t(locale, 'conversation.sendButton')}</button></form>`;
}
