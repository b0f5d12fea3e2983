import type { Static } from 'typebox';
import { decodeTimeCursor, encodeTimeCursor } from '../../shared/time-cursor.ts';
import { parseRangeEnd } from '../scans/index.ts';
import type { AuditCursor, AuditFilter } from './audit-log.repository.ts';
import type { AuditExportQuery } from './audit-log.schemas.ts';

/** The filter that a query names; bare dates are days in the time zone given. Throws VALIDATION_FAILED. */
export function toAuditFilter(
  query: Omit<Static<typeof AuditExportQuery>, 'format'>,
  timeZone: string,
): AuditFilter {
  const { actorId, subjectId, resourceType, resourceId, action, severity, outcome } = query;
  const from = parseRangeEnd('from', query.from, timeZone);
  const to = parseRangeEnd('to', query.to, timeZone);
  return { actorId, subjectId, resourceType, resourceId, action, severity, outcome, from, to };
}

/** The place in the list that a cursor names; null is the beginning. Throws VALIDATION_FAILED. */
export function decodeAuditCursor(cursor: string): AuditCursor | null {
  return decodeTimeCursor(cursor);
}

/** The cursor that names the place of an entry. */
export function encodeAuditCursor({ createdAt, id }: { createdAt: Date; id: string }): string {
  return encodeTimeCursor({ at: createdAt, id });
}
