import { generateId } from '../../src/shared/ids.ts';
import type { TestApp } from '../helper.ts';

/** Capture the audit entries written while `work` runs, oldest first. */
export async function captureAuditEntries(
  { database }: Pick<TestApp, 'database'>,
  work: () => Promise<unknown>,
): Promise<
  { action: string; severity: string; outcome: string; resourceId: string | null; changes: string[] }[]
> {
  const before = new Set(
    (await database.client.auditEntry.findMany({ select: { id: true } })).map(({ id }) => id),
  );
  await work();
  const entries = await database.client.auditEntry.findMany({ orderBy: { createdAt: 'asc' } });
  return entries
    .filter(({ id }) => !before.has(id))
    .map(({ action, severity, outcome, resourceId, changes }) => ({
      action,
      severity,
      outcome,
      resourceId,
      changes,
    }));
}

export async function insertTestQrCode(
  { database }: Pick<TestApp, 'database'>,
  accountId: string,
  values: Partial<{
    id: string;
    kind: string;
    title: string;
    status: string;
    expiresAt: Date;
    deletedAt: Date;
  }> &
    Partial<{ pinHash: string }> & { id: string },
): Promise<string> {
  await database.client.qrCode.create({
    data: {
      accountId,
      kind: 'PET',
      mode: 'DYNAMIC',
      title: 'Rex',
      slug: 'rex',
      data: Buffer.from('sealed content'),
      visibility: {},
      design: {},
      ...values,
    },
  });
  return values.id;
}

export async function insertTestScan(
  { database }: Pick<TestApp, 'database'>,
  qrCodeId: string,
  accountId: string,
  scan: { at: Date; visitor: string; class: string },
): Promise<void> {
  await database.client.scan.create({
    data: {
      id: generateId(scan.at),
      qrCodeId,
      accountId,
      type: 'public',
      class: scan.class,
      classRule: 'test',
      visitorHash: Buffer.from(scan.visitor),
      ipTruncated: '192.0.2.0',
      userAgent: 'test',
      scannedAt: scan.at,
    },
  });
}
