import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { formatVersionEtag } from '../../../platform/http/if-match.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { prepareCreatedReply } from '../../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { tolerateIntegrityFailures } from '../../../platform/report-integrity-failures.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowLimitedMembers, allowUsers, auditAs, skipAudit } from '../../../platform/route-access.ts';
import {
  createIdParamsSchema,
  DeletedResponse,
  IdempotencyKeyHeader,
  schemaRef,
} from '../../../shared/common.schemas.ts';
import { collectFieldErrors } from '../../../shared/errors.ts';
import { NEWEST_FIRST, toTimePosition } from '../../../shared/list-cursor.ts';
import type { ConversationServices } from '../conversation-services.ts';
import { MessageListQuery } from '../conversations.schemas.ts';
import { requireOwnConversation } from '../read-own-conversations.ts';
import { listNotes } from './note.repository.ts';
import { toNoteView } from './note.view.ts';
import { ConversationNote, ConversationNoteList, NoteInput } from './notes.schemas.ts';
import { addNote, changeNote, parseNoteText, removeNote } from './write-notes.use-case.ts';

const NOTE_ACCESS = allowLimitedMembers(allowUsers('conversations:own'), 'CONVERSATION');

const NoteParams = createIdParamsSchema('id', 'noteId');

/** The schema has found a text that is missing. */
const findNoteErrors = ({ text }: { text?: string }) =>
  text === undefined ? [] : collectFieldErrors(() => parseNoteText(text));

/** Notes beside a conversation, for the owner's side alone. */
export const noteRoutes: FastifyPluginAsyncTypebox<ConversationServices> = async (app, services) => {
  const { database, fieldCipher, createIdempotently } = services;

  app.get(
    '/:id/notes',
    {
      config: { access: NOTE_ACCESS, audit: skipAudit('CONVERSATION') },
      schema: {
        operationId: 'conversations.listNotes',
        tags: ['Conversations'],
        summary: 'List the notes about a conversation, newest first',
        description: 'Every member who reads the conversation reads them. The finder never does.',
        params: createIdParamsSchema('id'),
        querystring: MessageListQuery,
        response: { 200: schemaRef(ConversationNoteList) },
      },
    },
    async (request) => {
      const { id: accountId } = requireAccount(request);
      const conversation = await requireOwnConversation(database.client, accountId, request.params.id);
      const page = parseListPage(request, NEWEST_FIRST);
      const range = { after: toTimePosition(page.after), take: page.take };
      const rows = await listNotes(database.client, conversation, range);
      return tolerateIntegrityFailures(database, getRequestContext(request), (readTolerantly) =>
        toListPage(page, { rows }, (row) => toNoteView(fieldCipher, row, readTolerantly)),
      );
    },
  );

  app.post(
    '/:id/notes',
    {
      config: {
        access: NOTE_ACCESS,
        audit: auditAs('CONVERSATION_NOTE_ADDED'),
        findBodyErrors: findNoteErrors,
      },
      schema: {
        operationId: 'conversations.createNote',
        tags: ['Conversations'],
        summary: 'Add a note to a conversation, which the finder never sees',
        description: 'Also to one that has ended. Up to 60 notes an hour.',
        params: createIdParamsSchema('id'),
        headers: IdempotencyKeyHeader,
        body: NoteInput,
        response: { 201: schemaRef(ConversationNote) },
      },
    },
    async (request, reply) => {
      const { id: who } = requireAccount(request);
      const { id } = await requireOwnConversation(database.client, who, request.params.id);
      const { id: userId } = requireAuthenticatedUser(request);
      const context = getRequestContext(request);
      const text = parseNoteText(request.body.text);
      const once = { who, fingerprint: ['note', id, request.body] };
      const result = await createIdempotently(context, once, async (tx) => {
        const row = await addNote(services, context, tx, { id, accountId: who, userId }, text);
        return { body: toNoteView(fieldCipher, row), location: `/api/conversations/${id}/notes` };
      });
      return prepareCreatedReply(reply, result);
    },
  );

  app.patch(
    '/:id/notes/:noteId',
    {
      config: {
        access: NOTE_ACCESS,
        audit: auditAs('CONVERSATION_NOTE_UPDATED'),
        findBodyErrors: findNoteErrors,
      },
      schema: {
        operationId: 'conversations.patchNote',
        tags: ['Conversations'],
        summary: 'Update a note that you wrote',
        description: 'One of somebody else is 403 FORBIDDEN.',
        params: NoteParams,
        body: NoteInput,
        response: { 200: schemaRef(ConversationNote), ...createProblemResponseSchemas(403, 412) },
      },
    },
    async (request, reply) => {
      const { id: conversationId, noteId: id } = request.params;
      const { id: accountId } = requireAccount(request);
      const row = await changeNote(
        services,
        getRequestContext(request),
        { id, accountId, conversationId, userId: requireAuthenticatedUser(request).id },
        parseNoteText(request.body.text),
        request.headers['if-match'],
      );
      return reply.header('ETag', formatVersionEtag(row.version)).send(toNoteView(fieldCipher, row));
    },
  );

  app.delete(
    '/:id/notes/:noteId',
    {
      config: { access: NOTE_ACCESS, audit: auditAs('CONVERSATION_NOTE_DELETED') },
      schema: {
        operationId: 'conversations.deleteNote',
        tags: ['Conversations'],
        summary: 'Delete a note',
        description: 'Your own; as an owner or manager, those of others, too: else 403 FORBIDDEN.',
        params: NoteParams,
        response: { 200: schemaRef(DeletedResponse), ...createProblemResponseSchemas(403, 412) },
      },
    },
    async (request) => {
      const { id: conversationId, noteId: id } = request.params;
      const { id: accountId, role } = requireAccount(request);
      const editor = { userId: requireAuthenticatedUser(request).id, role };
      const key = { id, accountId, conversationId };
      await removeNote(services, getRequestContext(request), key, editor, request.headers['if-match']);
      return { id, deleted: true as const };
    },
  );
};
