import { FORM_RESULT_ATTRIBUTES } from '../../../platform/pages/page-frame.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { MAX_MESSAGE_CHARACTERS, type MessagePreset } from '../../conversations/index.ts';
import { isPersonalCard } from '../layout.rules.ts';

/** What was typed into the form before. */
export interface MessageDraft {
  message: string;
  preset: MessagePreset | null;
  name: string;
  email: string;
}

/** A form that nobody has sent yet. */
export const EMPTY_FORM_STATE = { draft: null, errorMessage: null, needsConfirmation: false };

export interface MessageForm {
  /** Where the form is sent. */
  action: string;
  /** The signed token of the visit. */
  visit: string;
  /** What the code is of; null where the page does not tell. */
  kind: string | null;
  presets: readonly MessagePreset[];
  draft: MessageDraft | null;
  /** What was wrong before; or what the message shows of its sender, who is asked. */
  errorMessage: string | Html | null;
  /** Whether sending it now means sending it as it is. */
  needsConfirmation: boolean;
  /** Whether the field that is to stay empty is seen: something was in it. */
  showsHoneypot?: boolean;
}

/** Whom the form is to: of somebody who has died, or who may need help, others than the owner may read it. */
export function getMessageFormTitle(kind: string | null, locale: Locale): string {
  const recipient = kind === 'MEMORY_TAG' ? 'family' : isPersonalCard(kind) ? 'carer' : 'other';
  return t(locale, 'conversation.writeTitle', { recipient });
}

/** The form for a first message. What was typed before is still in it. */
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
