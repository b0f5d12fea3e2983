import type { FastifyReply } from 'fastify';
import type { RequestContext } from '../../platform/request-context.ts';
import { ANSWERING_ROLES } from '../../shared/account-roles.ts';
import {
  type ConversationOrigin,
  type ConversationParticipant,
  type ConversationRow,
  type ConversationSide,
  createConversationToken,
  type FirstMessageInput,
  findConversation,
  findLatestOpenConversation,
  isConversationTokenValid,
  parseConversationToken,
  startConversation,
} from '../conversations/index.ts';
import { getLinkEpoch, listLinkMembers } from '../identity/index.ts';
import { getPublicIdempotencyOwner } from '../scans/index.ts';
import { parseConversationCookies, setConversationCookie } from './cookies.ts';
import {
  type FinderServices,
  getConversationLink,
  getConversationPath,
  getQrCodeCookieScope,
} from './finder-services.ts';

export interface ConversationAccess {
  row: ConversationRow;
  side: ConversationSide;
  participant: ConversationParticipant;
  /** Who answers for the owner; null for the finder. */
  userId: string | null;
}

export interface OngoingConversation {
  id: string;
  address: string;
  /** Whether there is an unread reply of the owner. */
  hasAnswer: boolean;
}

/** Null for an invalid token, and for an owner who has to log in. */
export async function findConversationAccessByToken(
  {
    database,
    fieldCipher,
    isEnterpriseEnforced,
  }: Pick<FinderServices, 'database' | 'fieldCipher' | 'isEnterpriseEnforced'>,
  codeId: string,
  token: string | null,
): Promise<ConversationAccess | null> {
  const id = parseConversationToken(token);
  const row = id && (await findConversation(database.client, id));
  if (!token || !row || row.qrCodeId !== codeId) return null;
  if (isConversationTokenValid(fieldCipher, row.id, 'FINDER', token))
    return { row, side: 'FINDER', participant: 'FINDER', userId: null };
  const members = await listLinkMembers(database.client, { accountId: row.accountId }, isEnterpriseEnforced);
  for (const member of members.filter(({ role }) => ANSWERING_ROLES.includes(role))) {
    const participant = { ownerEpoch: getLinkEpoch(member) };
    if (isConversationTokenValid(fieldCipher, row.id, participant, token))
      return { row, side: 'OWNER', participant, userId: member.userId };
  }
  return null;
}

export async function findOngoingConversation(
  services: Pick<FinderServices, 'database' | 'fieldCipher' | 'publicBaseUrl'>,
  qrCodeId: string,
  cookies: string | undefined,
): Promise<OngoingConversation | null> {
  // Only what this browser began: a link may come from somebody who reads the conversation, too.
  const ids = parseConversationCookies(cookies, getQrCodeCookieScope(services, qrCodeId))
    .filter((cookie) => cookie.isBegunHere)
    .filter(({ id, token }) => isConversationTokenValid(services.fieldCipher, id, 'FINDER', token))
    .map(({ id }) => id);
  if (ids.length === 0) return null;
  const row = await findLatestOpenConversation(services.database.client, qrCodeId, ids);
  if (!row) return null;
  const address = getConversationPath(services, { id: row.id, qrCodeId });
  return { id: row.id, address, hasAnswer: row.messages.length > 0 };
}

/** Store a message idempotently and set the cookie of its conversation. @throws as `startConversation` */
export async function startConversationFromPage(
  services: FinderServices,
  context: RequestContext,
  reply: FastifyReply,
  origin: ConversationOrigin,
  firstMessage: FirstMessageInput,
): Promise<string> {
  const { fieldCipher, createIdempotently } = services;
  const { id: codeId, accountId } = origin.qrCode;
  const idempotencyKey = fieldCipher
    .hash('finder-message', origin.id, JSON.stringify(firstMessage))
    .toString('base64url');
  const idempotency = {
    who: getPublicIdempotencyOwner(fieldCipher, context, codeId),
    fingerprint: firstMessage.content,
  };
  const ongoing = await findOngoingConversation(services, codeId, reply.request.headers.cookie);
  const created = await createIdempotently({ ...context, idempotencyKey }, idempotency, async (tx) => {
    const row = await startConversation(services, context, tx, origin, firstMessage, ongoing?.id);
    return { body: { id: row.conversationId }, contentOf: accountId };
  });
  const { id } = created.body;
  const token = createConversationToken(fieldCipher, id, 'FINDER');
  setConversationCookie(reply, { id, token }, getQrCodeCookieScope(services, codeId), { isBegunHere: true });
  return getConversationLink(services, codeId, token);
}
