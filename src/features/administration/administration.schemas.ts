import { Type } from 'typebox';
import { USER_ROLES } from '../../permissions.ts';
import {
  ACCOUNT_FIELDS,
  Id,
  nullable,
  repeatable,
  SINGLE_LINE_PATTERN,
  stringEnum,
  Timestamp,
} from '../../shared/common.schemas.ts';
import { PageQuery } from '../../shared/pagination.ts';
import { SCAN_COUNT_SCHEMA_PROPERTIES } from '../../shared/scan-counts.schemas.ts';
import { QR_CODE_KIND_NAMES, QR_CODE_STATUSES, QrCodeKindFilter } from '../codes/index.ts';
import { USER_STATUSES } from '../identity/index.ts';

const createSearchParam = (description: string) =>
  Type.Optional(Type.String({ maxLength: 100, pattern: SINGLE_LINE_PATTERN, description }));

export const AdminUserQuery = Type.Object({
  ...PageQuery.properties,
  search: createSearchParam('Matches part of address, name or organization, case-insensitive.'),
  role: Type.Optional(repeatable(stringEnum(USER_ROLES), 'Any of these roles.')),
  status: Type.Optional(repeatable(stringEnum(USER_STATUSES), 'Any of these statuses.')),
});

export const AdminUser = Type.Object(
  {
    id: Id,
    email: Type.String(),
    firstName: nullable(Type.String()),
    lastName: nullable(Type.String()),
    accountType: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      enum: ['INDIVIDUAL', 'ORGANIZATION', null],
    }),
    organizationName: nullable(Type.String()),
    language: Type.String(),
    role: stringEnum(USER_ROLES),
    status: stringEnum(USER_STATUSES),
    enterpriseMode: Type.Boolean({ description: 'Whether it is on for this user.' }),
    qrCodes: Type.Integer({ description: 'Number of codes, without deleted ones.' }),
    lastLoginAt: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'Creation of the newest stored session.',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'AdminUser' },
);

export const AdminUserUpdateRequest = Type.Object(
  {
    role: Type.Optional(stringEnum(USER_ROLES)),
    status: Type.Optional(
      stringEnum(['ACTIVE', 'SUSPENDED'], {
        description: 'ACTIVE restores the status before the suspension.',
      }),
    ),
    enterpriseMode: Type.Optional(Type.Boolean({ description: 'Stricter rules for health data.' })),
  },
  { minProperties: 1 },
);

export const AdminQrCodeQuery = Type.Object({
  ...PageQuery.properties,
  search: createSearchParam('Matches part of title or kind, case-insensitive.'),
  kind: QrCodeKindFilter,
  status: Type.Optional(repeatable(stringEnum(QR_CODE_STATUSES), 'Any of these statuses.')),
  takenDown: Type.Optional(Type.Boolean({ description: 'Whether administrators took the code down.' })),
  accountId: Type.Optional(Id),
  ownerId: Type.Optional(ACCOUNT_FIELDS.ownerId),
});

const ScanCountsSchema = Type.Object(SCAN_COUNT_SCHEMA_PROPERTIES);

export const AdminQrCode = Type.Object(
  {
    id: Id,
    ...ACCOUNT_FIELDS,
    ownerEmail: Type.String(),
    kind: stringEnum(QR_CODE_KIND_NAMES),
    mode: stringEnum(['DYNAMIC', 'STATIC']),
    title: Type.String(),
    status: stringEnum(QR_CODE_STATUSES),
    hasPin: Type.Boolean(),
    scanCount: Type.Integer(),
    counts: ScanCountsSchema,
    lastScannedAt: nullable(Timestamp),
    expiresAt: nullable(Timestamp),
    deletedAt: nullable(Timestamp),
    takenDownAt: nullable(Timestamp),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'AdminQrCode', description: 'A QR code without its content.' },
);

const createCountByNameSchema = (description: string) =>
  Type.Record(Type.String(), Type.Integer(), { description });

const growthProperties = {
  newLast7Days: Type.Integer({ description: 'The last 7 UTC days including today.' }),
  newLast30Days: Type.Integer({ description: 'The last 30 UTC days including today.' }),
  newPrevious30Days: Type.Integer({ description: 'The 30 days before those.' }),
};

export const AnalyticsResponse = Type.Object(
  {
    users: Type.Object({
      total: Type.Integer(),
      byStatus: createCountByNameSchema('Count by status.'),
      byRole: createCountByNameSchema('Count by role.'),
      ...growthProperties,
    }),
    qrCodes: Type.Object({
      total: Type.Integer({ description: 'Includes deleted codes; see byStatus.' }),
      byStatus: createCountByNameSchema('Count by status.'),
      byKind: createCountByNameSchema('Count by kind.'),
      ...growthProperties,
    }),
    scans: Type.Object({
      ...SCAN_COUNT_SCHEMA_PROPERTIES,
      today: ScanCountsSchema,
      last7Days: ScanCountsSchema,
      last30Days: ScanCountsSchema,
      previous30Days: ScanCountsSchema,
    }),
    days: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date', description: 'UTC day.' }),
        users: Type.Integer({ description: 'Users created.' }),
        qrCodes: Type.Integer({ description: 'Codes created.' }),
        scans: ScanCountsSchema,
      }),
      { description: 'The last 30 UTC days including today, oldest first.' },
    ),
    countedTo: Type.String({
      format: 'date',
      description:
        'The last UTC day for which scans and days are complete: today, or an earlier day while days are still being counted. Later days are zero.',
    }),
    memoryTags: Type.Object({ total: Type.Integer() }),
    mails: Type.Object({ waiting: Type.Integer(), failed: Type.Integer() }),
    conversationReports: Type.Object({
      open: Type.Integer({ description: 'Undecided: GET /api/admin/conversation-reports.' }),
    }),
    qrCodeReports: Type.Object({
      open: Type.Integer({ description: 'Codes with undecided reports: GET /api/admin/qrcode-reports.' }),
    }),
    qrCodeAppeals: Type.Object({
      open: Type.Integer({ description: 'Undecided: GET /api/admin/qrcode-appeals.' }),
    }),
    rollUps: Type.Object(
      {
        waiting: Type.Integer({
          description:
            '15-minute buckets of codes and owners that are over and not rolled up yet. A job runs every minute.',
        }),
        since: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          format: 'date-time',
          description: 'Start of the oldest bucket; null if none is waiting.',
        }),
      },
      {
        description:
          'Backlog of scan roll-ups. Statistics stay correct, because they count the backlog from the scans, but become slower.',
      },
    ),
    at: Timestamp,
  },
  { $id: 'Analytics', description: 'Counts over the whole service at one moment.' },
);
