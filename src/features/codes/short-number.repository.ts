import type { Db, Tx } from '../../platform/database.ts';
import { executeSql, querySql } from '../../platform/sql.ts';
import { generateShortNumber } from './short-number.rules.ts';

/** Number codes that have no number yet. One that is drawn twice, which is next to impossible, waits for the next call. */
export async function insertShortNumbers(db: Db | Tx, qrCodeIds: readonly string[]): Promise<void> {
  if (qrCodeIds.length === 0) return;
  const rows = qrCodeIds.map((qrCodeId) => ({ qrCodeId, number: generateShortNumber() }));
  await executeSql(db)`
    INSERT INTO short_numbers (number, qr_code_id)
    SELECT number, "qrCodeId"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS input ("qrCodeId" text, number text)
    JOIN qr_codes ON qr_codes.id = "qrCodeId"
    ON CONFLICT DO NOTHING`;
}

export interface NumberedQrCodes {
  /** Codes without a number. */
  withoutNumber: string[];
  /** The last id of the range; null at its end. */
  lastId: string | null;
}

/** Look at the next codes after an id, of any owner and status. */
export async function findQrCodesWithoutNumber(
  db: Db,
  afterId: string,
  take: number,
): Promise<NumberedQrCodes> {
  const rows = await querySql<{ id: string; hasNumber: boolean }>(db)`
    SELECT id, EXISTS (SELECT FROM short_numbers WHERE qr_code_id = code.id) AS "hasNumber"
    FROM (SELECT id FROM qr_codes WHERE id > ${afterId} ORDER BY id LIMIT ${take}) AS code ORDER BY id`;
  return {
    withoutNumber: rows.filter(({ hasNumber }) => !hasNumber).map(({ id }) => id),
    lastId: rows.length < take ? null : (rows.at(-1)?.id ?? null),
  };
}

/** Find a code of any owner and status: its page says what of it can be seen. */
export async function findQrCodeIdByShortNumber(db: Db, number: string): Promise<string | null> {
  const row = await db.shortNumber.findUnique({ where: { number }, select: { qrCodeId: true } });
  return row?.qrCodeId ?? null;
}
