import type { Static } from 'typebox';
import { invalidFields } from '../../shared/errors.ts';
import { isId } from '../../shared/ids.ts';
import { FIRST_CURSOR } from '../../shared/pagination.ts';
import { momentOf } from '../scans/time-range.rules.ts';
import type { AuditFilter } from './audit-log.repository.ts';
import type { AuditExportQuery } from './audit-log.schemas.ts';

/** The filter that a query names; bare dates are days in the time zone given. Throws VALIDATION_FAILED. */
export function filterOf(
  query: Omit<Static<typeof AuditExportQuery>, 'format'>,
  timeZone: string,
): AuditFilter {
  const { actorId, subjectId, resourceType, resourceId, action, severity, outcome } = query;
  const from = momentOf('from', query.from, timeZone);
  const to = momentOf('to', query.to, timeZone);
  return { actorId, subjectId, resourceType, resourceId, action, severity, outcome, from, to };
}

/** The place in the list that a cursor names; null is the beginning. Throws VALIDATION_FAILED. */
export function placeOf(cursor: string): string | null {
  if (cursor === FIRST_CURSOR) return null;
  if (isId(cursor)) return cursor;
  const message = `Must be ${FIRST_CURSOR}, or nextCursor of a page before.`;
  throw invalidFields({ field: 'cursor', code: 'BAD_FORMAT', message });
}
