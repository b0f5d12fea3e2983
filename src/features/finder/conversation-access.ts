import {
  type ConversationRow,
  type ConversationSide,
  findConversation,
  findLatestOpenConversation,
  isConversationTokenValid,
} from '../conversations/index.ts';
import { listConversationCookies } from './conversation-cookie.ts';
import { type FinderServices, getCodeCookieScope, getConversationPath } from './finder-services.ts';

export interface ConversationAccess {
  row: ConversationRow;
  side: ConversationSide;
}

export interface OngoingConversation {
  id: string;
  address: string;
  /** Whether there is an unread reply of the owner. */
  hasAnswer: boolean;
}

const SIDES: readonly ConversationSide[] = ['FINDER', 'OWNER'];

/** Find the conversation that a token gives access to, and its side; null for an invalid token. */
export async function findConversationByToken(
  { database, fieldCipher }: Pick<FinderServices, 'database' | 'fieldCipher'>,
  codeId: string,
  token: string | null,
): Promise<ConversationAccess | null> {
  const id = token?.split('.')[0] ?? '';
  const side = SIDES.find((one) => token !== null && isConversationTokenValid(fieldCipher, id, one, token));
  const row = side ? await findConversation(database.client, id) : null;
  return side && row?.qrCodeId === codeId ? { row, side } : null;
}

/** Find the latest open conversation about a code among the cookies of a browser. */
export async function findOngoingConversation(
  services: Pick<FinderServices, 'database' | 'fieldCipher' | 'publicBaseUrl'>,
  qrCodeId: string,
  cookies: string | undefined,
): Promise<OngoingConversation | null> {
  const ids = listConversationCookies(cookies, getCodeCookieScope(services, qrCodeId))
    .filter(([id, token]) => isConversationTokenValid(services.fieldCipher, id, 'FINDER', token))
    .map(([id]) => id);
  if (ids.length === 0) return null;
  const row = await findLatestOpenConversation(services.database.client, qrCodeId, ids);
  if (!row) return null;
  const address = getConversationPath(services, { id: row.id, qrCodeId });
  return { id: row.id, address, hasAnswer: row.messages.length > 0 };
}
