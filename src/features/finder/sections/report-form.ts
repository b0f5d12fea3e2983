import { type Html, html } from '../../../shared/html.ts';
import type { Language } from '../../../shared/languages/language.ts';
import { LONGEST_NOTE, REPORT_REASONS } from '../../conversations/report.schemas.ts';

/** The way to report a conversation to the administration; or what became of the report of whoever looks at it. */
export function reportSection(
  { action, token, report }: { action: string; token: string; report: { decision: string | null } | null },
  { tag, conversation }: Language,
): Html {
  if (report)
    return html`<p>${report.decision === null ? conversation.reported : conversation.reportDecided}</p>`;
  const choices = REPORT_REASONS.map(
    (reason) =>
      html`<label><input type="radio" name="reason" value="${reason}" required> ${conversation.reportReasons[reason]}</label>
`,
  );
  return html`<details><summary>${conversation.reportTitle}</summary><form method="post" action="${action}?lang=${tag}"><p>${conversation.reportText}</p>
<input type="hidden" name="visit" value="${token}"><fieldset><legend>${conversation.reportLabel}</legend>
${choices}</fieldset>
<label for="note">${conversation.reportNoteLabel}</label>
<textarea id="note" name="note" rows="3" maxlength="${LONGEST_NOTE}" dir="auto"></textarea>
<button>${conversation.reportButton}</button></form></details>`;
}
