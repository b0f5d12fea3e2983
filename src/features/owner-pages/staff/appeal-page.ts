import type { FastifyReply, FastifyRequest } from 'fastify';
import { commitAuditEntry } from '../../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import { getQrCodeKindByName } from '../../codes/index.ts';
import { translateQrCodeKind } from '../../finder/index.ts';
import { findAppeal, findLastTakedown, toAppealView, toTakedownView } from '../../moderation/index.ts';
import { getCodeTabTitle } from '../codes/code-parts.ts';
import { renderChoices, renderForm } from '../components.ts';
import { getFormToken } from '../form-token.ts';
import { renderMoment } from '../format-moment.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { renderDecided } from './decided.ts';
import { type RefusedDecision, renderAnswerField, renderRefusedDecision } from './decision-form.ts';
import { renderOwnerMail } from './owner-mail.ts';
import { getReviewedCode, renderOwnerLink, renderReviewedPage } from './reviewed-code.ts';
import { getStaffEntryPath, sendStaffPage } from './staff-layout.ts';
import { renderTakedown } from './takedown.ts';

/** Send the page of an appeal: what the owner wrote, the takedown, the page of the code, and the decision. @throws NOT_FOUND */
export async function sendAppealPage(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { id, refused }: { id: string; refused?: RefusedDecision },
): Promise<FastifyReply> {
  const { database, fieldCipher } = services;
  const locale = chooseOwnerPageLocale(request);
  const { timeZone } = requireAuthenticatedUser(request);
  const row = await findAppeal(database.client, id);
  const lastTakedown = row && (await findLastTakedown(database.client, row.takedown.qrCodeId));
  if (!row || !lastTakedown) throw new ServiceError('NOT_FOUND');
  const { qrCodeId, category } = row.takedown;
  const audit = { action: 'QRCODE_APPEAL_READ', resourceId: qrCodeId } as const;
  await commitAuditEntry(database, getRequestContext(request), audit);
  const code = await getReviewedCode(services, qrCodeId);
  const { message, answer, decision, decidedAt } = toAppealView(fieldCipher, row);
  const time = (at: Date) => renderMoment(at, { timeZone }, locale);
  const path = getStaffEntryPath(services, 'appeals');
  const decided =
    decidedAt !== null &&
    html`<p><span class="chip">${translateAppealDecision(decision, locale)}</span> ${time(new Date(decidedAt))}</p>${answer !== null && html`<blockquote class="text">${answer}</blockquote>`}`;
  const reviewedPage = await renderReviewedPage(services, getRequestContext(request), code, locale);
  return sendStaffPage(services, request, reply, {
    title: code.title,
    tabTitle: getCodeTabTitle(code, locale),
    entry: 'appeals',
    status: refused?.status ?? 200,
    body: html`<p><a href="${path}">${t(locale, 'app.staff.appeals.title')}</a> · ${translateQrCodeKind(locale, getQrCodeKindByName(code.kind).kind)} · <a href="${getStaffEntryPath(services, 'reports')}/${qrCodeId}">${t(locale, 'app.staff.appeals.reports')}</a> · ${renderOwnerLink(services, code, locale)}</p>
${renderRefusedDecision(refused, locale) ?? renderDecided(path, request, locale)}
<p class="actions"><a class="act plain" href="#decide">${t(locale, 'app.staff.decide')}</a><a class="act plain" href="#page">${t(locale, 'app.staff.page')}</a></p>
<div class="split"><div><h2>${t(locale, 'app.staff.appeals.said')}</h2>
<p class="small">${translateHtml(locale, 'app.staff.appeals.at', { time: time(row.createdAt) })}</p>
<blockquote class="text">${message}</blockquote>
${renderTakedown(toTakedownView(fieldCipher, lastTakedown), timeZone, locale)}
<h2 id="decide">${t(locale, 'app.staff.decide')}</h2>
${decided || renderAppealForm()}</div>
${reviewedPage}</div>`,
  });

  function renderAppealForm(): Html {
    const { errors = [], values = {} } = refused ?? {};
    const mail = { code: code.title, category };
    return renderForm({
      action: `${path}/${id}/decision`,
      token: getFormToken(services, request, reply),
      submit: t(locale, 'app.staff.decideButton'),
      fields: [
        renderChoices(
          {
            name: 'decision',
            legend: t(locale, 'app.staff.decision'),
            value: values.decision,
            options: [
              { value: 'REINSTATED', label: t(locale, 'app.staff.appeals.reinstate') },
              { value: 'REJECTED', label: t(locale, 'app.staff.appeals.reject') },
            ],
          },
          errors,
          locale,
        ),
        renderAnswerField(values.answer, errors, locale),
        renderOwnerMail({ ...mail, event: 'code.reinstated' }, locale),
        renderOwnerMail({ ...mail, event: 'code.appeal_rejected' }, locale),
      ],
    });
  }
}

/** Translate how an appeal was decided; null while it is open. */
export function translateAppealDecision(decision: string | null, locale: Locale): string | null {
  if (decision === null) return null;
  return t(locale, decision === 'REINSTATED' ? 'app.staff.appeals.reinstated' : 'app.staff.appeals.rejected');
}
