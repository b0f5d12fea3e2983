import { FORM_RESULT_ATTRIBUTES } from '../../../platform/pages/page-frame.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { MAX_MESSAGE_CHARACTERS } from '../../conversations/index.ts';

export interface LocationForm {
  action: string;
  /** URL of the script that reads the position of the phone. */
  script: string;
  visit: string;
  place: string;
  errorMessage: string | Html | null;
  needsConfirmation: boolean;
}

/** Render the form to share a location: as text, map link or position of the phone. */
export function renderLocationForm(
  { action, script, visit, place, errorMessage, needsConfirmation }: LocationForm,
  locale: Locale,
): Html {
  const described = errorMessage ? html` aria-invalid="true" aria-describedby="answer"` : null;
  return html`<form method="post" action="${action}" id="share" data-button="${t(locale, 'finder.sharePosition')}" data-failed="${t(locale, 'finder.sharePositionFailed')}"><h2>${t(locale, 'finder.shareTitle')}</h2>
${errorMessage && html`<p class="wrong"${FORM_RESULT_ATTRIBUTES} role="alert">${errorMessage}</p>\n`}<p>${t(locale, 'finder.shareText')}</p>
<input type="hidden" name="visit" value="${visit}"><input type="hidden" name="latitude"><input type="hidden" name="longitude"><input type="hidden" name="accuracy">
${needsConfirmation && html`<input type="hidden" name="confirmed" value="yes">\n`}<label for="place">${t(locale, 'finder.shareLabel')}</label>
<input id="place" name="place" maxlength="${MAX_MESSAGE_CHARACTERS}" dir="auto" autocomplete="off" value="${place}"${described}>
<button>${needsConfirmation ? t(locale, 'conversation.sendAnyway') : t(locale, 'finder.shareButton')}</button></form><script src="${script}" defer></script>`;
}
