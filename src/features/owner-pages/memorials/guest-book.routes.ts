import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { tolerateIntegrityFailures } from '../../../platform/report-integrity-failures.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isId } from '../../../shared/ids.ts';
import { FIRST_PAGE_CURSOR, NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import {
  decideGuestBookEntry,
  type GuestBookEntryState,
  getGuestBookRestoreCutoff,
  listGuestBookEntries,
  removeGuestBookEntry,
  restoreDeletedGuestBookEntry,
  toGuestBookEntryView,
} from '../../memory-tags/index.ts';
import { renderEmptyState, renderForm, renderHiddenFields, renderUndoBar } from '../components.ts';
import { getFormToken } from '../form-token.ts';
import { renderMoment } from '../format-moment.ts';
import { formatTimeLeft } from '../format-time-left.ts';
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

const MAX_DELETED_ENTRIES = 100;

/** Of its own: Enter in the form of the decisions presses the first button of that form. */
const DELETE_FORM_ID = 'delete-entry';

const EntryParams = createIdParamsSchema('accountId', 'id', 'entryId');

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
      const isOwner = memorial.role === 'OWNER';
      const listQuery = { limit: ENTRIES_PER_PAGE, cursor: query.cursor ?? FIRST_PAGE_CURSOR };
      const page = parseListPage({ routeOptions, params, query: listQuery }, NEWEST_FIRST);
      const list = await database.read(({ client }) => listGuestBookEntries(client, params.id, {}, page));
      const deletedSince = getGuestBookRestoreCutoff();
      const deletedRange = { skip: 0, take: MAX_DELETED_ENTRIES };
      const deleted = isOwner
        ? await database.read(({ client }) =>
            listGuestBookEntries(client, params.id, { deletedSince }, deletedRange),
          )
        : { rows: [] };
      const { data, pagination, deletedEntries } = await tolerateIntegrityFailures(
        database,
        getRequestContext(request),
        (readTolerantly) => ({
          ...toListPage(page, list, (row) => toGuestBookEntryView(fieldCipher, row, readTolerantly)),
          deletedEntries: deleted.rows.map((row) => ({
            ...toGuestBookEntryView(fieldCipher, row, readTolerantly),
            deletedAt: row.deletedAt ?? row.createdAt,
          })),
        }),
      );
      const path = `${getMemorialPath(services, params)}/guest-book`;
      const { nextCursor } = pagination;
      const entries = data.map(
        ({ id, name, message, status, createdAt }) =>
          html`<li><div><label class="choice"><input type="checkbox" name="entry-${id}" value="on"${status === 'PENDING' && html` checked`}><b><bdi>${name ?? t(locale, 'memorial.guestBookAnonymous')}</bdi></b></label>
<p class="text" dir="auto">${message ?? t(locale, 'conversation.unreadable')}</p><p class="small"><span class="chip">${t(locale, STATE_LABELS[status])}</span> ${renderMoment(new Date(createdAt), { timeZone }, locale)}</p></div>${
            isOwner &&
            html`<button class="plain" form="${DELETE_FORM_ID}" formaction="${path}/${id}/delete">${t(locale, 'app.documents.delete')}</button>`
          }</li>
`,
      );
      const token = getFormToken(services, request, reply);
      const restore = (id: string, submit: string) => ({ action: `${path}/${id}/restore`, token, submit });
      const undo =
        query.done === 'entry-deleted' &&
        isId(query.id) &&
        renderUndoBar(t(locale, 'app.memorials.entryDeleted'), restore(query.id, t(locale, 'app.code.undo')));
      const renderDeleted = ({ id, name, message, deletedAt }: (typeof deletedEntries)[number]) => {
        const form = renderForm({ ...restore(id, t(locale, 'app.codes.restore')), kind: 'plain' });
        return html`<li><div><p><b><bdi>${name ?? t(locale, 'memorial.guestBookAnonymous')}</bdi></b></p><p class="text" dir="auto">${message ?? t(locale, 'conversation.unreadable')}</p><p class="small">${formatTimeLeft(deletedAt, 'deletedGuestBookEntry', locale)}</p></div>${form}</li>
`;
      };
      return sendMemorialPage(services, request, reply, {
        tab: 'guest-book',
        memorial,
        body: html`${undo}${
          entries.length === 0
            ? renderEmptyState(t(locale, 'app.memorials.noEntries'))
            : html`<form method="post" action="${path}"><p>${t(locale, 'app.memorials.choose')}</p><ul class="cards rows">${entries}</ul>${renderHiddenFields({ token })}<p class="actions"><button name="state" value="APPROVED">${t(locale, 'app.memorials.approve')}</button><button class="plain" name="state" value="HIDDEN">${t(locale, 'app.memorials.hide')}</button></p></form>${isOwner && html`<form method="post" id="${DELETE_FORM_ID}">${renderHiddenFields({ token })}</form>`}${
                nextCursor !== null &&
                html`<p><a class="act plain" href="${path}?${String(new URLSearchParams({ cursor: nextCursor }))}">${t(locale, 'memorial.guestBookOlder')}</a></p>`
              }`
        }${
          deletedEntries.length > 0 &&
          html`<details><summary>${t(locale, 'app.codes.statuses.DELETED')}</summary><ul class="cards rows">${deletedEntries.map(renderDeleted)}</ul></details>`
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

  app.post(
    '/:accountId/memorials/:id/guest-book/:entryId/delete',
    {
      config: { access: MEMORIAL_ACCESS, audit: auditAs('GUEST_BOOK_ENTRY_DELETED') },
      schema: { hide: true, params: EntryParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      const { accountId: userId, id: memoryTagId, entryId } = request.params;
      await removeGuestBookEntry(database, getRequestContext(request), userId, { memoryTagId, entryId });
      const path = `${getMemorialPath(services, request.params)}/guest-book`;
      return reply.redirect(`${path}?done=entry-deleted&id=${entryId}`, 303);
    },
  );

  app.post(
    '/:accountId/memorials/:id/guest-book/:entryId/restore',
    {
      config: { access: MEMORIAL_ACCESS, audit: auditAs('GUEST_BOOK_ENTRY_RESTORED') },
      schema: { hide: true, params: EntryParams, body: Type.Object({}) },
    },
    async (request, reply) => {
      const { accountId: userId, id: memoryTagId, entryId } = request.params;
      const target = { memoryTagId, entryId };
      await restoreDeletedGuestBookEntry(database, getRequestContext(request), userId, target);
      return reply.redirect(
        `${getMemorialPath(services, request.params)}/guest-book?done=entry-restored`,
        303,
      );
    },
  );
};
