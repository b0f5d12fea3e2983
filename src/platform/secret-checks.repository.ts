import type { Db, Tx } from './database.ts';

export interface SecretCheck {
  name: string;
  checkValue: string;
}

/** Keep those that are stored. */
export async function insertMissingSecretChecks(db: Db, checks: readonly SecretCheck[]): Promise<void> {
  await db.secretCheck.createMany({ data: [...checks], skipDuplicates: true });
}

export async function listSecretChecks(db: Db): Promise<SecretCheck[]> {
  return db.secretCheck.findMany({ select: { name: true, checkValue: true } });
}

/** False when the secret is the stored one. */
export async function replaceSecretCheck(tx: Tx, { name, checkValue }: SecretCheck): Promise<boolean> {
  const { count } = await tx.secretCheck.updateMany({
    where: { name, checkValue: { not: checkValue } },
    data: { checkValue, acceptedAt: new Date() },
  });
  return count === 1;
}
