import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { tolerateIntegrityFailures } from '../../../platform/report-integrity-failures.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isId } from '../../../shared/ids.ts';
import { FIRST_PAGE_CURSOR, NEWEST_FIRST } from '../../../shared/list-cursor.ts';
import {
  decideGuestBookEntry,
  type GuestBookEntryState,
  listGuestBookEntries,
  removeGuestBookEntry,
  restoreDeletedGuestBookEntry,
  toGuestBookEntryView,
} from '../../memory-tags/index.ts';
import { renderEmptyState, renderHiddenFields, renderUndoBar } from '../components.ts';
import { type FormToken, getPermittedFormToken } from '../form-token.ts';
import { renderMoment } from '../format-moment.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { renderDeletedEntries } from './deleted-entries-section.ts';
import {
  DoneQuery,
  describeRefusal,
  getMemorialPath,
  MEMORIAL_ACCESS,
  MEMORIAL_PAGE_CONFIG,
  MemorialParams,
  type MemorialRequest,
  type Refused,
  requireMemorial,
  sendMemorialPage,
} from './memorial-parts.ts';

const ENTRIES_PER_PAGE = 25;

const GUEST_BOOK_URL = '/:accountId/memorials/:id/guest-book';

/** Of its own: Enter in the form of the decisions presses the first button of that form. */
const DELETE_FORM_ID = 'delete-entry';

const GuestBookPageQuery = Type.Object({
  ...DoneQuery.properties,
  /** Of the list of deleted entries. */
  deleted: Type.Optional(Type.String()),
});

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
    GUEST_BOOK_URL,
    {
      config: MEMORIAL_PAGE_CONFIG,
      schema: { hide: true, params: MemorialParams, querystring: GuestBookPageQuery },
    },
    async (request, reply) => sendGuestBookPage(request, reply),
  );

  app.post(
    GUEST_BOOK_URL,
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
      try {
        const target = { memoryTagId, entryId };
        await restoreDeletedGuestBookEntry(database, getRequestContext(request), userId, target);
      } catch (error) {
        return sendGuestBookPage(request, reply, describeRefusal(error, request, reply));
      }
      return reply.redirect(
        `${getMemorialPath(services, request.params)}/guest-book?done=entry-restored`,
        303,
      );
    },
  );

  async function sendGuestBookPage(
    request: MemorialRequest,
    reply: FastifyReply,
    refused: Refused = {},
  ): Promise<FastifyReply> {
    const { params } = request;
    const { done, id, cursor, deleted }: Static<typeof GuestBookPageQuery> =
      request.method === 'GET' ? Object(request.query) : {};
    const locale = chooseOwnerPageLocale(request);
    const { timeZone } = requireAuthenticatedUser(request);
    const memorial = await requireMemorial(services, request);
    const isOwner = memorial.role === 'OWNER';
    const { accountId } = params;
    // Not those of the request: a refused restore has others, which the links of this page would be rejected by.
    const listRequest = {
      routeOptions: { url: GUEST_BOOK_URL },
      params: { accountId, id: params.id },
    };
    const query = { limit: ENTRIES_PER_PAGE, cursor: cursor ?? FIRST_PAGE_CURSOR };
    const page = parseListPage({ ...listRequest, query }, NEWEST_FIRST);
    const list = await database.read(({ client }) => listGuestBookEntries(client, params.id, [], page));
    const { data, pagination } = await tolerateIntegrityFailures(
      database,
      getRequestContext(request),
      (readTolerantly) =>
        toListPage(page, list, (row) => toGuestBookEntryView(fieldCipher, row, readTolerantly)),
    );
    const path = `${getMemorialPath(services, params)}/guest-book`;
    const token = getPermittedFormToken(services, request, reply);
    const submit = t(locale, 'app.code.undo');
    const undo =
      done === 'entry-deleted' &&
      isId(id) &&
      renderUndoBar(t(locale, 'app.memorials.entryDeleted'), {
        action: `${path}/${id}/restore`,
        token,
        submit,
      });
    const target = { memoryTagId: params.id, path, listRequest, cursor: deleted };
    return sendMemorialPage(services, request, reply, {
      tab: 'guest-book',
      memorial,
      refused,
      body: html`${undo}${
        data.length === 0
          ? renderEmptyState(t(locale, 'app.memorials.noEntries'))
          : renderEntries(data, { path, token, isOwner, nextCursor: pagination.nextCursor, timeZone, locale })
      }${isOwner && token !== null && (await renderDeletedEntries(services, request, reply, target))}`,
    });
  }
};

interface EntriesSection {
  path: string;
  token: FormToken;
  isOwner: boolean;
  nextCursor: string | null;
  timeZone: string;
  locale: Locale;
}

/** Render entries with what can be decided on them. */
function renderEntries(
  entries: readonly ReturnType<typeof toGuestBookEntryView>[],
  { path, token, isOwner, nextCursor, timeZone, locale }: EntriesSection,
): Html {
  const renderAuthor = (id: string, isChosen: boolean, author: Html) =>
    token === null
      ? html`<p>${author}</p>`
      : html`<label class="choice"><input type="checkbox" name="entry-${id}" value="on"${isChosen && html` checked`}>${author}</label>`;
  const items = entries.map(
    ({ id, name, message, status, createdAt }) =>
      html`<li><div>${renderAuthor(id, status === 'PENDING', html`<b><bdi>${name ?? t(locale, 'memorial.guestBookAnonymous')}</bdi></b>`)}
<p class="text" dir="auto">${message ?? t(locale, 'conversation.unreadable')}</p><p class="small"><span class="chip">${t(locale, STATE_LABELS[status])}</span> ${renderMoment(new Date(createdAt), { timeZone }, locale)}</p></div>${
        isOwner &&
        token !== null &&
        html`<button class="plain" form="${DELETE_FORM_ID}" formaction="${path}/${id}/delete">${t(locale, 'app.documents.delete')}</button>`
      }</li>
`,
  );
  const older =
    nextCursor !== null &&
    html`<p><a class="act plain" href="${path}?${String(new URLSearchParams({ cursor: nextCursor }))}">${t(locale, 'memorial.guestBookOlder')}</a></p>`;
  const list = html`<ul class="cards rows">${items}</ul>`;
  if (token === null) return html`${list}${older}`;
  const hidden = renderHiddenFields({ token });
  return html`<form method="post" action="${path}"><p>${t(locale, 'app.memorials.choose')}</p>${list}${hidden}<p class="actions"><button name="state" value="APPROVED">${t(locale, 'app.memorials.approve')}</button><button class="plain" name="state" value="HIDDEN">${t(locale, 'app.memorials.hide')}</button></p></form>${isOwner && html`<form method="post" id="${DELETE_FORM_ID}">${hidden}</form>`}${older}`;
}
