import { querySql, type SqlConnection } from '../../platform/sql.ts';

/** Of some users, find those who act for the account of a code. */
export async function findScanningMembers(
  connection: SqlConnection,
  qrCodeId: string,
  userIds: readonly string[],
): Promise<string[]> {
  const rows = await querySql<{ userId: string }>(connection, { isPrepared: true })`
    SELECT membership.user_id AS "userId" FROM qr_codes AS code
    JOIN memberships AS membership ON membership.account_id = code.account_id AND membership.user_id = ANY(${[...userIds]})
    WHERE code.id = ${qrCodeId}`;
  return rows.map(({ userId }) => userId);
}
