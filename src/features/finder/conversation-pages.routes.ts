import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { sendHeadersOnly } from '../../platform/http/send-headers-only.ts';
import { sendLocalizedMessagePage } from '../../platform/pages/page-frame.ts';
import { choosePageLocale } from '../../platform/pages/page-locale.ts';
import { getRequestContext, type RequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { t } from '../../shared/i18n/translate.ts';
import { isId } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import {
  assertConversationNotWithheld,
  CONVERSATION_REPORT_CATEGORIES,
  changeConversation,
  createConversationToken,
  findConversationState,
  reportConversation,
} from '../conversations/index.ts';
import { type ConversationAccess, findConversationAccessByToken } from './conversation-access.ts';
import { type ConversationPageState, sendConversationPage } from './conversation-page.ts';
import { readConversationTokenFromCookie, setConversationCookie } from './cookies.ts';
import { type FinderServices, getConversationPath, getQrCodeCookieScope } from './finder-services.ts';
import { isConversationFormTokenValid } from './form-token.ts';
import { truncateConversationReportFields } from './sections/forms.ts';
import { submitReply } from './submit-reply.ts';
import { TimeCursorParam } from './time-cursor-param.ts';

const ACTIONS = {
  end: 'CONVERSATION_ENDED',
  block: 'FINDER_BLOCKED',
  'forget-email': 'FINDER_EMAIL_REMOVED',
  report: 'CONVERSATION_REPORTED',
} as const;
const SIDE_BY_ACTION = { block: 'OWNER', 'forget-email': 'FINDER' } as const;

const INITIAL_STATE: ConversationPageState = { status: 200, rejectedReply: null, rejectedReport: null };

const ConversationParams = Type.Object({ id: Type.String(), conversation: Type.String() });
/** `lang` is unknown, because an invalid language is ignored. */
const ConversationPageQuery = Type.Object({ lang: Type.Optional(Type.Unknown()), cursor: TimeCursorParam });
const FormFields = Type.Object({
  visit: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  confirmed: Type.Optional(Type.String()),
  category: Type.Optional(Type.String()),
  note: Type.Optional(Type.String()),
});

export const conversationPageRoutes: FastifyPluginAsyncTypebox<FinderServices> = async (app, services) => {
  const { database, fieldCipher } = services;
  const createConfig = (action: Parameters<typeof auditAs>[0]) =>
    ({ access: PUBLIC_ACCESS, audit: auditAs(action), rateLimitClass: 'page' }) as const;

  app.get(
    '/:id/c/:conversation',
    {
      config: createConfig('CONVERSATION_READ'),
      schema: { hide: true, params: ConversationParams, querystring: ConversationPageQuery },
    },
    async (request, reply) => {
      const { id, conversation: idOrToken } = request.params;
      if (isId(idOrToken)) {
        const access = await findConversationByCookie(request);
        if (!access) return sendNotFoundPage(request, reply);
        await assertConversationNotWithheld(database.client, access.row);
        // A HEAD request must not mark messages as read.
        if (request.method === 'HEAD') return sendHeadersOnly(reply.type('text/html; charset=utf-8'));
        return sendPage(request, reply, access, { ...INITIAL_STATE, cursor: request.query.cursor });
      }
      const access = await findConversationAccessByToken(services, id, idOrToken);
      if (!access) return sendNotFoundPage(request, reply);
      await assertConversationNotWithheld(database.client, access.row);
      // Redirect, so that the token does not stay in the URL.
      setAccessCookie(reply, access);
      return reply
        .header('Cache-Control', 'no-store')
        .redirect(getConversationPath(services, access.row), 303);
    },
  );

  app.get(
    '/:id/c/:conversation/updates',
    {
      config: {
        access: PUBLIC_ACCESS,
        audit: skipAudit('CONVERSATION'),
        // Not `page`: a page that stays open must not use up the limit for opening pages.
        rateLimitClass: 'public-read',
        cache: 'revalidate',
      },
      schema: { hide: true, params: ConversationParams },
    },
    async (request, reply) => {
      const access = await findConversationByCookie(request);
      if (!access) return sendNotFoundPage(request, reply);
      await assertConversationNotWithheld(database.client, access.row);
      return reply.type('text/plain; charset=utf-8').send(await findUpdate(access));
    },
  );

  app.post(
    '/:id/c/:conversation',
    {
      config: createConfig('CONVERSATION_CONTINUED'),
      schema: { hide: true, params: ConversationParams, body: FormFields },
    },
    async (request, reply) => {
      const access = await findConversationByCookie(request);
      if (!access) return sendNotFoundPage(request, reply);
      await assertConversationNotWithheld(database.client, access.row);
      const locale = choosePageLocale(request);
      const rejection = await submitReply(
        services,
        getAccessContext(request, access),
        access,
        request.body,
        locale,
      );
      if (!rejection) return redirectToPage(reply, access, locale.tag);
      const { status, rejectedReply, retryAfterSeconds } = rejection;
      if (retryAfterSeconds !== null) reply.header('Retry-After', retryAfterSeconds);
      return sendPage(request, reply, access, { status, rejectedReply, rejectedReport: null });
    },
  );

  for (const name of ['end', 'block', 'forget-email', 'report'] as const)
    app.post(
      `/:id/c/:conversation/${name}`,
      {
        config: createConfig(ACTIONS[name]),
        schema: { hide: true, params: ConversationParams, body: FormFields },
      },
      async (request, reply) => {
        const access = await findConversationByCookie(request);
        const isForBothSides = name === 'end' || name === 'report';
        if (!access || (!isForBothSides && access.side !== SIDE_BY_ACTION[name]))
          return sendNotFoundPage(request, reply);
        const { row, side } = access;
        const locale = choosePageLocale(request);
        if (!isConversationFormTokenValid(fieldCipher, access, request.body.visit)) {
          const errorMessage = t(locale, 'conversation.pageExpired');
          const rejectedReport =
            name === 'report' ? { ...truncateConversationReportFields(request.body), errorMessage } : null;
          const rejectedReply = rejectedReport
            ? null
            : { message: '', errorMessage, needsConfirmation: false };
          return sendPage(request, reply, access, {
            status: 403,
            rejectedReply,
            rejectedReport,
          });
        }
        const target = { conversationId: row.id, side };
        if (name === 'report') await submitReport(request, access);
        else await changeConversation(database, getAccessContext(request, access), target, name);
        return redirectToPage(reply, access, locale.tag);
      },
    );

  async function submitReport(
    request: FastifyRequest<{ Body: Static<typeof FormFields> }>,
    access: ConversationAccess,
  ): Promise<void> {
    const { row, side } = access;
    const { category: categoryInput, note } = truncateConversationReportFields(request.body);
    const category = CONVERSATION_REPORT_CATEGORIES.find((one) => one === categoryInput) ?? 'OTHER';
    const target = { conversationId: row.id, side };
    await reportConversation(services, getAccessContext(request, access), target, { category, note });
  }

  /** The state of the page, and whether the other side is typing. */
  async function findUpdate({ row, side }: ConversationAccess): Promise<string> {
    const state = await findConversationState(database.client, row, side);
    const other = { conversationId: row.id, side: side === 'OWNER' ? 'FINDER' : 'OWNER' } as const;
    // A finder who was blocked must not see when the owner is present.
    return row.status === 'OPEN' && services.typing.isTyping(other) ? `${state} typing` : state;
  }

  function redirectToPage(reply: FastifyReply, { row }: ConversationAccess, tag: string): FastifyReply {
    const address = getConversationPath(services, row);
    return reply.header('Cache-Control', 'no-store').redirect(`${address}?lang=${tag}`, 303);
  }

  function sendPage(
    request: FastifyRequest,
    reply: FastifyReply,
    access: ConversationAccess,
    answer: ConversationPageState,
  ): Promise<FastifyReply> {
    setAccessCookie(reply, access);
    return sendConversationPage(
      services,
      getAccessContext(request, access),
      reply,
      access,
      choosePageLocale(request),
      answer,
    );
  }

  function setAccessCookie(reply: FastifyReply, { row, participant }: ConversationAccess): void {
    const cookie = { id: row.id, token: createConversationToken(fieldCipher, row.id, participant) };
    const lifetime = participant === 'FINDER' ? 'conversation' : 'ownerLinkCookie';
    const maxAgeSeconds = LIFETIMES_SECONDS[lifetime];
    setConversationCookie(reply, cookie, getQrCodeCookieScope(services, row.qrCodeId), { maxAgeSeconds });
  }

  function getAccessContext(request: FastifyRequest, { userId, row }: ConversationAccess): RequestContext {
    const context = getRequestContext(request);
    return userId === null ? context : { ...context, linkUserId: userId, linkAccountId: row.accountId };
  }

  function sendNotFoundPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const locale = choosePageLocale(request);
    return sendLocalizedMessagePage(reply, {
      status: 404,
      locale,
      address: null,
      title: t(locale, 'conversation.notFoundTitle'),
      text: t(locale, 'conversation.notFoundText'),
    });
  }

  function findConversationByCookie({
    params: { id, conversation },
    headers,
  }: FastifyRequest<{ Params: Static<typeof ConversationParams> }>): Promise<ConversationAccess | null> {
    const scope = getQrCodeCookieScope(services, id);
    return findConversationAccessByToken(
      services,
      id,
      readConversationTokenFromCookie(headers.cookie, conversation, scope),
    );
  }
};
