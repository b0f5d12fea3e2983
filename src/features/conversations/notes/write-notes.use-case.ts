import { consumeAttempts } from '../../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import { assertIfMatch } from '../../../platform/http/if-match.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { ROLES_OF_MANAGEMENT } from '../../../shared/account-permissions.ts';
import type { AccountRole } from '../../../shared/account-roles.ts';
import { HOUR_SECONDS } from '../../../shared/durations.ts';
import { createValidationError, ServiceError } from '../../../shared/errors.ts';
import { generateId } from '../../../shared/ids.ts';
import {
  type ConversationKey,
  lockConversation,
  markConversationChanged,
} from '../conversation.repository.ts';
import type { ConversationServices } from '../conversation-services.ts';
import { NOTE_CONTENT } from '../encrypted-conversation-fields.ts';
import { normalizeMessageText } from '../message-text.rules.ts';
import { publishToConversationOwner } from '../publish-to-participants.ts';
import {
  deleteNote,
  findNote,
  insertNote,
  type NoteKey,
  type NoteRow,
  updateNote,
} from './note.repository.ts';

type Services = Pick<ConversationServices, 'database' | 'fieldCipher'>;

/** A user, and their role in the account of the conversation. */
export interface NoteEditor {
  userId: string;
  role: AccountRole;
}

const MAX_NOTES_PER_HOUR = 60;

/** Normalize the text of a note. @throws VALIDATION_FAILED if nothing of it is visible */
export function parseNoteText(input: string): string {
  const text = normalizeMessageText(input);
  if (text === '') throw createValidationError({ field: 'text', code: 'REQUIRED', message: 'Is required.' });
  return text;
}

/** Add a note to a conversation. The finder learns nothing of it. @throws NOT_FOUND, RATE_LIMITED */
export async function addNote(
  { fieldCipher }: Pick<Services, 'fieldCipher'>,
  context: RequestContext,
  tx: Tx,
  { userId, ...key }: ConversationKey & { userId: string },
  text: string,
): Promise<NoteRow> {
  await lockOwnConversation(tx, key);
  await consumeAttempts(tx, [
    { key: `note:${key.id}`, allowed: MAX_NOTES_PER_HOUR, windowSeconds: HOUR_SECONDS },
  ]);
  const note = { id: generateId(), accountId: key.accountId };
  const row = await insertNote(tx, {
    ...note,
    conversationId: key.id,
    authorId: userId,
    content: NOTE_CONTENT.encrypt(fieldCipher, note, text),
  });
  await recordChange(tx, context, key, 'CONVERSATION_NOTE_ADDED');
  return row;
}

/**
 * Change the text of a note, as its author. The same text changes nothing and is not audited.
 * @throws NOT_FOUND, FORBIDDEN for a note of somebody else, PRECONDITION_FAILED
 */
export function changeNote(
  { database, fieldCipher }: Services,
  context: RequestContext,
  { userId, ...key }: NoteKey & { userId: string },
  text: string,
  ifMatch: string | undefined,
): Promise<NoteRow> {
  return database.transaction(async (tx) => {
    const row = await lockNote(tx, key);
    if (row.authorId !== userId) throw new ServiceError('FORBIDDEN');
    assertIfMatch(ifMatch, row.version);
    if (NOTE_CONTENT.decrypt(fieldCipher, row) === text) return row;
    const changed = await updateNote(tx, key, NOTE_CONTENT.encrypt(fieldCipher, key, text));
    await recordChange(tx, context, toConversationKey(key), 'CONVERSATION_NOTE_UPDATED');
    return changed;
  });
}

/** Delete a note. @throws NOT_FOUND, FORBIDDEN, PRECONDITION_FAILED */
export function removeNote(
  { database }: Pick<Services, 'database'>,
  context: RequestContext,
  key: NoteKey,
  editor: NoteEditor,
  ifMatch: string | undefined,
): Promise<void> {
  return database.transaction(async (tx) => {
    const row = await lockNote(tx, key);
    if (!canDeleteNote(row, editor)) throw new ServiceError('FORBIDDEN');
    assertIfMatch(ifMatch, row.version);
    await deleteNote(tx, key);
    await recordChange(tx, context, toConversationKey(key), 'CONVERSATION_NOTE_DELETED');
  });
}

/** Authors delete their notes; owners and managers those of others, too. */
export function canDeleteNote(
  { authorId }: { authorId: string | null },
  { userId, role }: NoteEditor,
): boolean {
  return authorId === userId || ROLES_OF_MANAGEMENT.write.includes(role);
}

async function lockOwnConversation(tx: Tx, { id, accountId }: ConversationKey): Promise<void> {
  if ((await lockConversation(tx, id))?.accountId !== accountId) throw new ServiceError('NOT_FOUND');
}

async function lockNote(tx: Tx, key: NoteKey): Promise<NoteRow> {
  await lockOwnConversation(tx, toConversationKey(key));
  const row = await findNote(tx, key);
  if (!row) throw new ServiceError('NOT_FOUND');
  return row;
}

function toConversationKey({ conversationId: id, accountId }: NoteKey): ConversationKey {
  return { id, accountId };
}

async function recordChange(
  tx: Tx,
  context: RequestContext,
  key: ConversationKey,
  action: 'CONVERSATION_NOTE_ADDED' | 'CONVERSATION_NOTE_UPDATED' | 'CONVERSATION_NOTE_DELETED',
): Promise<void> {
  await markConversationChanged(tx, key);
  await recordAuditEntry(tx, context, { action, resourceId: key.id });
  await publishToConversationOwner(tx, key.accountId, 'conversation.updated', { conversationId: key.id });
}
