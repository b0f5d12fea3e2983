import type { Db } from '../../../platform/database.ts';
import { querySql, sql } from '../../../platform/sql.ts';
import { STATES_WITH_PACKAGE_SQL } from './subscription.repository.ts';

/** Null is unlimited. */
export type PackageLimits = Record<string, number | null>;

export interface PlanUsageCounts {
  qrCodes: number;
  memoryTags: number;
  documents: number;
  /** Invitations that can be accepted count, too. */
  members: number;
  /** Bytes of private files: all document versions, and pictures. */
  storageBytes: number;
}

export interface UserPlan {
  package: { id: string; code: string; name: string };
  limits: PackageLimits;
  usage: PlanUsageCounts;
}

export interface UserPlanRow {
  id: string;
  code: string;
  names: Record<string, string>;
  limits: PackageLimits;
  features: string[];
  usage: PlanUsageCounts;
}

/** Use the limits and features of the purchased version; the cost grows only with the user's own rows. */
export async function findUserPlan(db: Db, accountId: string): Promise<UserPlanRow> {
  const [row] = await querySql<Omit<UserPlanRow, 'usage'> & PlanUsageCounts>(db)`
    SELECT package.id, package.code, package.names, coalesce(bought.limits, package.limits) AS limits,
           coalesce(bought.features, package.features) AS features,
           coalesce((SELECT active + paused + lost + unclaimed FROM qr_code_counts WHERE account_id = ${accountId}), 0) AS "qrCodes",
           (SELECT count(*)::int FROM memory_tags WHERE account_id = ${accountId}) AS "memoryTags",
           (SELECT count(*)::int FROM documents WHERE account_id = ${accountId} AND deleted_at IS NULL) AS documents,
           ${createMemberCountQuery(accountId)} AS members,
           ${createStoredBytesQuery(accountId)} AS "storageBytes"
    ${createUserPackageQuery(accountId)}`;
  if (!row) throw new Error('The free package is missing.');
  const { qrCodes, memoryTags, documents, members, storageBytes, ...of } = row;
  return { ...of, usage: { qrCodes, memoryTags, documents, members, storageBytes } };
}

/** Without usage, which reads all documents of the user. */
export async function findUserPackage(
  db: Db,
  accountId: string,
): Promise<Pick<UserPlanRow, 'limits' | 'features'>> {
  const [row] = await querySql<Pick<UserPlanRow, 'limits' | 'features'>>(db)`
    SELECT coalesce(bought.limits, package.limits) AS limits, coalesce(bought.features, package.features) AS features
    ${createUserPackageQuery(accountId)}`;
  if (!row) throw new Error('The free package is missing.');
  return row;
}

/** `package` is that of `bought`, which is null for users without a subscription. */
const createUserPackageQuery = (accountId: string) => sql`
    FROM (SELECT) AS person
    LEFT JOIN LATERAL (
      SELECT of_version.package_id, of_version.limits, of_version.features
      FROM subscriptions AS subscription
      JOIN subscription_packages AS ranked ON ranked.id = subscription.package_id
      JOIN subscription_package_versions AS of_version
        ON of_version.package_id = subscription.package_id AND of_version.version = subscription.package_version
      WHERE subscription.account_id = ${accountId} AND subscription.state IN (${STATES_WITH_PACKAGE_SQL})
      ORDER BY ranked.rank DESC, subscription.started_at DESC, subscription.id DESC LIMIT 1) AS bought ON true
    JOIN subscription_packages AS package
      ON CASE WHEN bought.package_id IS NULL THEN package.code = 'FREE' ELSE package.id = bought.package_id END`;

const createMemberCountQuery = (accountId: string) => sql`
  (SELECT (SELECT count(*) FROM memberships WHERE account_id = ${accountId})::int
        + (SELECT count(*) FROM invitations
           WHERE account_id = ${accountId} AND status = 'PENDING' AND expires_at > now()
             AND invited_by IS NOT NULL)::int)`;

/** Renditions of pictures do not count; errors of imports do, and deleted documents and pictures until they are purged. */
const createStoredBytesQuery = (accountId: string) => sql`
  (SELECT coalesce(sum(size), 0)::float8 FROM (
     SELECT size FROM document_versions WHERE account_id = ${accountId}
     UNION ALL SELECT size FROM pictures WHERE account_id = ${accountId}
     UNION ALL SELECT size FROM deleted_pictures WHERE account_id = ${accountId}
     UNION ALL SELECT pg_column_size(errors) FROM import_errors WHERE account_id = ${accountId}) AS counted)`;

export async function findPlanUsage(db: Db, accountId: string): Promise<PlanUsageCounts> {
  const [row] = await querySql<PlanUsageCounts>(db)`
    SELECT coalesce((SELECT active + paused + lost + unclaimed FROM qr_code_counts WHERE account_id = ${accountId}), 0) AS "qrCodes",
           (SELECT count(*)::int FROM memory_tags WHERE account_id = ${accountId}) AS "memoryTags",
           (SELECT count(*)::int FROM documents WHERE account_id = ${accountId} AND deleted_at IS NULL) AS documents,
           ${createMemberCountQuery(accountId)} AS members,
           ${createStoredBytesQuery(accountId)} AS "storageBytes"`;
  return row ?? { qrCodes: 0, memoryTags: 0, documents: 0, members: 0, storageBytes: 0 };
}
