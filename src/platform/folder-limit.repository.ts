import { querySql, type SqlConnection, sql } from './sql.ts';

/** What a path can name that belongs to a code. */
export type LimitedRecord = 'CODE' | 'CONVERSATION';

/** Whether a record of an account belongs to a code in one of some folders. */
export async function isInFolders(
  connection: SqlConnection,
  record: LimitedRecord,
  { accountId, id }: { accountId: string; id: string },
  folderIds: readonly string[],
): Promise<boolean> {
  const codeId =
    record === 'CODE'
      ? sql`${id}`
      : sql`(SELECT qr_code_id FROM conversations WHERE account_id = ${accountId} AND id = ${id})`;
  const rows = await querySql(connection)`
    SELECT FROM qr_codes WHERE account_id = ${accountId} AND id = ${codeId} AND folder_id = ANY(${[...folderIds]}::text[])`;
  return rows.length > 0;
}
