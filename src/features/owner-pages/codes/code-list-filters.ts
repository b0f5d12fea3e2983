import { type Static, Type } from 'typebox';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isId } from '../../../shared/ids.ts';
import {
  type FacetValue,
  type MetadataFacet,
  NO_FOLDER,
  QR_CODE_KIND_NAMES,
  QR_CODE_SORTS,
  SAVED_VIEW_STATUSES,
} from '../../codes/index.ts';
import { translateQrCodeKind } from '../../finder/index.ts';
import { renderField, renderHiddenFields, renderSelect } from '../components.ts';
import { STATUS_LABELS } from './code-parts.ts';
import { type Folder, listFolderFilterOptions } from './folder-parts.ts';
import { renderMetadataFilter } from './metadata-filter.ts';

type CodeSort = (typeof QR_CODE_SORTS)[number];

export const DEFAULT_SORT: CodeSort = '-createdAt';

const SORT_LABELS = {
  '-createdAt': 'app.codes.sorts.newest',
  createdAt: 'app.codes.sorts.oldest',
  '-updatedAt': 'app.codes.sorts.changed',
  updatedAt: 'app.codes.sorts.changedOldest',
  title: 'app.codes.sorts.title',
  '-title': 'app.codes.sorts.titleReverse',
  '-lastScannedAt': 'app.codes.sorts.scanned',
  lastScannedAt: 'app.codes.sorts.scannedOldest',
  '-scanCount': 'app.codes.sorts.most',
  scanCount: 'app.codes.sorts.fewest',
} as const satisfies Record<CodeSort, MessageKey>;

export interface CodeListFilters {
  search: string | undefined;
  /** The owner's number of one code. */
  externalId: string | undefined;
  kind: string | undefined;
  /** Id of a folder, or `none`. */
  folder: string | undefined;
  status: (typeof SAVED_VIEW_STATUSES)[number] | undefined;
  sort: CodeSort;
  /** A pair such as `site:Berlin`. */
  metadata: string | undefined;
  /** Days, in the time zone of the reader. */
  notScannedSince: string | undefined;
  expiresTo: string | undefined;
  /** Tags of a batch, and the numbers of the first and the last of them. */
  batchId: string | undefined;
  tagFrom: string | undefined;
  tagTo: string | undefined;
}

/** The filters in an address. */
export const CODE_LIST_PARAMS = {
  search: Type.Optional(Type.String({ maxLength: 100 })),
  externalId: Type.Optional(Type.String({ maxLength: 100 })),
  kind: Type.Optional(Type.String()),
  folder: Type.Optional(Type.String()),
  status: Type.Optional(Type.String()),
  sort: Type.Optional(Type.String()),
  metadata: Type.Optional(Type.String({ maxLength: 541 })),
  /** As `metadata`, typed in: it comes first. */
  pair: Type.Optional(Type.String({ maxLength: 541 })),
  notScannedSince: Type.Optional(Type.String()),
  expiresTo: Type.Optional(Type.String()),
  batchId: Type.Optional(Type.String()),
  tagFrom: Type.Optional(Type.String()),
  tagTo: Type.Optional(Type.String()),
};

const CodeListParams = Type.Object(CODE_LIST_PARAMS);

/** Parse the filters of an address; what it cannot have is as if it were missing. */
export function parseCodeListFilters(query: Static<typeof CodeListParams>): CodeListFilters {
  return {
    search: query.search?.trim().normalize('NFC') || undefined,
    externalId: EXTERNAL_ID.test(query.externalId?.trim() ?? '') ? query.externalId?.trim() : undefined,
    kind: QR_CODE_KIND_NAMES.find((name) => name === query.kind),
    folder: query.folder === NO_FOLDER || isId(query.folder) ? query.folder : undefined,
    status: SAVED_VIEW_STATUSES.find((name) => name === query.status),
    sort: QR_CODE_SORTS.find((name) => name === query.sort) ?? DEFAULT_SORT,
    metadata: [query.pair, query.metadata].find((pair) => METADATA_PAIR.test(pair ?? '')),
    notScannedSince: parseDay(query.notScannedSince),
    expiresTo: parseDay(query.expiresTo),
    batchId: isId(query.batchId) ? query.batchId : undefined,
    tagFrom: TAG_NUMBER.test(query.tagFrom ?? '') ? query.tagFrom : undefined,
    tagTo: TAG_NUMBER.test(query.tagTo ?? '') ? query.tagTo : undefined,
  };
}

const TAG_NUMBER = /^[1-9]\d{0,5}$/;
const EXTERNAL_ID = /^[!-~]+$/;
const METADATA_PAIR = /^[\w.-]{1,40}:.{0,500}$/;

/** Parse a day of an address or a form; undefined for what is none. */
export function parseDay(text = ''): string | undefined {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text) ? text : undefined;
}

/** What the list of codes takes by the API. */
export function toListQuery(filters: CodeListFilters) {
  const { search, externalId, kind, folder, status, metadata, notScannedSince, expiresTo } = filters;
  const { batchId, tagFrom, tagTo } = filters;
  return {
    ...(search && { search }),
    ...(externalId && { externalId: [externalId] }),
    ...(kind && { kind: [kind] }),
    ...(folder && { folder }),
    ...(status && { status: [status] }),
    ...(metadata && { metadata: [metadata] }),
    ...(notScannedSince && { notScannedSince }),
    ...(expiresTo && { expiresTo }),
    ...(batchId && { batchId }),
    ...(tagFrom && { tagFrom: Number(tagFrom) }),
    ...(tagTo && { tagTo: Number(tagTo) }),
  };
}

