import type { ApiKeyScope } from '../permissions.ts';
import { type AccountRole, findLowerRole } from '../shared/account-roles.ts';
import type { ActingAccount } from './acting-account.ts';
import type { OpenSession } from './authentication.repository.ts';
import type { Db } from './database.ts';
import { FOLDER_IDS_SQL } from './membership.repository.ts';
import {
  ACCOUNT_REQUIRES_SECOND_FACTOR,
  buildEnterpriseConditions,
  buildSecondFactorCondition,
} from './session-expiry.repository.ts';
import { executeSql, querySql, type SqlConnection, sql } from './sql.ts';

export interface ActiveApiKey extends Omit<OpenSession, 'sessionId' | 'isIdle' | 'account'> {
  apiKeyId: string;
  scopes: ApiKeyScope[];
  isNetworkAllowed: boolean;
  account: ActingAccount;
}

interface ActiveApiKeyRow extends Omit<ActiveApiKey, 'account'> {
  accountId: string;
  accountType: ActingAccount['type'];
  accountStatus: ActingAccount['status'];
  isEnterpriseAccount: boolean;
  role: AccountRole;
  memberRole: AccountRole;
  /** Of that member. */
  folderIds: string[] | null;
}

/**
 * Find the key of a token; null when it is unknown, revoked or expired, or its user is no member of the account. Its role is
 * the lower one of the key and of that member now.
 */
export async function findActiveApiKey(
  connection: SqlConnection,
  tokenHash: Buffer,
  address: string | null,
  enforcedGlobally: boolean,
  staffMustEnroll = false,
): Promise<ActiveApiKey | null> {
  const isEnterprise = sql`(person.enterprise_mode OR account.enterprise_mode OR ${enforcedGlobally})`;
  const isRequired = sql`(${isEnterprise} OR ${ACCOUNT_REQUIRES_SECOND_FACTOR})`;
  const mustEnroll = buildSecondFactorCondition(isRequired, staffMustEnroll);
  const rows = await querySql<ActiveApiKeyRow>(connection, { isPrepared: true })`
    SELECT key.id AS "apiKeyId", key.scopes,
           cardinality(key.allowed_networks) = 0
             OR coalesce(${address}::inet <<= ANY (key.allowed_networks), false) AS "isNetworkAllowed",
           person.id AS "userId", person.email, person.status, person.time_zone AS "timeZone",
           person.language, ${isEnterprise} AS "isEnterprise", ${mustEnroll} AS "mustEnroll",
           account.id AS "accountId", account.type AS "accountType", account.status AS "accountStatus",
           (account.enterprise_mode OR ${enforcedGlobally}) AS "isEnterpriseAccount", key.role,
           membership.role AS "memberRole", ${FOLDER_IDS_SQL} AS "folderIds",
           coalesce(key.last_used_at <= now() - interval '1 minute', true)
             OR (key.token_hash = ${tokenHash} AND NOT key.is_token_used) AS "isStale"
    FROM api_keys AS key JOIN users AS person ON person.id = key.created_by
    JOIN memberships AS membership ON membership.account_id = key.account_id AND membership.user_id = key.created_by
    JOIN accounts AS account ON account.id = key.account_id AND account.status <> 'DELETED'
    WHERE (key.token_hash = ${tokenHash}
           OR (key.previous_token_hash = ${tokenHash} AND key.previous_expires_at > now()))
      AND key.revoked_at IS NULL AND (key.expires_at IS NULL OR key.expires_at > now())
      AND person.status NOT IN ('PENDING_VERIFICATION', 'DELETED')`;
  return rows[0] ? toActiveApiKey(rows[0]) : null;
}

function toActiveApiKey(row: ActiveApiKeyRow): ActiveApiKey | null {
  const {
    accountId,
    accountType,
    accountStatus,
    isEnterpriseAccount,
    role: keyRole,
    memberRole,
    folderIds,
    ...key
  } = row;
  const role = findLowerRole(keyRole, memberRole);
  return (
    role && {
      ...key,
      role: 'USER',
      account: {
        id: accountId,
        type: accountType,
        role,
        status: accountStatus,
        isEnterprise: isEnterpriseAccount,
        mustLogIn: false,
        folderIds,
      },
    }
  );
}

/** Find who the API keys of an account read for; null while none of them may read. */
export async function findApiKeyReader(
  db: Db,
  accountId: string,
  enforcedGlobally: boolean,
  staffMustEnroll: boolean,
): Promise<{ accountId: string; language: string } | null> {
  const { mustEnroll } = buildEnterpriseConditions(enforcedGlobally, staffMustEnroll);
  const rows = await querySql<{ accountId: string; language: string }>(db)`
    SELECT account.id AS "accountId", account.language
    FROM accounts AS account LEFT JOIN users AS person ON person.id = account.user_id
    WHERE account.id = ${accountId} AND account.status = 'ACTIVE'
      AND (person.id IS NULL OR person.status IN ('VERIFIED', 'ACTIVE') AND NOT (${mustEnroll}))`;
  return rows[0] ?? null;
}

/** Record the use of a key, at most once a minute and once for each token. */
export async function touchApiKey(db: Db, tokenHash: Buffer): Promise<void> {
  await executeSql(db)`
    UPDATE api_keys SET last_used_at = now(), is_token_used = is_token_used OR token_hash = ${tokenHash}
    WHERE (token_hash = ${tokenHash} OR previous_token_hash = ${tokenHash})
      AND (coalesce(last_used_at <= now() - interval '1 minute', true)
           OR (token_hash = ${tokenHash} AND NOT is_token_used))`;
}
