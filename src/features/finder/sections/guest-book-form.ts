import { FORM_RESULT_ATTRIBUTES } from '../../../platform/pages/page-frame.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { MAX_MESSAGE_CHARACTERS } from '../../conversations/index.ts';
import type { MessageDraft } from './message-form.ts';

export interface GuestBookForm {
  action: string;
  visit: string;
  draft: Pick<MessageDraft, 'message' | 'name'> | null;
  errorMessage: string | Html | null;
  needsConfirmation: boolean;
  /** Whether the honeypot field is visible, because it was filled in. */
  showsHoneypot?: boolean;
}

export function renderGuestBookForm(form: GuestBookForm, locale: Locale): Html {
  const { action, visit, draft, errorMessage, needsConfirmation, showsHoneypot } = form;
  const described = errorMessage ? html` aria-invalid="true" aria-describedby="answer"` : null;
  return html`<form method="post" action="${action}" id="guest-book"><h2>${t(locale, 'memorial.signTitle')}</h2>
${errorMessage && html`<p class="wrong"${FORM_RESULT_ATTRIBUTES} role="alert">${errorMessage}</p>\n`}<p>${t(locale, 'memorial.signText')}</p>
<input type="hidden" name="visit" value="${visit}">
${needsConfirmation && html`<input type="hidden" name="confirmed" value="yes">\n`}<label for="entry">${t(locale, 'memorial.signLabel')}</label>
<textarea id="entry" name="message" rows="4" maxlength="${MAX_MESSAGE_CHARACTERS}" dir="auto"${described}>${draft?.message ?? ''}</textarea>
<label for="entry-name">${t(locale, 'conversation.nameLabel')}</label>
<input id="entry-name" name="name" maxlength="80" dir="auto" autocomplete="name" value="${draft?.name ?? ''}">
<p${!showsHoneypot && html` class="trap"`}><label>${t(locale, 'conversation.honeypotLabel')} <input name="nothing"${!showsHoneypot && html` tabindex="-1"`} autocomplete="off"></label></p>
<button>${needsConfirmation ? t(locale, 'conversation.sendAnyway') : t(locale, 'conversation.sendButton')}</button></form>`;
}
