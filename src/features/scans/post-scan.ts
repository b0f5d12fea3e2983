import type { CurrentUser } from '../../platform/authentication.ts';
import type { Tx } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { serializeError } from '../../platform/http/error-log.ts';
import type { CreatedResource, IdempotencyInput, IdempotentResult } from '../../platform/idempotency.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import { findQrCode } from '../qrcodes/qrcode.repository.ts';
import { checkPin } from './check-pin.ts';
import type { NewScan } from './insert-scan.repository.ts';
import { withPublicFacts } from './public-facts.ts';
import { auditMedical, recordApart } from './record-apart.ts';
import { type GivenPosition, type Location, locate, refuseHalfPosition } from './scan-position.ts';
import type { ScanServices } from './scan-services.ts';
import { scanToken } from './scan-token.ts';
import { findOpenCode, type Recorded, type Shown } from './scanned-code.ts';
import { publicKeyHolder, visitorOf } from './visitor.ts';

interface AskedScan {
  type: NewScan['type'];
  body: GivenPosition & { qrCodeId: string; pin?: string | null | undefined };
  /** Whose Idempotency-Key it is; the visitor's when left out. */
  account?: CurrentUser | undefined;
  /** Where the scan can be read afterwards: the path that its id is put behind. */
  path: string;
}

/** What a new scan answers, and is kept of the answer for repeats: all but the token. */
interface Scanned extends Shown {
  scan: { id: string; qrCodeId: string; type: NewScan['type']; scannedAt: string; location: Location | null };
}

interface ScanAnswer extends Scanned {
  scanToken: string;
}

/**
 * Makes a scan, once for an Idempotency-Key; answers what it shows and its token. A repeat costs no try for the PIN.
 * Throws NOT_FOUND, CODE_PAUSED, CODE_EXPIRED, and with what is public PIN_INCORRECT (then no scan is stored) and
 * RATE_LIMITED. The scan of a finder whom the owner blocks is one without a position.
 */
export async function postScan(
  services: ScanServices,
  context: RequestContext,
  asked: AskedScan,
): Promise<IdempotentResult<ScanAnswer>> {
  const { fieldCipher } = services;
  const { type, body } = asked;
  refuseHalfPosition(body);
  const pin = body.pin ?? null;
  const once = context.idempotencyKey === undefined ? null : onceOf(fieldCipher, context, asked);
  // Before a PIN is compared; without one the answer is found on the way.
  const known =
    once === null || pin === null
      ? null
      : await services.scanQueue(() => services.createIdempotently.replay<Scanned>(context, once));
  if (known) return repeated(services, context, known);
  const provenHash = pin === null ? null : await provePin(services, context, body.qrCodeId, pin);
  const location = await locate(services.geocoder, body, (error) =>
    services.log.warn(
      { requestId: context.requestId, error: serializeError(error) },
      'a position could not be named',
    ),
  );
  const visit = { type, visitor: visitorOf(context), location, provenHash };
  const answer = ({ id, scannedAt, code, shown, location }: Recorded): CreatedResource<Scanned> => {
    const scan = { id, qrCodeId: code.id, type, scannedAt: scannedAt.toISOString(), location };
    return { body: { scan, ...shown }, location: `${asked.path}/${id}`, contentOf: code.ownerId };
  };
  if (once === null) {
    const recorded = answer(await services.recordScan(context, body.qrCodeId, visit));
    return withToken(fieldCipher, { ...recorded, isReplayed: false });
  }
  const write = async (tx: Tx) => answer(await recordApart(services, context, tx, body.qrCodeId, visit));
  const made = await services.scanQueue(() => services.createIdempotently(context, once, write));
  return made.isReplayed ? repeated(services, context, made) : withToken(fieldCipher, made);
}

/** Whose Idempotency-Key it is, and what a repeat has to be the same in. */
function onceOf(
  fieldCipher: FieldCipher,
  context: RequestContext,
  { account, type, body }: AskedScan,
): IdempotencyInput {
  return { who: account?.id ?? publicKeyHolder(fieldCipher, context, body.qrCodeId), sameAs: { type, body } };
}

/**
 * The answer to a repeat: what the scan showed when it was made, though the code may be paused by now. Medical content
 * leaves its entry again; a code that was deleted is as absent.
 */
async function repeated(
  services: ScanServices,
  context: RequestContext,
  made: IdempotentResult<Scanned>,
): Promise<IdempotentResult<ScanAnswer>> {
  const { database, fieldCipher } = services;
  const { scan, ...shown } = made.body;
  const code = await findQrCode(database.client, scan.qrCodeId);
  if (!code) throw new ServiceError('NOT_FOUND');
  await database.transaction((tx) => auditMedical(context, tx, code, shown));
  return withToken(fieldCipher, made);
}

/** The token is derived after the answer was stored for repeats: it is never stored. */
function withToken(fieldCipher: FieldCipher, made: IdempotentResult<Scanned>): IdempotentResult<ScanAnswer> {
  const { id, scannedAt } = made.body.scan;
  const token = scanToken(fieldCipher, { id, scannedAt: new Date(scannedAt) });
  return { ...made, body: { ...made.body, scanToken: token } };
}

/** The stored hash that a PIN was right for; null for a code without PIN, which ignores one. */
async function provePin(
  services: ScanServices,
  context: RequestContext,
  qrCodeId: string,
  pin: string,
): Promise<string | null> {
  const code = await findOpenCode(services.database.client, qrCodeId);
  if (code.pinHash === null) return null;
  try {
    await checkPin(services, context, code, pin);
  } catch (error) {
    throw await withPublicFacts(services, context, code.id, error);
  }
  return code.pinHash;
}
