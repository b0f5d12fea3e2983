import type { FieldCipher } from '../../platform/field-cipher.ts';
import { CONTEXT, defineSignedToken } from '../../shared/crypto/signed-token.ts';
import { isId } from '../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { isOwnerPhone } from '../codes/index.ts';
import { findAccessEpoch } from '../identity/index.ts';
import { readCookie, serializeCookie } from './cookies.ts';
import { type CookieScope, type FinderServices, getFinderCookieScope } from './finder-services.ts';

const OWNER_PHONE_COOKIE = 'own-phone';

/** Ends with the row of the phone. */
const ownerPhoneToken = defineSignedToken({
  purpose: 'marked-phone',
  parts: { accountId: isId, phoneId: isId },
  lifetimeSeconds: LIFETIMES_SECONDS.ownerPhone,
});

/** Of a phone that was marked before phones had rows; the last one expires 180 days after. `revokeUserAccess` ends it. */
export const unlistedPhoneToken = defineSignedToken({
  purpose: 'own-phone',
  parts: { accountId: isId, accessEpoch: CONTEXT },
  lifetimeSeconds: LIFETIMES_SECONDS.ownerPhone,
});

/** Create the signed cookie of an owner's phone: scans of their own codes notify nobody. */
export function createOwnerPhoneCookie(
  fieldCipher: FieldCipher,
  phone: { accountId: string; phoneId: string },
  scope: CookieScope,
): string {
  const token = ownerPhoneToken.create(fieldCipher, phone);
  return serializeCookie(OWNER_PHONE_COOKIE, token, LIFETIMES_SECONDS.ownerPhone, scope);
}

/**
 * Find the user who marked the phone of a request; null for other phones, and once the mark has ended. Only a well-formed
 * cookie costs a query.
 */
export async function findPhoneUserId(
  services: Pick<FinderServices, 'database' | 'fieldCipher' | 'publicBaseUrl'>,
  cookies: string | undefined,
): Promise<string | null> {
  const { database, fieldCipher } = services;
  const phone = readOwnerPhoneCookie(services, cookies);
  if (phone) return (await isOwnerPhone(database, phone)) ? phone.accountId : null;
  const token = readCookie(cookies, OWNER_PHONE_COOKIE, getFinderCookieScope(services));
  return verifyUnlistedPhone(fieldCipher, token, (id) => findAccessEpoch(database.client, id));
}

/** Read which mark a phone has; it may have ended. Null for other phones, and for one without a row. */
export function readOwnerPhoneCookie(
  services: Pick<FinderServices, 'fieldCipher' | 'publicBaseUrl'>,
  cookies: string | undefined,
): { accountId: string; id: string } | null {
  const token = readCookie(cookies, OWNER_PHONE_COOKIE, getFinderCookieScope(services));
  const phone = ownerPhoneToken.verify(services.fieldCipher, token, {});
  return phone && { accountId: phone.accountId, id: phone.phoneId };
}

/** Verify the token of an unlisted phone, and return its owner. */
export async function verifyUnlistedPhone(
  fieldCipher: FieldCipher,
  token: string | null,
  findEpoch: (accountId: string) => Promise<number | null>,
): Promise<string | null> {
  const parsed = unlistedPhoneToken.parse(token);
  const accessEpoch = parsed && (await findEpoch(parsed.accountId));
  if (accessEpoch === null) return null;
  return unlistedPhoneToken.verify(fieldCipher, token, { accessEpoch })?.accountId ?? null;
}
