import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import type { FailedJobRow, JobQueueRow } from '../../administration/index.ts';
import { renderConfirmation, renderForm } from '../components.ts';
import { renderMoment } from '../format-moment.ts';

interface Reader {
  reader: { timeZone: string };
  locale: Locale;
}

/** Render a failed job with its reason, and the ways to try it again or to give it up. */
export function renderFailedJob(
  { id, queue, attempts, reason, failedAt }: FailedJobRow,
  { path, token, reader, locale }: Reader & { path: string; token: string },
): Html {
  const why =
    reason === 'WORKER_LOST'
      ? t(locale, 'app.staff.jobs.workerLost')
      : html`<bdi lang="en">${reason ?? '–'}</bdi>`;
  const dismiss = t(locale, 'app.staff.jobs.dismiss');
  return html`<li><div><h3><bdi lang="en">${queue}</bdi></h3>
<p>${why}</p>
<p class="small">${renderMoment(failedAt, reader, locale)} · ${t(locale, 'app.staff.jobs.attempts', { count: attempts })}</p>
${renderConfirmation(dismiss, t(locale, 'app.staff.jobs.dismissText'), { action: `${path}/${id}/dismiss`, token, submit: dismiss, kind: 'danger' })}</div>
${renderForm({ action: `${path}/${id}/retry`, token, submit: t(locale, 'app.staff.jobs.retry'), kind: 'plain' })}</li>
`;
}

/** Render the queues in which something waits, runs or failed; the others unfold. */
export function renderQueues(queues: readonly JobQueueRow[], context: Reader): Html {
  const { locale } = context;
  const [busy, idle] = [queues.filter(isBusy), queues.filter((queue) => !isBusy(queue))];
  return html`${busy.length > 0 && renderQueueTable(busy, context)}
<details><summary>${t(locale, 'app.staff.jobs.idle')}</summary><ul>${idle.map(({ queue }) => html`<li><bdi lang="en">${queue}</bdi></li>`)}</ul></details>`;
}

function renderQueueTable(queues: readonly JobQueueRow[], { reader, locale }: Reader): Html {
  const rows = queues.map(
    ({ queue, waiting, retrying, running, failed, waitingSince }) =>
      html`<tr><th scope="row"><bdi lang="en">${queue}</bdi></th><td>${waiting + retrying}${
        waitingSince &&
        html` <span class="small">${translateHtml(locale, 'app.staff.jobs.since', { time: renderMoment(waitingSince, reader, locale) })}</span>`
      }</td><td>${running}</td><td>${failed}</td></tr>\n`,
  );
  // Who uses a keyboard can scroll only what has the focus.
  return html`<div class="table" tabindex="0" role="region" aria-label="${t(locale, 'app.staff.jobs.queues')}"><table><thead><tr><th scope="col">${t(locale, 'app.staff.jobs.queue')}</th><th scope="col">${t(locale, 'app.staff.jobs.waiting')}</th><th scope="col">${t(locale, 'app.staff.jobs.running')}</th><th scope="col">${t(locale, 'app.staff.jobs.failedCount')}</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function isBusy({ waiting, retrying, running, failed }: JobQueueRow): boolean {
  return waiting + retrying + running + failed > 0;
}
