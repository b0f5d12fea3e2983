import type { Static } from 'typebox';
import type { Database, Db } from '../../../platform/database.ts';
import { hasMembership } from '../../../platform/membership.repository.ts';
import { ServiceError } from '../../../shared/errors.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import type { ListRange } from '../../../shared/list-cursor.ts';
import { parseTimeRangeBound } from '../../../shared/time-range.ts';
import { getOwnOrganization, type OrganizationRow } from '../../identity/index.ts';
import {
  type AuditCursor,
  type AuditEntryRow,
  type AuditFilter,
  listAuditEntries,
  listAuditEntriesAfter,
} from '../audit-log.repository.ts';
import { listMemberNames } from './organization-audit.repository.ts';
import type { OrganizationAuditExportQuery } from './organization-audit.schemas.ts';
import type { OrganizationReader } from './organization-audit.view.ts';

export type OrganizationAuditFilter = AuditFilter & { accountId: string };

type FilterQuery = Partial<Omit<Static<typeof OrganizationAuditExportQuery>, 'format' | 'bom'>>;

interface Reading {
  filter: OrganizationAuditFilter;
  userId: string;
  locale: Locale;
}

const EXPORT_BATCH_SIZE = 500;

/** Get an organization whose trail a user reads: as its owner. @throws NOT_FOUND, FORBIDDEN, MFA_ENROLLMENT_REQUIRED */
export async function getAuditedOrganization(db: Db, userId: string, id: string): Promise<OrganizationRow> {
  const organization = await getOwnOrganization(db, userId, id);
  if (organization.role !== 'OWNER') throw new ServiceError('FORBIDDEN');
  return organization;
}

/** @throws VALIDATION_FAILED */
export function toOrganizationAuditFilter(
  accountId: string,
  query: FilterQuery,
  timeZone: string,
): OrganizationAuditFilter {
  const { actorId, resourceType, resourceId, action, outcome } = query;
  return {
    accountId,
    actorId,
    resourceTypes: resourceType,
    resourceId,
    actions: action,
    outcomes: outcome,
    from: parseTimeRangeBound(query.from, timeZone),
    to: parseTimeRangeBound(query.to, timeZone),
  };
}

/** List entries of an organization with what its owner knows of the actors. */
export function listOrganizationAudit(
  database: Database,
  reading: Reading,
  page: ListRange,
): Promise<{ rows: AuditEntryRow[]; total: number; reader: OrganizationReader }> {
  const { filter } = reading;
  return database.read(async ({ client }) => {
    const list = (await isReadableActor(client, filter))
      ? await listAuditEntries(client, filter, page)
      : { rows: [], total: 0 };
    return { ...list, reader: await createReader(client, reading, list.rows) };
  });
}

/** Iterate over all entries, the newest first, in batches. */
export async function* iterateOrganizationAudit(
  database: Database,
  reading: Reading,
): AsyncGenerator<{ rows: AuditEntryRow[]; reader: OrganizationReader }> {
  const { filter } = reading;
  if (!(await isReadableActor(database.client, filter))) return;
  for (let cursor: AuditCursor | null = null; ; ) {
    const after = cursor;
    const rows: AuditEntryRow[] = await database.read(({ client }) =>
      listAuditEntriesAfter(client, filter, after, EXPORT_BATCH_SIZE),
    );
    yield { rows, reader: await createReader(database.client, reading, rows) };
    const last = rows.at(-1);
    cursor = last ? { at: last.createdAt, id: last.id } : null;
    if (rows.length < EXPORT_BATCH_SIZE) return;
  }
}

/** For anybody else the list is empty, as for an unknown id: what former members and strangers did stays theirs. */
async function isReadableActor(db: Db, { accountId, actorId }: OrganizationAuditFilter): Promise<boolean> {
  return actorId === undefined || (await hasMembership(db, { accountId, userId: actorId }));
}

async function createReader(
  db: Db,
  { filter: { accountId }, userId, locale }: Reading,
  rows: readonly AuditEntryRow[],
): Promise<OrganizationReader> {
  const actorIds = [...new Set(rows.flatMap(({ actorId }) => actorId ?? []))];
  return { userId, accountId, names: await listMemberNames(db, accountId, actorIds), locale };
}
