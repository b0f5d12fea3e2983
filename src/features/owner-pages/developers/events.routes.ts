import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { allowByCookie, allowUsers, skipAudit } from '../../../platform/route-access.ts';
import { EVENT_TYPE_NAMES } from '../../../shared/event-types.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { EVENT_LIST_SORTS, listAccountEvents, toEventView } from '../../webhooks/index.ts';
import { renderEmptyState, renderSelect } from '../components.ts';
import { CursorParams, parseCursorPage, renderCursorLinks } from '../cursor-pages.ts';
import { renderMoment } from '../format-moment.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { AccountParams, getDevelopersPath, sendSettingsPage } from '../settings/settings-page.ts';

const EVENTS_PER_PAGE = 25;

/** The events of an account, as webhooks send them. */
export const eventPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  app.get(
    '/events',
    {
      config: {
        access: allowByCookie(allowUsers('webhooks:own')),
        audit: skipAudit('USER'),
        rateLimitClass: 'page',
      },
      schema: {
        hide: true,
        params: AccountParams,
        querystring: Type.Object({ type: Type.Optional(Type.String()), ...CursorParams }),
      },
    },
    async (request, reply) => {
      const { query, params } = request;
      const user = requireAuthenticatedUser(request);
      const locale = chooseOwnerPageLocale(request);
      const type = EVENT_TYPE_NAMES.find((name) => name === query.type);
      const page = parseCursorPage(
        request,
        { filters: { type }, limit: EVENTS_PER_PAGE },
        [EVENT_LIST_SORTS['-timestamp'], EVENT_LIST_SORTS.timestamp],
        query,
      );
      const sort = page.sort === EVENT_LIST_SORTS.timestamp ? 'timestamp' : '-timestamp';
      const listed = await listAccountEvents(services.database, params.accountId, {
        types: [type ?? '*'],
        sort,
        range: page.range,
      });
      const { rows, ...positions } = page.toPage(listed);
      const developersPath = getDevelopersPath(services, requireAccount(request).id);
      const path = `${developersPath}/events`;
      const filter = renderSelect({
        name: 'type',
        label: t(locale, 'app.developers.events'),
        value: type ?? '',
        script: 'submit-on-change',
        options: [
          { value: '', label: t(locale, 'app.developers.allEvents') },
          ...EVENT_TYPE_NAMES.map((value) => ({ value, label: value })),
        ],
      });
      const events = rows.map(
        (row) =>
          html`<details><summary><code dir="ltr">${row.type}</code> <span class="small">${renderMoment(row.at, user, locale)}</span></summary><pre dir="ltr">${JSON.stringify(toEventView(row), null, 2)}</pre></details>\n`,
      );
      return sendSettingsPage(services, request, reply, {
        tab: 'developers',
        title: t(locale, 'app.developers.events'),
        body: html`<p>${t(locale, 'app.developers.eventsText')}</p>
<form method="get" action="${path}" class="filters"><div class="search"><div>${filter}</div><button class="plain">${t(locale, 'app.codes.show')}</button></div></form>
${rows.length > 0 ? events : renderEmptyState(t(locale, 'app.developers.noEvents'))}
${renderCursorLinks(path, { type }, positions, locale)}
<p><a href="${developersPath}">${t(locale, 'app.developers.title')}</a></p>`,
      });
    },
  );
};
