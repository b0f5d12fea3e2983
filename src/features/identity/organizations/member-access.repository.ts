import type { Db } from '../../../platform/database.ts';
import type { MembershipKey } from '../../../platform/membership.repository.ts';
import { querySql } from '../../../platform/sql.ts';

export interface ReadableEndpoint {
  id: string;
  description: string | null;
}

/** List the API keys of an account that act as a member, the oldest first. They are few. */
export async function listApiKeysOfMember(
  db: Db,
  { accountId, userId }: MembershipKey,
): Promise<{ id: string; name: string; prefix: string }[]> {
  return querySql<{ id: string; name: string; prefix: string }>(db)`
    SELECT id, name, token_prefix AS prefix FROM api_keys
    WHERE account_id = ${accountId} AND created_by = ${userId} AND revoked_at IS NULL
      AND (expires_at IS NULL OR expires_at > now())
    ORDER BY created_at, id`;
}

/** List the webhook endpoints of an account, the oldest first. They are few. */
export async function listEndpointsOfAccount(db: Db, accountId: string): Promise<ReadableEndpoint[]> {
  return querySql<ReadableEndpoint>(db)`
    SELECT id, description FROM webhook_endpoints WHERE account_id = ${accountId} ORDER BY created_at, id`;
}

/** Count the reports that a member gets by email and their unused links of tests. */
export async function countLinksOfMember(db: Db, { accountId, userId }: MembershipKey): Promise<number> {
  const [row] = await querySql<{ count: number }>(db)`
    SELECT ((SELECT count(*) FROM report_schedules WHERE account_id = ${accountId} AND user_id = ${userId})
          + (SELECT count(*) FROM test_links AS link JOIN qr_codes AS code ON code.id = link.qr_code_id
             WHERE link.user_id = ${userId} AND code.account_id = ${accountId}
               AND link.used_at IS NULL AND link.expires_at > now()))::int AS count`;
  return row?.count ?? 0;
}
