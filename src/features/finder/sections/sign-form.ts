import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { MAX_MESSAGE_CHARACTERS } from '../../conversations/conversations.schemas.ts';
import { ANSWER } from '../page-frame.ts';
import type { Typed } from './write-form.ts';

export interface SignForm {
  /** Where the form is sent. */
  action: string;
  /** The signed token of the visit. */
  visit: string;
  typed: Pick<Typed, 'message' | 'name'> | null;
  /** What was wrong before; or what the entry shows of its writer, who is asked. */
  complaint: string | Html | null;
  /** Whether sending it now means sending it as it is. */
  asksToConfirm: boolean;
  /** Whether the field that is to stay empty is seen: something was in it. */
  showsTrap?: boolean;
}

/** The form for an entry of a guest book. What was typed before is still in it. */
export function signForm(form: SignForm, locale: Locale): Html {
  const { action, visit, typed, complaint, asksToConfirm, showsTrap } = form;
  const described = complaint ? html` aria-invalid="true" aria-describedby="answer"` : null;
  return html`<form method="post" action="${action}" id="guest-book"><h2>${t(locale, 'memorial.signTitle')}</h2>
${complaint && html`<p class="wrong"${ANSWER} role="alert">${complaint}</p>\n`}<p>${t(locale, 'memorial.signText')}</p>
<input type="hidden" name="visit" value="${visit}">
${asksToConfirm && html`<input type="hidden" name="confirmed" value="yes">\n`}<label for="entry">${t(locale, 'memorial.signLabel')}</label>
<textarea id="entry" name="message" rows="4" maxlength="${MAX_MESSAGE_CHARACTERS}" dir="auto"${described}>${typed?.message ?? ''}</textarea>
<label for="entry-name">${t(locale, 'conversation.nameLabel')}</label>
<input id="entry-name" name="name" maxlength="80" dir="auto" autocomplete="name" value="${typed?.name ?? ''}">
<p${!showsTrap && html` class="trap"`}><label>${t(locale, 'conversation.honeypotLabel')} <input name="nothing"${!showsTrap && html` tabindex="-1"`} autocomplete="off"></label></p>
<button>${asksToConfirm ? t(locale, 'conversation.sendAnyway') : t(locale, 'conversation.sendButton')}</button></form>`;
}
