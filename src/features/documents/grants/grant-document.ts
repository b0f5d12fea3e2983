import type { Static } from 'typebox';
import { consumeAttempts } from '../../../platform/attempt-budget.repository.ts';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { IdempotentResult } from '../../../platform/idempotency.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { DAY_SECONDS } from '../../../shared/durations.ts';
import { createValidationError, ServiceError } from '../../../shared/errors.ts';
import { generateId } from '../../../shared/ids.ts';
import { lockOwnDocument } from '../document.repository.ts';
import { MAX_ACTIVE_SHARES_PER_DOCUMENT } from '../shares/share.rules.ts';
import {
  countDocumentGrants,
  findDocumentGrantByEmailHash,
  insertDocumentGrant,
} from './grant.repository.ts';
import { toDocumentGrantView } from './grant.view.ts';
import { GRANT_EMAIL, hashDocumentGrantEmail } from './grant-email.ts';
import type { DocumentGrantServices } from './grant-services.ts';
import type { DocumentGrant } from './grants.schemas.ts';

const MAX_GRANTS_PER_DAY = 100;

/**
 * Grant access also to an account that is created later; return an existing grant.
 * @throws NOT_FOUND, TOO_MANY_SHARES, RATE_LIMITED, VALIDATION_FAILED
 */
export async function grantDocument(
  services: DocumentGrantServices,
  context: RequestContext,
  document: { id: string; accountId: string },
  email: string,
): Promise<IdempotentResult<Static<typeof DocumentGrant>>> {
  const { fieldCipher, createIdempotently } = services;
  const { id: documentId, accountId } = document;
  return createIdempotently(context, { who: accountId, fingerprint: { documentId, email } }, async (tx) => {
    if (!(await lockOwnDocument(tx, accountId, documentId))) throw new ServiceError('NOT_FOUND');
    if (context.user?.email === email)
      throw createValidationError({
        field: 'email',
        code: 'NOT_ALLOWED',
        message: 'Must not be your own address.',
      });
    const emailHash = hashDocumentGrantEmail(fieldCipher, email);
    const existing = await findDocumentGrantByEmailHash(tx, { documentId, accountId }, emailHash);
    if (existing)
      return {
        body: toDocumentGrantView(fieldCipher, existing),
        location: getGrantPath(documentId, existing.id),
      };
    if ((await countDocumentGrants(tx, { documentId, accountId })) >= MAX_ACTIVE_SHARES_PER_DOCUMENT)
      throw new ServiceError('TOO_MANY_SHARES');
    await consumeAttempts(tx, [
      { key: `document-grants:${accountId}`, allowed: MAX_GRANTS_PER_DAY, windowSeconds: DAY_SECONDS },
    ]);
    const id = generateId();
    const encryptedEmail = GRANT_EMAIL.encrypt(fieldCipher, { id, accountId }, email);
    const row = await insertDocumentGrant(tx, {
      id,
      documentId,
      accountId,
      email: encryptedEmail,
      emailHash,
    });
    await recordAuditEntry(tx, context, { resourceId: documentId });
    await services.events.publish(tx, 'document.granted', { grantId: id, email });
    return { body: toDocumentGrantView(fieldCipher, row), location: getGrantPath(documentId, id) };
  });
}

function getGrantPath(documentId: string, id: string): string {
  return `/api/documents/${documentId}/grants/${id}`;
}
