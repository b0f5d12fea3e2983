import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { QR_CODE_KIND_NAMES, QR_CODE_SORTS } from '../../codes/index.ts';
import { translateQrCodeKind } from '../../finder/index.ts';
import { renderField, renderSelect } from '../components.ts';
import { STATUS_LABELS } from './code-parts.ts';

type CodeSort = (typeof QR_CODE_SORTS)[number];

const DEFAULT_SORT: CodeSort = '-createdAt';

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

const FILTER_STATUSES = ['ACTIVE', 'PAUSED', 'LOST', 'EXPIRED', 'DELETED'] as const;

export interface CodeListFilters {
  search: string | undefined;
  kind: string | undefined;
  status: (typeof FILTER_STATUSES)[number] | undefined;
  sort: CodeSort;
}

/** Parse the filters of an address; what it cannot have is as if it were missing. */
export function parseCodeListFilters(query: {
  search?: string;
  kind?: string;
  status?: string;
  sort?: string;
}): CodeListFilters {
  return {
    search: query.search?.trim().normalize('NFC') || undefined,
    kind: QR_CODE_KIND_NAMES.find((name) => name === query.kind),
    status: FILTER_STATUSES.find((name) => name === query.status),
    sort: QR_CODE_SORTS.find((name) => name === query.sort) ?? DEFAULT_SORT,
  };
}

/** The sort whose order is that of another, backwards. */
export function getOppositeSort(sort: CodeSort): CodeSort {
  const opposite = sort.startsWith('-') ? sort.slice(1) : `-${sort}`;
  return QR_CODE_SORTS.find((name) => name === opposite) ?? DEFAULT_SORT;
}

/** The parameters of an address with these filters. */
export function toFilterParams({ search, kind, status, sort }: CodeListFilters) {
  return { search, kind, status, sort: sort === DEFAULT_SORT ? undefined : sort };
}

export function isFiltered({ search, kind, status }: CodeListFilters): boolean {
  return Boolean(search || kind || status);
}

export function renderFilterForm(path: string, filters: CodeListFilters, locale: Locale): Html {
  const { search, kind, status, sort } = filters;
  const isOpen = kind !== undefined || status !== undefined || sort !== DEFAULT_SORT;
  return html`<form method="get" action="${path}" class="filters"><div class="search"><div>${renderField(
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
        ...QR_CODE_KIND_NAMES.map((name) => ({ value: name, label: translateQrCodeKind(locale, name) })),
      ],
    },
  )}</div><div>${renderSelect({
    name: 'status',
    label: t(locale, 'app.codes.status'),
    value: status,
    script: 'submit-on-change',
    options: [
      { value: '', label: t(locale, 'app.codes.anyStatus') },
      ...FILTER_STATUSES.map((name) => ({ value: name, label: t(locale, STATUS_LABELS[name]) })),
    ],
  })}</div><div>${renderSelect({
    name: 'sort',
    label: t(locale, 'app.codes.sort'),
    value: sort,
    script: 'submit-on-change',
    options: QR_CODE_SORTS.map((name) => ({ value: name, label: t(locale, SORT_LABELS[name]) })),
  })}</div></div></details></form>`;
}
