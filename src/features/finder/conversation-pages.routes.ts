import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Tx } from '../../platform/database.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS } from '../../platform/route-access.ts';
import { t } from '../../shared/i18n/translate.ts';
import { isId } from '../../shared/ids.ts';
import { CursorParam } from '../../shared/pagination.ts';
import { insertFinderBlock } from '../conversations/blocked-finder.repository.ts';
import { clearFinderEmail, lockConversation } from '../conversations/conversation.repository.ts';
import { createConversationToken } from '../conversations/conversation-token.ts';
import { endConversation } from '../conversations/end-conversation.ts';
import { REPORT_REASONS } from '../conversations/report.schemas.ts';
import { reportConversation } from '../conversations/report-conversation.ts';
import { conversationTokenOf, keepConversation } from './conversation-cookie.ts';
import { type ConversationAnswer, sendConversation } from './conversation-page.ts';
import { codeScope, conversationPath, type FinderServices } from './finder-services.ts';
import { isFormOfConversation } from './form-token.ts';
import { type Opened, openConversationBy } from './opened-conversation.ts';
import { sendMessage } from './page-frame.ts';
import { choosePageLocale } from './page-locale.ts';
import { typedReport } from './sections/report-form.ts';
import { takeAnswer } from './take-answer.ts';

/** What a button of the page does, and whose button it is where it is not both sides'. */
const ACTIONS = {
  end: 'CONVERSATION_ENDED',
  block: 'FINDER_BLOCKED',
  'forget-email': 'FINDER_EMAIL_REMOVED',
  report: 'CONVERSATION_REPORTED',
} as const;
const SIDE_OF = { block: 'OWNER', 'forget-email': 'FINDER' } as const;

/** A page that nothing was done on. */
const SHOWN: ConversationAnswer = { status: 200, unsent: null, unreported: null };

const OfOneConversation = Type.Object({ id: Type.String(), conversation: Type.String() });
/** A language that is not one is as none. */
const Query = Type.Object({ lang: Type.Optional(Type.Unknown()), cursor: CursorParam });
const Fields = Type.Object({
  visit: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  confirmed: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  note: Type.Optional(Type.String()),
});

