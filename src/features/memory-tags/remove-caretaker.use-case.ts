import { recordAuditEntry } from '../../platform/audit.ts';
import type { Database } from '../../platform/database.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { deleteCaretaker, deleteCaretakerByUser } from './caretaker.repository.ts';
import { lockMemoryTag } from './memory-tag.repository.ts';
import { lockOwnMemoryTag } from './memory-tag-access.ts';

/** Remove a caretaker as the owner. @throws NOT_FOUND, FORBIDDEN for a caretaker */
export function removeCaretaker(
  database: Database,
  context: RequestContext,
  { memoryTagId, accountId, caretakerId }: { memoryTagId: string; accountId: string; caretakerId: string },
): Promise<void> {
  return database.transaction(async (tx) => {
    const tag = await lockOwnMemoryTag(tx, accountId, memoryTagId);
    if (!(await deleteCaretaker(tx, tag, caretakerId))) throw new ServiceError('NOT_FOUND');
    await recordAuditEntry(tx, context, { resourceId: tag.id });
  });
}

/** Stop being a caretaker. @throws NOT_FOUND */
export function leaveMemoryTag(
  database: Database,
  context: RequestContext,
  { memoryTagId, userId }: { memoryTagId: string; userId: string },
): Promise<void> {
  return database.transaction(async (tx) => {
    await lockMemoryTag(tx, memoryTagId);
    if (!(await deleteCaretakerByUser(tx, memoryTagId, userId))) throw new ServiceError('NOT_FOUND');
    await recordAuditEntry(tx, context, { resourceId: memoryTagId });
  });
}
