import { type Static, Type } from 'typebox';
import { Id, nullable, oneOf, Timestamp } from '../../shared/common.schemas.ts';

const Counts = Type.Object({
  total: Type.Integer({ description: 'Scans of all classes.' }),
  humans: Type.Integer({ description: 'Scans of class HUMAN.' }),
  unique: Type.Integer({
    description:
      'First scans of a visitor on a code and UTC day: over a longer time the sum of its days, since nobody is followed from one day to the next.',
  }),
});

const LastScan = Type.Object({
  id: Id,
  qrCodeId: Id,
  title: Type.String({ description: 'Title of the code.' }),
  class: oneOf(['HUMAN', 'BOT', 'PREVIEW', 'OWNER', 'DUPLICATE']),
  scannedAt: Timestamp,
  city: nullable(Type.String()),
  region: nullable(Type.String()),
  country: nullable(Type.String({ description: 'ISO 3166-1 alpha-2.' })),
});

const CodeInNeed = Type.Object({
  id: Id,
  kind: Type.String(),
  title: Type.String(),
  status: oneOf(['LOST', 'EXPIRED']),
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
        ...Counts.properties,
        today: Type.Object(Counts.properties, { description: "Since midnight in the account's time zone." }),
        yesterday: Type.Object(Counts.properties, { description: 'The whole day before it.' }),
        last7Days: Type.Object(Counts.properties, { description: 'Today and the six days before it.' }),
      },
      { description: 'Scans of all codes, also of those that were deleted afterwards.' },
    ),
    lastScan: Type.Unsafe<Static<typeof LastScan> | null>({ ...LastScan, type: ['object', 'null'] }),
    notifications: Type.Object({ unread: Type.Integer() }),
    memoryTags: Type.Object({ total: Type.Integer() }),
    attention: Type.Object(
      {
        total: Type.Integer(),
        codes: Type.Array(CodeInNeed, {
          description: 'At most ten: the lost ones first, newest first, then those that expired last.',
        }),
      },
      { description: 'Codes that are lost or expired.' },
    ),
  },
  { $id: 'DashboardCards' },
);
