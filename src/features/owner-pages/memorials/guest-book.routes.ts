import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isId } from '../../../shared/ids.ts';
import { FIRST_PAGE_CURSOR, NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import {
  decideGuestBookEntry,
  type GuestBookEntryState,
  listGuestBookEntries,
  toGuestBookEntryView,
} from '../../memory-tags/index.ts';
import { renderEmptyState, renderHiddenFields } from '../components.ts';
import { getFormToken } from '../form-token.ts';
import { renderMoment } from '../format-moment.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import {
  DoneQuery,
  getMemorialPath,
  MEMORIAL_ACCESS,
  MEMORIAL_PAGE_CONFIG,
  MemorialParams,
  requireMemorial,
  sendMemorialPage,
} from './memorial-parts.ts';

const ENTRIES_PER_PAGE = 25;

const STATE_LABELS = {
  PENDING: 'app.memorials.states.PENDING',
  APPROVED: 'app.memorials.states.APPROVED',
  HIDDEN: 'app.memorials.states.HIDDEN',
} as const satisfies Record<GuestBookEntryState, MessageKey>;

/** The guest book of a memorial: several entries are shown, or not, at once. */
export const guestBookPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database, fieldCipher } = services;

  app.get(
    '/:accountId/memorials/:id/guest-book',
    {
      config: MEMORIAL_PAGE_CONFIG,
      schema: { hide: true, params: MemorialParams, querystring: DoneQuery },
    },
    async (request, reply) => {
      const { params, routeOptions, query } = request;
      const locale = chooseOwnerPageLocale(request);
      const { timeZone } = requireAuthenticatedUser(request);
      const memorial = await requireMemorial(services, request);
      const listQuery = { limit: ENTRIES_PER_PAGE, cursor: query.cursor ?? FIRST_PAGE_CURSOR };
      const page = parseListPage({ routeOptions, params, query: listQuery }, NEWEST_FIRST);
      const list = await database.read(({ client }) => listGuestBookEntries(client, params.id, [], page));
      const { data, pagination } = toListPage(page, list, (row) => toGuestBookEntryView(fieldCipher, row));
      const path = `${getMemorialPath(services, params)}/guest-book`;
      const { nextCursor } = pagination;
      const entries = data.map(
        ({ id, name, message, status, createdAt }) =>
          html`<li><div><label class="choice"><input type="checkbox" name="entry-${id}" value="on"${status === 'PENDING' && html` checked`}><b><bdi>${name ?? t(locale, 'memorial.guestBookAnonymous')}</bdi></b></label>
<p class="text" dir="auto">${message}</p><p class="small"><span class="chip">${t(locale, STATE_LABELS[status])}</span> ${renderMoment(new Date(createdAt), { timeZone }, locale)}</p></div></li>
`,
      );
      const token = getFormToken(services, request, reply);
      return sendMemorialPage(services, request, reply, {
        tab: 'guest-book',
        memorial,
        body:
          entries.length === 0
            ? renderEmptyState(t(locale, 'app.memorials.noEntries'))
            : html`<form method="post" action="${path}"><p>${t(locale, 'app.memorials.choose')}</p><ul class="cards rows">${entries}</ul>${renderHiddenFields({ token })}<p class="actions"><button name="state" value="APPROVED">${t(locale, 'app.memorials.approve')}</button><button class="plain" name="state" value="HIDDEN">${t(locale, 'app.memorials.hide')}</button></p></form>${
                nextCursor !== null &&
                html`<p><a class="act plain" href="${path}?${String(new URLSearchParams({ cursor: nextCursor }))}">${t(locale, 'memorial.guestBookOlder')}</a></p>`
              }`,
      });
    },
  );

  app.post(
    '/:accountId/memorials/:id/guest-book',
    {
      config: { access: MEMORIAL_ACCESS, audit: auditAs('GUEST_BOOK_ENTRY_APPROVED') },
      schema: { hide: true, params: MemorialParams, body: Type.Record(Type.String(), Type.String()) },
    },
    async (request, reply) => {
      const { accountId: userId, id: memoryTagId } = request.params;
      const { state, ...fields } = request.body;
      if (state !== 'APPROVED' && state !== 'HIDDEN') throw new ServiceError('VALIDATION_FAILED');
      await requireMemorial(services, request);
      const ids = Object.keys(fields).flatMap((name) => /^entry-(.*)$/.exec(name)?.[1] ?? []);
      for (const entryId of ids.filter(isId)) {
        try {
          const decision = { memoryTagId, entryId, state } as const;
          await decideGuestBookEntry(database, getRequestContext(request), userId, decision);
        } catch (error) {
          // Its author has withdrawn it meanwhile.
          if (!(error instanceof ServiceError && error.code === 'NOT_FOUND')) throw error;
        }
      }
      return reply.redirect(`${getMemorialPath(services, request.params)}/guest-book?done=saved`, 303);
    },
  );
};
