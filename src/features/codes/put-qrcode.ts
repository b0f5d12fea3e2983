import type { Static } from 'typebox';
import { mapDatabaseError } from '../../platform/http/database-errors.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { createQrCode } from './create-qrcode.use-case.ts';
import { findQrCodeIdByExternalId } from './qrcode.repository.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import type { NewQrCode, QrCode } from './qrcodes.schemas.ts';
import { getOwnQrCode } from './read-own-qrcode.ts';
import { updateAndReadOwnQrCode } from './update-own-qrcode.use-case.ts';

/** The second attempt finds the code that another request created at the same time. */
const MAX_ATTEMPTS = 2;

/**
 * Create the code with the external id, or update it, which changes no field that is omitted.
 * @throws as `createQrCode` and `updateOwnQrCode`
 */
export async function putOwnQrCode(
  services: QrCodeServices,
  context: RequestContext,
  accountId: string,
  body: Static<typeof NewQrCode> & { externalId: string },
  ifMatch: string | undefined,
): Promise<{ code: Static<typeof QrCode>; isNew: boolean }> {
  for (let attempt = 1; ; attempt += 1) {
    const id = await findQrCodeIdByExternalId(services.database.client, accountId, body.externalId);
    if (id !== null) {
      const before = await getOwnQrCode(services.database.client, { id, accountId });
      const { visibilityPreset: _onlyForNewCodes, ...change } = body;
      const code = await updateAndReadOwnQrCode(services, context, before, change, ifMatch);
      return { code, isNew: false };
    }
    if (ifMatch !== undefined) throw new ServiceError('PRECONDITION_FAILED');
    try {
      const created = await createQrCode(services, context, accountId, body);
      return { code: created.body, isNew: true };
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isExternalIdConflict(error)) throw error;
    }
  }
}

/** Seen before the transaction, or by the unique key. */
function isExternalIdConflict(error: unknown): boolean {
  const isTaken = error instanceof ServiceError && error.code === 'EXTERNAL_ID_TAKEN';
  return isTaken || mapDatabaseError(error)?.code === 'CONFLICT';
}
