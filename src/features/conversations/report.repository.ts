import type { Db, Tx } from '../../platform/database.ts';
import { createAfterFilter } from '../../platform/list-order.repository.ts';
import { querySql } from '../../platform/sql.ts';
import type { ListRange } from '../../shared/list-cursor.ts';
import type { ConversationKey } from './conversation.repository.ts';
import type { ConversationSide } from './conversation-token.ts';

export type ConversationReportRow = NonNullable<Awaited<ReturnType<typeof findConversationReportBySide>>>;

export type ReportWithConversation = NonNullable<Awaited<ReturnType<typeof findConversationReport>>>;

export interface NewConversationReportRow {
  id: string;
  conversationId: string;
  accountId: string;
  side: ConversationSide;
  category: string;
  note: Buffer<ArrayBuffer> | null;
}

const NEWEST_FIRST = [{ createdAt: 'desc' }, { id: 'desc' }] as const;

/** Insert a report, unless this side already has one. */
export async function insertConversationReport(tx: Tx, report: NewConversationReportRow): Promise<void> {
  await tx.conversationReport.createMany({ data: [report], skipDuplicates: true });
}

export async function findConversationReportBySide(
  db: Db,
  { id: conversationId, accountId }: ConversationKey,
  side: ConversationSide,
) {
  return db.conversationReport.findUnique({
    where: { conversationId_side: { conversationId, side }, accountId },
  });
}

export async function findReportDecidedByConversation(
  db: Db,
  accountId: string,
  conversationIds: readonly string[],
  side: ConversationSide,
): Promise<Map<string, boolean>> {
  const rows = await db.conversationReport.findMany({
    where: { accountId, conversationId: { in: [...conversationIds] }, side },
    select: { conversationId: true, decision: true },
  });
  return new Map(rows.map(({ conversationId, decision }) => [conversationId, decision !== null]));
}

export async function findConversationReport(db: Db, id: string) {
  return db.conversationReport.findUnique({ where: { id }, include: { conversation: true } });
}

export async function lockConversationReport(tx: Tx, id: string): Promise<ReportWithConversation | null> {
  await querySql(tx)`
    SELECT FROM conversation_reports AS report JOIN conversations ON conversations.id = conversation_id
    WHERE report.id = ${id} FOR UPDATE`;
  return findConversationReport(tx, id);
}

export async function countOpenConversationReports(db: Db): Promise<number> {
  return db.conversationReport.count({ where: { decision: null } });
}

export async function listConversationReports(
  db: Db,
  isDecided: boolean | undefined,
  { skip, take, after }: ListRange,
): Promise<{ rows: ReportWithConversation[]; total: number }> {
  const where = isDecided === undefined ? {} : { decision: isDecided ? { not: null } : null };
  const [rows, total] = await Promise.all([
    db.conversationReport.findMany({
      where: { ...where, ...createAfterFilter('createdAt', after) },
      orderBy: [...NEWEST_FIRST],
      include: { conversation: true },
      skip,
      take,
    }),
    db.conversationReport.count({ where }),
  ]);
  return { rows, total };
}

/** Store a decision; false if there already is one. */
export async function saveConversationReportDecision(
  tx: Tx,
  id: string,
  decisionFields: { decision: string; decisionNote: Buffer<ArrayBuffer> | null },
): Promise<boolean> {
  const { count } = await tx.conversationReport.updateMany({
    where: { id, decision: null },
    data: { ...decisionFields, decidedAt: new Date() },
  });
  return count === 1;
}
