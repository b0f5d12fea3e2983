import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireAccount } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { t } from '../../../shared/i18n/translate.ts';
import {
  addMessageToConversation,
  type ConversationRow,
  parseMessageContent,
} from '../../conversations/index.ts';
import { findContactDataWarning, findMessageError, parseMessageFormFields } from '../../finder/index.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';

interface ReplyFields {
  token?: string;
  message?: string;
  preset?: string;
  confirmed?: string;
}

/** Why a reply was not sent, for the page that has it. */
export interface ReplyRejection {
  status: number;
  message: string;
  text: string;
  /** Contact details were found: it is sent when it is sent once more. */
  needsConfirmation: boolean;
}

/** Send a reply of the owner. The same form with the same content is the same message. Null once it is sent. */
export async function sendReply(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { id: conversationId }: ConversationRow,
  { token = '', confirmed, ...fields }: ReplyFields,
): Promise<ReplyRejection | null> {
  const locale = chooseOwnerPageLocale(request);
  const draft = parseMessageFormFields(fields);
  const { message } = draft;
  const error = findMessageError(draft, locale);
  if (error) return { status: 400, message, text: error, needsConfirmation: false };
  const warning = confirmed === 'yes' ? null : findContactDataWarning(draft, locale);
  if (warning) return { status: 200, message, text: warning, needsConfirmation: true };
  const { id: who } = requireAccount(request);
  const content = parseMessageContent(draft);
  const parts = [conversationId, token, content.preset ?? '', content.text];
  const idempotencyKey = services.fieldCipher.hash('owner-reply', ...parts).toString('base64url');
  const context = { ...getRequestContext(request), idempotencyKey };
  try {
    await services.createIdempotently(context, { who, fingerprint: content }, async (tx) => {
      const { id } = await addMessageToConversation(services, context, tx, {
        conversationId,
        sender: 'OWNER',
        content,
      });
      return { body: { id } };
    });
    return null;
  } catch (error) {
    const refusal = translateRefusal(error, reply, locale, {
      RATE_LIMITED: t(locale, 'conversation.tooMany'),
      CONVERSATION_ENDED: t(locale, 'conversation.ended'),
      CODE_UNAVAILABLE: t(locale, 'app.inbox.unavailable'),
      VALIDATION_FAILED: t(locale, 'conversation.messageMissing'),
    });
    return { ...refusal, message, needsConfirmation: false };
  }
}
