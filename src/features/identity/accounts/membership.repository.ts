import type { Db } from '../../../platform/database.ts';
import { querySql } from '../../../platform/sql.ts';
import type { AccountRole } from '../../../shared/account-roles.ts';
import type { AccountType } from './membership.schemas.ts';

export interface MembershipRow {
  accountId: string;
  type: AccountType;
  /** Null for the personal account. */
  name: string | null;
  role: AccountRole;
  createdAt: Date;
}

/** List the accounts that a user acts for, the personal one first. */
export async function listMemberships(db: Db, userId: string): Promise<MembershipRow[]> {
  return querySql<MembershipRow>(db)`
    SELECT account.id AS "accountId", account.type, account.name, membership.role,
           membership.created_at AS "createdAt"
    FROM memberships AS membership JOIN accounts AS account ON account.id = membership.account_id
    WHERE membership.user_id = ${userId} AND account.status <> 'DELETED'
    ORDER BY account.type DESC, account.name, account.id`;
}
