import type { Database } from '../../../platform/database.ts';
import { type PageDesign, toPageDesign } from '../page-design.rules.ts';
import { findQrCodesByOwnIds } from '../qrcode.repository.ts';

interface DesignedQrCode {
  id: string;
  title: string;
  pageDesign: PageDesign;
}

/** List those of an owner's codes whose page has a color or an order of its own, in the order of `ids`. */
export async function listSelectedDesigns(
  database: Database,
  accountId: string,
  ids: readonly string[],
): Promise<DesignedQrCode[]> {
  const rows = await findQrCodesByOwnIds(database.client, accountId, [...ids]);
  return ids.flatMap((id) => {
    const row = rows.get(id);
    const pageDesign = toPageDesign(row?.pageDesign ?? {});
    const isDesigned = pageDesign.accentColor !== undefined || pageDesign.sectionOrder !== undefined;
    return row && isDesigned ? { id, title: row.title, pageDesign } : [];
  });
}
