import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../platform/caller.ts';
import { created } from '../../platform/http/created.ts';
import { problems } from '../../platform/openapi.ts';
import { audited, PUBLIC, unaudited } from '../../platform/route-access.ts';
import { IdempotencyHeader, ref } from '../../shared/common.schemas.ts';
import { chooseLocale } from '../../shared/i18n/choose-locale.ts';
import { emailOf } from '../accounts/email.rules.ts';
import { ScanTokenHeader } from '../scans/scan-requests.schemas.ts';
import { publicKeyHolder } from '../scans/visitor.ts';
import { contactsInAny } from './contacts.rules.ts';
import { messageView } from './conversation.view.ts';
import { originNamed } from './conversation-origin.ts';
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

/** How a finder begins a conversation: by the token of a scan, or about a code that is closed. */
export const openConversationRoutes: FastifyPluginAsyncTypebox<ConversationServices> = async (
  app,
  services,
) => {
  const { vault, createOnce, publicBaseUrl } = services;

  app.post(
    '',
    {
      config: { access: PUBLIC, audit: audited('CONVERSATION_OPENED') },
      schema: {
        operationId: 'conversations.open',
        tags: ['Conversations'],
        summary: 'Write to the owner of a scanned code. Neither learns the other’s contact.',
        description:
          'By `scanId` with its token: a scan has one conversation, and writing again by it goes on with that. ' +
          'By `qrCodeId` without a token where the code is paused or expired (410 to a scan, `contactable`): each ' +
          'request begins one, so repeat it with an Idempotency-Key. Five an hour of an address about a code.',
        headers: Type.Object({ ...ScanTokenHeader.properties, ...IdempotencyHeader.properties }),
        body: NewConversation,
        response: { 201: ref(FinderConversation), ...problems(403, 404, 409) },
      },
    },
    async (request, reply) => {
      const { name = null, email = null } = request.body;
      const { qrCodeId, originIn } = await originNamed(
        services,
        request.body,
        request.headers['x-scan-token'],
      );
      const caller = callerOf(request);
      const content = contentOf(request.body);
      const address = email === null ? null : emailOf(email);
      const who = publicKeyHolder(vault, caller, qrCodeId);
      const locale = chooseLocale(undefined, request.headers['accept-language']);
      const made = await createOnce(caller, { who, sameAs: request.body }, async (tx) => {
        const origin = await originIn(tx);
        const row = await openConversation(services, caller, tx, origin, {
          content,
          name: name?.normalize('NFC') ?? null,
          email: address,
        });
        return {
          body: { id: row.conversationId, message: messageView(vault, row, locale) },
          location: `/api/conversations/public/${row.conversationId}/messages`,
          contentOf: origin.qrCode.ownerId,
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
          url: `${publicBaseUrl}/s/${qrCodeId}/c/${token}`,
          message,
          warnings: contactsInAny([content.text, name ?? '']),
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
        summary: 'What contacts a message and a name seem to show, before they are sent. Nothing is stored.',
        body: CheckedMessage,
        response: { 200: ref(MessageCheck) },
      },
    },
    async ({ body }) => ({ warnings: contactsInAny([body.message, body.name ?? '']) }),
  );
};
