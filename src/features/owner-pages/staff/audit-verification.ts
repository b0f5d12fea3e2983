import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import type { DatabaseTrailVerification, TrailFinding } from '../../audit/index.ts';
import { renderNote } from '../components.ts';
import { renderMoment } from '../format-moment.ts';

const FINDINGS = {
  CHANGED: 'app.staff.audit.findings.CHANGED',
  REMOVED: 'app.staff.audit.findings.REMOVED',
  INSERTED: 'app.staff.audit.findings.INSERTED',
  REORDERED: 'app.staff.audit.findings.REORDERED',
  CUT_OFF: 'app.staff.audit.findings.CUT_OFF',
  OLDER_DATABASE: 'app.staff.audit.findings.OLDER_DATABASE',
  SIGNATURE: 'app.staff.audit.findings.SIGNATURE',
} as const satisfies Record<TrailFinding['kind'], MessageKey>;

/** Render whether the audit trail is intact, and the first entry that is not. */
export function renderVerification(
  verification: DatabaseTrailVerification,
  { at, reader, locale }: { at: Date; reader: { timeZone: string }; locale: Locale },
): Html {
  const { finding, sequence, droppedThrough, batches, waiting, checkpoints, unreadableLines } = verification;
  const facts: [string, string | Html][] = [
    [t(locale, 'app.staff.mail.when'), renderMoment(at, reader, locale)],
    [t(locale, 'app.staff.audit.verifiedThrough'), String(sequence)],
    [t(locale, 'app.staff.audit.batches'), String(batches)],
    [t(locale, 'app.staff.audit.checkpoints'), String(checkpoints)],
    [t(locale, 'app.staff.audit.unreadable'), String(unreadableLines)],
    [t(locale, 'app.staff.audit.unsealed'), String(waiting)],
    [t(locale, 'app.staff.audit.dropped'), String(droppedThrough)],
  ];
  return html`${finding ? renderFinding(finding, locale) : renderNote(t(locale, 'app.staff.audit.intact'))}
<dl>${facts.map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`;
}

function renderFinding({ kind, sequence, through, entryId, meaning }: TrailFinding, locale: Locale): Html {
  const range =
    sequence !== null && (through === null || through === sequence ? sequence : `${sequence}–${through}`);
  return renderNote(
    html`${t(locale, 'app.staff.audit.broken')} ${t(locale, FINDINGS[kind])}${range !== false && html` (<bdi>${range}</bdi>)`}${entryId !== null && html` <bdi>${entryId}</bdi>`}<br><bdi lang="en">${meaning}</bdi>`,
    'wrong',
  );
}
