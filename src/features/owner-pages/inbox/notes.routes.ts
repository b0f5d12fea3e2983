import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsers, auditAs } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import {
  addNote,
  changeNote,
  MAX_NOTE_CHARACTERS,
  type NoteEditor,
  parseNoteText,
  removeNote,
  requireOwnConversation,
} from '../../conversations/index.ts';
import { parseMessageFormFields } from '../../finder/index.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { getInboxPath } from './conversation-page.ts';
import { getNoteFieldName, NEW_NOTE_FIELD } from './render-notes.ts';

const NoteParams = createIdParamsSchema('accountId', 'id', 'noteId');

/** The fields of texts are named by their notes: a page has several. */
const NoteBody = Type.Record(Type.String(), Type.String());

/** Notes of members beside a conversation. */
export const notePageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database, fieldCipher } = services;
  const access = allowByCookie(allowUsers('conversations:own'));
  const path = '/:accountId/inbox/:id/notes';

  app.post(
    path,
    {
      config: { access, audit: auditAs('CONVERSATION_NOTE_ADDED') },
      schema: { hide: true, params: createIdParamsSchema('accountId', 'id'), body: NoteBody },
    },
    async (request, reply) => {
      const { id: accountId } = requireAccount(request);
      const { id } = await requireOwnConversation(database.client, accountId, request.params.id);
      const text = parseText(request.body, NEW_NOTE_FIELD);
      const { token = '' } = request.body;
      // The same form with the same text is the same note.
      const idempotencyKey = fieldCipher.hash('owner-note', id, token, text).toString('base64url');
      const context = { ...getRequestContext(request), idempotencyKey };
      const { userId } = getEditor(request);
      await services.createIdempotently(context, { who: accountId, fingerprint: text }, async (tx) => {
        const note = await addNote(services, context, tx, { id, accountId, userId }, text);
        return { body: { id: note.id } };
      });
      return reply.redirect(getConversationPath(request), 303);
    },
  );

  app.post(
    `${path}/:noteId`,
    {
      config: { access, audit: auditAs('CONVERSATION_NOTE_UPDATED') },
      schema: { hide: true, params: NoteParams, body: NoteBody },
    },
    async (request, reply) => {
      const key = getNoteKey(request);
      const text = parseText(request.body, getNoteFieldName(key.id));
      const { userId } = getEditor(request);
      await changeNote(services, getRequestContext(request), { ...key, userId }, text, undefined);
      return reply.redirect(`${getConversationPath(request)}?done=note`, 303);
    },
  );

  app.post(
    `${path}/:noteId/delete`,
    {
      config: { access, audit: auditAs('CONVERSATION_NOTE_DELETED') },
      schema: { hide: true, params: NoteParams, body: NoteBody },
    },
    async (request, reply) => {
      const key = getNoteKey(request);
      await removeNote(services, getRequestContext(request), key, getEditor(request), undefined);
      return reply.redirect(`${getConversationPath(request)}?done=note-deleted`, 303);
    },
  );

  function getConversationPath({ params }: FastifyRequest<{ Params: { accountId: string; id: string } }>) {
    return `${getInboxPath(services, params.accountId)}/${params.id}`;
  }
};

function getNoteKey(request: FastifyRequest<{ Params: { id: string; noteId: string } }>) {
  const { id: conversationId, noteId: id } = request.params;
  return { id, accountId: requireAccount(request).id, conversationId };
}

function getEditor(request: FastifyRequest): NoteEditor {
  return { userId: requireAuthenticatedUser(request).id, role: requireAccount(request).role };
}

/** A browser sends no text that is longer. */
function parseText(body: Readonly<Record<string, string>>, field: string): string {
  const { message } = parseMessageFormFields({ message: body[field] ?? '' });
  return parseNoteText([...message].slice(0, MAX_NOTE_CHARACTERS).join(''));
}
