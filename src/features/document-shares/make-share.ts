import type { Static } from 'typebox';
import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import type { Made } from '../../platform/idempotency.ts';
import { invalidFields, ServiceError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { hasEnterpriseMode } from '../accounts/enterprise.repository.ts';
import { lockOwnDocument } from '../documents/document.repository.ts';
import { findOwnQrCode } from '../qrcodes/qrcode.repository.ts';
import { isStrict } from './find-share.ts';
import { countOpenShares, insertShare } from './share.repository.ts';
import { endAsked, MOST_AT_ONCE, plainPasscode, shareProblems } from './share.rules.ts';
import { shareView } from './share.view.ts';
import type { ShareServices } from './share-services.ts';
import { shareToken, shareTokenHash } from './share-token.ts';
import type { DocumentShare, NewDocumentShare, NewShare } from './shares.schemas.ts';

/**
 * Makes a share of an own document. Its token is in the answer and nowhere else. Throws NOT_FOUND, TOO_MANY_SHARES, and
 * VALIDATION_FAILED, also for what enterprise mode asks of a health document.
 */
export async function makeShare(
  services: ShareServices,
  caller: Caller,
  document: { id: string; ownerId: string },
  asked: Static<typeof NewShare>,
): Promise<Made<Static<typeof NewDocumentShare>>> {
  const { createOnce, vault, pins } = services;
  const once = { who: document.ownerId, sameAs: { documentId: document.id, ...asked } };
  const known = await createOnce.replay<Stored>(caller, once);
  if (known) return withToken(services, known, repeatedToken(known.body.share.id));
  const passcode = asked.passcode ?? null;
  // Before the transaction: no hashing inside. What cannot be hashed is refused within it, with all else.
  const passcodeHash = passcode === null ? null : await pins.hash(plainPasscode(passcode));
  const id = newId();
  const token = shareToken(vault, id, caller.idempotencyKey);
  const made = await createOnce(caller, once, async (tx) => {
    const found = await lockOwnDocument(tx, document.ownerId, document.id);
    if (!found) throw new ServiceError('NOT_FOUND');
    const ownerIsEnterprise = await hasEnterpriseMode(tx, document.ownerId);
    const strict = isStrict(services, { kind: found.kind, ownerIsEnterprise });
    const now = new Date();
    const problems = shareProblems(asked, strict, now);
    if (problems.length > 0) throw invalidFields(...problems);
    const qrCodeId = await documentCodeOf(tx, document.ownerId, asked.qrCodeId ?? null);
    if ((await countOpenShares(tx, document.id)) >= MOST_AT_ONCE) throw new ServiceError('TOO_MANY_SHARES');
    const row = await insertShare(tx, {
      ...{ id, documentId: document.id, ownerId: document.ownerId, qrCodeId, passcodeHash },
      tokenHash: shareTokenHash(vault, token),
      maxViews: asked.oneTime ? 1 : (asked.maxViews ?? null),
      expiresAt: endAsked(asked, now),
    });
    await recordAction(tx, caller, { resourceId: document.id });
    const body = { share: shareView(row, strict), isOfHealth: found.kind === 'HEALTH' };
    return { body, location: `/api/documents/${document.id}/shares/${id}` };
  });
  return withToken(services, made, made.isReplayed ? repeatedToken(made.body.share.id) : token);

  function repeatedToken(shareId: string): string {
    return shareToken(vault, shareId, caller.idempotencyKey);
  }
}

/** What is kept of an answer for repeats: all but the token. */
interface Stored {
  share: Static<typeof DocumentShare>;
  isOfHealth: boolean;
}

function withToken(
  { publicBaseUrl }: Pick<ShareServices, 'publicBaseUrl'>,
  { body, ...made }: Made<Stored>,
  token: string,
): Made<Static<typeof NewDocumentShare>> {
  const { share, isOfHealth } = body;
  return { ...made, body: { ...share, token, url: shareUrl(publicBaseUrl, token, isOfHealth) } };
}

/** The link of a share. What is behind a # is in no request, and so in no log of a proxy; who has no script pastes the link there. */
function shareUrl(publicBaseUrl: string, token: string, isOfHealth: boolean): string {
  return `${publicBaseUrl}/s/d${isOfHealth ? '#' : '/'}${token}`;
}

/** The code whose page is to offer the document. Throws NOT_FOUND for another's, VALIDATION_FAILED for one of another kind. */
async function documentCodeOf(tx: Tx, ownerId: string, qrCodeId: string | null): Promise<string | null> {
  if (qrCodeId === null) return null;
  const code = await findOwnQrCode(tx, ownerId, qrCodeId);
  if (!code) throw new ServiceError('NOT_FOUND');
  if (code.kind === 'DOCUMENT') return qrCodeId;
  throw invalidFields({
    field: 'qrCodeId',
    code: 'NOT_ALLOWED',
    message: 'Must be a code of kind DOCUMENT.',
  });
}
