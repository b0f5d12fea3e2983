import type { Static } from 'typebox';
import { USER_ROLES } from '../../permissions.ts';
import { toAccountFields } from '../../shared/common.schemas.ts';
import { getCurrentQrCodeStatus, getQrCodeKindByName } from '../codes/index.ts';
import { USER_STATUSES } from '../identity/index.ts';
import type { ScanRollUpLag } from '../scans/index.ts';
import type { AdminQrCode, AdminUser, AnalyticsResponse } from './administration.schemas.ts';
import type { AdminQrCodeRow } from './all-qrcodes.repository.ts';
import type { UserAdministrationRow } from './all-users.repository.ts';
import type { ServiceAnalyticsData } from './analytics.repository.ts';
import { sumDailyCountField, sumDailyScanCounts } from './analytics.rules.ts';

export function toAdminUserView(row: UserAdministrationRow): Static<typeof AdminUser> {
  return {
    ...row,
    role: USER_ROLES.find((role) => role === row.role) ?? 'USER',
    status: USER_STATUSES.find((status) => status === row.status) ?? 'SUSPENDED',
    lastLoginAt: row.lastLoginAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function toAdminQrCodeView(row: AdminQrCodeRow): Static<typeof AdminQrCode> {
  const [total, humans, unique] = [row.scanCount, row.humanCount, row.uniqueCount].map(Number);
  return {
    id: row.id,
    ...toAccountFields(row.accountId),
    ownerEmail: row.ownerEmail,
    kind: getQrCodeKindByName(row.kind).kind,
    mode: row.mode === 'STATIC' ? 'STATIC' : 'DYNAMIC',
    title: row.title,
    status: getCurrentQrCodeStatus(row),
    hasPin: row.hasPin,
    scanCount: total ?? 0,
    counts: { total: total ?? 0, humans: humans ?? 0, unique: unique ?? 0 },
    lastScannedAt: row.lastScannedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    deletedAt: row.deletedAt?.toISOString() ?? null,
    takenDownAt: row.takenDownAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function toServiceAnalyticsView(
  facts: ServiceAnalyticsData & { rollUps: ScanRollUpLag },
  at: Date,
): Static<typeof AnalyticsResponse> {
  const { users, qrCodes, scans, days, countedTo, memoryTags, mails, rollUps } = facts;
  const last30 = days.slice(-30);
  const previous30 = days.slice(-60, -30);
  const growth = (name: 'users' | 'qrCodes') => ({
    newLast7Days: sumDailyCountField(days.slice(-7), name),
    newLast30Days: sumDailyCountField(last30, name),
    newPrevious30Days: sumDailyCountField(previous30, name),
  });
  return {
    users: { ...users, ...growth('users') },
    qrCodes: { ...qrCodes, ...growth('qrCodes') },
    scans: {
      ...scans,
      today: sumDailyScanCounts(days.slice(-1)),
      last7Days: sumDailyScanCounts(days.slice(-7)),
      last30Days: sumDailyScanCounts(last30),
      previous30Days: sumDailyScanCounts(previous30),
    },
    days: last30.map((day) => ({
      day: day.day.toISOString().slice(0, 10),
      users: day.users,
      qrCodes: day.qrCodes,
      scans: sumDailyScanCounts([day]),
    })),
    countedTo: countedTo.toISOString().slice(0, 10),
    memoryTags: { total: memoryTags },
    mails,
    conversationReports: { open: facts.openReports },
    qrCodeReports: { open: facts.openCodeReports },
    qrCodeAppeals: { open: facts.openAppeals },
    rollUps: { waiting: rollUps.buckets, since: rollUps.since?.toISOString() ?? null },
    at: at.toISOString(),
  };
}
