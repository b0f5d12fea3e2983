import { recordAction } from '../../platform/audit.ts';
import type { Caller } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import { ServiceError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import type { QrCodeRow } from '../qrcodes/qrcode.repository.ts';
import { currentStatus } from '../qrcodes/qrcode.view.ts';
import { type NewScan, recordScans } from './insert-scan.repository.ts';
import { classOf } from './scan-class.rules.ts';
import { type Location, sealPosition } from './scan-position.ts';
import type { ScanServices } from './scan-services.ts';
import { type Shown, showCode } from './scanned-code.ts';
import { type Visitor, visitorHash } from './visitor.ts';

export interface ScanFacts {
  code: QrCodeRow;
  type: NewScan['type'];
  visitor: Visitor;
  location: Location | null;
  /** Whether the right PIN was given. */
  unlocked: boolean;
}

export interface Recorded extends Shown {
  id: string;
  scannedAt: Date;
}

/**
 * Records a scan in a transaction: the row and the counts, the owner's notification (their own scans tell them
 * nothing), and the audit entry where medical content is shown. Answers what it shows. Throws DATA_INTEGRITY, and
 * NOT_FOUND where the code was emptied meanwhile.
 */
export async function recordScan(
  services: Pick<ScanServices, 'vault' | 'notifyScan'>,
  caller: Caller,
  tx: Tx,
  visit: ScanFacts,
): Promise<Recorded> {
  const { vault } = services;
  const { code, visitor, location, unlocked } = visit;
  const shown = showCode(vault, code, unlocked);
  const scannedAt = new Date();
  const id = newId(scannedAt);
  const decided = classOf({ ...visitor, ownerId: code.ownerId });
  const area = { city: location?.city, region: location?.region, country: location?.country };

  await auditMedical(caller, tx, code, shown);
  if (decided.class !== 'OWNER') {
    await services.notifyScan(tx, {
      ownerId: code.ownerId,
      qrCodeId: code.id,
      scanId: id,
      title: code.title,
      isLost: currentStatus(code) === 'LOST',
      place: area.city ?? area.region ?? area.country ?? null,
    });
  }
  const scan: NewScan = {
    id,
    qrCodeId: code.id,
    ownerId: code.ownerId,
    scannerId: visitor.accountId,
    type: visit.type,
    class: decided.class,
    classRule: decided.rule,
    visitorHash: visitorHash(vault, visitor, code.id, scannedAt),
    position: location && sealPosition(vault, { id, ownerId: code.ownerId }, location),
    city: area.city ?? null,
    region: area.region ?? null,
    country: area.country ?? null,
    ipTruncated: visitor.ip,
    userAgent: visitor.userAgent,
    unlockedAt: unlocked ? scannedAt : null,
    unlockedVersion: unlocked ? code.version : null,
    scannedAt,
  };
  if ((await recordScans(tx, [scan])) === 0) throw new ServiceError('NOT_FOUND');
  return { id, scannedAt, ...shown };
}

/** The audit entry of showing medical content; none where nothing is shown. */
export async function auditMedical(
  caller: Caller,
  tx: Tx,
  code: { id: string; kind: string },
  shown: Shown,
): Promise<void> {
  if (code.kind !== 'MEDICAL' || shown.profile === null) return;
  await recordAction(tx, caller, {
    action: 'MEDICAL_DATA_SCANNED',
    resourceType: 'QRCODE',
    resourceId: code.id,
  });
}
