import type { Static } from 'typebox';
import { decodeTimeCursor, encodeTimeCursor } from '../../shared/time-cursor.ts';
import { parseTimeRangeBound } from '../../shared/time-range.ts';
import type { AuditCursor, AuditFilter } from './audit-log.repository.ts';
import type { AuditExportQuery } from './audit-log.schemas.ts';

/** Convert query parameters to a filter; bare dates are days in the time zone. @throws VALIDATION_FAILED */
export function toAuditFilter(
  query: Omit<Static<typeof AuditExportQuery>, 'format'>,
  timeZone: string,
): AuditFilter {
  const { actorId, subjectId, resourceType, resourceId, action, severity, outcome } = query;
  const from = parseTimeRangeBound(query.from, timeZone);
  const to = parseTimeRangeBound(query.to, timeZone);
  return { actorId, subjectId, resourceType, resourceId, action, severity, outcome, from, to };
}

/** Decode a cursor; null is the beginning of the list. */
export function decodeAuditCursor(cursor: string): AuditCursor | null {
  return decodeTimeCursor(cursor);
}

export function encodeAuditCursor({ createdAt, id }: { createdAt: Date; id: string }): string {
  return encodeTimeCursor({ at: createdAt, id });
}
