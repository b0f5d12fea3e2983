import type { Tx } from '../../../platform/database.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import {
  createSessionCookieValue,
  generateSessionCookieSecret,
  hashSessionCookieSecret,
} from '../../../platform/session-cookie.ts';
import { updateSessionCookie } from './session.repository.ts';

/** Replace the cookie of the session, so that copies of the former one stop working. Null for a session without a cookie. */
export async function renewSessionCookie(
  fieldCipher: FieldCipher,
  context: RequestContext,
  tx: Tx,
  { id: userId, sessionId }: { id: string; sessionId: string },
): Promise<string | null> {
  if (!context.takesSessionCookie) return null;
  const secret = generateSessionCookieSecret();
  await updateSessionCookie(tx, sessionId, hashSessionCookieSecret(fieldCipher, secret));
  return createSessionCookieValue(fieldCipher, { secret, sessionId, userId });
}
