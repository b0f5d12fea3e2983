import type { FastifyReply, FastifyRequest } from 'fastify';
import { commitAuditEntry } from '../../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import { getQrCodeKindByName } from '../../codes/index.ts';
import { translateQrCodeKind } from '../../finder/index.ts';
import {
  decryptModerationText,
  findLastTakedown,
  hasOpenReports,
  listReportsOfQrCode,
  MAX_MODERATION_TEXT_CHARACTERS,
  MODERATION_CATEGORIES,
  type QrCodeReportRow,
  toTakedownView,
} from '../../moderation/index.ts';
import { getCodeTabTitle } from '../codes/code-parts.ts';
import { renderField, renderForm } from '../components.ts';
import { formatListPath } from '../cursor-pages.ts';
import { getFormToken } from '../form-token.ts';
import { renderMoment } from '../format-moment.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { renderDecided } from './decided.ts';
import { type RefusedDecision, renderAnswerField, renderRefusedDecision } from './decision-form.ts';
import { renderOwnerMail } from './owner-mail.ts';
import { listCategoryOptions, translateCategory } from './reported-code.ts';
import { getReviewedCode, type ReviewedCode, renderOwnerLink, renderReviewedPage } from './reviewed-code.ts';
import { getStaffEntryPath, sendStaffPage } from './staff-layout.ts';
import { renderTakedown } from './takedown.ts';

const REPORTS_PER_PAGE = 10;

/** Send the page of a reported code: what was reported, its page, and the decision. @throws NOT_FOUND */
export async function sendCodeReportPage(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { id, cursor, refused }: { id: string; cursor?: string | undefined; refused?: RefusedDecision },
): Promise<FastifyReply> {
  const { database, fieldCipher } = services;
  const locale = chooseOwnerPageLocale(request);
  const { timeZone } = requireAuthenticatedUser(request);
  const code = await getReviewedCode(services, id);
  const { routeOptions, params } = request;
  const query = { limit: REPORTS_PER_PAGE, ...(cursor && { cursor }) };
  const page = parseListPage({ routeOptions, params, query }, NEWEST_FIRST);
  const context = getRequestContext(request);
  await commitAuditEntry(database, context, { action: 'QRCODE_REPORTS_READ', resourceId: id });
  const list = await listReportsOfQrCode(database.client, id, page);
  const { data: reports, pagination } = toListPage(page, list, (row) => row);
  const lastTakedown = await findLastTakedown(database.client, id);
  if (lastTakedown)
    await commitAuditEntry(database, context, { action: 'QRCODE_TAKEDOWN_READ', resourceId: id });
  const takedown = lastTakedown && toTakedownView(fieldCipher, lastTakedown);
  const renderReport = (row: QrCodeReportRow): Html => {
    const note = row.note && decryptModerationText(fieldCipher, 'reportNote', row, row.note);
    return html`<li><div><p><span class="chip">${translateCategory(row.category, locale)}</span>${row.decision && html` <span class="chip">${t(locale, row.decision === 'TAKEN_DOWN' ? 'app.staff.reports.takenDown' : 'app.staff.reports.dismissed')}</span>`}</p>
<p class="small">${t(locale, 'app.staff.reports.count', { count: row.count })} · ${renderMoment(row.createdAt, { timeZone }, locale)}</p>${note && html`<blockquote class="text">${note}</blockquote>`}</div></li>
`;
  };
  const canDismiss = await hasOpenReports(database.client, id);
  const listPath = getStaffEntryPath(services, 'reports');
  const path = `${listPath}/${id}`;
  const more = pagination.nextCursor;
  const isTakenDown = code.takenDownAt !== null;
  const reviewedPage = await renderReviewedPage(services, getRequestContext(request), code, locale);
  return sendStaffPage(services, request, reply, {
    title: code.title,
    tabTitle: getCodeTabTitle(code, locale),
    entry: 'reports',
    status: refused?.status ?? 200,
    body: html`<p><a href="${listPath}">${t(locale, 'app.staff.reports.title')}</a> · ${translateQrCodeKind(locale, getQrCodeKindByName(code.kind).kind)} · ${renderOwnerLink(services, code, locale)}${isTakenDown && html` <span class="chip">${t(locale, 'app.staff.reports.takenDown')}</span>`}</p>
${renderRefusedDecision(refused, locale) ?? renderDecided(listPath, request, locale)}
<p class="actions"><a class="act plain" href="#decide">${t(locale, 'app.staff.decide')}</a><a class="act plain" href="#page">${t(locale, 'app.staff.page')}</a></p>
<div class="split"><div><h2>${t(locale, 'app.staff.reports.said')}</h2>
${reports.length > 0 ? html`<ul class="cards rows">${reports.map(renderReport)}</ul>` : html`<p>${t(locale, 'app.staff.reports.noReports')}</p>`}
${more !== null && html`<p><a class="act plain" rel="next" href="${formatListPath(path, { cursor: more })}">${t(locale, 'app.staff.reports.older')}</a></p>`}
${takedown && renderTakedown(takedown, timeZone, locale)}
<h2 id="decide">${t(locale, 'app.staff.decide')}</h2>
${renderDecisions()}</div>
${reviewedPage}</div>`,
  });

  function renderDecisions(): Html {
    const token = getFormToken(services, request, reply);
    const options = { path, token, locale };
    return html`${isTakenDown ? renderReinstatementForm(code, refused, options) : renderTakedownForm(code, suggestCategory(reports), refused, options)}${
      canDismiss &&
      html`<section><h3>${t(locale, 'app.staff.dismiss')}</h3><p>${t(locale, 'app.staff.dismiss.text')}</p>
${renderForm({ action: `${path}/dismiss`, token, submit: t(locale, 'app.staff.dismiss.button'), kind: 'plain' })}</section>`
    }`;
  }
}

