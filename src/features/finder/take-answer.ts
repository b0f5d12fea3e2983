import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { translateWait } from '../../shared/i18n/wait.ts';
import { addMessageToConversation, parseMessageContent } from '../conversations/write-message.ts';
import type { Unsent } from './conversation-page.ts';
import type { FinderServices } from './finder-services.ts';
import { isFormOfConversation } from './form-token.ts';
import type { Opened } from './opened-conversation.ts';
import { faultOf, questionOf, typedOf } from './typed-message.ts';

/** The fields of the form, as they come. */
interface AnswerFields {
  visit?: string | undefined;
  message?: string | undefined;
  confirmed?: string | undefined;
}

/** Why a message was not stored, and how the page says so. */
interface Refused {
  status: number;
  unsent: Unsent;
  /** Null where waiting would not help. */
  retryAfterSeconds: number | null;
}

/** Stores what a side of a conversation typed on its page, once however often the form is sent. Null when it is stored. */
export async function takeAnswer(
  services: FinderServices,
  context: RequestContext,
  opened: Opened,
  fields: AnswerFields,
  locale: Locale,
): Promise<Refused | null> {
  const { fieldCipher, createIdempotently } = services;
  const { row, side } = opened;
  const { visit = '', message = '', confirmed } = fields;
  const typed = typedOf({ message });
  const refuse = (status: number, complaint: string, asksToConfirm = false): Refused => ({
    ...{ status, retryAfterSeconds: null },
    unsent: { message: typed.message, complaint, asksToConfirm },
  });
  if (!isFormOfConversation(fieldCipher, opened, visit))
    return refuse(403, t(locale, 'conversation.pageExpired'));
  const wrong = faultOf(typed, locale);
  if (wrong) return refuse(400, wrong);
  const asked = confirmed === 'yes' ? null : questionOf(typed, locale);
  if (asked) return refuse(200, asked, true);
  try {
    const content = parseMessageContent(typed);
    // The same form with the same content is the same message.
    const parts = [row.id, side, visit, typed.message];
    const idempotencyKey = fieldCipher.hash('conversation-form', ...parts).toString('base64url');
    const once = { ...context, idempotencyKey };
    await createIdempotently(once, { who: `conversation:${row.id}`, sameAs: content }, async (tx) => {
      const added = await addMessageToConversation(services, once, tx, {
        conversationId: row.id,
        sender: side,
        content,
      });
      return { body: { id: added.id }, contentOf: row.ownerId };
    });
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'CONVERSATION_ENDED') return refuse(409, t(locale, 'conversation.ended'));
    if (error.code !== 'RATE_LIMITED') throw error;
    const seconds = error.retryAfterSeconds ?? 60;
    const complaint = `${t(locale, 'conversation.tooMany')} ${translateWait(locale, seconds)}`;
    return { ...refuse(429, complaint), retryAfterSeconds: seconds };
  }
}
