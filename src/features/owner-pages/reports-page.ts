import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { type MessageKey, t, translateHtml } from '../../shared/i18n/translate.ts';
import type { findReportSchedule, REPORT_FREQUENCIES } from '../scans/index.ts';
import { type FormErrors, renderField, renderForm } from './components.ts';
import { renderMoment } from './format-moment.ts';

interface ReportsPage {
  locale: Locale;
  path: string;
  token: string;
  timeZone: string;
  /** Lengths of periods up to today. */
  days: readonly number[];
  schedule: Awaited<ReturnType<typeof findReportSchedule>>;
  /** Of the period that was asked for. */
  values: { from?: string; until?: string };
  errors: FormErrors;
}

const FREQUENCY_LABELS = {
  WEEKLY: 'app.reports.weekly',
  MONTHLY: 'app.reports.monthly',
} as const satisfies Record<(typeof REPORT_FREQUENCIES)[number], MessageKey>;

/** Render the ways to reports, and the form of those by email. */
export function renderReports(page: ReportsPage): Html {
  const { locale, path, days } = page;
  const items = days.map((count) => {
    const name = t(locale, 'app.reports.days', { count });
    const address = `${path}/scans?days=${count}`;
    return html`<li><p><a href="${address}">${name}</a> · <a href="${address}&amp;format=pdf">PDF<span class="visually-hidden"> ${name}</span></a> · <a href="${path}/scans.csv?days=${count}" download>${t(locale, 'app.reports.csv')}<span class="visually-hidden"> ${name}</span></a></p></li>`;
  });
  return html`<ul>${items}</ul>
${renderPeriod(page)}${renderSchedule(page)}`;
}

function renderPeriod({ locale, path, values, errors }: ReportsPage): Html {
  const day = (name: 'from' | 'until', label: string) =>
    renderField({ name, label, type: 'date', isRequired: true, value: values[name] }, errors, locale);
  return html`<section class="narrow"><h2>${t(locale, 'app.reports.period')}</h2><form method="get" action="${path}/scans">${day('from', t(locale, 'app.settings.notifications.from'))}${day('until', t(locale, 'app.settings.notifications.to'))}<button class="plain">${t(locale, 'app.codes.show')}</button> <button class="plain" formaction="${path}/scans.csv">${t(locale, 'app.reports.csv')}</button></form></section>
`;
}

function renderSchedule({ locale, path, token, timeZone, schedule, errors }: ReportsPage): Html {
  const frequencies = Object.entries(FREQUENCY_LABELS).map(([value, label]) => ({
    value,
    label: t(locale, label),
  }));
  const hours = Array.from({ length: 24 }, (_hour, hour) => ({
    value: String(hour),
    label: formatHour(hour, locale),
  }));
  const next =
    schedule &&
    translateHtml(locale, 'app.reports.next', {
      date: renderMoment(schedule.nextSendAt, { timeZone }, locale),
    });
  const fields = [
    {
      name: 'frequency',
      label: t(locale, 'app.reports.frequency'),
      options: frequencies,
      value: schedule?.frequency ?? 'WEEKLY',
    },
    {
      name: 'hour',
      label: t(locale, 'app.reports.hour'),
      options: hours,
      value: String(schedule?.hour ?? 8),
    },
  ];
  const end = renderForm({
    action: `${path}/schedule/end`,
    token,
    submit: t(locale, 'app.reports.never'),
    kind: 'plain',
  });
  return html`<section class="narrow"><h2>${t(locale, 'app.reports.schedule')}</h2><p>${t(locale, 'app.reports.scheduleText')}</p>${next && html`<p>${next}</p>`}
${renderForm({
  action: `${path}/schedule`,
  token,
  submit: t(locale, 'app.content.save'),
  fields: fields.map((field) => renderField(field, errors, locale)),
})}${schedule && end}</section>`;
}

function formatHour(hour: number, { tag }: Locale): string {
  const format = new Intl.DateTimeFormat(tag, { timeStyle: 'short', timeZone: 'UTC' });
  return format.format(new Date(Date.UTC(2000, 0, 1, hour)));
}
