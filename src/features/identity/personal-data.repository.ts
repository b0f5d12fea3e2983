import type { Db, Tx } from '../../platform/database.ts';

const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

export async function findSessionsByIds(db: Db, userId: string, ids: string[]) {
  return db.session.findMany({ where: { userId, id: { in: ids } }, orderBy: NEWEST_FIRST });
}

export async function listIdentitiesForExport(db: Db, userId: string) {
  return db.userIdentity.findMany({
    where: { userId, confirmedAt: { not: null } },
    orderBy: NEWEST_FIRST,
    select: { id: true, issuer: true, subject: true, email: true, createdAt: true, lastUsedAt: true },
  });
}

/** The new address cannot be registered. */
export async function anonymizeAccount(tx: Tx, userId: string): Promise<void> {
  await tx.user.update({
    where: { id: userId },
    data: {
      email: `erased:${userId}`,
      status: 'DELETED',
      role: 'USER',
      passwordHash: null,
      firstName: null,
      lastName: null,
      accountType: null,
      organizationName: null,
      phone: null,
      language: 'en',
      timeZone: 'UTC',
      profilePicture: null,
      previousStatus: null,
      enterpriseMode: false,
      unlinkedIssuers: [],
      firstSteps: [],
      version: { increment: 1 },
      updatedAt: new Date(),
    },
    select: { id: true },
  });
}
