import type { Caller } from '../../platform/caller.ts';
import { ServiceError } from '../../shared/errors.ts';
import { auditMedical } from './record-scan.ts';
import type { ScanServices } from './scan-services.ts';
import { type ScannedCode, type Shown, showCode } from './scanned-code.ts';

type Services = Pick<ScanServices, 'database' | 'vault'>;

/** What a code shows to everybody, without recording a scan; medical content leaves its entry all the same. */
export async function showToEverybody(
  { database, vault }: Services,
  caller: Caller,
  code: ScannedCode,
): Promise<Shown> {
  const shown = showCode(vault, code, false);
  await database.transaction((tx) => auditMedical(caller, tx, code, shown));
  return shown;
}

/**
 * What was thrown while a PIN was checked; an error of the PIN also with what the code shows to everybody, since that
 * is never held back by one. Where that is medical content, its audit entry is left.
 */
export async function withPublicFacts(
  services: Services,
  caller: Caller,
  code: ScannedCode,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof ServiceError) || !['PIN_INCORRECT', 'RATE_LIMITED'].includes(error.code))
    return error;
  const shown = await showToEverybody(services, caller, code);
  const { code: name, message: detail, retryAfterSeconds, members } = error;
  return new ServiceError(name, {
    detail,
    members: { ...members, ...shown },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
