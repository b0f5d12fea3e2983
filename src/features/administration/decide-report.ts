import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import type { Vault } from '../../platform/vault.ts';
import { invalidFields, ServiceError } from '../../shared/errors.ts';
import { insertBlock } from '../conversations/blocked-finder.repository.ts';
import { sealDecisionNote } from '../conversations/conversation-content.ts';
import { endConversation } from '../conversations/end-conversation.ts';
import {
  findReport,
  lockReport,
  noteDecision,
  type ReportedRow,
} from '../conversations/report.repository.ts';
import type { Decision } from './conversation-reports.schemas.ts';

/**
 * Decides a report, and does what was decided to its conversation. In the trail is the decision, and what it did to the
 * conversation as an entry of its own. Throws NOT_FOUND, VALIDATION_FAILED where it would block the one who reported, and REPORT_DECIDED for one that was decided before.
 */
export async function decideReport(
  vault: Vault,
  caller: Caller,
  tx: Tx,
  id: string,
  { decision, note }: { decision: Decision; note?: string | null | undefined },
): Promise<ReportedRow> {
  const report = await lockReport(tx, id);
  if (!report) throw new ServiceError('NOT_FOUND');
  const { ownerId, conversation } = report;
  if (decision === 'FINDER_BLOCKED' && report.side === 'FINDER')
    throw invalidFields({
      ...{ field: 'decision', code: 'NOT_ALLOWED' },
      message:
        'A finder is not blocked for a report of their own: close the conversation or dismiss the report.',
    });
  const decisionNote = sealDecisionNote(vault, { id, ownerId }, note?.normalize('NFC').trim() || null);
  if (!(await noteDecision(tx, id, { decision, decisionNote }))) throw new ServiceError('REPORT_DECIDED');
  await recordAction(tx, caller, { resourceId: id, changes: [decision] });
  const did = (action: 'CONVERSATION_ENDED' | 'FINDER_BLOCKED') =>
    recordAction(tx, caller, { action, resourceType: 'CONVERSATION', resourceId: conversation.id });
  const ended = { id: conversation.id, ownerId };
  if (decision !== 'DISMISSED' && (await endConversation(tx, ended, 'ADMINISTRATION')))
    await did('CONVERSATION_ENDED');
  if (decision === 'FINDER_BLOCKED' && (await insertBlock(tx, ownerId, conversation.finderHash)))
    await did('FINDER_BLOCKED');
  return (await findReport(tx, id)) ?? report;
}
