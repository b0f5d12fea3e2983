import type { Db, Tx } from '../../platform/database.ts';
import type { ConversationSide } from './conversation-token.ts';

/** A report as the table holds it. */
export type ConversationReportRow = NonNullable<Awaited<ReturnType<typeof findReportBySide>>>;

/** A report with what is decided about: its conversation. */
export type ReportWithConversation = NonNullable<Awaited<ReturnType<typeof findConversationReport>>>;

/** A report as it is to be stored. */
export interface NewConversationReportRow {
  id: string;
  conversationId: string;
  ownerId: string;
  side: ConversationSide;
  reason: string;
  note: Buffer<ArrayBuffer> | null;
}

const NEWEST_FIRST = [{ createdAt: 'desc' }, { id: 'desc' }] as const;

/** Adds a report, unless this side has made one. */
export async function insertConversationReport(tx: Tx, report: NewConversationReportRow): Promise<void> {
  await tx.conversationReport.createMany({ data: [report], skipDuplicates: true });
}

/** The report of one side of a conversation; null where it made none. */
export async function findReportBySide(db: Db, conversationId: string, side: ConversationSide) {
  return db.conversationReport.findUnique({
    where: { conversationId_side: { conversationId, side } },
  });
}

/** Which of these conversations one side reported, by id; true for those that are decided. */
export async function findReportDecisions(
  db: Db,
  conversationIds: readonly string[],
  side: ConversationSide,
): Promise<Map<string, boolean>> {
  const rows = await db.conversationReport.findMany({
    where: { conversationId: { in: [...conversationIds] }, side },
    select: { conversationId: true, decision: true },
  });
  return new Map(rows.map(({ conversationId, decision }) => [conversationId, decision !== null]));
}

/** A report with its conversation, also of one that its sides can no longer open. */
export async function findConversationReport(db: Db, id: string) {
  return db.conversationReport.findUnique({ where: { id }, include: { conversation: true } });
}

/** The same, with report and conversation locked for this transaction. */
export async function lockConversationReport(tx: Tx, id: string): Promise<ReportWithConversation | null> {
  await tx.$queryRaw`
    SELECT FROM conversation_reports AS report JOIN conversations ON conversations.id = conversation_id
    WHERE report.id = ${id} FOR UPDATE`;
  return findConversationReport(tx, id);
}

/** A page of reports, newest first, and how many there are. */
export async function listConversationReports(
  db: Db,
  isDecided: boolean | undefined,
  page: { skip: number; take: number },
): Promise<{ rows: ReportWithConversation[]; total: number }> {
  const where = isDecided === undefined ? {} : { decision: isDecided ? { not: null } : null };
  const [rows, total] = await Promise.all([
    db.conversationReport.findMany({
      where,
      orderBy: [...NEWEST_FIRST],
      include: { conversation: true },
      ...page,
    }),
    db.conversationReport.count({ where }),
  ]);
  return { rows, total };
}

/** Notes what was decided. False where something was before. */
export async function saveReportDecision(
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
