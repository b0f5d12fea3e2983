import {
  type ConversationRow,
  type ConversationSide,
  findConversation,
  findLatestOpenConversation,
  isConversationTokenValid,
} from '../conversations/index.ts';
import { listConversationCookies } from './conversation-cookie.ts';
import { type FinderServices, getCodeCookieScope, getConversationPath } from './finder-services.ts';

/** A conversation and the side of it that looks at it. */
export interface ConversationAccess {
  row: ConversationRow;
  side: ConversationSide;
}

/** An open conversation that a finder began from the phone that they hold. */
export interface OngoingConversation {
  id: string;
  address: string;
  /** Whether the owner answered, and it was not read yet. */
  hasAnswer: boolean;
}

const SIDES: readonly ConversationSide[] = ['FINDER', 'OWNER'];

/** The conversation about a code that a token opens, and the side that it is of; null where it opens none. */
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

/** The open conversation about a code that the finder with this Cookie header wrote in last; null where there is none. */
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
