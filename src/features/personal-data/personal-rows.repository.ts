import { Prisma } from '../../generated/prisma/client.ts';
import type { Db } from '../../platform/database.ts';
import { listScanLocations } from '../scans/index.ts';

/** A row's place in a list of somebody's, newest first, and how large it is. */
export interface RowCursor {
  at: Date;
  id: string;
}

/** The same, with what the row weighs. */
export interface SizedRowCursor extends RowCursor {
  /** Of its texts and its content; 0 where they are short. */
  bytes: number;
}

/** The lists that are read from the newest on, each over an index that has this order. */
const LIST_SOURCES = {
  sessions: defineList('sessions', 'user_id', 'created_at'),
  qrCodes: defineList('qr_codes', 'owner_id', 'created_at', "status <> 'DELETED'", [
    'data',
    'lost_details',
    'logo',
  ]),
  deletedQrCodes: defineList('qr_codes', 'owner_id', 'created_at', "status = 'DELETED'", [
    'data',
    'lost_details',
    'logo',
  ]),
  scans: defineList('scans', 'owner_id', 'scanned_at'),
  conversations: defineList('conversations', 'owner_id', 'last_message_at'),
  invoices: defineList('payment_invoices', 'user_id', 'issued_at'),
  notifications: defineList('notifications', 'user_id', 'created_at', 'dismissed_at IS NULL'),
  pictures: defineList('memory_tag_pictures', 'owner_id', 'created_at'),
  memoryTags: {
    ...defineList('memory_tags', 'owner_id', 'created_at'),
    bytes: Prisma.sql`coalesce(octet_length(story), 0) + coalesce(octet_length(epitaph), 0) + coalesce(
      (SELECT sum(octet_length(content)) FROM guest_book_entries WHERE memory_tag_id = memory_tags.id), 0)::int`,
  },
  care: defineList('memory_tag_caretakers', 'user_id', 'created_at'),
  documents: defineList('documents', 'owner_id', 'created_at', undefined, ['note']),
};

export type PersonalListName = keyof typeof LIST_SOURCES;

/** The places of a person's rows of a list after a place (null: from the newest on), whatever its depth at the same cost. */
export async function listPersonalRowsAfter(
  db: Db,
  name: PersonalListName,
  ownerId: string,
  after: RowCursor | null,
  take: number,
): Promise<SizedRowCursor[]> {
  const { table, owner, at, where, bytes } = LIST_SOURCES[name];
  const beyond = after ? Prisma.sql`AND (${at}, id) < (${after.at}, ${after.id})` : Prisma.empty;
  return db.$queryRaw<SizedRowCursor[]>`
    SELECT ${at} AS at, id, ${bytes} AS bytes FROM ${table} WHERE ${owner} = ${ownerId} ${where} ${beyond}
    ORDER BY ${at} DESC, id DESC LIMIT ${take}`;
}

/** Whether an account is there and was not erased. */
export async function isUserPresent(db: Db, userId: string): Promise<boolean> {
  return (await db.user.count({ where: { id: userId, status: { not: 'DELETED' } } })) === 1;
}

/** Sessions of these ids, newest first. */
export async function readSessions(db: Db, ids: string[]) {
  return db.session.findMany({ where: { id: { in: ids } }, orderBy: NEWEST_FIRST });
}

/** By whom a person can be signed in, newest first. They are few. */
export async function readIdentities(db: Db, userId: string) {
  return db.userIdentity.findMany({
    where: { userId },
    orderBy: NEWEST_FIRST,
    select: { id: true, issuer: true, subject: true, email: true, createdAt: true, lastUsedAt: true },
  });
}

/** The devices that a person gets pushes on, newest first, without their tokens. They are few. */
export async function readDevices(db: Db, userId: string) {
  return db.pushDevice.findMany({
    where: { userId },
    orderBy: NEWEST_FIRST,
    select: { id: true, platform: true, name: true, createdAt: true, lastUsedAt: true },
  });
}

/** Codes of these ids, newest first. */
export async function readQrCodes(db: Db, ids: string[]) {
  return db.qrCode.findMany({ where: { id: { in: ids } }, orderBy: NEWEST_FIRST, include: { counts: true } });
}

/** Names of the images of codes of these ids. */
export async function readImageNames(db: Db, ids: string[]): Promise<string[]> {
  const where = { id: { in: ids }, imageFile: { not: null } };
  const rows = await db.qrCode.findMany({ where, select: { imageFile: true }, orderBy: NEWEST_FIRST });
  return rows.flatMap(({ imageFile }) => (imageFile === null ? [] : [imageFile]));
}

