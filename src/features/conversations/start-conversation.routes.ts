import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { replyCreated } from '../../platform/http/reply-created.ts';
import { createProblemResponses } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { IdempotencyHeader, schemaRef } from '../../shared/common.schemas.ts';
import { requireValidEmail } from '../../shared/email.ts';
import { chooseLocale } from '../../shared/i18n/choose-locale.ts';
import { getPublicIdempotencyOwner, ScanTokenHeader } from '../scans/index.ts';
import { toMessageView } from './conversation.view.ts';
import { resolveConversationOrigin } from './conversation-origin.ts';
import type { ConversationServices } from './conversation-services.ts';
import { createConversationToken } from './conversation-token.ts';
import {
  FinderConversation,
  MessageCheckRequest,
  MessageCheckResponse,
  NewConversationRequest,
} from './conversations.schemas.ts';
import { detectContactsInTexts } from './detect-contacts.rules.ts';
import { startConversation } from './start-conversation.ts';
import { getConversationExpiry, parseMessageContent } from './write-message.ts';

/** How a finder begins a conversation: by the token of a scan, or about a code that is closed. */
export const startConversationRoutes: FastifyPluginAsyncTypebox<ConversationServices> = async (
  app,
  services,
) => {
  const { fieldCipher, createIdempotently, publicBaseUrl } = services;

  app.post(
    '',
    {
      config: { access: PUBLIC_ACCESS, audit: auditAs('CONVERSATION_OPENED') },
      schema: {
        operationId: 'conversations.open',
        tags: ['Conversations'],
        summary: 'Write to the owner of a scanned code. Neither learns the other’s contact.',
        description:
          'By `scanId` with its token: a scan has one conversation, and writing again by it goes on with that. ' +
          'By `qrCodeId` without a token where the code is paused or expired (410 to a scan, `contactable`): each ' +
          'request begins one, so repeat it with an Idempotency-Key. Five an hour of an address about a code.',
        headers: Type.Object({ ...ScanTokenHeader.properties, ...IdempotencyHeader.properties }),
        body: NewConversationRequest,
        response: { 201: schemaRef(FinderConversation), ...createProblemResponses(403, 404, 409) },
      },
    },
    async (request, reply) => {
      const { name = null, email = null } = request.body;
      const { qrCodeId, resolveOrigin } = await resolveConversationOrigin(
        services,
        request.body,
        request.headers['x-scan-token'],
      );
      const context = getRequestContext(request);
      const content = parseMessageContent(request.body);
      const address = email === null ? null : requireValidEmail(email);
      const who = getPublicIdempotencyOwner(fieldCipher, context, qrCodeId);
      const locale = chooseLocale(undefined, request.headers['accept-language']);
      const made = await createIdempotently(context, { who, fingerprint: request.body }, async (tx) => {
        const origin = await resolveOrigin(tx);
        const row = await startConversation(services, context, tx, origin, {
          content,
          name: name?.normalize('NFC') ?? null,
          email: address,
        });
        return {
          body: { id: row.conversationId, message: toMessageView(fieldCipher, row, locale) },
          location: `/api/conversations/public/${row.conversationId}/messages`,
          contentOf: origin.qrCode.ownerId,
        };
      });
      const { id, message } = made.body;
      // The token is derived after the answer was stored for repeats: it is never stored.
      const token = createConversationToken(fieldCipher, id, 'FINDER');
      return replyCreated(reply, {
        ...made,
        body: {
          id,
          status: 'OPEN' as const,
          conversationToken: token,
          url: `${publicBaseUrl}/s/${qrCodeId}/c/${token}`,
          message,
          warnings: detectContactsInTexts([content.text, name ?? '']),
          expiresAt: getConversationExpiry(new Date(message.sentAt)).toISOString(),
        },
      });
    },
  );

  app.post(
    '/check',
    {
      config: { access: PUBLIC_ACCESS, audit: skipAudit('CONVERSATION') },
      schema: {
        operationId: 'conversations.check',
        tags: ['Conversations'],
        summary: 'What contacts a message and a name seem to show, before they are sent. Nothing is stored.',
        body: MessageCheckRequest,
        response: { 200: schemaRef(MessageCheckResponse) },
      },
    },
    async ({ body }) => ({ warnings: detectContactsInTexts([body.message, body.name ?? '']) }),
  );
};
