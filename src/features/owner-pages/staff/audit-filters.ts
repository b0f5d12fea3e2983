import { Type } from 'typebox';
import { AUDIT_ACTION_NAMES, AUDIT_RESOURCE_TYPES, AUDIT_SEVERITIES } from '../../../audit-actions.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isId } from '../../../shared/ids.ts';
import { AUDIT_OUTCOMES, type AuditFilter, toAuditFilter } from '../../audit/index.ts';
import { parseDay } from '../codes/code-list-filters.ts';
import { renderField, renderSelect } from '../components.ts';

const NAMES = [
  'severity',
  'outcome',
  'action',
  'resourceType',
  'actorId',
  'subjectId',
  'accountId',
  'resourceId',
  'from',
  'to',
] as const;

type FilterName = (typeof NAMES)[number];

/** As they stand in the address. */
export type AuditFilterValues = Partial<Record<FilterName, string>>;

export const AuditFilterParams = Object.fromEntries(
  NAMES.map((name) => [name, Type.Optional(Type.String({ maxLength: 100 }))]),
) as Record<FilterName, ReturnType<typeof createParam>>;

const SEVERITIES = {
  LOW: 'app.staff.audit.severities.LOW',
  MEDIUM: 'app.staff.audit.severities.MEDIUM',
  HIGH: 'app.staff.audit.severities.HIGH',
  CRITICAL: 'app.staff.audit.severities.CRITICAL',
} as const satisfies Record<(typeof AUDIT_SEVERITIES)[number], MessageKey>;

const OUTCOMES = {
  SUCCESS: 'app.staff.audit.outcomes.SUCCESS',
  DENIED: 'app.staff.audit.outcomes.DENIED',
  FAILURE: 'app.staff.audit.outcomes.FAILURE',
} as const satisfies Record<(typeof AUDIT_OUTCOMES)[number], MessageKey>;

const ID_FIELDS = {
  actorId: 'app.staff.audit.actor',
  subjectId: 'app.staff.audit.subject',
  accountId: 'app.staff.audit.account',
  resourceId: 'app.staff.audit.resource',
} as const satisfies Partial<Record<FilterName, MessageKey>>;

export const translateSeverity = (name: keyof typeof SEVERITIES, locale: Locale): string =>
  t(locale, SEVERITIES[name]);

export const translateOutcome = (name: keyof typeof OUTCOMES, locale: Locale): string =>
  t(locale, OUTCOMES[name]);

/** Take the filters from a query; those without a value are left out. */
export function readAuditFilterValues(query: AuditFilterValues): AuditFilterValues {
  const entries = NAMES.map((name) => [name, query[name]?.trim()] as const);
  return Object.fromEntries(entries.filter(([, value]) => value));
}

/** Read a filter, with an error at each field that has no meaning. Names that do not exist select everything. */
export function parseAuditFilter(
  values: AuditFilterValues,
  timeZone: string,
): { filter: AuditFilter; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const readId = (field: keyof typeof ID_FIELDS) => {
    const value = values[field];
    if (value === undefined || isId(value)) return value;
    errors.push({ field, code: 'BAD_FORMAT', message: '' });
    return undefined;
  };
  const readDay = (field: 'from' | 'to') => {
    const value = values[field];
    if (value === undefined || parseDay(value)) return value;
    errors.push({ field, code: 'BAD_DATE', message: '' });
    return undefined;
  };
  const filter = toAuditFilter(
    {
      severity: pick(AUDIT_SEVERITIES, values.severity),
      outcome: pick(AUDIT_OUTCOMES, values.outcome),
      action: pick(AUDIT_ACTION_NAMES, values.action),
      resourceType: pick(AUDIT_RESOURCE_TYPES, values.resourceType),
      actorId: readId('actorId'),
      subjectId: readId('subjectId'),
      accountId: readId('accountId'),
      resourceId: readId('resourceId'),
      from: readDay('from'),
      to: readDay('to'),
    },
    timeZone,
  );
  return { filter, errors };
}

/** Render the filters; those of single records unfold. */
export function renderAuditFilters(
  path: string,
  values: AuditFilterValues,
  errors: readonly FieldError[],
  locale: Locale,
): Html {
  const select = (
    name: FilterName,
    label: string,
    any: string,
    options: readonly { value: string; label: string }[],
  ) =>
    html`<div>${renderSelect({ name, label, value: values[name] ?? '', options: [{ value: '', label: any }, ...options] })}</div>`;
  const day = (name: 'from' | 'to', label: string) =>
    html`<div>${renderField({ name, label, type: 'date', value: values[name] }, errors, locale)}</div>`;
  const hasIds = Object.keys(ID_FIELDS).some((name) => name in values) || 'resourceType' in values;
  return html`<form method="get" action="${path}" class="filters"><div>${select(
    'severity',
    t(locale, 'app.staff.audit.severity'),
    t(locale, 'app.staff.audit.any'),
    AUDIT_SEVERITIES.map((value) => ({ value, label: translateSeverity(value, locale) })),
  )}${select(
    'outcome',
    t(locale, 'app.staff.audit.outcome'),
    t(locale, 'app.staff.audit.any'),
    AUDIT_OUTCOMES.map((value) => ({ value, label: translateOutcome(value, locale) })),
  )}${day('from', t(locale, 'app.settings.notifications.from'))}${day('to', t(locale, 'app.settings.notifications.to'))}</div>
<details${hasIds && html` open`}><summary>${t(locale, 'app.staff.audit.more')}</summary><div>${select(
    'action',
    t(locale, 'app.staff.audit.action'),
    t(locale, 'app.staff.audit.any'),
    AUDIT_ACTION_NAMES.map((value) => ({ value, label: value })),
  )}${select(
    'resourceType',
    t(locale, 'app.staff.audit.resourceType'),
    t(locale, 'app.staff.audit.any'),
    AUDIT_RESOURCE_TYPES.map((value) => ({ value, label: value })),
  )}${Object.entries(ID_FIELDS).map(
    ([name, label]) =>
      html`<div>${renderField({ name, label: t(locale, label), value: values[name as keyof typeof ID_FIELDS], maxLength: 24 }, errors, locale)}</div>`,
  )}</div></details>
<button class="plain">${t(locale, 'app.codes.show')}</button></form>`;
}

function createParam() {
  return Type.Optional(Type.String());
}

/** In the form of the query, where filters can be repeated. */
function pick<Name extends string>(names: readonly Name[], value: string | undefined): Name[] | undefined {
  const name = names.find((one) => one === value);
  return name && [name];
}
