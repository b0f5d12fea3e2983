import { type Static, Type } from 'typebox';
import { DateOrDateTime, Id, nullable, stringEnum, Timestamp } from '../../shared/common.schemas.ts';
import { CursorParam, createCursorPageSchema, PageQuery } from '../../shared/pagination.ts';
import { SCAN_CLASSES } from './scan-class.rules.ts';
import { Accuracy, Latitude, Longitude } from './scan-requests.schemas.ts';
import { SCAN_SORTS } from './scan-sort.rules.ts';

export const SCAN_TYPES = ['public', 'guest', 'user'] as const;

const Area = Type.Object({
  city: nullable(Type.String()),
  region: nullable(Type.String({ description: 'State, province or canton.' })),
  country: nullable(Type.String({ description: 'ISO 3166-1 alpha-2.' })),
});

const Location = Type.Object(
  {
    latitude: nullable(Latitude),
    longitude: nullable(Longitude),
    accuracy: nullable(Accuracy),
    address: nullable(Type.String({ description: 'The place as one line.' })),
    ...Area.properties,
  },
  {
    description:
      'Null where nobody said. The names are null where no place is known; the exact part is not shown to administrators.',
  },
);

const TrailPart = Type.Object({
  ...Location.properties,
  at: Type.String({ format: 'date-time', description: 'When it was given.' }),
});

const Profile = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  description:
    'The fields that the owner allows, what helps in an emergency first; null where there is none.',
});

const NullableLocation = Type.Unsafe<Static<typeof Location> | null>({
  ...Location,
  type: ['object', 'null'],
});
const NullableArea = Type.Unsafe<Static<typeof Area> | null>({ ...Area, type: ['object', 'null'] });
const ScanType = stringEnum(SCAN_TYPES, {
  description: 'public, guest (with a position, no account) or user (signed in).',
});
const ScanClass = stringEnum(SCAN_CLASSES);
const PinRequired = Type.Boolean({ description: 'Whether a PIN would show more, and is missing.' });
const Contactable = Type.Boolean({ description: 'Whether the owner can be written to.' });

export const ScanResult = Type.Object(
  {
    scan: Type.Object({
      id: Id,
      qrCodeId: Id,
      type: ScanType,
      scannedAt: Timestamp,
      location: NullableLocation,
    }),
    scanToken: Type.String({ description: 'For the header X-Scan-Token: opens this scan for seven days.' }),
    profile: Profile,
    pinRequired: PinRequired,
    contactable: Contactable,
  },
  { $id: 'ScanResult' },
);

export const ScanLocation = Type.Object(
  { id: Id, scanId: Id, ...TrailPart.properties },
  { $id: 'ScanLocation', description: 'Written once: the same coordinates again answer the first.' },
);

export const ScanItem = Type.Object(
  {
    id: Id,
    qrCodeId: Id,
    type: ScanType,
    class: ScanClass,
    classRule: Type.String({ description: 'The rule that decided the class.' }),
    scannedAt: Timestamp,
    unlocked: Type.Boolean({ description: 'Whether the right PIN was given.' }),
    location: NullableArea,
    ip: Type.String({ description: 'Without its last part: IPv4 /24, IPv6 /48.' }),
    userAgent: Type.String(),
  },
  { $id: 'ScanItem' },
);

/** Fields beyond the first four depend on who reads it. */
export const ScanDetails = Type.Object(
  {
    id: Id,
    kind: Type.String({ description: 'Kind of the code.' }),
    scannedAt: Timestamp,
    status: Type.String({ description: 'Status of the code at this moment.' }),
    qrCodeId: Type.Optional(Id),
    type: Type.Optional(ScanType),
    location: Type.Optional(NullableLocation),
    trail: Type.Optional(
      Type.Array(TrailPart, {
        description:
          'Positions that were given after the scan, oldest first. A scan without a position took the first as its own.',
      }),
    ),
    profile: Type.Optional(Profile),
    pinRequired: Type.Optional(PinRequired),
    contactable: Type.Optional(Contactable),
    class: Type.Optional(ScanClass),
    classRule: Type.Optional(Type.String()),
    unlocked: Type.Optional(Type.Boolean()),
    ip: Type.Optional(Type.String()),
    userAgent: Type.Optional(Type.String()),
  },
  {
    $id: 'ScanDetails',
    description:
      'To anybody: id, kind, scannedAt, status. With the token of the scan also where it was and what it shows; to the owner of the code everything that is stored; to an administrator the same without the exact position.',
  },
);

export const ScanListQuery = Type.Object({
  ...PageQuery.properties,
  cursor: CursorParam,
  qrCodeId: Type.Optional(Id),
  from: Type.Optional(DateOrDateTime('From this moment on. A bare date is a day in your time zone.')),
  to: Type.Optional(DateOrDateTime('Before this moment, or before this day begins.')),
  type: Type.Optional(ScanType),
  class: Type.Optional(ScanClass),
  sort: Type.Optional(
    stringEnum(SCAN_SORTS, {
      description: 'By time: newest first (-scannedAt, unless said) or oldest first.',
    }),
  ),
});

export const ScanExportQuery = Type.Object({
  format: stringEnum(['jsonl', 'csv'], { default: 'jsonl' }),
  qrCodeId: Type.Optional(Id),
  from: Type.Optional(DateOrDateTime('From this moment on. A bare date is a day in your time zone.')),
  to: Type.Optional(DateOrDateTime('Before this moment, or before this day begins.')),
  type: Type.Optional(ScanType),
  class: Type.Optional(ScanClass),
});

export const ScanList = createCursorPageSchema(ScanItem, 'ScanList');