/** The page of a conversation, for whoever has its link: the finder's, or the one in a mail to the owner. */
export const conversationPages: FastifyPluginAsyncTypebox<FinderServices> = async (app, services) => {
  const { database, fieldCipher } = services;
  const page = (action: Parameters<typeof auditAs>[0]) =>
    ({ access: PUBLIC_ACCESS, audit: auditAs(action), rateLimitClass: 'page' }) as const;

  app.get(
    '/:id/c/:conversation',
    {
      exposeHeadRoute: true,
      config: page('CONVERSATION_READ'),
      schema: { hide: true, params: OfOneConversation, querystring: Query },
    },
    async (request, reply) => {
      const { id, conversation: idOrToken } = request.params;
      if (isId(idOrToken)) {
        const opened = await openedByCookie(request);
        if (!opened) return gone(request, reply);
        // Nobody reads what a HEAD leaves out.
        if (request.method === 'HEAD') return reply.code(204).send();
        return show(request, reply, opened, { ...SHOWN, cursor: request.query.cursor });
      }
      const opened = await openConversationBy(services, id, idOrToken);
      if (!opened) return gone(request, reply);
      // The token is in the address no longer than it takes to come here.
      keepConversation(reply, idOrToken, codeScope(services, id));
      return reply.header('Cache-Control', 'no-store').redirect(conversationPath(services, opened.row), 303);
    },
  );

  app.post(
    '/:id/c/:conversation',
    {
      config: page('CONVERSATION_CONTINUED'),
      schema: { hide: true, params: OfOneConversation, body: Fields },
    },
    async (request, reply) => {
      const opened = await openedByCookie(request);
      if (!opened) return gone(request, reply);
      const locale = choosePageLocale(request);
      const refused = await takeAnswer(services, getRequestContext(request), opened, request.body, locale);
      if (!refused) return toPage(reply, opened, locale.tag);
      const { status, unsent, retryAfterSeconds } = refused;
      if (retryAfterSeconds !== null) reply.header('Retry-After', retryAfterSeconds);
      return show(request, reply, opened, { status, unsent, unreported: null });
    },
  );

  for (const name of ['end', 'block', 'forget-email', 'report'] as const)
    app.post(
      `/:id/c/:conversation/${name}`,
      {
        config: page(ACTIONS[name]),
        schema: { hide: true, params: OfOneConversation, body: Fields },
      },
      async (request, reply) => {
        const opened = await openedByCookie(request);
        const isBoths = name === 'end' || name === 'report';
        if (!opened || (!isBoths && opened.side !== SIDE_OF[name])) return gone(request, reply);
        const { row, side } = opened;
        const locale = choosePageLocale(request);
        if (!isFormOfConversation(fieldCipher, opened, request.body.visit)) {
          const complaint = t(locale, 'conversation.pageExpired');
          const unreported = name === 'report' ? { ...typedReport(request.body), complaint } : null;
          const unsent = unreported ? null : { message: '', complaint, asksToConfirm: false };
          return show(request, reply, opened, { status: 403, unsent, unreported });
        }
        await database.transaction(async (tx) => {
          if (name === 'report') return reportTyped(tx, request, opened);
          await lockConversation(tx, row.id);
          const hasEnded = name !== 'forget-email' && (await endConversation(tx, row, side));
          const isNew = name === 'block' && (await insertFinderBlock(tx, row.ownerId, row.finderHash));
          const isForgotten = name === 'forget-email' && (await clearFinderEmail(tx, row.id));
          if (hasEnded || isNew || isForgotten)
            await recordAuditEntry(tx, getRequestContext(request), { resourceId: row.id });
        });
        return toPage(reply, opened, locale.tag);
      },
    );

  /** Reports a conversation with what the form holds, cut to what is allowed. */
  async function reportTyped(
    tx: Tx,
    request: FastifyRequest<{ Body: Static<typeof Fields> }>,
    { row, side }: Opened,
  ): Promise<void> {
    const { reason: typed, note } = typedReport(request.body);
    const reason = REPORT_REASONS.find((one) => one === typed) ?? 'OTHER';
    const of = { conversationId: row.id, side };
    await reportConversation(fieldCipher, getRequestContext(request), tx, of, { reason, note });
  }

  function toPage(reply: FastifyReply, { row }: Opened, tag: string): FastifyReply {
    const address = conversationPath(services, row);
    return reply.header('Cache-Control', 'no-store').redirect(`${address}?lang=${tag}`, 303);
  }

  function show(
    request: FastifyRequest,
    reply: FastifyReply,
    opened: Opened,
    answer: ConversationAnswer,
  ): Promise<FastifyReply> {
    const { row, side } = opened;
    const token = createConversationToken(fieldCipher, row.id, side);
    keepConversation(reply, token, codeScope(services, row.qrCodeId));
    return sendConversation(
      services,
      getRequestContext(request),
      reply,
      opened,
      choosePageLocale(request),
      answer,
    );
  }

  function gone(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const locale = choosePageLocale(request);
    return sendMessage(reply, {
      status: 404,
      locale,
      address: null,
      title: t(locale, 'conversation.notFoundTitle'),
      text: t(locale, 'conversation.notFoundText'),
    });
  }

  /** The conversation in the path, by the token of it that the phone keeps: of no other one that it keeps. */
  function openedByCookie({
    params: { id, conversation },
    headers,
  }: FastifyRequest<{ Params: Static<typeof OfOneConversation> }>): Promise<Opened | null> {
    const scope = codeScope(services, id);
    return openConversationBy(services, id, conversationTokenOf(headers.cookie, conversation, scope));
  }
};
