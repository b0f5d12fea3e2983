import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { recordAction } from '../../platform/audit.ts';
import { type Caller, callerOf } from '../../platform/caller.ts';
import type { Database, Db, Tx } from '../../platform/database.ts';
import { audited, PUBLIC } from '../../platform/route-access.ts';
import type { Vault } from '../../platform/vault.ts';
import { ServiceError } from '../../shared/errors.ts';
import { html } from '../../shared/html.ts';
import { languageOf } from '../../shared/languages/choose-language.ts';
import { type Language, say } from '../../shared/languages/language.ts';
import { findUser } from '../accounts/user.repository.ts';
import { findConversation, forgetFinderEmail } from '../conversations/conversation.repository.ts';
import { parseForm } from '../finder/form-body.ts';
import { sendMessage, sendPage } from '../finder/page-frame.ts';
import { pageLanguage } from '../finder/page-language.ts';
import { endMails } from './change-settings.ts';
import { ANSWERS, readUnsubscription, type Unsubscription } from './unsubscribe-token.ts';

const MAX_FORM_BYTES = 4_096;

const Token = Type.Object({ token: Type.String() });
const OneClick = Type.Object({ 'List-Unsubscribe': Type.Literal('One-Click') });

/** The way to end mails that stands in each of them: a page that asks, and what a mail program does without it (RFC 8058). */
export const unsubscribeRoutes: FastifyPluginAsyncTypebox<{ database: Database; vault: Vault }> = async (
  app,
  { database, vault },
) => {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: MAX_FORM_BYTES },
    async (_request: FastifyRequest, body: Buffer) => parseForm(body),
  );
  const config = {
    access: PUBLIC,
    audit: audited('MAILS_UNSUBSCRIBED'),
    rateLimitClass: 'page',
    form: { files: {} },
  } as const;

  app.get(
    '/unsubscribe/:token',
    // Programs that look at every link of a mail must end nothing.
    { exposeHeadRoute: false, config, schema: { hide: true, params: Token } },
    async (request, reply) => {
      const which = readUnsubscription(vault, request.params.token);
      if (!which) return sendDamaged(request, reply);
      const language = await languageFor(database.client, which);
      const { stopTitle: title, stop } = language.mails.NOTIFICATION;
      const body = html`<h1>${title}</h1>
<p>${kindOf(which, language)}</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button>${stop}</button></form>`;
      return sendPage(reply, { status: 200, language, title, body, address: null });
    },
  );

  app.post(
    '/unsubscribe/:token',
    { config, schema: { hide: true, params: Token, body: OneClick } },
    async (request, reply) => {
      const which = readUnsubscription(vault, request.params.token);
      if (!which) return sendDamaged(request, reply);
      const language = await languageFor(database.client, which);
      await database.transaction((tx) => end(tx, callerOf(request), which));
      const { stop: title, stopped } = language.mails.NOTIFICATION;
      const text = `${stopped} ${kindOf(which, language)}`;
      return sendMessage(reply, { status: 200, language, title, text, address: null });
    },
  );
};

/** Answers a link that ends nothing: a page where a browser asks, as anywhere else a problem. Throws NOT_FOUND. */
function sendDamaged(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!request.headers.accept?.includes('text/html')) throw new ServiceError('NOT_FOUND');
  const language = pageLanguage(request);
  const { damagedTitle: title, damagedText: text } = language.mails.NOTIFICATION;
  return sendMessage(reply, { status: 404, language, title, text, address: null });
}

/** Which mails end, in a sentence. */
function kindOf(which: Unsubscription, { mails }: Language): string {
  const { stopKind, kinds } = mails.NOTIFICATION;
  const name = which.conversationId === undefined ? which.event : ANSWERS;
  return Object.hasOwn(kinds, name) ? say(stopKind, { kind: kinds[name as keyof typeof kinds] }) : '';
}

/** Ends mails of a kind. The same again changes nothing; neither does it where the account or the conversation is gone. */
async function end(tx: Tx, caller: Caller, which: Unsubscription): Promise<void> {
  if (which.conversationId === undefined) {
    const person = await findUser(tx, which.userId);
    if (person && person.status !== 'DELETED') await endMails(tx, caller, which.userId, which.event);
    return;
  }
  const { conversationId: resourceId } = which;
  if (await forgetFinderEmail(tx, resourceId))
    await recordAction(tx, caller, {
      action: 'FINDER_EMAIL_REMOVED',
      resourceType: 'CONVERSATION',
      resourceId,
    });
}

async function languageFor(db: Db, which: Unsubscription) {
  if (which.conversationId === undefined)
    return languageOf((await findUser(db, which.userId))?.language ?? 'en');
  return languageOf((await findConversation(db, which.conversationId))?.finderLanguage ?? 'en');
}
