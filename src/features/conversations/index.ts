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
  MessageNotification,
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
export { mailReplyNotification } from './mail-reply-notification.ts';
export {
  findFirstUnreadMessageIds,
  findMessage,
  findMessages,
  listMessages,
  type MessageRow,
} from './message.repository.ts';
export { normalizeMessageText } from './message-text.rules.ts';
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
