import type { Static } from 'typebox';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import type { IdempotentResult } from '../../../platform/idempotency.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { createValidationError, ServiceError } from '../../../shared/errors.ts';
import { generateId } from '../../../shared/ids.ts';
import { lockOwnQrCode } from '../../codes/index.ts';
import { hasEnterpriseMode } from '../../identity/index.ts';
import { lockOwnDocument } from '../document.repository.ts';
import {
  countActiveDocumentShares,
  findActiveDocumentSharesByQrCode,
  insertDocumentShare,
} from './share.repository.ts';
import {
  computeRequestedShareExpiry,
  findShareInputErrors,
  MAX_ACTIVE_SHARES_PER_DOCUMENT,
  MAX_OFFERED_DOCUMENTS_PER_CODE,
  normalizePasscode,
} from './share.rules.ts';
import { toDocumentShareView } from './share.view.ts';
import type { DocumentShareServices } from './share-services.ts';
import { requiresStrictSharing } from './share-state.ts';
import { createShareToken, hashShareToken } from './share-token.ts';
import type { CreatedShareResponse, DocumentShare, DocumentShareRequest } from './shares.schemas.ts';

/** Only the response contains the token. @throws NOT_FOUND, TOO_MANY_SHARES, TOO_MANY_OFFERED_DOCUMENTS, VALIDATION_FAILED */
export async function createDocumentShareLink(
  services: DocumentShareServices,
  context: RequestContext,
  document: { id: string; accountId: string },
  input: Static<typeof DocumentShareRequest>,
): Promise<IdempotentResult<Static<typeof CreatedShareResponse>>> {
  const { createIdempotently, fieldCipher, pins } = services;
  const idempotencyOptions = { who: document.accountId, fingerprint: { documentId: document.id, ...input } };
  const replayed = await createIdempotently.replay<StoredShareResponse>(context, idempotencyOptions);
  if (replayed) return addShareToken(services, replayed, recreateToken(replayed.body.share.id));
  const passcode = input.passcode ?? null;
  // Hashing takes long, so it runs before the transaction, which rejects an invalid passcode.
  const passcodeHash = passcode === null ? null : await pins.hash(normalizePasscode(passcode));
  const id = generateId();
  const token = createShareToken(fieldCipher, id, context.idempotencyKey);
  const result = await createIdempotently(context, idempotencyOptions, async (tx) => {
    const found = await lockOwnDocument(tx, document.accountId, document.id);
    if (!found) throw new ServiceError('NOT_FOUND');
    const ownerIsEnterprise = await hasEnterpriseMode(tx, document.accountId);
    const strict = requiresStrictSharing(services, { kind: found.kind, ownerIsEnterprise });
    const now = new Date();
    const problems = findShareInputErrors(input, strict, now);
    if (problems.length > 0) throw createValidationError(...problems);
    const qrCodeId = await lockDocumentQrCode(tx, document.accountId, input.qrCodeId ?? null);
    if (
      (await countActiveDocumentShares(tx, { documentId: document.id, accountId: document.accountId })) >=
      MAX_ACTIVE_SHARES_PER_DOCUMENT
    )
      throw new ServiceError('TOO_MANY_SHARES');
    const row = await insertDocumentShare(tx, {
      id,
      documentId: document.id,
      accountId: document.accountId,
      qrCodeId,
      passcodeHash,
      tokenHash: hashShareToken(fieldCipher, token),
      maxViews: input.oneTime ? 1 : (input.maxViews ?? null),
      expiresAt: computeRequestedShareExpiry(input, now),
    });
    await recordAuditEntry(tx, context, { resourceId: document.id });
    const body = { share: toDocumentShareView(row, strict), isOfHealth: found.kind === 'HEALTH' };
    return { body, location: `/api/documents/${document.id}/shares/${row.id}` };
  });
  return addShareToken(services, result, result.isReplayed ? recreateToken(result.body.share.id) : token);

  function recreateToken(shareId: string): string {
    return createShareToken(fieldCipher, shareId, context.idempotencyKey);
  }
}

/** The stored response for repeats, without the token. */
interface StoredShareResponse {
  share: Static<typeof DocumentShare>;
  isOfHealth: boolean;
}

function addShareToken(
  { publicBaseUrl }: Pick<DocumentShareServices, 'publicBaseUrl'>,
  { body, ...result }: IdempotentResult<StoredShareResponse>,
  token: string,
): IdempotentResult<Static<typeof CreatedShareResponse>> {
  const { share, isOfHealth } = body;
  return { ...result, body: { ...share, token, url: buildShareUrl(publicBaseUrl, token, isOfHealth) } };
}

// A fragment is not sent in requests, so proxies do not log it. Without scripts the link can be pasted.
function buildShareUrl(publicBaseUrl: string, token: string, isOfHealth: boolean): string {
  return `${publicBaseUrl}/s/d${isOfHealth ? '#' : '/'}${token}`;
}

// Locked, so that concurrent requests cannot exceed the limit.
async function lockDocumentQrCode(
  tx: Tx,
  accountId: string,
  qrCodeId: string | null,
): Promise<string | null> {
  if (qrCodeId === null) return null;
  const code = await lockOwnQrCode(tx, { accountId, id: qrCodeId });
  if (code.kind !== 'DOCUMENT')
    throw createValidationError({
      field: 'qrCodeId',
      code: 'NOT_ALLOWED',
      message: 'Must be a code of kind DOCUMENT.',
    });
  if ((await findActiveDocumentSharesByQrCode(tx, qrCodeId)).length >= MAX_OFFERED_DOCUMENTS_PER_CODE)
    throw new ServiceError('TOO_MANY_OFFERED_DOCUMENTS');
  return qrCodeId;
}
