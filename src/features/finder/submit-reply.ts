import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { translateWaitingTime } from '../../shared/i18n/wait.ts';
import { addMessageToConversation, parseMessageContent } from '../conversations/index.ts';
import type { ConversationAccess } from './conversation-access.ts';
import type { RejectedReply } from './conversation-page.ts';
import type { FinderServices } from './finder-services.ts';
import { isConversationFormTokenValid } from './form-token.ts';
import { findContactDataWarning, findMessageError, parseMessageFormFields } from './message-fields.ts';

interface ReplyFields {
  visit?: string | undefined;
  message?: string | undefined;
  confirmed?: string | undefined;
}

interface ReplyRejection {
  status: number;
  rejectedReply: RejectedReply;
  /** Null if waiting does not help. */
  retryAfterSeconds: number | null;
}

/** Returns null on success, otherwise the rejection. */
export async function submitReply(
  services: FinderServices,
  context: RequestContext,
  access: ConversationAccess,
  fields: ReplyFields,
  locale: Locale,
): Promise<ReplyRejection | null> {
  const { fieldCipher, createIdempotently } = services;
  const { row, side } = access;
  const { visit = '', message = '', confirmed } = fields;
  const draft = parseMessageFormFields({ message });
  const reject = (status: number, errorMessage: string, needsConfirmation = false): ReplyRejection => ({
    status,
    retryAfterSeconds: null,
    rejectedReply: { message: draft.message, errorMessage, needsConfirmation },
  });
  if (!isConversationFormTokenValid(fieldCipher, access, visit))
    return reject(403, t(locale, 'conversation.pageExpired'));
  const error = findMessageError(draft, locale);
  if (error) return reject(400, error);
  const warning = confirmed === 'yes' ? null : findContactDataWarning(draft, locale);
  if (warning) return reject(200, warning, true);
  try {
    const content = parseMessageContent(draft);
    // The same form with the same content is the same message.
    const parts = [row.id, side, visit, draft.message];
    const idempotencyKey = fieldCipher.hash('conversation-form', ...parts).toString('base64url');
    const idempotentContext = { ...context, idempotencyKey };
    await createIdempotently(
      idempotentContext,
      { who: `conversation:${row.id}`, fingerprint: content },
      async (tx) => {
        const added = await addMessageToConversation(services, idempotentContext, tx, {
          conversationId: row.id,
          sender: side,
          content,
        });
        return { body: { id: added.id }, contentOf: row.accountId };
      },
    );
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'CONVERSATION_ENDED') return reject(409, t(locale, 'conversation.ended'));
    if (error.code !== 'RATE_LIMITED') throw error;
    const seconds = error.retryAfterSeconds ?? 60;
    const errorMessage = `${t(locale, 'conversation.tooMany')} ${translateWaitingTime(locale, seconds)}`;
    return { ...reject(429, errorMessage), retryAfterSeconds: seconds };
  }
}
