import type { Caller } from '../../platform/caller.ts';
import { ServiceError } from '../../shared/errors.ts';
import { auditMedical } from './record-scan.ts';
import type { ScanServices } from './scan-services.ts';
import { type ScannedCode, showCode } from './scanned-code.ts';

/**
 * What was thrown while a PIN was checked; an error of the PIN also with what the code shows to everybody, since that
 * is never held back by one. Where that is medical content, its audit entry is left.
 */
export async function withPublicFacts(
  { database, vault }: Pick<ScanServices, 'database' | 'vault'>,
  caller: Caller,
  code: ScannedCode,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof ServiceError) || !['PIN_INCORRECT', 'RATE_LIMITED'].includes(error.code))
    return error;
  const shown = showCode(vault, code, false);
  await database.transaction((tx) => auditMedical(caller, tx, code, shown));
  const { code: name, message: detail, retryAfterSeconds, members } = error;
  return new ServiceError(name, {
    detail,
    members: { ...members, ...shown },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
