import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { AuditAction } from '../../../audit-actions.ts';
import type { Permission } from '../../../permissions.ts';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import {
  allowByCookie,
  allowUsers,
  allowUsersWithProfile,
  auditAs,
  skipAudit,
} from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { CursorQuery } from '../../../shared/pagination.ts';
import { changeOwnQrCodeStatus, endLostReport, resumeLostReport } from '../../codes/index.ts';
import {
  CONVERSATION_REPORT_CATEGORIES,
  type ConversationRow,
  changeConversation,
  findConversationState,
  reportConversation,
  requireOwnConversation,
  updateConversation,
} from '../../conversations/index.ts';
import { truncateConversationReportFields } from '../../finder/index.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { getInboxPath, sendConversationPage } from './conversation-page.ts';
import { sendReply } from './send-reply.ts';

const ConversationParams = createIdParamsSchema('accountId', 'id');

type ConversationRequest = FastifyRequest<{ Params: Static<typeof ConversationParams> }>;

const FormFields = Type.Object({
  token: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  preset: Type.Optional(Type.String()),
  confirmed: Type.Optional(Type.String()),
  category: Type.Optional(Type.String()),
  note: Type.Optional(Type.String()),
  assignee: Type.Optional(Type.String()),
});

/** A conversation with a finder: read, answer, and end it. */
export const conversationPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database, fieldCipher } = services;
  const path = '/:accountId/inbox/:id';
  const access = allowByCookie(allowUsers('conversations:own'));

  app.get(
    path,
    {
      config: { access, audit: auditAs('CONVERSATION_READ'), rateLimitClass: 'page' },
      schema: {
        hide: true,
        params: ConversationParams,
        querystring: Type.Object({
          cursor: CursorQuery.properties.cursor,
          done: Type.Optional(Type.String()),
          lang: Type.Optional(Type.Unknown()),
        }),
      },
    },
    async (request, reply) => {
      const { cursor, done } = request.query;
      return sendConversationPage(services, request, reply, await requireOwn(request), { cursor, done });
    },
  );

  app.get(
    `${path}/updates`,
    {
      // Not `page`: a page that stays open must not use up the limit for opening pages.
      config: { access, audit: skipAudit('CONVERSATION'), rateLimitClass: 'read' },
      schema: { hide: true, params: ConversationParams },
    },
    async (request, reply) => {
      const row = await requireOwn(request);
      return reply
        .header('Cache-Control', 'no-store')
        .type('text/plain; charset=utf-8')
        .send(await findUpdate(row));
    },
  );

  app.post(
    `${path}/typing`,
    {
      config: { access, audit: skipAudit('CONVERSATION') },
      schema: { hide: true, params: ConversationParams },
    },
    async (request, reply) => {
      const { id: conversationId, accountId, status } = await requireOwn(request);
      // A finder who was blocked must not see when the owner is present.
      if (status === 'OPEN') services.typing.publish({ conversationId, accountId, side: 'OWNER' });
      return reply.code(204).send();
    },
  );

  app.post(
    `${path}/reply`,
    {
      config: {
        access: allowByCookie(allowUsersWithProfile('conversations:own')),
        audit: auditAs('CONVERSATION_CONTINUED'),
      },
      schema: { hide: true, params: ConversationParams, body: FormFields },
    },
    async (request, reply) => {
      const row = await requireOwn(request);
      const rejection = await sendReply(services, request, reply, row, request.body);
      if (rejection) return sendConversationPage(services, request, reply, row, { rejection });
      return reply.redirect(`${getInboxPath(services, request.params.accountId)}/${row.id}#answer`, 303);
    },
  );

  for (const [name, change] of [
    ['found', endLostReport],
    ['still-lost', resumeLostReport],
  ] as const)
    addAction(name, 'qrcodes:own', name === 'found' ? 'QRCODE_REPORTED_FOUND' : 'QRCODE_REPORTED_LOST', {
      isForProfiles: true,
      act: async (request, { accountId, qrCodeId }) => {
        const owned = { accountId, id: qrCodeId };
        const context = getRequestContext(request);
        await changeOwnQrCodeStatus(services, context, owned, (code) => change(code, fieldCipher));
      },
    });

  for (const [name, audit] of [
    ['end', 'CONVERSATION_ENDED'],
    ['reopen', 'CONVERSATION_REOPENED'],
    ['block', 'FINDER_BLOCKED'],
    ['unblock', 'FINDER_UNBLOCKED'],
  ] as const)
    addAction(name, 'conversations:own', audit, {
      act: async (request, { id: conversationId }) => {
        const target = { conversationId, side: 'OWNER' } as const;
        await changeConversation(database, getRequestContext(request), target, name);
      },
    });

  addAction('done', 'conversations:own', 'CONVERSATION_UPDATED', {
    act: (request, row) => update(request, row, { done: true }),
    getNextPath: (inbox, { id }) => `${inbox}?done=${id}`,
  });

  addAction('not-done', 'conversations:own', 'CONVERSATION_UPDATED', {
    act: (request, row) => update(request, row, { done: false }),
  });

  addAction('assign', 'conversations:own', 'CONVERSATION_UPDATED', {
    act: (request, row) => update(request, row, { assigneeId: request.body.assignee || null }),
  });

  addAction('report', 'conversations:own', 'CONVERSATION_REPORTED', {
    act: async (request, { id: conversationId }) => {
      const { category: input, note } = truncateConversationReportFields(request.body);
      const category = CONVERSATION_REPORT_CATEGORIES.find((one) => one === input) ?? 'OTHER';
      const target = { conversationId, side: 'OWNER' } as const;
      await reportConversation(services, getRequestContext(request), target, { category, note });
    },
  });

  function addAction(
    name: string,
    permission: Permission,
    audit: AuditAction,
    {
      act,
      isForProfiles = false,
      getNextPath = (inbox, { id }) => `${inbox}/${id}?done=${name}`,
    }: {
      act(
        request: ConversationRequest & { body: Static<typeof FormFields> },
        row: ConversationRow,
      ): Promise<void>;
      isForProfiles?: boolean;
      /** The page after it, by the path of the inbox. */
      getNextPath?: (inbox: string, row: ConversationRow) => string;
    },
  ): void {
    const allow = isForProfiles ? allowUsersWithProfile : allowUsers;
    app.post(
      `${path}/${name}`,
      {
        config: { access: allowByCookie(allow(permission)), audit: auditAs(audit) },
        schema: { hide: true, params: ConversationParams, body: FormFields },
      },
      async (request, reply) => {
        const row = await requireOwn(request);
        await act(request, row);
        const inbox = getInboxPath(services, request.params.accountId);
        return reply.redirect(getNextPath(inbox, row), 303);
      },
    );
  }

  async function update(
    request: ConversationRequest,
    { id, accountId }: ConversationRow,
    changes: Parameters<typeof updateConversation>[3],
  ): Promise<void> {
    const key = { id, accountId, userId: requireAuthenticatedUser(request).id };
    await updateConversation(services, getRequestContext(request), key, changes, undefined);
  }

  /** The state of the page, and whether the finder is typing. */
  async function findUpdate(row: ConversationRow): Promise<string> {
    const state = await findConversationState(database.client, row, 'OWNER');
    const isTyping =
      row.status === 'OPEN' && services.typing.isTyping({ conversationId: row.id, side: 'FINDER' });
    return isTyping ? `${state} typing` : state;
  }

  function requireOwn(request: ConversationRequest): Promise<ConversationRow> {
    return requireOwnConversation(database.client, requireAccount(request).id, request.params.id);
  }
};
