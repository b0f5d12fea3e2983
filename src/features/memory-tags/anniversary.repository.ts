import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database.ts';
import { querySql } from '../../platform/sql.ts';

export interface AnniversaryRecipientRow {
  memoryTagId: string;
  qrCodeId: string | null;
  name: string;
  date: string;
  /** Time zone of the owner, also for caretakers. */
  timeZone: string;
  /** That of the memory tag, or the personal one of a caretaker. */
  accountId: string;
}

type AnniversaryCursor = Pick<AnniversaryRecipientRow, 'memoryTagId' | 'accountId'>;

const DATE_COLUMNS = {
  'memory_tag.birth_anniversary': Prisma.raw('born_on'),
  'memory_tag.death_anniversary': Prisma.raw('died_on'),
};

export type AnniversaryName = keyof typeof DATE_COLUMNS;

/** List owners and active caretakers of memory tags with an anniversary on one of the days (MM-DD), after a cursor. */
export async function findAnniversaryRecipients(
  db: Db,
  event: AnniversaryName,
  days: readonly string[],
  after: AnniversaryCursor | null,
  limit: number,
): Promise<AnniversaryRecipientRow[]> {
  const date = DATE_COLUMNS[event];
  return querySql<AnniversaryRecipientRow>(db)`
    WITH remembered AS MATERIALIZED (
      SELECT tag.id, tag.account_id, tag.qr_code_id, tag.name, ${date} AS date, account.time_zone
      FROM memory_tags AS tag JOIN accounts AS account ON account.id = tag.account_id AND account.status = 'ACTIVE'
      WHERE substr(${date}, 6) = ANY(${[...days]}) AND length(${date}) = 10 AND anniversary_reminders
        AND tag.id >= ${after?.memoryTagId ?? ''}
    ), reminded AS (
      SELECT id, account_id FROM remembered
      UNION ALL
      SELECT remembered.id, care.user_id FROM remembered JOIN memory_tag_caretakers AS care ON care.memory_tag_id = remembered.id
      WHERE care.user_id IS NOT NULL AND care.opened_at IS NOT NULL
    )
    SELECT remembered.id AS "memoryTagId", qr_code_id AS "qrCodeId", name, date, time_zone AS "timeZone",
           reminded.account_id AS "accountId"
    FROM reminded JOIN remembered ON remembered.id = reminded.id
    WHERE (remembered.id, reminded.account_id) > (${after?.memoryTagId ?? ''}, ${after?.accountId ?? ''})
    ORDER BY remembered.id, reminded.account_id LIMIT ${limit}`;
}
