import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../platform/caller.ts';
import { created } from '../../platform/http/created.ts';
import { problems } from '../../platform/openapi.ts';
import { audited, PUBLIC, unaudited } from '../../platform/route-access.ts';
import { IdempotencyHeader, ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { chooseLanguage } from '../../shared/languages/choose-language.ts';
import { emailOf } from '../accounts/email.rules.ts';
import { findScan } from '../scans/scan.repository.ts';
import { ScanTokenHeader } from '../scans/scan-requests.schemas.ts';
import { opensScan } from '../scans/scan-token.ts';
import { publicKeyHolder } from '../scans/visitor.ts';
import { contactsIn } from './contacts.rules.ts';
import { messageView } from './conversation.view.ts';
import type { ConversationServices } from './conversation-services.ts';
import { conversationToken } from './conversation-token.ts';
import {
  CheckedMessage,
  FinderConversation,
  MessageCheck,
  NewConversation,
} from './conversations.schemas.ts';
import { openConversation } from './open-conversation.ts';
import { contentOf, expiryFrom } from './write-message.ts';

/** How a finder begins a conversation: by the token of a scan. */
export const openConversationRoutes: FastifyPluginAsyncTypebox<ConversationServices> = async (
  app,
  services,
) => {
  const { database, vault, createOnce, publicBaseUrl } = services;

  app.post(
    '',
    {
      config: { access: PUBLIC, audit: audited('CONVERSATION_OPENED') },
      schema: {
        operationId: 'conversations.open',
        tags: ['Conversations'],
        summary: 'Write to the owner of a scanned code. Neither learns the other’s contact.',
        description:
          'A scan has one conversation: writing again by the same scan goes on with it. Five an hour.',
        headers: Type.Object({ ...ScanTokenHeader.properties, ...IdempotencyHeader.properties }),
        body: NewConversation,
        response: { 201: ref(FinderConversation), ...problems(403, 404, 409) },
      },
    },
    async (request, reply) => {
      const { scanId, name = null, email = null } = request.body;
      const scan = await findScan(database.client, scanId);
      if (!scan || scan.qrCode.status === 'DELETED') throw new ServiceError('NOT_FOUND');
      if (!opensScan(vault, scan, request.headers['x-scan-token']))
        throw new ServiceError('SCAN_TOKEN_INVALID');
      const caller = callerOf(request);
      const content = contentOf(request.body);
      const address = email === null ? null : emailOf(email);
      const who = publicKeyHolder(vault, caller, scan.qrCode.id);
      const language = chooseLanguage(undefined, request.headers['accept-language']);
      const made = await createOnce(caller, { who, sameAs: request.body }, async (tx) => {
        const row = await openConversation(services, caller, tx, scan, {
          content,
          name: name?.normalize('NFC') ?? null,
          email: address,
        });
        return {
          body: { id: row.conversationId, message: messageView(vault, row, language) },
          location: `/api/conversations/public/${row.conversationId}/messages`,
          contentOf: scan.qrCode.ownerId,
        };
      });
      const { id, message } = made.body;
      // The token is derived after the answer was stored for repeats: it is never stored.
      const token = conversationToken(vault, id, 'FINDER');
      return created(reply, {
        ...made,
        body: {
          id,
          status: 'OPEN' as const,
          conversationToken: token,
          url: `${publicBaseUrl}/s/${scan.qrCode.id}/c/${token}`,
          message,
          warnings: contactsIn(content.text),
          expiresAt: expiryFrom(new Date(message.sentAt)).toISOString(),
        },
      });
    },
  );

  app.post(
    '/check',
    {
      config: { access: PUBLIC, audit: unaudited('CONVERSATION') },
      schema: {
        operationId: 'conversations.check',
        tags: ['Conversations'],
        summary: 'What contacts a message seems to show, before it is sent. Nothing is stored.',
        body: CheckedMessage,
        response: { 200: ref(MessageCheck) },
      },
    },
    async (request) => ({ warnings: contactsIn(request.body.message) }),
  );
};
