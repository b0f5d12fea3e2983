import { type Html, html } from '../../../shared/html.ts';
import type { Language } from '../../../shared/languages/language.ts';
import { LONGEST_MESSAGE } from '../../conversations/conversations.schemas.ts';
import type { Preset } from '../../conversations/presets.rules.ts';
import { isCardOfPerson } from '../layout.rules.ts';
import { ANSWER } from '../page-frame.ts';

/** What was typed into the form before. */
export interface Typed {
  message: string;
  preset: Preset | null;
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
  presets: readonly Preset[];
  typed: Typed | null;
  /** What was wrong before; or what the message shows of its sender, who is asked. */
  complaint: string | Html | null;
  /** Whether sending it now means sending it as it is. */
  asksToConfirm: boolean;
  /** Whether the field that is to stay empty is seen: something was in it. */
  showsTrap?: boolean;
}

/** Whom the form is to: of somebody who has died, or who may need help, others than the owner may read it. */
export function writeTitleOf(kind: string | null, { conversation, finder }: Language): string {
  if (kind === 'MEMORY_TAG') return finder.writeFamily;
  return isCardOfPerson(kind) ? finder.writeCarer : conversation.writeTitle;
}

/** The form for a first message. What was typed before is still in it. */
export function writeForm(form: WriteForm, language: Language): Html {
  const { conversation } = language;
  const { action, visit, presets, typed, complaint, asksToConfirm, showsTrap } = form;
  const described = complaint ? html` aria-invalid="true" aria-describedby="answer"` : null;
  const choices = [null, ...presets].map(
    (
      preset,
    ) => html`<label><input type="radio" name="preset" value="${preset ?? ''}"${(typed?.preset ?? null) === preset && html` checked`}> ${preset ? conversation.presets[preset] : conversation.noPreset}</label>
`,
  );
  return html`<form method="post" action="${action}" id="write"><h2>${writeTitleOf(form.kind, language)}</h2>
${complaint && html`<p class="wrong"${ANSWER} role="alert">${complaint}</p>\n`}<p>${conversation.writeText}</p>
<input type="hidden" name="visit" value="${visit}">
${asksToConfirm && html`<input type="hidden" name="confirmed" value="yes">\n`}<fieldset><legend>${conversation.presetLabel}</legend>
${choices}</fieldset>
<label for="message">${conversation.messageLabel}</label>
<textarea id="message" name="message" rows="4" maxlength="${LONGEST_MESSAGE}" dir="auto"${described}>${typed?.message ?? ''}</textarea>
<label for="name">${conversation.nameLabel}</label>
<input id="name" name="name" maxlength="80" dir="auto" autocomplete="name" value="${typed?.name ?? ''}">
<label for="email">${conversation.emailLabel}</label>
<input id="email" name="email" type="email" maxlength="254" dir="ltr" autocomplete="email" aria-describedby="email-use" value="${typed?.email ?? ''}">
<p id="email-use">${conversation.emailText}</p>
<p${!showsTrap && html` class="trap"`}><label>${conversation.leaveEmpty} <input name="nothing"${!showsTrap && html` tabindex="-1"`} autocomplete="off"></label></p>
<button>${asksToConfirm ? conversation.sendAnyway : conversation.sendButton}</button></form>`;
}
