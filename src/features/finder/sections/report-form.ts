import { type Html, html } from '../../../shared/html.ts';
import type { Language } from '../../../shared/languages/language.ts';
import { LONGEST_NOTE, REPORT_REASONS } from '../../conversations/report.schemas.ts';
import { ANSWER } from '../page-frame.ts';

/** A report that was typed and not made, and why. */
export interface Unreported {
  reason: string;
  note: string;
  complaint: string;
}

interface ReportForm {
  /** Where the form is sent. */
  action: string;
  token: string;
  /** What whoever looks at it has reported. */
  report: { decision: string | null } | null;
  unreported: Unreported | null;
}

/** The way to report a conversation to the administration; or what became of the report of whoever looks at it. */
export function reportSection(
  { action, token, report, unreported }: ReportForm,
  { tag, conversation }: Language,
): Html {
  if (report)
    return html`<p${unreported && ANSWER}>${report.decision === null ? conversation.reported : conversation.reportDecided}</p>`;
  const choices = REPORT_REASONS.map(
    (reason) =>
      html`<label><input type="radio" name="reason" value="${reason}" required${unreported?.reason === reason && html` checked`}> ${conversation.reportReasons[reason]}</label>
`,
  );
  return html`<details${unreported && html` open`}><summary>${conversation.reportTitle}</summary><form method="post" action="${action}?lang=${tag}#answer">${unreported && html`<p class="wrong"${ANSWER} role="alert">${unreported.complaint}</p>\n`}<p>${conversation.reportText}</p>
<input type="hidden" name="visit" value="${token}"><fieldset><legend>${conversation.reportLabel}</legend>
${choices}</fieldset>
<label for="note">${conversation.reportNoteLabel}</label>
<textarea id="note" name="note" rows="3" maxlength="${LONGEST_NOTE}" dir="auto"${unreported && html` aria-describedby="answer"`}>${unreported?.note ?? ''}</textarea>
<button>${conversation.reportButton}</button></form></details>`;
}

/** What was typed into the form, with a note cut to what is allowed. */
export function typedReport({ reason = '', note = '' }: { reason?: string; note?: string }) {
  return { reason, note: [...note].slice(0, LONGEST_NOTE).join('') };
}
