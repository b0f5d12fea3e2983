import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import type { CurrentUser } from '../../../platform/current-user.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  countQrCodesByKindAndStatus,
  countQrCodesByMetadata,
  listOwnQrCodes,
  parseQrCodeListFilter,
  QR_CODE_LIST_SORTS,
  readFolders,
} from '../../codes/index.ts';
import { listOrganizations } from '../../identity/index.ts';
import { type FormErrors, renderEmptyState, renderErrorSummary, renderNote } from '../components.ts';
import { CursorParams, formatListPath, parseCursorPage, renderCursorLinks } from '../cursor-pages.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { DoneQuery, renderDone } from './code-actions.ts';
import {
  CODE_LIST_PARAMS,
  type CodeListFilters,
  getOppositeSort,
  hasOpenFilters,
  isDefaultList,
  isFiltered,
  parseCodeListFilters,
  renderFilterForm,
  toFilterParams,
  toListQuery,
} from './code-list-filters.ts';
import { getCodesPath, getDeletedCodesPath } from './code-parts.ts';
import { renderSelectionForm } from './code-selection.ts';
import { renderCodeTable } from './code-table.ts';
import { findFirstPictures } from './first-pictures.ts';
import { renderFolderTabs, renderMissingFolder } from './folder-parts.ts';
import { renderSavedViewDone, renderSavedViewForms, renderSavedViewTabs } from './saved-view-parts.ts';
import { readSavedViews } from './saved-views.ts';
import { renderSelectionResult, SELECTION_PARAMS } from './selection-result.ts';

const CODES_PER_PAGE = 25;

export const CodeListQuery = Type.Object({
  ...DoneQuery.properties,
  ...CODE_LIST_PARAMS,
  ...SELECTION_PARAMS,
  ...CursorParams,
  /** The id of a saved view, whose filters apply. */
  view: Type.Optional(Type.String()),
  /** The id of the saved view that was open before the filters were changed. */
  base: Type.Optional(Type.String()),
  /** `open` unfolds the filters. */
  filters: Type.Optional(Type.String()),
});

/** What a form of the page was refused for. */
export interface RefusedView {
  status: number;
  name?: string | undefined;
  errors?: FormErrors;
  refusal?: string;
}

/** Send the table of the codes of an account: all of them, those that filters find, or those of a saved view. */
export async function sendCodeListPage(
  services: OwnerPageServices,
  request: FastifyRequest<{ Params: { accountId: string } }>,
  reply: FastifyReply,
  query: Static<typeof CodeListQuery>,
  { status = 200, name, errors = [], refusal }: Partial<RefusedView> = {},
): Promise<FastifyReply> {
  const { params } = request;
  const user = requireAuthenticatedUser(request);
  const locale = chooseOwnerPageLocale(request);
  const { folderIds: limitedTo } = requireAccount(request);
  const isLimited = limitedTo !== null;
  const [views, folders] = await Promise.all([
    isLimited ? [] : readSavedViews(services, params.accountId),
    readFolders(services, params.accountId, limitedTo),
  ]);
  const view = views.find(({ id }) => id === query.view);
  const filters = view?.filters ?? parseCodeListFilters(query);
  const { sort } = filters;
  const filter = { ...parseQrCodeListFilter(toListQuery(filters), user.timeZone), limitedTo };
  const filterParams = toFilterParams(filters);
  const address = view ? { view: view.id } : { ...filterParams, base: query.base };
  const page = parseCursorPage(
    request,
    { filters: filterParams, limit: CODES_PER_PAGE },
    [QR_CODE_LIST_SORTS[sort], QR_CODE_LIST_SORTS[getOppositeSort(sort)]],
    query,
  );
  const isOpen = query.filters === 'open' || (!view && hasOpenFilters(filters));
  const [list, { kinds, statuses }, metadata] = await Promise.all([
    listOwnQrCodes(services, getRequestContext(request), user, {
      filter,
      sort: page.sort,
      range: page.range,
      included: undefined,
    }),
    services.database.read(({ pool }) => countQrCodesByKindAndStatus(pool, params.accountId, filter)),
    isOpen
      ? services.database.read(({ pool }) => countQrCodesByMetadata(pool, params.accountId, filter))
      : [],
  ]);
  const { rows, ...positions } = page.toPage(list.rows);
  const path = getCodesPath(services, params);
  // What a limited member may do with codes is on their pages.
  const token = isLimited ? null : getPermittedFormToken(services, request, reply);
  const isFirst = page.range.after === undefined;
  const base = view ?? views.find(({ id }) => id === query.base);
  const position = views.findIndex(({ id }) => id === view?.id);
  const canMove = { up: position > 0, down: position < views.length - 1 };
  const tabs = { current: view?.id, isAll: !view && !base && isDefaultList(filters) };
  const form = {
    path,
    filters,
    counts: { kinds, statuses, metadata },
    folders,
    isOpen,
    base: base?.id,
    openPath: formatListPath(path, { ...address, filters: 'open' }),
  };
  return sendOwnerPage(services, request, reply, {
    title: t(locale, 'app.codes.title'),
    entry: 'codes',
    status,
    body: html`${refusal && renderNote(refusal, 'wrong')}${renderErrorSummary(errors, locale)}${renderDone(path, query, { to: undefined, token, locale })}${renderSavedViewDone(path, query, token, locale)}${query.view && !view && renderNote(t(locale, 'app.views.gone'), 'wrong')}${renderSelectionResult(path, query, locale)}
${!isLimited && renderActions(services, params, { path, filterParams, hasCodes: rows.length > 0, canEdit: token !== null }, locale)}
${renderFolderTabs(path, folders, filters.folder, { isLimited, locale })}${renderMissingFolder(folders, filters.folder, locale)}${renderSavedViewTabs(path, views, tabs, locale)}${renderFilterForm(form, locale)}
${renderSavedViewForms({ path, filters, view, base: view ? undefined : base, name, errors, token, canMove }, locale)}${isFirst && rows.length > 0 && html`<p class="small" role="status">${t(locale, 'app.codes.count', { count: list.total })}</p>`}
${
  rows.length > 0
    ? html`${token !== null && isFirst && list.total > rows.length && html`<p><a href="${formatListPath(`${path}/matching`, filterParams)}">${t(locale, 'app.codes.matching.link', { count: list.total })}</a></p>`}${renderSelectionForm(path, token, getSelectionButtons(locale, await canMoveCodes(services, user)), locale)}${renderCodeTable(
        path,
        rows,
        {
          folders,
          pictures: await findFirstPictures(services, params.accountId, rows),
          isSelectable: token !== null,
          timeZone: user.timeZone,
          locale,
        },
      )}`
    : renderNothing(path, filters, { canEdit: token !== null, locale })
}
${renderCursorLinks(path, address, positions, locale)}`,
  });
}

