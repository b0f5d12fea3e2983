import type { CurrentUser } from '../../platform/authentication.ts';
import type { Tx } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { serializeErrorForLog } from '../../platform/http/error-log.ts';
import type { CreatedResource, IdempotencyInput, IdempotentResult } from '../../platform/idempotency.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { findPublicQrCode } from '../codes/index.ts';
import { commitMedicalContentAccess } from './audit-medical-access.ts';
import { verifyQrCodePin } from './check-pin.use-case.ts';
import type { NewScanRow } from './insert-scan.repository.ts';
import { addPublicContentToError } from './public-content.ts';
import { type GeocodedPosition, type PositionInput, reverseGeocodePosition } from './scan-position.ts';
import type { ScanServices } from './scan-services.ts';
import { deriveScanToken } from './scan-token.ts';
import {
  assertQrCodeNotWithheld,
  getOpenQrCode,
  getQrCodeFacts,
  getVisibleQrCodeContent,
  type RecordedScan,
  type VisibleQrCodeContent,
} from './scanned-code.ts';
import { getPublicIdempotencyOwner, toScanVisitor } from './visitor.ts';

interface ScanInput {
  type: NewScanRow['type'];
  body: PositionInput & { qrCodeId: string; pin?: string | null | undefined };
  account?: CurrentUser | undefined;
  path: string;
}

/** Stored for replays: no scan token, and in place of the content, which can be large, what opens it. */
interface StoredScanResponse {
  scan: {
    id: string;
    qrCodeId: string;
    type: NewScanRow['type'];
    scannedAt: string;
    location: GeocodedPosition | null;
  };
  /** Of the code; content and what the owner tells finders are read again. */
  status: string;
  /** PIN hash that the PIN of the request matched. */
  matchedHash: string | null;
}

type ScannedContent = Pick<RecordedScan, 'code' | 'content'>;

interface ScanResponse extends VisibleQrCodeContent {
  kind: string;
  status: string;
  lost: ReturnType<typeof getQrCodeFacts>['lost'];
  scan: StoredScanResponse['scan'];
  scanToken: string;
}

/**
 * Replays consume no PIN attempt; scans of blocked finders are stored without a position.
 * @throws NOT_FOUND, CODE_PAUSED, CODE_EXPIRED; PIN_INCORRECT and RATE_LIMITED with the public content
 */
export async function createScan(
  services: ScanServices,
  context: RequestContext,
  input: ScanInput,
): Promise<IdempotentResult<ScanResponse>> {
  const { fieldCipher } = services;
  const { type, body } = input;
  const pin = body.pin ?? null;
  const idempotencyInput =
    context.idempotencyKey === undefined ? null : getIdempotencyInput(fieldCipher, context, input);
  // Before the PIN is compared; without a PIN the stored response is found later.
  const replay =
    idempotencyInput === null || pin === null
      ? null
      : await services.scanLimiter(() =>
          services.createIdempotently.replay<StoredScanResponse>(context, idempotencyInput),
        );
  if (replay) return replayResponse(services, context, replay);
  const matchedHash = pin === null ? null : await verifyPin(services, context, body.qrCodeId, pin);
  const location = await reverseGeocodePosition(services.geocoder, body, (error) =>
    services.log.warn(
      { requestId: context.requestId, error: serializeErrorForLog(error) },
      'geocoding a position failed',
    ),
  );
  const visit = { type, visitor: toScanVisitor(context), location, matchedHash };
  const toScan = ({ id, scannedAt, code, location }: RecordedScan): StoredScanResponse['scan'] => ({
    id,
    qrCodeId: code.id,
    type,
    scannedAt: scannedAt.toISOString(),
    location,
  });
  const getPath = (id: string) => `${input.path}/${id}`;
  if (idempotencyInput === null) {
    const recorded = await services.recordScan(context, body.qrCodeId, visit);
    const response = toScanResponse(fieldCipher, { scan: toScan(recorded) }, recorded);
    return { body: response, location: getPath(recorded.id), isReplayed: false };
  }
  let scanned: ScannedContent | null = null;
  const write = async (tx: Tx): Promise<CreatedResource<StoredScanResponse>> => {
    const recorded = await services.recordScan(context, body.qrCodeId, visit, tx);
    scanned = recorded;
    const { status } = getQrCodeFacts(fieldCipher, recorded.code);
    const stored = { scan: toScan(recorded), status, matchedHash };
    return { body: stored, location: getPath(recorded.id), contentOf: recorded.code.accountId };
  };
  const result = await services.scanLimiter(() =>
    services.createIdempotently(context, idempotencyInput, write),
  );
  if (result.isReplayed || scanned === null) return replayResponse(services, context, result);
  return { ...result, body: toScanResponse(fieldCipher, result.body, scanned) };
}

function getIdempotencyInput(
  fieldCipher: FieldCipher,
  context: RequestContext,
  { account, type, body }: ScanInput,
): IdempotencyInput {
  return {
    who: account?.id ?? getPublicIdempotencyOwner(fieldCipher, context, body.qrCodeId),
    fingerprint: { type, body },
  };
}

/** Show the content of the code as it is now, even if it is paused; medical content is audited again. */
async function replayResponse(
  services: ScanServices,
  context: RequestContext,
  stored: IdempotentResult<StoredScanResponse>,
): Promise<IdempotentResult<ScanResponse>> {
  const { database, fieldCipher } = services;
  const { scan, status, matchedHash } = stored.body;
  const code = await findPublicQrCode(database.client, scan.qrCodeId);
  if (!code) throw new ServiceError('NOT_FOUND');
  assertQrCodeNotWithheld(code);
  const isUnlocked = code.pinHash !== null && code.pinHash === matchedHash;
  const content = getVisibleQrCodeContent(services, code, isUnlocked);
  await commitMedicalContentAccess(database, context, code, content);
  return { ...stored, body: toScanResponse(fieldCipher, { scan, status }, { code, content }) };
}

/** The token must not be stored, so it is derived for each response. */
function toScanResponse(
  fieldCipher: FieldCipher,
  { scan, status }: Pick<StoredScanResponse, 'scan'> & Partial<StoredScanResponse>,
  { code, content }: ScannedContent,
): ScanResponse {
  const scanToken = deriveScanToken(fieldCipher, { id: scan.id, scannedAt: new Date(scan.scannedAt) });
  const facts = getQrCodeFacts(fieldCipher, code);
  return { scan, scanToken, ...facts, status: status ?? facts.status, ...content };
}

async function verifyPin(
  services: ScanServices,
  context: RequestContext,
  qrCodeId: string,
  pin: string,
): Promise<string | null> {
  const code = await getOpenQrCode(services.database.client, qrCodeId);
  if (code.pinHash === null) return null;
  try {
    await verifyQrCodePin(services, context, code, pin);
  } catch (error) {
    throw await addPublicContentToError(services, context, code.id, error);
  }
  return code.pinHash;
}