/** Scans of these ids with their trails, newest first, without what was kept of the visitor's address. */
export async function readScans(db: Db, ids: string[]) {
  const scans = await db.scan.findMany({
    where: { id: { in: ids } },
    omit: { ipTruncated: true, visitorHash: true, scannerId: true },
    orderBy: [{ scannedAt: 'desc' }, { id: 'desc' }],
  });
  const parts = await listScanLocations(db, ids);
  return scans.map((scan) => ({ ...scan, trail: parts.filter(({ scanId }) => scanId === scan.id) }));
}

/** Conversations of these ids, the last one written in first, with their messages, oldest first. */
export async function readConversations(db: Db, ids: string[]) {
  return db.conversation.findMany({
    where: { id: { in: ids } },
    orderBy: [{ lastMessageAt: 'desc' }, { id: 'desc' }],
    include: {
      messages: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] },
      reports: { where: { side: 'OWNER' } },
      owner: { select: { language: true } },
    },
  });
}

/** Notifications of these ids, newest first, with how they were sent. */
export async function readNotifications(db: Db, ids: string[]) {
  const user = { select: { language: true } };
  return db.notification.findMany({
    where: { id: { in: ids } },
    orderBy: NEWEST_FIRST,
    include: { user, deliveries: { orderBy: [{ channel: 'asc' }, { id: 'asc' }] } },
  });
}

/** Memory tags of these ids, newest first, with their guest books and caretakers. */
export async function readMemoryTags(db: Db, ids: string[]) {
  return db.memoryTag.findMany({
    where: { id: { in: ids } },
    orderBy: NEWEST_FIRST,
    include: { entries: { orderBy: NEWEST_FIRST }, caretakers: { orderBy: NEWEST_FIRST } },
  });
}

/** The memory tags of others that a person may help with, newest first, some at a time. */
export async function readCaredForTags(db: Db, ids: string[]) {
  return db.memoryTagCaretaker.findMany({
    where: { id: { in: ids } },
    orderBy: NEWEST_FIRST,
    select: { memoryTagId: true, createdAt: true, memoryTag: { select: { name: true } } },
  });
}

/** Documents of these ids, newest first, with their versions and whom they are shared with. */
export async function readDocuments(db: Db, ids: string[]) {
  const byTime = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
  return db.document.findMany({
    where: { id: { in: ids } },
    orderBy: NEWEST_FIRST,
    include: {
      versions: { orderBy: { number: 'asc' } },
      shares: { orderBy: byTime },
      grants: { orderBy: byTime },
    },
  });
}

/** Who opened a person's documents, by id, some at a time. */
export async function readDocumentAccesses(db: Db, ownerId: string, afterId: string, take: number) {
  return db.documentAccess.findMany({
    where: { ownerId, id: { gt: afterId } },
    omit: { ownerId: true, readerId: true },
    orderBy: { id: 'asc' },
    take,
  });
}

/** Pictures of memory tags of these ids, newest first. */
export async function readPictures(db: Db, ids: string[]) {
  return db.memoryTagPicture.findMany({ where: { id: { in: ids } }, orderBy: NEWEST_FIRST });
}

/** Invoices of these ids, newest first. */
export async function readInvoices(db: Db, ids: string[]) {
  return db.paymentInvoice.findMany({
    where: { id: { in: ids } },
    orderBy: [{ issuedAt: 'desc' }, { id: 'desc' }],
  });
}

/** The scans that a person made while signed in, of whoever's codes, by id, some at a time. */
export async function readScansByScanner(db: Db, scannerId: string, afterId: string, take: number) {
  return db.scan.findMany({
    where: { scannerId, id: { gt: afterId } },
    select: { id: true, qrCodeId: true, scannedAt: true, type: true },
    orderBy: { id: 'asc' },
    take,
  });
}

const NEWEST_FIRST = [{ createdAt: 'desc' as const }, { id: 'desc' as const }];

/** The names are this file's own: nothing of a request becomes SQL. */
function defineList(table: string, owner: string, at: string, where?: string, large: string[] = []) {
  const sizes = large.map((column) => `coalesce(octet_length(${column}), 0)`);
  return {
    bytes: Prisma.raw(['0', ...sizes].join(' + ')),
    table: Prisma.raw(table),
    owner: Prisma.raw(owner),
    at: Prisma.raw(at),
    where: where ? Prisma.raw(`AND ${where}`) : Prisma.empty,
  };
}
