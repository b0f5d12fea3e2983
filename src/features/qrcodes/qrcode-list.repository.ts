import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database.ts';

/** A code in a list: nothing of it is encrypted. */
export interface QrCodeListRow {
  id: string;
  ownerId: string;
  kind: string;
  mode: string;
  title: string;
  slug: string;
  status: string;
  imageFile: string | null;
  hasPin: boolean;
  contactable: boolean;
  showsPage: boolean;
  scanCount: bigint;
  humanCount: bigint;
  uniqueCount: bigint;
  lastScannedAt: Date | null;
  expiresAt: Date | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

export interface QrCodeListFilter {
  search?: string | undefined;
  kind?: string | undefined;
  status?: string | undefined;
  sort: QrCodeSort;
  skip: number;
  take: number;
}

export const QR_CODE_SORTS = [
  '-createdAt',
  'createdAt',
  'title',
  '-title',
  '-lastScannedAt',
  'lastScannedAt',
  '-scanCount',
  'scanCount',
] as const;

export type QrCodeSort = (typeof QR_CODE_SORTS)[number];

// `id` sorts by creation and is what the owner's index is made of.
const ORDER: Record<QrCodeSort, Prisma.Sql> = {
  '-createdAt': Prisma.sql`id DESC`,
  createdAt: Prisma.sql`id ASC`,
  title: Prisma.sql`lower(title) ASC, id ASC`,
  '-title': Prisma.sql`lower(title) DESC, id DESC`,
  '-lastScannedAt': Prisma.sql`last_scanned_at DESC NULLS LAST, id DESC`,
  lastScannedAt: Prisma.sql`last_scanned_at ASC NULLS FIRST, id ASC`,
  '-scanCount': Prisma.sql`scan_count DESC, id DESC`,
  scanCount: Prisma.sql`scan_count ASC, id ASC`,
};

/**
 * A page of an owner's codes and how many match. `search` finds its text anywhere in title or kind, in any
 * case; its cost is that of what the owner has, whatever the table holds.
 */
export async function listQrCodes(
  db: Db,
  ownerId: string,
  filter: QrCodeListFilter,
): Promise<{ rows: QrCodeListRow[]; total: number }> {
  const where = Prisma.sql`owner_id = ${ownerId} AND status <> 'DELETED' ${Prisma.join(conditions(filter), ' ')}`;
  const [rows, counted] = await Promise.all([
    db.$queryRaw<QrCodeListRow[]>`
      SELECT id, owner_id AS "ownerId", kind, mode, title, slug, status, image_file AS "imageFile",
             pin_hash IS NOT NULL AS "hasPin", contactable, shows_page AS "showsPage",
             scan_count AS "scanCount", human_count AS "humanCount", unique_count AS "uniqueCount",
             last_scanned_at AS "lastScannedAt", expires_at AS "expiresAt", version,
             created_at AS "createdAt", updated_at AS "updatedAt"
      FROM qr_codes WHERE ${where}
      ORDER BY ${ORDER[filter.sort]} LIMIT ${filter.take} OFFSET ${filter.skip}`,
    db.$queryRaw<{ total: number }[]>`SELECT count(*)::int AS total FROM qr_codes WHERE ${where}`,
  ]);
  return { rows, total: counted[0]?.total ?? 0 };
}

function conditions({ search, kind, status }: QrCodeListFilter): Prisma.Sql[] {
  const found: Prisma.Sql[] = [Prisma.empty];
  if (search) {
    const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
    found.push(Prisma.sql`AND search_text LIKE lower(${pattern})`);
  }
  if (kind) found.push(Prisma.sql`AND kind = ${kind}`);
  if (status === 'EXPIRED') found.push(Prisma.sql`AND expires_at <= now()`);
  else if (status)
    found.push(Prisma.sql`AND status = ${status} AND (expires_at IS NULL OR expires_at > now())`);
  return found;
}
