import type { Static } from 'typebox';
import type { AccountRole } from '../../../shared/account-roles.ts';
import type { MemberRow } from './member.repository.ts';
import { managesMembers } from './member.rules.ts';
import type { MemberSchema } from './members.schemas.ts';

/** Convert a member to what a member with a role gets. */
export function toMemberView(row: MemberRow, reader: AccountRole): Static<typeof MemberSchema> {
  return {
    userId: row.id,
    name: row.name,
    email: managesMembers(reader) ? row.email : null,
    role: row.role,
    folderIds: row.folderIds,
    since: row.createdAt.toISOString(),
    version: row.version,
  };
}
