import { type Static, Type } from 'typebox';
import {
  Id,
  nullable,
  repeatable,
  schemaRef,
  stringEnum,
  TABLE_EXPORT_PARAMETERS,
  TIME_RANGE_FILTERS,
  Timestamp,
  VisiblePicture,
} from '../../shared/common.schemas.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';
import { createNamedPageSchema, createSortParam, PageQuery } from '../../shared/pagination.ts';
import { SCAN_CLASSES } from './scan-class.rules.ts';
import { Latitude, Longitude, PositionAccuracy } from './scan-requests.schemas.ts';
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
    accuracy: nullable(PositionAccuracy),
    address: nullable(Type.String({ description: 'Address in one line.' })),
    ...Area.properties,
  },
  {
    description:
      'Null if unknown. Place names are null if the position could not be geocoded. Exact positions are hidden from administrators.',
  },
);

const TrailPart = Type.Object({
  ...Location.properties,
  createdAt: Timestamp,
});

const Profile = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  description: 'Visible fields, emergency information first; null if there are none.',
});

const Pictures = Type.Array(schemaRef(VisiblePicture), { description: 'Visible pictures, in order.' });

export const NullableLocation = Type.Unsafe<Static<typeof Location> | null>({
  ...Location,
  type: ['object', 'null'],
});
const NullableArea = Type.Unsafe<Static<typeof Area> | null>({ ...Area, type: ['object', 'null'] });
const ScanType = stringEnum(SCAN_TYPES, {
  description: 'public, guest (with a position, no account) or user (signed in).',
});
const ScanClass = stringEnum(SCAN_CLASSES);
const PinRequired = Type.Boolean({ description: 'Whether a PIN is required to see more.' });
const Contactable = Type.Boolean({ description: 'Whether the owner accepts messages.' });

const CodeKind = Type.String({ description: 'Kind of the code.' });
const CodeStatus = Type.String({ description: 'Current status of the code.' });
const NullableLost = nullable(
  Type.Object(
    { message: nullable(Type.String()), reward: nullable(Type.String()), lastSeen: nullable(Type.String()) },
    { description: 'What the owner tells finders; null unless the code is LOST.' },
  ),
);
const CodeTitle = Type.String({ description: 'Title of the code; only its owner sees it.' });

export const ScanResult = Type.Object(
  {
    scan: Type.Object({
      id: Id,
      qrCodeId: Id,
      type: ScanType,
      scannedAt: Timestamp,
      location: NullableLocation,
    }),
    scanToken: Type.String({
      description: `For the X-Scan-Token header; grants access to this scan for ${formatLifetime('scanToken')}.`,
    }),
    kind: CodeKind,
    status: CodeStatus,
    lost: NullableLost,
    profile: Profile,
    pictures: Pictures,
    pinRequired: PinRequired,
    contactable: Contactable,
  },
  { $id: 'ScanResult' },
);

export const ScanLocation = Type.Object(
  { id: Id, scanId: Id, ...TrailPart.properties },
  {
    $id: 'ScanLocation',
    description: 'Immutable: sending the same coordinates again returns the first position.',
  },
);

export const ScanItem = Type.Object(
  {
    id: Id,
    qrCodeId: Id,
    kind: CodeKind,
    title: CodeTitle,
    status: CodeStatus,
    type: ScanType,
    class: ScanClass,
    classRule: Type.String({ description: 'The rule that decided the class.' }),
    scannedAt: Timestamp,
    unlocked: Type.Boolean({ description: 'Whether the PIN was entered.' }),
    location: NullableArea,
    ip: Type.String({ description: 'Truncated: IPv4 to /24, IPv6 to /48.' }),
    userAgent: Type.String(),
  },
  { $id: 'ScanItem' },
);

/** Fields beyond the first four depend on who reads it. */
export const ScanDetails = Type.Object(
  {
    id: Id,
    kind: CodeKind,
    scannedAt: Timestamp,
    status: CodeStatus,
    title: Type.Optional(CodeTitle),
    lost: Type.Optional(NullableLost),
    qrCodeId: Type.Optional(Id),
    type: Type.Optional(ScanType),
    location: Type.Optional(NullableLocation),
    trail: Type.Optional(
      Type.Array(TrailPart, {
        description:
          'Positions sent after the scan, oldest first. The first one becomes the position of a scan without one.',
      }),
    ),
    profile: Type.Optional(Profile),
    pictures: Type.Optional(Pictures),
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
      'Public: id, kind, scannedAt, status. With the scan token also position, visible content and `lost`. The owner of the code sees all stored fields, an administrator the same without the exact position.',
  },
);

const SCAN_FILTERS = {
  qrCodeId: Type.Optional(Id),
  ...TIME_RANGE_FILTERS,
  type: Type.Optional(
    repeatable(
      ScanType,
      'Any of these types: public, guest (with a position, no account) or user (signed in).',
    ),
  ),
  class: Type.Optional(repeatable(ScanClass, 'Any of these classes.')),
};

export const ScanListQuery = Type.Object({
  ...PageQuery.properties,
  ...SCAN_FILTERS,
  sort: createSortParam(SCAN_SORTS),
});

export const ScanExportQuery = Type.Object({
  ...TABLE_EXPORT_PARAMETERS,
  ...SCAN_FILTERS,
});

export const ScanList = createNamedPageSchema(ScanItem, 'ScanList');
