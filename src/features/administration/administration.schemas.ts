import { Type } from 'typebox';
import { Id, nullable, SINGLE_LINE_PATTERN, stringEnum, Timestamp } from '../../shared/common.schemas.ts';
import { PageQuery } from '../../shared/pagination.ts';
import { ROLES } from '../../shared/permissions.ts';
import { SCAN_COUNT_PROPERTIES } from '../../shared/scan-counts.schemas.ts';
import { KIND_NAMES, QR_CODE_STATUSES } from '../codes/index.ts';
import { USER_STATUSES } from '../identity/index.ts';

const createSearchParam = (description: string) =>
  Type.Optional(Type.String({ maxLength: 100, pattern: SINGLE_LINE_PATTERN, description }));

export const AdminUserQuery = Type.Object({
  ...PageQuery.properties,
  search: createSearchParam('Found anywhere in address, name or organization, in any case.'),
  role: Type.Optional(stringEnum(ROLES)),
  status: Type.Optional(stringEnum(USER_STATUSES)),
});

export const AdminUser = Type.Object(
  {
    id: Id,
    email: Type.String(),
    firstName: nullable(Type.String()),
    lastName: nullable(Type.String()),
    accountType: Type.Unsafe<string | null>({ enum: ['INDIVIDUAL', 'ORGANIZATION', null] }),
    organizationName: nullable(Type.String()),
    language: Type.String(),
    role: stringEnum(ROLES),
    status: stringEnum(USER_STATUSES),
    enterpriseMode: Type.Boolean({ description: 'Whether it is on for this account.' }),
    qrCodes: Type.Integer({ description: 'Codes that are not deleted.' }),
    lastLoginAt: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'Of the sessions still kept.',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'AdminUser' },
);

export const AdminUserUpdateRequest = Type.Object(
  {
    role: Type.Optional(stringEnum(ROLES)),
    status: Type.Optional(
      stringEnum(['ACTIVE', 'SUSPENDED'], { description: 'ACTIVE restores a suspended person.' }),
    ),
    enterpriseMode: Type.Optional(Type.Boolean({ description: 'The stricter rules for health data.' })),
  },
  { minProperties: 1 },
);

export const AdminQrCodeQuery = Type.Object({
  ...PageQuery.properties,
  search: createSearchParam('Found anywhere in title or kind, in any case.'),
  kind: Type.Optional(
    Type.String({ maxLength: 40, description: 'Accepted in any case and with spaces or hyphens.' }),
  ),
  status: Type.Optional(stringEnum(QR_CODE_STATUSES)),
  ownerId: Type.Optional(Id),
});

const ScanCountsSchema = Type.Object(SCAN_COUNT_PROPERTIES);

export const AdminQrCode = Type.Object(
  {
    id: Id,
    ownerId: Id,
    ownerEmail: Type.String(),
    kind: stringEnum(KIND_NAMES),
    mode: stringEnum(['DYNAMIC', 'STATIC']),
    title: Type.String(),
    status: stringEnum(QR_CODE_STATUSES),
    hasPin: Type.Boolean(),
    scanCount: Type.Integer(),
    counts: ScanCountsSchema,
    lastScannedAt: nullable(Timestamp),
    expiresAt: nullable(Timestamp),
    deletedAt: nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'AdminQrCode', description: 'A code without its content.' },
);

const createCountByNameSchema = (description: string) =>
  Type.Record(Type.String(), Type.Integer(), { description });

const growthProperties = {
  newLast7Days: Type.Integer({ description: 'The last seven UTC days with today.' }),
  newLast30Days: Type.Integer({ description: 'The last thirty UTC days with today.' }),
  newPrevious30Days: Type.Integer({ description: 'The thirty days before those.' }),
};

export const AnalyticsResponse = Type.Object(
  {
    users: Type.Object({
      total: Type.Integer(),
      byStatus: createCountByNameSchema('Status to number.'),
      byRole: createCountByNameSchema('Role to number.'),
      ...growthProperties,
    }),
    qrCodes: Type.Object({
      total: Type.Integer({ description: 'Deleted ones included; byStatus tells them apart.' }),
      byStatus: createCountByNameSchema('Status to number.'),
      byKind: createCountByNameSchema('Kind to number.'),
      ...growthProperties,
    }),
    scans: Type.Object({
      ...SCAN_COUNT_PROPERTIES,
      today: ScanCountsSchema,
      last7Days: ScanCountsSchema,
      last30Days: ScanCountsSchema,
      previous30Days: ScanCountsSchema,
    }),
    days: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date', description: 'UTC day.' }),
        users: Type.Integer({ description: 'Accounts made.' }),
        qrCodes: Type.Integer({ description: 'Codes made.' }),
        scans: ScanCountsSchema,
      }),
      { description: 'The last thirty UTC days with today, oldest first.' },
    ),
    countedTo: Type.String({
      format: 'date',
      description:
        'The last UTC day that scans and days are complete up to: today, or an earlier one while days are still being counted; those after it are zeros.',
    }),
    memoryTags: Type.Object({ total: Type.Integer() }),
    mails: Type.Object({ waiting: Type.Integer(), failed: Type.Integer() }),
    conversationReports: Type.Object({
      open: Type.Integer({ description: 'To be decided: GET /api/admin/conversation-reports.' }),
    }),
    rollUps: Type.Object(
      {
        waiting: Type.Integer({
          description:
            'Quarters of an hour of codes and of owners that are over and not rolled up yet; a job does so every minute.',
        }),
        since: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          format: 'date-time',
          description: 'Beginning of the oldest of them; null where none waits.',
        }),
      },
      {
        description:
          'How far rolling up is behind. Statistics count what waits from the scans: they are right all the same, and slower where much waits.',
      },
    ),
    at: Timestamp,
  },
  { $id: 'Analytics', description: 'Counts over the whole service, as of one moment.' },
);
