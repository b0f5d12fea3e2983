import { Type } from 'typebox';
import {
  FREE_TEXT_PATTERN,
  Id,
  nullable,
  schemaRef,
  stringEnum,
  Timestamp,
} from '../../shared/common.schemas.ts';
import { PageQuery } from '../../shared/pagination.ts';
import {
  ConversationMessage,
  MAX_REPORT_NOTE_CHARACTERS,
  REPORT_REASONS,
  ReportStatus,
} from '../conversations/index.ts';

export const REPORT_DECISIONS = ['DISMISSED', 'CONVERSATION_CLOSED', 'FINDER_BLOCKED'] as const;

export type ReportDecisionKind = (typeof REPORT_DECISIONS)[number];

export const AdminReportQuery = Type.Object({ ...PageQuery.properties, status: Type.Optional(ReportStatus) });

const reportProperties = {
  id: Id,
  conversationId: Id,
  qrCodeId: Id,
  ownerId: Id,
  reportedBy: stringEnum(['FINDER', 'OWNER']),
  reason: stringEnum(REPORT_REASONS),
  status: ReportStatus,
  decision: nullable(stringEnum(REPORT_DECISIONS)),
  decidedAt: nullable(Timestamp),
  createdAt: Timestamp,
};

export const AdminReport = Type.Object(reportProperties, {
  $id: 'AdminReport',
  description: 'A conversation that one of its sides reported, without a word of it.',
});

export const AdminReportDetails = Type.Object(
  {
    ...reportProperties,
    note: nullable(Type.String({ description: 'What the side that reported it says.' })),
    decisionNote: nullable(Type.String()),
    conversation: Type.Object({
      status: stringEnum(['OPEN', 'ENDED']),
      endedBy: nullable(stringEnum(['FINDER', 'OWNER', 'ADMINISTRATION'])),
      createdAt: Timestamp,
      lastMessageAt: Timestamp,
    }),
    messages: Type.Array(schemaRef(ConversationMessage), { description: 'The last 200, newest first.' }),
  },
  {
    $id: 'AdminReportDetails',
    description: 'A report with what was written, and without the contact of either side.',
  },
);

export const ReportDecisionRequest = Type.Object({
  decision: stringEnum(REPORT_DECISIONS, {
    description:
      'CONVERSATION_CLOSED: nobody writes in it any more. FINDER_BLOCKED: the same, and this finder begins no other with this owner; only of what the owner reported, else 400.',
  }),
  note: Type.Optional(
    nullable(Type.String({ maxLength: MAX_REPORT_NOTE_CHARACTERS, pattern: FREE_TEXT_PATTERN })),
  ),
});
