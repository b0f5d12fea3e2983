import type { Static } from 'typebox';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t, translateHtml } from '../../../shared/i18n/translate.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import type { MailProblem, SupportMailStatus } from '../../administration/index.ts';
import { renderEmptyState, renderNote } from '../components.ts';
import { renderMoment } from '../format-moment.ts';

export type MailStatus = Static<typeof SupportMailStatus>;

interface Reader {
  user: { timeZone: string };
  locale: Locale;
}

/** What keeps emails from somebody, and what helps. */
const PROBLEMS = {
  SUSPENDED: 'app.staff.mail.problems.SUSPENDED',
  ADDRESS_NOT_CONFIRMED: 'app.staff.mail.problems.ADDRESS_NOT_CONFIRMED',
  OUTBOX_STUCK: 'app.staff.mail.problems.OUTBOX_STUCK',
  JOB_FAILED: 'app.staff.mail.problems.JOB_FAILED',
  MAIL_DELAYED: 'app.staff.mail.problems.MAIL_DELAYED',
  LAST_MAIL_FAILED: 'app.staff.mail.problems.LAST_MAIL_FAILED',
  SUPPRESSED: 'app.staff.mail.problems.SUPPRESSED',
  QUIET_HOURS: 'app.staff.mail.problems.QUIET_HOURS',
  SWITCHED_OFF: 'app.staff.mail.problems.SWITCHED_OFF',
} as const satisfies Record<MailProblem, MessageKey>;

const DELIVERY_STATUSES = {
  DELIVERED: 'app.staff.mail.statuses.DELIVERED',
  WAITING: 'app.staff.mail.statuses.WAITING',
  NOT_SENT: 'app.staff.mail.statuses.NOT_SENT',
  FAILED: 'app.staff.mail.statuses.FAILED',
} as const satisfies Record<MailStatus['deliveries'][number]['status'], MessageKey>;

const REASONS = {
  DATA_INTEGRITY: 'app.staff.mail.reasons.DATA_INTEGRITY',
  QUIET_HOURS: 'app.staff.mail.reasons.QUIET_HOURS',
  DIGEST: 'app.staff.mail.reasons.DIGEST',
  TOO_MANY: 'app.staff.mail.reasons.TOO_MANY',
  ALREADY_NOTIFIED: 'app.staff.mail.reasons.ALREADY_NOTIFIED',
  SWITCHED_OFF: 'app.staff.mail.reasons.SWITCHED_OFF',
  REFUSED: 'app.staff.mail.reasons.REFUSED',
  GIVEN_UP: 'app.staff.mail.reasons.GIVEN_UP',
  SERVER_BUSY: 'app.staff.mail.reasons.SERVER_BUSY',
  WORKER_LOST: 'app.staff.mail.reasons.WORKER_LOST',
} as const satisfies Record<string, MessageKey>;

/** Render why somebody gets no emails: the reasons, what waits, the last notifications, and the settings. */
export function renderMailStatus(status: MailStatus, jobsPath: string | null, reader: Reader): Html {
  const { locale } = reader;
  return html`<section><h2>${t(locale, 'app.staff.mail.title')}</h2>
${renderProblems(status, jobsPath, reader)}
${status.waiting.length > 0 && renderWaiting(status.waiting, reader)}
<h3>${t(locale, 'app.staff.mail.last')}</h3>
${status.deliveries.length > 0 ? renderDeliveries(status.deliveries, reader) : renderEmptyState(t(locale, 'app.staff.mail.noneSent'))}
<p class="small">${t(locale, 'app.staff.mail.onlyNotifications')}</p>
<h3>${t(locale, 'app.staff.mail.settings')}</h3>
${renderSettings(status, reader)}</section>`;
}

function renderProblems({ problems }: MailStatus, jobsPath: string | null, { locale }: Reader): Html {
  if (problems.length === 0) return renderNote(t(locale, 'app.staff.mail.noProblem'));
  const link = (problem: MailProblem) =>
    (problem === 'JOB_FAILED' || problem === 'OUTBOX_STUCK') &&
    jobsPath !== null &&
    html` <a href="${jobsPath}">${t(locale, 'app.staff.jobs.title')}</a>`;
  return html`<div class="note wrong"><ul>${problems.map((problem) => html`<li>${t(locale, PROBLEMS[problem])}${link(problem)}</li>\n`)}</ul></div>`;
}

function renderWaiting(waiting: MailStatus['waiting'], { user, locale }: Reader): Html {
  return html`<h3>${t(locale, 'app.staff.mail.waiting')}</h3>
<table class="stack"><thead><tr><th scope="col">${t(locale, 'app.staff.mail.what')}</th><th scope="col">${t(locale, 'app.staff.mail.since')}</th><th scope="col">${t(locale, 'app.staff.mail.result')}</th></tr></thead><tbody>${waiting.map(
    ({ template, createdAt, attempts, reason, failedJobId }) =>
      html`<tr><th scope="row">${renderName(template)}</th><td>${renderMoment(new Date(createdAt), user, locale)}</td><td>${
        failedJobId === null
          ? t(locale, 'app.staff.mail.attempts', { count: attempts })
          : t(locale, 'app.staff.mail.givenUp')
      }${reason !== null && html` ${renderName(reason)}`}</td></tr>\n`,
  )}</tbody></table>`;
}

function renderDeliveries(deliveries: MailStatus['deliveries'], { user, locale }: Reader): Html {
  return html`<table class="stack"><thead><tr><th scope="col">${t(locale, 'app.staff.mail.what')}</th><th scope="col">${t(locale, 'app.staff.mail.when')}</th><th scope="col">${t(locale, 'app.staff.mail.result')}</th></tr></thead><tbody>${deliveries.map(
    ({ event, status, reason, statusChangedAt }) =>
      html`<tr><th scope="row">${renderName(event)}</th><td>${renderMoment(new Date(statusChangedAt), user, locale)}</td><td>${t(locale, DELIVERY_STATUSES[status])}${reason !== null && html`: ${translateReason(reason, locale)}`}</td></tr>\n`,
  )}</tbody></table>`;
}

function renderSettings({ settings, suppressed }: MailStatus, { locale }: Reader): Html {
  const { emailOff, quietHours, timeZone } = settings;
  const hours =
    quietHours &&
    translateHtml(locale, 'app.staff.mail.quietHours', {
      from: html`${quietHours.from}`,
      to: html`${quietHours.to}`,
      zone: html`<bdi>${timeZone}</bdi>`,
    });
  return html`<ul>${
    emailOff.length > 0
      ? html`<li>${t(locale, 'app.staff.mail.off')}<ul>${emailOff.map((event) => html`<li>${renderName(event)}</li>`)}</ul></li>`
      : html`<li>${t(locale, 'app.staff.mail.allOn')}</li>`
  }${hours && html`<li>${hours}</li>`}<li>${t(locale, suppressed ? 'app.staff.mail.suppressed' : 'app.staff.mail.notSuppressed')}</li></ul>`;
}

/** What the API names in English. */
function renderName(name: string): Html {
  return html`<bdi lang="en">${name}</bdi>`;
}

function translateReason(reason: string, locale: Locale): string {
  // The glossary refuses its name as a key.
  if (reason === 'SEEN') return t(locale, 'app.staff.mail.reasons.SEEN');
  return isKeyOf(REASONS, reason) ? t(locale, REASONS[reason]) : reason;
}
