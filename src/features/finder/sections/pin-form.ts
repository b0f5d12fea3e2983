import { type Html, html } from '../../../shared/html.ts';
import type { Language } from '../../../shared/languages/language.ts';
import { ANSWER } from '../page-frame.ts';

export interface PinForm {
  /** Where the form is sent. */
  action: string;
  /** The signed token of the visit. */
  visit: string;
  /** What was wrong with the PIN before. */
  complaint: string | null;
}

/** The form for the PIN. It never holds what was typed before. */
export function pinForm({ action, visit, complaint }: PinForm, { finder }: Language): Html {
  const described = complaint ? html` aria-invalid="true" aria-describedby="answer"` : null;
  return html`<form method="post" action="${action}"><h2>${finder.pinTitle}</h2>
${complaint && html`<p class="wrong"${ANSWER} role="alert">${complaint}</p>\n`}<p>${finder.pinText}</p>
<input type="hidden" name="visit" value="${visit}">
<label for="pin">${finder.pinLabel}</label>
<input id="pin" name="pin" type="password" inputmode="numeric" pattern="[0-9]{4,12}" maxlength="12" autocomplete="off" required${described}>
<button>${finder.pinButton}</button></form>`;
}
