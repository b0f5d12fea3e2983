import type { Db } from '../../platform/database.ts';

export async function isMailSuppressed(db: Db, recipientHash: Uint8Array<ArrayBuffer>): Promise<boolean> {
  return (await db.mailSuppression.count({ where: { recipientHash } })) > 0;
}

/** Returns false for an address that was suppressed before. */
export async function suppressMails(db: Db, recipientHash: Uint8Array<ArrayBuffer>): Promise<boolean> {
  return (
    (await db.mailSuppression.createMany({ data: [{ recipientHash }], skipDuplicates: true })).count === 1
  );
}

/** Returns false for an address that was not suppressed. */
export async function allowMails(db: Db, recipientHash: Uint8Array<ArrayBuffer>): Promise<boolean> {
  return (await db.mailSuppression.deleteMany({ where: { recipientHash } })).count === 1;
}
