import { Prisma } from '../../../generated/prisma/client.ts';
import type { Db, Tx } from '../../../platform/database.ts';
import { querySql, type SqlConnection, sql } from '../../../platform/sql.ts';
import type { ListRange } from '../../../shared/list-cursor.ts';
import type { PackageContent, PackagePrice } from './package.rules.ts';

interface PackageRow extends PackageContent {
  id: string;
  code: string;
  rank: number;
}

export interface AdminPackageRow extends PackageRow {
  version: number;
  onOffer: boolean;
}

interface PackageVersionRow extends PackageContent {
  version: number;
  createdAt: Date;
}

const COLUMNS = sql`id, code, names, prices, limits, features, rank, version, on_offer AS "onOffer"`;

/** Smallest first. */
export async function listOfferedPackages(connection: SqlConnection): Promise<PackageRow[]> {
  return querySql<PackageRow>(connection, { isPrepared: true })`
    SELECT id, code, names, prices, limits, features, rank FROM subscription_packages WHERE on_offer ORDER BY rank`;
}

export async function listPackages(db: Db): Promise<AdminPackageRow[]> {
  return querySql<AdminPackageRow>(db)`SELECT ${COLUMNS} FROM subscription_packages ORDER BY rank`;
}

export async function listPackageVersions(
  db: Db,
  packageId: string,
  { skip, take, after }: ListRange,
): Promise<{ rows: PackageVersionRow[]; total: number }> {
  const [rows, total] = await Promise.all([
    querySql<PackageVersionRow>(db)`
      SELECT version, names, prices, limits, features, created_at AS "createdAt" FROM subscription_package_versions
      WHERE package_id = ${packageId} ${after ? sql`AND version < ${after.key}::bigint` : Prisma.empty}
      ORDER BY version DESC LIMIT ${take} OFFSET ${skip}`,
    db.subscriptionPackageVersion.count({ where: { packageId } }),
  ]);
  return { rows, total };
}

export async function lockPackage(tx: Tx, id: string): Promise<AdminPackageRow | null> {
  const [row] = await querySql<AdminPackageRow>(tx)`
    SELECT ${COLUMNS} FROM subscription_packages WHERE id = ${id} FOR NO KEY UPDATE`;
  return row ?? null;
}

/** Expects a locked package; former versions are kept. */
export async function insertPackageVersion(
  tx: Tx,
  { id, version: former }: { id: string; version: number },
  { names, prices, limits, features, onOffer }: PackageContent & { onOffer: boolean },
): Promise<void> {
  const version = former + 1;
  const content = { names, prices, limits, features, version };
  await tx.subscriptionPackageVersion.create({ data: { packageId: id, ...content } });
  await tx.subscriptionPackage.update({ where: { id }, data: { ...content, onOffer }, select: { id: true } });
}

interface OfferedPackage {
  id: string;
  code: string;
  version: number;
  names: Record<string, string>;
  prices: PackagePrice[];
}

/** Null when absent or retired. */
export async function findOfferedPackage(db: Db, id: string): Promise<OfferedPackage | null> {
  const rows = await querySql<OfferedPackage>(db)`
    SELECT id, code, version, names, prices FROM subscription_packages WHERE id = ${id} AND on_offer`;
  return rows[0] ?? null;
}
