import { type Static, Type } from 'typebox';
import { Id, nullable, oneOf, Timestamp } from '../../shared/common.schemas.ts';

const Counts = Type.Object({
  total: Type.Integer({ description: 'Scans of all classes.' }),
  humans: Type.Integer({ description: 'Scans of class HUMAN.' }),
  unique: Type.Integer({ description: 'Different human visitors, added up over UTC days.' }),
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
        last7Days: Type.Object(Counts.properties, { description: 'Today and the six days before it.' }),
      },
      { description: 'Scans of the codes that are not deleted.' },
    ),
    lastScan: Type.Unsafe<Static<typeof LastScan> | null>({ ...LastScan, type: ['object', 'null'] }),
    notifications: Type.Object({ unread: Type.Integer() }),
    memoryTags: Type.Object({ total: Type.Integer() }),
    attention: Type.Object(
      {
        total: Type.Integer(),
        codes: Type.Array(CodeInNeed, { description: 'The newest ten of them.' }),
      },
      { description: 'Codes that are lost or expired.' },
    ),
  },
  { $id: 'DashboardCards' },
);
