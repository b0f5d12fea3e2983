import { consumeAttempts } from '../../platform/attempt-budget.repository.ts';
import { insertAuditEntry } from '../../platform/audit.repository.ts';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { getClientNetwork, getIpv6Site, scaleByAddress } from '../../shared/client-address.ts';
import { HOUR_SECONDS } from '../../shared/durations.ts';
import { ServiceError } from '../../shared/errors.ts';
import { generateId } from '../../shared/ids.ts';
import { findPublicQrCode, lockQrCodeForModeration } from '../codes/index.ts';
import { assertQrCodeNotWithheld } from '../scans/index.ts';
import { encryptModerationText } from './encrypted-moderation-fields.ts';
import type { ModerationCategory } from './moderation.schemas.ts';
import type { ModerationServices } from './moderation-services.ts';
import { decideReports, insertOrCountReport } from './report.repository.ts';

const MAX_REPORTS_PER_HOUR = 10;

/** An IPv6 /48 is often one customer with many networks (/64). */
const IPV6_SITE_FACTOR = 5;

/** Further reports are only counted. */
export const MAX_OPEN_REPORTS_PER_CODE = 100;

/**
 * Report a code as a stranger. No number of reports changes the code; administrators decide.
 * @throws NOT_FOUND, CODE_UNAVAILABLE, RATE_LIMITED
 */
export async function reportQrCode(
  { database, fieldCipher }: Pick<ModerationServices, 'database' | 'fieldCipher'>,
  context: RequestContext,
  qrCodeId: string,
  { category, note }: { category: ModerationCategory; note: string | null },
): Promise<void> {
  const network = getClientNetwork(context.address);
  await database.transaction(async (tx) => {
    await consumeAttempts(tx, createReportLimits(fieldCipher, context.address));
    await lockQrCodeForModeration(tx, qrCodeId);
    const code = await findPublicQrCode(tx, qrCodeId);
    if (!code) throw new ServiceError('NOT_FOUND');
    assertQrCodeNotWithheld(code);
    const id = generateId();
    const { accountId } = code;
    const text = note?.trim()
      ? encryptModerationText(fieldCipher, 'reportNote', { id, accountId }, note)
      : null;
    const networkHash = fieldCipher.hash('code-report', qrCodeId, network);
    const report = { id, qrCodeId, accountId, networkHash, category, note: text };
    if ((await insertOrCountReport(tx, report, MAX_OPEN_REPORTS_PER_CODE)) === 'STORED')
      // The audited resource is the report, because owners can read the trail of their codes.
      // The entry has no origin and no actor, because administrators must not learn who reported.
      await insertAuditEntry(tx, {
        action: 'QRCODE_REPORTED',
        outcome: 'SUCCESS',
        resourceId: id,
        operation: context.operation,
        requestId: context.requestId,
      });
  });
}

/** Dismiss the open reports of a code; returns their number. @throws NOT_FOUND, NO_OPEN_REPORTS */
export function dismissReports(
  database: Database,
  context: RequestContext,
  qrCodeId: string,
): Promise<number> {
  return database.transaction(async (tx) => {
    if (!(await lockQrCodeForModeration(tx, qrCodeId))) throw new ServiceError('NOT_FOUND');
    const dismissed = await decideReports(tx, qrCodeId, 'DISMISSED');
    if (dismissed === 0) throw new ServiceError('NO_OPEN_REPORTS');
    await recordAuditEntry(tx, context, { resourceId: qrCodeId });
    return dismissed;
  });
}

function createReportLimits(fieldCipher: FieldCipher, address: string) {
  const createLimit = (network: string, allowed: number) => ({
    key: `code-reports:${fieldCipher.hash('code-reports', network).toString('base64url')}`,
    allowed,
    windowSeconds: HOUR_SECONDS,
  });
  const site = getIpv6Site(address);
  return [
    createLimit(getClientNetwork(address), scaleByAddress(address, MAX_REPORTS_PER_HOUR)),
    ...(site === null ? [] : [createLimit(`site ${site}`, MAX_REPORTS_PER_HOUR * IPV6_SITE_FACTOR)]),
  ];
}
