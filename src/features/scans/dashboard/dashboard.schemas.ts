import { type Static, Type } from 'typebox';
import { Id, nullable, stringEnum, Timestamp } from '../../../shared/common.schemas.ts';
import { SCAN_COUNT_SCHEMA_PROPERTIES } from '../../../shared/scan-counts.schemas.ts';

const LastScan = Type.Object({
  id: Id,
  qrCodeId: Id,
  title: Type.String({ description: 'Title of the code.' }),
  class: stringEnum(['HUMAN', 'BOT', 'PREVIEW', 'OWNER', 'DUPLICATE']),
  scannedAt: Timestamp,
  city: nullable(Type.String()),
  region: nullable(Type.String()),
  country: nullable(Type.String({ description: 'ISO 3166-1 alpha-2.' })),
});

const AttentionCode = Type.Object({
  id: Id,
  kind: Type.String(),
  title: Type.String(),
  status: stringEnum(['LOST', 'EXPIRED']),
});

export const DashboardCards = Type.Object(
  {
    qrCodes: Type.Object({
      total: Type.Integer({ description: 'Codes that are not deleted.' }),
      byStatus: Type.Object({
        ACTIVE: Type.Integer(),
        PAUSED: Type.Integer(),
        LOST: Type.Integer(),
        EXPIRED: Type.Integer(),
      }),
    }),
    scans: Type.Object(
      {
        ...SCAN_COUNT_SCHEMA_PROPERTIES,
        today: Type.Object(SCAN_COUNT_SCHEMA_PROPERTIES, {
          description: "Since midnight in the account's time zone.",
        }),
        yesterday: Type.Object(SCAN_COUNT_SCHEMA_PROPERTIES, { description: 'The previous day.' }),
        last7Days: Type.Object(SCAN_COUNT_SCHEMA_PROPERTIES, {
          description: 'Today and the six days before it.',
        }),
      },
      { description: 'Scans of all codes, including deleted ones.' },
    ),
    lastScan: Type.Unsafe<Static<typeof LastScan> | null>({ ...LastScan, type: ['object', 'null'] }),
    notifications: Type.Object({ unread: Type.Integer() }),
    messages: Type.Object({ unread: Type.Integer({ description: 'Unread messages of finders.' }) }),
    memoryTags: Type.Object({ total: Type.Integer() }),
    documents: Type.Object({
      total: Type.Integer(),
      expiring: Type.Integer({ description: 'Within 30 days.' }),
    }),
    attention: Type.Object(
      {
        total: Type.Integer(),
        codes: Type.Array(AttentionCode, {
          description: 'At most ten: lost codes first, newest first, then the most recently expired.',
        }),
      },
      { description: 'Codes that are lost or expired.' },
    ),
  },
  { $id: 'DashboardCards' },
);
