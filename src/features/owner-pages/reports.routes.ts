import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import { allowByCookie, allowUsers, skipAudit } from '../../platform/route-access.ts';
import { createIdParamsSchema } from '../../shared/common.schemas.ts';
import { formatDateInTimeZone } from '../../shared/day-start.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { html } from '../../shared/html.ts';
import { t } from '../../shared/i18n/translate.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from './layout.ts';
import { getAccountPath, type OwnerPageServices } from './owner-page-services.ts';

const DAYS = [7, 30, 90] as const;

const AccountParams = createIdParamsSchema('accountId');

const PAGE_CONFIG = {
  access: allowByCookie(allowUsers('scans:own')),
  audit: skipAudit('SCAN'),
  rateLimitClass: 'page',
} as const;

/** Reports on the scans of an account, where the mail of a scheduled report leads to after a sign-in. */
export const reportPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  app.get('/reports', { config: PAGE_CONFIG, schema: { hide: true } }, async (request, reply) =>
    reply.redirect(`${getAccountPath(services, requireAuthenticatedUser(request).id)}/reports`, 303),
  );

  app.get(
    '/:accountId/reports',
    { config: PAGE_CONFIG, schema: { hide: true, params: AccountParams } },
    async (request, reply) => {
      const locale = chooseOwnerPageLocale(request);
      const path = `${getAccountPath(services, request.params.accountId)}/reports/scans`;
      const items = DAYS.map((count) => {
        const name = t(locale, 'app.reports.days', { count });
        return html`<li><p><a href="${path}?days=${count}">${name}</a> · <a href="${path}?days=${count}&amp;format=pdf">PDF<span class="visually-hidden"> ${name}</span></a></p></li>`;
      });
      return sendOwnerPage(services, request, reply, {
        title: t(locale, 'app.reports.title'),
        body: html`<p>${t(locale, 'app.reports.text')}</p>
<ul>${items}</ul>`,
      });
    },
  );

  app.get(
    '/:accountId/reports/scans',
    {
      config: PAGE_CONFIG,
      schema: {
        hide: true,
        params: AccountParams,
        querystring: Type.Object({
          days: Type.Optional(Type.String()),
          format: Type.Optional(Type.String()),
        }),
      },
    },
    async (request, reply) => {
      const { id: accountId, timeZone, language } = requireAuthenticatedUser(request);
      const { days: wanted, format } = request.query;
      const days = DAYS.find((count) => String(count) === wanted) ?? 30;
      const today = Date.parse(formatDateInTimeZone(new Date(), timeZone));
      const from = new Date(today - (days - 1) * DAY_MS).toISOString().slice(0, 10);
      return services.scanReports.send(reply, {
        accountId,
        language,
        format: format === 'pdf' ? 'pdf' : 'html',
        options: { from, timeZone },
      });
    },
  );
};
