import { MINUTE_MS } from '../../../shared/durations.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';
import type { listBreakGlassGrantsWithReasons } from '../../administration/index.ts';
import { type FormErrors, renderField, renderForm, renderSelect } from '../components.ts';
import { renderMoment } from '../format-moment.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { getStaffEntryPath } from './staff-layout.ts';

type Grant = Awaited<ReturnType<typeof listBreakGlassGrantsWithReasons>>['rows'][number];

interface BreakGlassForm {
  action: string;
  token: string;
  values: { resourceType?: string; resourceId?: string; reason?: string };
  errors: FormErrors;
  locale: Locale;
}

const BREAK_GLASS_MINUTES = LIFETIMES_SECONDS.breakGlass / 60;

/** Get the path of the page of a record that is open to an administrator. */
export function getRecordPath(
  services: OwnerPageServices,
  { resourceType, resourceId }: { resourceType: string; resourceId: string },
): string {
  const path = getStaffEntryPath(services, 'break-glass');
  return `${path}/${resourceType === 'SCAN' ? 'scans' : 'codes'}/${resourceId}`;
}

/** Render the form that opens a record, with what will happen before. */
export function renderBreakGlassForm({ action, token, values, errors, locale }: BreakGlassForm): Html {
  return html`<section class="narrow"><h2>${t(locale, 'app.staff.breakGlass.open')}</h2>
<p>${t(locale, 'app.staff.breakGlass.text', { count: BREAK_GLASS_MINUTES })}</p>
${renderForm({
  action,
  token,
  submit: t(locale, 'app.staff.breakGlass.open'),
  kind: 'danger',
  fields: [
    renderSelect({
      name: 'resourceType',
      label: t(locale, 'app.staff.breakGlass.what'),
      value: values.resourceType,
      options: [
        { value: 'QRCODE', label: t(locale, 'app.staff.breakGlass.code') },
        { value: 'SCAN', label: t(locale, 'app.staff.breakGlass.scan') },
      ],
    }),
    renderField(
      {
        name: 'resourceId',
        label: t(locale, 'app.staff.breakGlass.id'),
        hint: t(locale, 'app.staff.breakGlass.idHint'),
        value: values.resourceId,
        autocomplete: 'off',
        isRequired: true,
      },
      errors,
      locale,
    ),
    renderField(
      {
        name: 'reason',
        label: t(locale, 'app.staff.breakGlass.reason'),
        hint: t(locale, 'app.staff.breakGlass.reasonHint'),
        value: values.reason,
        isMultiline: true,
        maxLength: 1000,
        isRequired: true,
      },
      errors,
      locale,
    ),
  ],
})}</section>`;
}

interface TimeLeft {
  now: Date;
  reader: { timeZone: string };
  locale: Locale;
  /** Where the script leads when the time is over. */
  leavesTo?: string;
}

/** Render for how long a record is still open; the script counts down. */
export function renderTimeLeft(expiresAt: Date, { now, reader, locale, leavesTo }: TimeLeft): Html {
  const left = expiresAt.getTime() - now.getTime();
  const time = renderMoment(expiresAt, reader, locale);
  const text = translateHtml(locale, 'app.staff.breakGlass.left', {
    count: Math.max(1, Math.ceil(left / MINUTE_MS)),
    time,
  });
  const running = translateHtml(locale, 'app.staff.breakGlass.running', {
    left: html`<bdi class="number" dir="ltr"></bdi>`,
    time,
  });
  return html`<strong data-script="countdown" data-left="${left}" data-ended="${t(locale, 'app.staff.breakGlass.ended')}"${leavesTo && html` data-leaves-to="${leavesTo}"`}><span>${text}</span><span role="timer" hidden>${running}</span></strong>`;
}

/** Render the button that ends the access to a record. */
export function renderEndButton(
  services: OwnerPageServices,
  { id, token }: { id: string; token: string },
  locale: Locale,
): Html {
  return renderForm({
    action: `${getStaffEntryPath(services, 'break-glass')}/${id}/end`,
    token,
    submit: t(locale, 'app.staff.breakGlass.end'),
    kind: 'danger',
  });
}

interface GrantReader {
  now: Date;
  reader: { id: string; timeZone: string };
  /** Null for who may not end it. */
  token: string | null;
  locale: Locale;
}

/** Render who has, or had, access to a record, and why. */
export function renderGrant(
  services: OwnerPageServices,
  { row, reason }: Grant,
  { now, reader, token, locale }: GrantReader,
): Html {
  const { id, resourceType, resourceId, administratorId, createdAt, expiresAt } = row;
  const isOpen = expiresAt > now;
  const isOwn = administratorId === reader.id;
  const what = t(locale, resourceType === 'SCAN' ? 'app.staff.breakGlass.scan' : 'app.staff.breakGlass.code');
  const who = isOwn ? t(locale, 'app.settings.accesses.you') : html`<bdi>${administratorId}</bdi>`;
  return html`<li><div><h3>${what} <bdi>${resourceId}</bdi></h3>
<p class="text" dir="auto">${reason ?? t(locale, 'app.staff.breakGlass.unreadable')}</p>
<p class="small">${who} · ${renderMoment(createdAt, reader, locale)}</p>${
    isOpen && html`<p>${renderTimeLeft(expiresAt, { now, reader, locale })}</p>`
  }</div>${isOpen && isOwn && html`<a class="act plain" href="${getRecordPath(services, row)}">${t(locale, 'app.staff.breakGlass.read')}</a>`}${isOpen && token !== null && renderEndButton(services, { id, token }, locale)}</li>
`;
}
