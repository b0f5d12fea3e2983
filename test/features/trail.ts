import type { TestApp } from '../helper.ts';

/** What the audit trail got while `work` ran, oldest first. */
export async function trailOf(
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

/** A dynamic code of a person, put into its table as it is. */
export async function putQrCode(
  { database }: Pick<TestApp, 'database'>,
  ownerId: string,
  values: Partial<{
    id: string;
    kind: string;
    title: string;
    status: string;
    expiresAt: Date;
    deletedAt: Date;
  }> &
    Partial<{ scanCount: number; humanCount: number; uniqueCount: number; pinHash: string }> & { id: string },
): Promise<string> {
  await database.client.qrCode.create({
    data: {
      ownerId,
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