/** The sort whose order is that of another, backwards. */
export function getOppositeSort(sort: CodeSort): CodeSort {
  const opposite = sort.startsWith('-') ? sort.slice(1) : `-${sort}`;
  return QR_CODE_SORTS.find((name) => name === opposite) ?? DEFAULT_SORT;
}

/** The parameters of an address with these filters. */
export function toFilterParams({ sort, ...filters }: CodeListFilters) {
  return { ...filters, sort: sort === DEFAULT_SORT ? undefined : sort };
}

export function isFiltered({ sort: _order, ...filters }: CodeListFilters): boolean {
  return Object.values(filters).some(Boolean);
}

/** Whether it is the list of all codes, newest first. */
export function isDefaultList(filters: CodeListFilters): boolean {
  return filters.sort === DEFAULT_SORT && !isFiltered(filters);
}

/** How many codes each choice finds; pairs of metadata only where the filters are open. */
export interface FilterCounts {
  kinds: readonly FacetValue[];
  statuses: readonly FacetValue[];
  metadata: readonly MetadataFacet[];
}

/** Whether more is chosen than the search, which is always visible. */
export function hasOpenFilters({ search: _visible, ...filters }: CodeListFilters): boolean {
  return filters.sort !== DEFAULT_SORT || isFiltered({ ...filters, search: undefined, ...WITHOUT_BATCH });
}

/** The filters have no field for it: the page of the batch leads to its tags. */
const WITHOUT_BATCH = { batchId: undefined, tagFrom: undefined, tagTo: undefined };

export interface FilterForm {
  path: string;
  filters: CodeListFilters;
  counts: FilterCounts;
  folders: readonly Folder[];
  /** Whether the filters are unfolded; only then the pairs of metadata are counted. */
  isOpen: boolean;
  /** The saved view that is changed by them. */
  base: string | undefined;
  /** Address of the page with unfolded filters. */
  openPath: string;
}

export function renderFilterForm(
  { path, filters, counts, folders, isOpen, base, openPath }: FilterForm,
  locale: Locale,
): Html {
  const { search, externalId, kind, folder, status, sort, metadata, notScannedSince, expiresTo } = filters;
  const { batchId, tagFrom, tagTo } = filters;
  const format = new Intl.NumberFormat(locale.tag);
  const withCount = (label: string, values: readonly FacetValue[], name: string) => {
    const count = values.find(({ value }) => value === name)?.count;
    return count === undefined ? label : `${label} (${format.format(count)})`;
  };
  return html`<form method="get" action="${path}" class="filters">${renderHiddenFields({ base, batchId, tagFrom, tagTo })}<div class="search"><div>${renderField(
    { name: 'search', label: t(locale, 'app.codes.search'), value: search, maxLength: 100 },
    [],
    locale,
  )}</div><button class="plain">${t(locale, 'app.codes.show')}</button></div><details${isOpen && html` open`}><summary>${t(locale, 'app.codes.filter')}</summary><div><div>${renderSelect(
    {
      name: 'kind',
      label: t(locale, 'app.codes.kind'),
      value: kind,
      script: 'submit-on-change',
      options: [
        { value: '', label: t(locale, 'app.codes.anyKind') },
        ...QR_CODE_KIND_NAMES.map((name) => ({
          value: name,
          label: withCount(translateQrCodeKind(locale, name), counts.kinds, name),
        })),
      ],
    },
  )}</div>${
    folders.length > 0 &&
    html`<div>${renderSelect({
      name: 'folder',
      label: t(locale, 'app.folders.folder'),
      value: folder,
      script: 'submit-on-change',
      options: listFolderFilterOptions(folders, folder, locale),
    })}</div>`
  }<div>${renderSelect({
    name: 'status',
    label: t(locale, 'app.codes.status'),
    value: status,
    script: 'submit-on-change',
    options: [
      { value: '', label: t(locale, 'app.codes.anyStatus') },
      ...SAVED_VIEW_STATUSES.map((name) => ({
        value: name,
        label: withCount(t(locale, STATUS_LABELS[name]), counts.statuses, name),
      })),
    ],
  })}</div><div>${renderSelect({
    name: 'sort',
    label: t(locale, 'app.codes.sort'),
    value: sort,
    script: 'submit-on-change',
    options: QR_CODE_SORTS.map((name) => ({ value: name, label: t(locale, SORT_LABELS[name]) })),
  })}</div><div>${renderField(
    { name: 'externalId', label: t(locale, 'app.codes.ownNumber'), value: externalId, maxLength: 100 },
    [],
    locale,
  )}</div>${
    isOpen
      ? renderMetadataFilter(counts.metadata, metadata, locale)
      : html`<div>${renderHiddenFields({ metadata })}<p><a href="${openPath}">${t(locale, 'app.codes.metadataShow')}</a></p></div>`
  }<div>${renderField(
    {
      name: 'notScannedSince',
      label: t(locale, 'app.codes.notScannedSince'),
      value: notScannedSince,
      type: 'date',
    },
    [],
    locale,
  )}</div><div>${renderField(
    { name: 'expiresTo', label: t(locale, 'app.codes.endsBefore'), value: expiresTo, type: 'date' },
    [],
    locale,
  )}</div></div></details></form>`;
}
