import { FORM_RESULT_ATTRIBUTES } from '../../../platform/pages/page-frame.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';

export interface PinForm {
  action: string;
  visit: string;
  errorMessage: string | null;
  isDocument: boolean;
}

/** Render the PIN form. It never contains the previous input. */
export function renderPinForm({ action, visit, errorMessage, isDocument }: PinForm, locale: Locale): Html {
  const [title, text, button] = isDocument
    ? [
        t(locale, 'finder.documentTitle'),
        t(locale, 'finder.documentText'),
        t(locale, 'finder.documentButton'),
      ]
    : [t(locale, 'finder.pinTitle'), t(locale, 'finder.pinText'), t(locale, 'finder.pinButton')];
  const described = errorMessage ? html` aria-invalid="true" aria-describedby="answer"` : null;
  return html`<form method="post" action="${action}"><h2>${title}</h2>
${errorMessage && html`<p class="wrong"${FORM_RESULT_ATTRIBUTES} role="alert">${errorMessage}</p>\n`}<p>${text}</p>
<input type="hidden" name="visit" value="${visit}">
<label for="pin">${t(locale, 'finder.pinLabel')}</label>
<input id="pin" name="pin" type="password" inputmode="numeric" pattern="[0-9٠-٩۰-۹०-९０-９\\s]{4,24}" maxlength="24" autocomplete="off" required${described}>
<button>${button}</button></form>`;
}
