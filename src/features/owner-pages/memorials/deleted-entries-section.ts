import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ListRequest, parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { tolerateIntegrityFailures } from '../../../platform/report-integrity-failures.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { type Html, html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { FIRST_PAGE_CURSOR } from '../../../shared/list-cursor.ts';
import {
  getGuestBookRestoreCutoff,
  LAST_DELETED_FIRST,
  listDeletedGuestBookEntries,
  toGuestBookEntryView,
} from '../../memory-tags/index.ts';
import { renderForm } from '../components.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { formatTimeLeft } from '../format-time-left.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';

const ENTRIES_PER_PAGE = 25;

interface DeletedEntries {
  memoryTagId: string;
  /** Of the guest book. */
  path: string;
  /** Of the page of the guest book, which its cursors belong to. */
  listRequest: Omit<ListRequest, 'query'>;
  /** Of a later page; the list is folded on the first one. */
  cursor: string | undefined;
}

/** Render the deleted entries of a guest book that can be restored, the last deleted first; null for none. */
export async function renderDeletedEntries(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { memoryTagId, path, listRequest, cursor }: DeletedEntries,
): Promise<Html | null> {
  const { database, fieldCipher } = services;
  const locale = chooseOwnerPageLocale(request);
  const query = { limit: ENTRIES_PER_PAGE, cursor: cursor ?? FIRST_PAGE_CURSOR };
  const page = parseListPage({ ...listRequest, query }, LAST_DELETED_FIRST);
  const filter = { states: [], deletedSince: getGuestBookRestoreCutoff() };
  const list = await database.read(({ client }) =>
    listDeletedGuestBookEntries(client, memoryTagId, filter, page),
  );
  const { data, pagination } = await tolerateIntegrityFailures(
    database,
    getRequestContext(request),
    (readTolerantly) =>
      toListPage(page, list, (row) => ({
        ...toGuestBookEntryView(fieldCipher, row, readTolerantly),
        deletedAt: row.deletedAt ?? row.createdAt,
      })),
  );
  if (data.length === 0) return null;
  const token = getPermittedFormToken(services, request, reply);
  const items = data.map(({ id, name, message, deletedAt }) => {
    const submit = t(locale, 'app.codes.restore');
    const form = renderForm({ action: `${path}/${id}/restore`, token, submit, kind: 'plain' });
    return html`<li><div><p><b><bdi>${name ?? t(locale, 'memorial.guestBookAnonymous')}</bdi></b></p><p class="text" dir="auto">${message ?? t(locale, 'conversation.unreadable')}</p><p class="small">${formatTimeLeft(deletedAt, 'deletedGuestBookEntry', locale)}</p></div>${form}</li>
`;
  });
  const { nextCursor } = pagination;
  const next = nextCursor && `${path}?${String(new URLSearchParams({ deleted: nextCursor }))}#deleted`;
  return html`<details id="deleted"${cursor !== undefined && html` open`}><summary>${t(locale, 'app.codes.statuses.DELETED')}</summary><ul class="cards rows">${items}</ul>${next && html`<p><a class="act plain" href="${next}">${t(locale, 'memorial.guestBookOlder')}</a></p>`}</details>`;
}
