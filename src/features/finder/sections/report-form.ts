import { FORM_RESULT_HTML_ATTRIBUTES } from '../../../platform/pages/page-frame.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { MAX_REPORT_NOTE_CHARACTERS, MODERATION_CATEGORIES } from '../../moderation/index.ts';

export interface CodeReportForm {
  action: string;
  token: string;
  category: string;
  note: string;
  errorMessage: string | null;
  /** Shown only after it was filled in. */
  showsHoneypot: boolean;
}

/** For the footer. A link in place of the form keeps the page of the code small. */
export function renderCodeReportLink(address: string, locale: Locale): Html {
  return html`<p><a href="${address}/report?lang=${locale.tag}" rel="nofollow">${t(locale, 'finder.reportTitle')}</a></p>`;
}

export function renderCodeReportForm(form: CodeReportForm, locale: Locale): Html {
  const { action, token, category, note, errorMessage, showsHoneypot } = form;
  const choices = MODERATION_CATEGORIES.map(
    (one) =>
      html`<label><input type="radio" name="category" value="${one}" required${category === one && html` checked`}> ${t(locale, `moderation.categories.${one}`)}</label>
`,
  );
  return html`<h1>${t(locale, 'finder.reportTitle')}</h1>
<form method="post" action="${action}?lang=${locale.tag}#answer">${errorMessage && html`<p class="wrong"${FORM_RESULT_HTML_ATTRIBUTES} role="alert">${errorMessage}</p>\n`}<p>${t(locale, 'finder.reportText')}</p>
<input type="hidden" name="visit" value="${token}"><fieldset><legend>${t(locale, 'conversation.reportLabel')}</legend>
${choices}</fieldset>
<label for="note">${t(locale, 'conversation.reportNoteLabel')}</label>
<textarea id="note" name="note" rows="3" maxlength="${MAX_REPORT_NOTE_CHARACTERS}" dir="auto"${errorMessage && html` aria-describedby="answer"`}>${note}</textarea>
<p${!showsHoneypot && html` class="visually-hidden"`}><label>${t(locale, 'conversation.honeypotLabel')} <input name="nothing"${!showsHoneypot && html` tabindex="-1"`} autocomplete="off"></label></p>
<button>${t(locale, 'conversation.reportButton')}</button></form>`;
}