/** Suggest the most frequent category of the open reports on this page. */
function suggestCategory(reports: readonly QrCodeReportRow[]): string {
  const open = reports.filter(({ decision }) => decision === null);
  const count = (category: string) => open.filter((report) => report.category === category).length;
  const [first = 'OTHER'] = MODERATION_CATEGORIES.toSorted((one, other) => count(other) - count(one));
  return first;
}

interface FormOptions {
  /** Of the page. */
  path: string;
  token: string;
  locale: Locale;
}

function renderTakedownForm(
  code: ReviewedCode,
  category: string,
  refused: RefusedDecision | undefined,
  { path, token, locale }: FormOptions,
): Html {
  const { errors = [], values = {} } = refused ?? {};
  const fields = [
    renderField(
      {
        name: 'category',
        label: t(locale, 'app.staff.takeDown.category'),
        value: values.category ?? category,
        options: listCategoryOptions(locale),
      },
      errors,
      locale,
    ),
    renderField(
      {
        name: 'reason',
        label: t(locale, 'app.staff.takeDown.reason'),
        hint: t(locale, 'app.staff.takeDown.hint'),
        value: values.reason,
        isMultiline: true,
        isRequired: true,
        maxLength: MAX_MODERATION_TEXT_CHARACTERS,
      },
      errors,
      locale,
    ),
  ];
  return html`<section><h3>${t(locale, 'app.staff.takeDown')}</h3><p>${t(locale, 'app.staff.takeDown.text')}${code.mode === 'STATIC' && html` ${t(locale, 'app.staff.takeDown.static')}`}</p>
${renderForm({
  action: `${path}/takedown`,
  token,
  submit: t(locale, 'app.staff.takeDown.button'),
  kind: 'danger',
  fields: [
    ...fields,
    renderOwnerMail(
      { event: 'code.taken_down', code: code.title, category: values.category ?? category },
      locale,
    ),
  ],
})}</section>`;
}

function renderReinstatementForm(
  code: ReviewedCode,
  refused: RefusedDecision | undefined,
  { path, token, locale }: FormOptions,
): Html {
  const { errors = [], values = {} } = refused ?? {};
  return html`<section><h3>${t(locale, 'app.staff.reinstate')}</h3><p>${t(locale, 'app.staff.reinstate.text')}</p>
${renderForm({
  action: `${path}/reinstate`,
  token,
  submit: t(locale, 'app.staff.reinstate.button'),
  fields: [
    renderAnswerField(values.answer, errors, locale),
    renderOwnerMail({ event: 'code.reinstated', code: code.title, category: 'OTHER' }, locale),
  ],
})}</section>`;
}
