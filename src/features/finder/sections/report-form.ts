import { FORM_RESULT_ATTRIBUTES } from '../../../platform/pages/page-frame.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { MAX_REPORT_NOTE_CHARACTERS, REPORT_REASONS } from '../../conversations/index.ts';

export interface RejectedReport {
  reason: string;
  note: string;
  errorMessage: string;
}

interface ReportFormContent {
  action: string;
  token: string;
  /** The report of this side, if there is one. */
  report: { decision: string | null } | null;
  rejectedReport: RejectedReport | null;
}

/** Render the report form, or the state of the report of this side. */
export function renderReportSection(
  { action, token, report, rejectedReport }: ReportFormContent,
  locale: Locale,
): Html {
  if (report)
    return html`<p${rejectedReport && FORM_RESULT_ATTRIBUTES}>${report.decision === null ? t(locale, 'conversation.reported') : t(locale, 'conversation.reportDecided')}</p>`;
  const choices = REPORT_REASONS.map(
    (reason) =>
      html`<label><input type="radio" name="reason" value="${reason}" required${rejectedReport?.reason === reason && html` checked`}> ${t(locale, `conversation.reportReasons.${reason}`)}</label>
`,
  );
  return html`<details${rejectedReport && html` open`}><summary>${t(locale, 'conversation.reportTitle')}</summary><form method="post" action="${action}?lang=${locale.tag}#answer">${rejectedReport && html`<p class="wrong"${FORM_RESULT_ATTRIBUTES} role="alert">${rejectedReport.errorMessage}</p>\n`}<p>${t(locale, 'conversation.reportText')}</p>
<input type="hidden" name="visit" value="${token}"><fieldset><legend>${t(locale, 'conversation.reportLabel')}</legend>
${choices}</fieldset>
<label for="note">${t(locale, 'conversation.reportNoteLabel')}</label>
<textarea id="note" name="note" rows="3" maxlength="${MAX_REPORT_NOTE_CHARACTERS}" dir="auto"${rejectedReport && html` aria-describedby="answer"`}>${rejectedReport?.note ?? ''}</textarea>
<button>${t(locale, 'conversation.reportButton')}</button></form></details>`;
}

export function truncateReportFields({ reason = '', note = '' }: { reason?: string; note?: string }) {
  return { reason, note: [...note].slice(0, MAX_REPORT_NOTE_CHARACTERS).join('') };
}
