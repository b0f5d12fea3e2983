import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { MAX_MESSAGE_CHARACTERS } from '../../conversations/conversations.schemas.ts';
import type { MessagePreset } from '../../conversations/presets.rules.ts';
import { isCardOfPerson } from '../layout.rules.ts';
import { ANSWER } from '../page-frame.ts';

/** What was typed into the form before. */
export interface Typed {
  message: string;
  preset: MessagePreset | null;
  name: string;
  email: string;
}

/** A form that nobody has sent yet. */
export const NOTHING_TYPED = { typed: null, complaint: null, asksToConfirm: false };

export interface WriteForm {
  /** Where the form is sent. */
  action: string;
  /** The signed token of the visit. */
  visit: string;
  /** What the code is of; null where the page does not tell. */
  kind: string | null;
  presets: readonly MessagePreset[];
  typed: Typed | null;
  /** What was wrong before; or what the message shows of its sender, who is asked. */
  complaint: string | Html | null;
  /** Whether sending it now means sending it as it is. */
  asksToConfirm: boolean;
  /** Whether the field that is to stay empty is seen: something was in it. */
  showsTrap?: boolean;
}

/** Whom the form is to: of somebody who has died, or who may need help, others than the owner may read it. */
export function writeTitleOf(kind: string | null, locale: Locale): string {
  const recipient = kind === 'MEMORY_TAG' ? 'family' : isCardOfPerson(kind) ? 'carer' : 'other';
  return t(locale, 'conversation.writeTitle', { recipient });
}

/** The form for a first message. What was typed before is still in it. */
export function writeForm(form: WriteForm, locale: Locale): Html {
  const { action, visit, presets, typed, complaint, asksToConfirm, showsTrap } = form;
  const described = complaint ? html` aria-invalid="true" aria-describedby="answer"` : null;
  const choices = [null, ...presets].map(
    (
      preset,
    ) => html`<label><input type="radio" name="preset" value="${preset ?? ''}"${(typed?.preset ?? null) === preset && html` checked`}> ${preset ? t(locale, `conversation.presets.${preset}`) : t(locale, 'conversation.noPreset')}</label>
`,
  );
  return html`<form method="post" action="${action}" id="write"><h2>${writeTitleOf(form.kind, locale)}</h2>
${complaint && html`<p class="wrong"${ANSWER} role="alert">${complaint}</p>\n`}<p>${t(locale, 'conversation.writeText')}</p>
<input type="hidden" name="visit" value="${visit}">
${asksToConfirm && html`<input type="hidden" name="confirmed" value="yes">\n`}<fieldset><legend>${t(locale, 'conversation.presetLabel')}</legend>
${choices}</fieldset>
<label for="message">${t(locale, 'conversation.messageLabel')}</label>
<textarea id="message" name="message" rows="4" maxlength="${MAX_MESSAGE_CHARACTERS}" dir="auto"${described}>${typed?.message ?? ''}</textarea>
<label for="name">${t(locale, 'conversation.nameLabel')}</label>
<input id="name" name="name" maxlength="80" dir="auto" autocomplete="name" value="${typed?.name ?? ''}">
<label for="email">${t(locale, 'conversation.emailLabel')}</label>
<input id="email" name="email" type="email" maxlength="254" dir="ltr" autocomplete="email" aria-describedby="email-use" value="${typed?.email ?? ''}">
<p id="email-use">${t(locale, 'conversation.emailText')}</p>
<p${!showsTrap && html` class="trap"`}><label>${t(locale, 'conversation.honeypotLabel')} <input name="nothing"${!showsTrap && html` tabindex="-1"`} autocomplete="off"></label></p>
<button>${asksToConfirm ? t(locale, 'conversation.sendAnyway') : t(locale, 'conversation.sendButton')}</button></form>`;
}
