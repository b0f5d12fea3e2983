import type { Tx } from '../../platform/database.ts';
import type { EventObjectReaders } from '../../platform/event-objects.ts';
import type { Feature, FeatureManifest } from '../../platform/feature.ts';
import { ANSWERING_ROLES } from '../../shared/account-roles.ts';
import type { MailOutbox } from '../mail/index.ts';
import { unassignMember } from './assignee.repository.ts';
import { confirmEmailRoutes } from './confirm-email.routes.ts';
import { deleteExpiredConversations, markConversationsOfScansChanged } from './conversation.repository.ts';
import type {
  AddressConfirmation,
  ConversationServices,
  ReplyNotification,
} from './conversation-services.ts';
import { ownerConversationRoutes } from './conversations.routes.ts';
import {
  AssigneeSchema,
  ConversationEndResponse,
  ConversationMessage,
  ConversationMessageList,
  ConversationSchema,
  FinderConversation,
  MessageCheckResponse,
  MessagePreset,
} from './conversations.schemas.ts';
import { finderConversationRoutes } from './finder-conversations.routes.ts';
import { enqueueAddressConfirmationMail } from './finder-email-confirmation.ts';
import { enqueueReplyNotificationMail } from './mail-reply-notification.ts';
import { noteRoutes } from './notes/notes.routes.ts';
import { ConversationNote, ConversationNoteList } from './notes/notes.schemas.ts';
import { ownerMessageRoutes } from './owner-messages.routes.ts';
import { createMessageEventReader } from './read-event-message.ts';
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
    AssigneeSchema,
    ConversationNote,
    ConversationNoteList,
    ConversationEndResponse,
    ConversationReport,
  ],
  repeatedSchemas: { MessagePreset },
};

export function createConversationsFeature(
  shared: Omit<ConversationServices, 'mailReply' | 'mailAddressConfirmation'> & {
    mailOutbox: MailOutbox;
    eventObjects: EventObjectReaders;
  },
) {
  const { client } = shared.database;
  shared.events.subscribe('membership.changed', async (tx, changes) => {
    for (const { role, isLimited, ...member } of changes)
      if (isLimited || role === null || !ANSWERING_ROLES.includes(role)) await unassignMember(tx, member);
  });
  // Their last place.
  shared.events.subscribe('scan.place_changed', (tx, events) =>
    markConversationsOfScansChanged(
      tx,
      events.map(({ scanId }) => scanId),
    ),
  );
  shared.eventObjects.register('message', createMessageEventReader(shared));
  const mailReply = (tx: Tx, reply: ReplyNotification) => enqueueReplyNotificationMail(shared, tx, reply);
  const mailAddressConfirmation = (tx: Tx, confirmation: AddressConfirmation) =>
    enqueueAddressConfirmationMail(shared, tx, confirmation);
  const services = { ...shared, mailReply, mailAddressConfirmation };
  const feature: Feature = {
    async plugin(app) {
      await app.register(startConversationRoutes, { prefix: '/api/conversations/public', ...services });
      await app.register(finderConversationRoutes, { prefix: '/api/conversations/public', ...services });
      await app.register(confirmEmailRoutes, { prefix: '/api/conversations', ...services });
      await app.register(ownerMessageRoutes, { prefix: '/api/conversations', ...services });
      await app.register(noteRoutes, { prefix: '/api/conversations', ...services });
      await app.register(conversationReportRoutes, { prefix: '/api/conversations', ...services });
      await app.register(ownerConversationRoutes, { prefix: '/api/conversations', ...services });
    },
    cleanUp: [
      async () => {
        while ((await deleteExpiredConversations(client, BATCH_SIZE)) === BATCH_SIZE);
      },
    ],
  };
  return { feature, services: { mailReply, mailAddressConfirmation } };
}

export { listAssignees } from './assignee.repository.ts';
export { changeConversation, markConversationRead } from './change-conversation.use-case.ts';
export {
  type ConversationRow,
  clearFinderEmail,
  findConversation,
  findLatestOpenConversation,
  findUnexpiredConversationIds,
  isConversationDone,
  listConversations,
  markConversationChanged,
  markFinderConversationsChanged,
} from './conversation.repository.ts';
export { type MessageView, toMessageView, toThreadMessageView } from './conversation.view.ts';
export { assertConversationNotWithheld, type ConversationOrigin } from './conversation-origin.ts';
export type { ConversationServices } from './conversation-services.ts';
export { findConversationState } from './conversation-state.ts';
export {
  type ConversationParticipant,
  type ConversationSide,
  createConversationToken,
  isConversationTokenValid,
  parseConversationToken,
} from './conversation-token.ts';
export { ConversationMessage, ConversationSchema, MAX_MESSAGE_CHARACTERS } from './conversations.schemas.ts';
export { detectContactDetails } from './detect-contacts.rules.ts';
export { FINDER_NAME, REPORT_DECISION_NOTE, REPORT_NOTE } from './encrypted-conversation-fields.ts';
export { endConversation } from './end-conversation.ts';
export { REPLY_MAIL_KIND } from './mail-reply-notification.ts';
export {
  countConversationsWithUnreadMessages,
  findFirstUnreadMessages,
  findMessagesByIds,
  listMessages,
  type MessageRow,
} from './message.repository.ts';
export { normalizeMessageText } from './message-text.rules.ts';
export { listNotes } from './notes/note.repository.ts';
export { toNoteView } from './notes/note.view.ts';
export { type ConversationNote, MAX_NOTE_CHARACTERS } from './notes/notes.schemas.ts';
export {
  addNote,
  canDeleteNote,
  changeNote,
  type NoteEditor,
  parseNoteText,
  removeNote,
} from './notes/write-notes.use-case.ts';
export { conversationsPersonalData } from './personal-data.ts';
export {
  CLOSED_CODE_MESSAGE_PRESETS,
  getMessagePresetsForCodeKind,
  getOwnerMessagePresetsForCodeKind,
  MESSAGE_PRESETS,
  type MessagePreset,
  requiresMessageText,
} from './presets.rules.ts';
export { listMessagesForSide } from './read-messages.ts';
export {
  createOwnerConversationViewer,
  LAST_ACTIVE_FIRST,
  requireOwnConversation,
} from './read-own-conversations.ts';
export {
  countOpenConversationReports,
  findConversationReport,
  findConversationReportBySide,
  listConversationReports,
  lockConversationReport,
  type ReportWithConversation,
  saveConversationReportDecision,
} from './report.repository.ts';
export {
  CONVERSATION_REPORT_CATEGORIES,
  ConversationReportStatus,
  MAX_CONVERSATION_REPORT_NOTE_CHARACTERS,
} from './report.schemas.ts';
export { reportConversation } from './report-conversation.use-case.ts';
export { listScansWithoutMessage, type ScanWithoutMessage } from './scan-without-message.repository.ts';
export {
  createConversationStartLimit,
  type FirstMessageInput,
  startConversation,
} from './start-conversation.ts';
export { updateConversation } from './update-conversation.use-case.ts';
export { addMessageToConversation, parseMessageContent } from './write-message.ts';