function renderActions(
  services: OwnerPageServices,
  params: { accountId: string },
  {
    path,
    filterParams,
    hasCodes,
    canEdit,
  }: {
    path: string;
    filterParams: ReturnType<typeof toFilterParams>;
    hasCodes: boolean;
    canEdit: boolean;
  },
  locale: Locale,
): Html {
  const accountPath = getAccountPath(services, params.accountId);
  const exportPath = formatListPath(`${path}/export`, {
    kind: filterParams.kind,
    folder: filterParams.folder,
  });
  return html`<p class="actions">${canEdit && html`<a class="act" href="${path}/new">${t(locale, 'app.codes.new')}</a>`}${canEdit && html`<a class="act plain" href="${accountPath}/imports">${t(locale, 'app.imports.entry')}</a>`}${hasCodes && html`<a class="act plain" href="${formatListPath(`${accountPath}/print`, filterParams)}">${t(locale, 'app.sheets.title')}</a>`}<a class="act plain" href="${exportPath}" download>${t(locale, 'app.staff.audit.csv')}</a><a class="act plain" href="${path}/folders">${t(locale, 'app.folders.title')}</a><a class="act plain" href="${accountPath}/reports">${t(locale, 'app.reports.title')}</a><a class="act plain" href="${getDeletedCodesPath(services, params)}">${t(locale, 'app.deleted.title')}</a></p>`;
}

/** Owners can, to another account of theirs. */
async function canMoveCodes(
  { database }: OwnerPageServices,
  { id, account }: Pick<CurrentUser, 'id' | 'account'>,
): Promise<boolean> {
  if (account?.role !== 'OWNER') return false;
  return account.type === 'ORGANIZATION' || (await listOrganizations(database.client, id)).length > 0;
}

function getSelectionButtons(locale: Locale, canMove: boolean) {
  return {
    print: t(locale, 'app.sheets.title'),
    pause: t(locale, 'app.code.pause'),
    resume: t(locale, 'app.code.resume'),
    edit: t(locale, 'app.codes.selected.change'),
    ...(canMove && { move: t(locale, 'app.moves.button') }),
    delete: t(locale, 'app.code.deleteTitle'),
  };
}

function renderNothing(
  path: string,
  filters: CodeListFilters,
  { canEdit, locale }: { canEdit: boolean; locale: Locale },
): Html {
  if (!isFiltered(filters))
    return renderEmptyState(
      t(locale, canEdit ? 'app.home.empty' : 'app.nothingYet'),
      canEdit ? html`<p><a class="act" href="${path}/new">${t(locale, 'app.codes.new')}</a></p>` : null,
    );
  return renderEmptyState(
    t(locale, 'app.codes.none'),
    html`<p><a href="${path}">${t(locale, 'app.codes.clear')}</a></p>`,
  );
}
