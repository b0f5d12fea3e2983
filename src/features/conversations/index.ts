import type { Tx } from '../../platform/database.ts';
import type { Feature, FeatureManifest } from '../../platform/feature.ts';
import type { MailOutbox } from '../mail/index.ts';
import { deleteExpiredConversations } from './conversation.repository.ts';
import type { ConversationServices, ReplyNotification } from './conversation-services.ts';
import { conversationRoutes } from './conversations.routes.ts';
import {
  ConversationEndResponse,
  ConversationList,
  ConversationMessage,
  ConversationMessageList,
  ConversationSchema,
  FinderConversation,
  MessageCheckResponse,
} from './conversations.schemas.ts';
import { finderConversationRoutes } from './finder-conversations.routes.ts';
import { mailReplyNotification } from './mail-reply-notification.ts';
import { ownerMessageRoutes } from './owner-messages.routes.ts';
import { conversationReportRoutes } from './report.routes.ts';
import { ConversationReport } from './report.schemas.ts';
import { startConversationRoutes } from './start-conversation.routes.ts';

const BATCH_SIZE = 500;

export const conversationsManifest: FeatureManifest = {
  name: 'conversations',
  queues: [],
  schemas: [
    MessageCheckResponse,
    ConversationMessage,
    ConversationMessageList,
    FinderConversation,
    ConversationSchema,
    ConversationList,
    ConversationEndResponse,
    ConversationReport,
  ],
};

export function createConversations(
  shared: Omit<ConversationServices, 'mailReply'> & { mailOutbox: MailOutbox },
) {
  const { client } = shared.database;
  const mailReply = (tx: Tx, reply: ReplyNotification) => mailReplyNotification(shared, tx, reply);
  const services = { ...shared, mailReply };
  const feature: Feature = {
    async plugin(app) {
      await app.register(startConversationRoutes, { prefix: '/api/conversations/public', ...services });
      await app.register(finderConversationRoutes, { prefix: '/api/conversations/public', ...services });
      await app.register(ownerMessageRoutes, { prefix: '/api/conversations', ...services });
      await app.register(conversationReportRoutes, { prefix: '/api/conversations', ...services });
      await app.register(conversationRoutes, { prefix: '/api/conversations', ...services });
    },
    cleanUp: [
      async () => {
        while ((await deleteExpiredConversations(client, BATCH_SIZE)) === BATCH_SIZE);
      },
    ],
  };
  return { feature, services: { mailReply } };
}

export {
  type ConversationRow,
  clearFinderEmail,
  deleteExpiredConversations,
  findConversation,
  findLatestOpenConversation,
  findUnexpiredConversationIds,
  lockConversation,
} from './conversation.repository.ts';
export { toMessageView } from './conversation.view.ts';
export type { ConversationOrigin } from './conversation-origin.ts';
export type {
  ConversationServices,
  ReplyNotification,
} from './conversation-services.ts';
export {
  type ConversationSide,
  createConversationToken,
  isConversationTokenValid,
} from './conversation-token.ts';
export {
  ConversationEndResponse,
  ConversationList,
  ConversationMessage,
  ConversationMessageList,
  ConversationSchema,
  FinderConversation,
  MAX_MESSAGE_CHARACTERS,
  MessageCheckResponse,
} from './conversations.schemas.ts';
export { detectContacts } from './detect-contacts.rules.ts';
export {
  decryptDecisionNote,
  decryptFinderName,
  decryptReportNote,
  encryptDecisionNote,
} from './encrypted-conversation-fields.ts';
export { endConversation } from './end-conversation.ts';
export { mailReplyNotification, REPLY_MAIL_KIND } from './mail-reply-notification.ts';
export {
  findFirstUnreadMessageIds,
  findMessage,
  findMessages,
  listMessages,
  type MessageRow,
} from './message.repository.ts';
export { normalizeMessageText } from './message-text.rules.ts';
export { conversationsPersonalData } from './personal-data.ts';
export {
  CLOSED_CODE_PRESETS,
  getPresetsForKind,
  MESSAGE_PRESETS,
  type MessagePreset,
  requiresMessageText,
} from './presets.rules.ts';
export { markConversationRead, readMessagePage } from './read-messages.ts';
export {
  findConversationReport,
  findReportBySide,
  listConversationReports,
  lockConversationReport,
  type ReportWithConversation,
  saveReportDecision,
} from './report.repository.ts';
export {
  ConversationReport,
  MAX_REPORT_NOTE_CHARACTERS,
  REPORT_REASONS,
  ReportStatus,
} from './report.schemas.ts';
export { reportConversation } from './report-conversation.ts';
export {
  createConversationStartBudget,
  type FirstMessageInput,
  startConversation,
} from './start-conversation.ts';
export { addMessageToConversation, parseMessageContent } from './write-message.ts';
