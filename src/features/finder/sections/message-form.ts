import { FORM_RESULT_ATTRIBUTES } from '../../../platform/pages/page-frame.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { MAX_MESSAGE_CHARACTERS, type MessagePreset } from '../../conversations/index.ts';
import { isPersonalCard } from '../layout.rules.ts';

export interface MessageDraft {
  message: string;
  preset: MessagePreset | null;
  name: string;
  email: string;
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
  /** Whether the honeypot field is visible, because it was filled in. */
  showsHoneypot?: boolean;
}

/** Get the title: messages about a person may be read by others than the owner. */
export function getMessageFormTitle(kind: string | null, locale: Locale): string {
  const recipient = kind === 'MEMORY_TAG' ? 'family' : isPersonalCard(kind) ? 'carer' : 'other';
  return t(locale, 'conversation.writeTitle', { recipient });
}

export function renderMessageForm(form: MessageForm, locale: Locale): Html {
  const { action, visit, presets, draft, errorMessage, needsConfirmation, showsHoneypot } = form;
  const described = errorMessage ? html` aria-invalid="true" aria-describedby="answer"` : null;
  const choices = [null, ...presets].map(
    (
      preset,
    ) => html`<label><input type="radio" name="preset" value="${preset ?? ''}"${(draft?.preset ?? null) === preset && html` checked`}> ${preset ? t(locale, `conversation.presets.${preset}`) : t(locale, 'conversation.noPreset')}</label>
`,
  );
  return html`<form method="post" action="${action}" id="write"><h2>${getMessageFormTitle(form.kind, locale)}</h2>
${errorMessage && html`<p class="wrong"${FORM_RESULT_ATTRIBUTES} role="alert">${errorMessage}</p>\n`}<p>${t(locale, 'conversation.writeText')}</p>
<input type="hidden" name="visit" value="${visit}">
${needsConfirmation && html`<input type="hidden" name="confirmed" value="yes">\n`}<fieldset><legend>${t(locale, 'conversation.presetLabel')}</legend>
${choices}</fieldset>
<label for="message">${t(locale, 'conversation.messageLabel')}</label>
<textarea id="message" name="message" rows="4" maxlength="${MAX_MESSAGE_CHARACTERS}" dir="auto"${described}>${draft?.message ?? ''}</textarea>
<label for="name">${t(locale, 'conversation.nameLabel')}</label>
<input id="name" name="name" maxlength="80" dir="auto" autocomplete="name" value="${draft?.name ?? ''}">
<label for="email">${t(locale, 'conversation.emailLabel')}</label>
<input id="email" name="email" type="email" maxlength="254" dir="ltr" autocomplete="email" aria-describedby="email-use" value="${draft?.email ?? ''}">
<p id="email-use">${t(locale, 'conversation.emailText')}</p>
<p${!showsHoneypot && html` class="trap"`}><label>${t(locale, 'conversation.honeypotLabel')} <input name="nothing"${!showsHoneypot && html` tabindex="-1"`} autocomplete="off"></label></p>
<button>${needsConfirmation ? t(locale, 'conversation.sendAnyway') : t(locale, 'conversation.sendButton')}</button></form>`;
}
