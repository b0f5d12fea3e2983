import type { Static } from 'typebox';
import { reserveTries } from '../../platform/attempt-budget.repository.ts';
import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Made } from '../../platform/idempotency.ts';
import { invalidFields, ServiceError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { findUser } from '../accounts/user.repository.ts';
import { MOST_AT_ONCE } from '../document-shares/share.rules.ts';
import { lockOwnDocument } from '../documents/document.repository.ts';
import { countGrants, findGrantTo, insertGrant } from './grant.repository.ts';
import { grantView } from './grant.view.ts';
import { grantEmailHash, sealGrantEmail } from './grant-email.ts';
import type { GrantServices } from './grant-services.ts';
import type { DocumentGrant } from './grants.schemas.ts';

const DAY = 24 * 3_600;

/** Times a day that somebody can give a document to somebody: each may be told of it. */
const A_DAY = 100;

/**
 * Gives an own document to whoever has a normalised address, or will have an account of it; the same again is the grant that
 * there is. Throws NOT_FOUND, TOO_MANY_SHARES, RATE_LIMITED, and VALIDATION_FAILED for the own address.
 */
export async function giveDocument(
  services: GrantServices,
  caller: Caller,
  document: { id: string; ownerId: string },
  email: string,
): Promise<Made<Static<typeof DocumentGrant>>> {
  const { vault, createOnce } = services;
  const { id: documentId, ownerId } = document;
  return createOnce(caller, { who: ownerId, sameAs: { documentId, email } }, async (tx) => {
    const [found, owner] = [await lockOwnDocument(tx, ownerId, documentId), await findUser(tx, ownerId)];
    if (!found || !owner) throw new ServiceError('NOT_FOUND');
    if (owner.email === email)
      throw invalidFields({ field: 'email', code: 'NOT_ALLOWED', message: 'Must be of somebody else.' });
    const emailHash = grantEmailHash(vault, email);
    const known = await findGrantTo(tx, documentId, emailHash);
    if (known) return { body: grantView(vault, known), location: pathOf(documentId, known.id) };
    if ((await countGrants(tx, documentId)) >= MOST_AT_ONCE) throw new ServiceError('TOO_MANY_SHARES');
    await reserveTries(tx, [{ key: `document-grants:${ownerId}`, allowed: A_DAY, windowSeconds: DAY }]);
    const id = newId();
    const sealed = sealGrantEmail(vault, { id, ownerId }, email);
    const row = await insertGrant(tx, { id, documentId, ownerId, email: sealed, emailHash });
    await recordAction(tx, caller, { resourceId: documentId });
    await services.notifyDocumentGiven(tx, { grantId: id, email });
    return { body: grantView(vault, row), location: pathOf(documentId, id) };
  });
}

function pathOf(documentId: string, grantId: string): string {
  return `/api/documents/${documentId}/grants/${grantId}`;
}
