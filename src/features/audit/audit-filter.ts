import type { Static } from 'typebox';
import { parseTimeRangeBound } from '../../shared/time-range.ts';
import type { AuditFilter } from './audit-log.repository.ts';
import type { AuditExportQuery } from './audit-log.schemas.ts';

export type AuditFilterQuery = Omit<Static<typeof AuditExportQuery>, 'format' | 'bom'>;

/** Convert query parameters to a filter; bare dates are days in the time zone. @throws VALIDATION_FAILED */
export function toAuditFilter(query: AuditFilterQuery, timeZone: string): AuditFilter {
  const { actorId, subjectId, accountId, resourceType, resourceId, action, severity, outcome } = query;
  const from = parseTimeRangeBound(query.from, timeZone);
  const to = parseTimeRangeBound(query.to, timeZone);
  return {
    actorId,
    subjectId,
    accountId,
    resourceTypes: resourceType,
    resourceId,
    actions: action,
    severities: severity,
    outcomes: outcome,
    from,
    to,
  };
}
