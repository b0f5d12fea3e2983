import type { EventObjectReader } from '../../platform/event-objects.ts';
import { ServiceError } from '../../shared/errors.ts';
import { toSupportedLocale } from '../../shared/i18n/choose-locale.ts';
import { toMessageView } from './conversation.view.ts';
import type { ConversationServices } from './conversation-services.ts';
import { findMessage, isAboutMedicalCode } from './message.repository.ts';

/** Create the reader of the message of an event, as GET /api/conversations/{id}/messages lists it. Those about medical codes are never sent. */
export function createMessageEventReader({
  database: { client },
  fieldCipher,
}: Pick<ConversationServices, 'database' | 'fieldCipher'>): EventObjectReader {
  return async ({ accountId, language }, { id, conversationId = '' }) => {
    const conversation = { id: conversationId, accountId };
    const row = await findMessage(client, conversation, id);
    if (!row) throw new ServiceError('NOT_FOUND');
    if (await isAboutMedicalCode(client, conversation)) return 'MEDICAL';
    return toMessageView(fieldCipher, row, toSupportedLocale(language));
  };
}
