import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { prepareCreatedReply } from '../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { IdempotencyKeyHeader, schemaRef } from '../../shared/common.schemas.ts';
import { requireValidEmail } from '../../shared/email.ts';
import { chooseLocale } from '../../shared/i18n/choose-locale.ts';
import { getPublicIdempotencyOwner, ScanTokenHeader } from '../scans/index.ts';
import { toMessageView } from './conversation.view.ts';
import { findOriginErrors, resolveConversationOrigin } from './conversation-origin.ts';
import type { ConversationServices } from './conversation-services.ts';
import { createConversationToken } from './conversation-token.ts';
import {
  FinderConversation,
  MessageCheckRequest,
  MessageCheckResponse,
  NewConversationRequest,
} from './conversations.schemas.ts';
import { detectContactDetailsInTexts } from './detect-contacts.rules.ts';
import { startConversation } from './start-conversation.ts';
import { computeConversationExpiry, findMessageErrors, parseMessageContent } from './write-message.ts';

export const startConversationRoutes: FastifyPluginAsyncTypebox<ConversationServices> = async (
  app,
  services,
) => {
  const { fieldCipher, createIdempotently, publicBaseUrl } = services;

  app.post(
    '',
    {
      config: {
        access: PUBLIC_ACCESS,
        audit: auditAs('CONVERSATION_OPENED'),
        findBodyErrors: (body: Partial<Static<typeof NewConversationRequest>>, request) => [
          ...findOriginErrors(request.body as typeof body),
          ...findMessageErrors(body),
        ],
      },
      schema: {
        operationId: 'conversations.open',
        tags: ['Conversations'],
        summary:
          'Start a conversation with the owner of a scanned code. Contact details are not revealed to either side',
        description:
          'Send `scanId` with the token of the scan. A scan has one conversation; another request continues it. ' +
          'Send `qrCodeId` without a token if the code is paused or expired (a scan returns 410 with `contactable`). ' +
          'Each of these requests starts a conversation, so retry with an Idempotency-Key. Limit: five per hour for an address and a code.',
        headers: Type.Object({ ...ScanTokenHeader.properties, ...IdempotencyKeyHeader.properties }),
        body: NewConversationRequest,
        response: { 201: schemaRef(FinderConversation), ...createProblemResponseSchemas(403, 404, 409, 410) },
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
      const result = await createIdempotently(context, { who, fingerprint: request.body }, async (tx) => {
        const origin = await resolveOrigin(tx);
        const row = await startConversation(services, context, tx, origin, {
          content,
          name: name?.normalize('NFC') ?? null,
          email: address,
        });
        return {
          body: { id: row.conversationId, message: toMessageView(fieldCipher, row, locale) },
          location: `/api/conversations/public/${row.conversationId}/messages`,
          contentOf: origin.qrCode.accountId,
        };
      });
      const { id, message } = result.body;
      // Derived after the response is stored for repeats, because the token must never be stored.
      const token = createConversationToken(fieldCipher, id, 'FINDER');
      return prepareCreatedReply(reply, {
        ...result,
        body: {
          id,
          status: 'OPEN' as const,
          conversationToken: token,
          url: `${publicBaseUrl}/s/${qrCodeId}/c/${token}`,
          message,
          warnings: detectContactDetailsInTexts([content.text, name ?? '']),
          expiresAt: computeConversationExpiry(new Date(message.sentAt)).toISOString(),
        },
      });
    },
  );

  app.post(
    '/check',
    {
      config: { access: PUBLIC_ACCESS, audit: skipAudit('CONVERSATION') },
      schema: {
        operationId: 'conversations.checkMessage',
        tags: ['Conversations'],
        summary: 'Detect contact details in a message and a name before sending them. Nothing is stored',
        description:
          'Use it to warn a finder who gives away an address or a number. Such messages can be sent all the same.',
        body: MessageCheckRequest,
        response: { 200: schemaRef(MessageCheckResponse) },
      },
    },
    async ({ body }) => ({ warnings: detectContactDetailsInTexts([body.message, body.name ?? '']) }),
  );
};
