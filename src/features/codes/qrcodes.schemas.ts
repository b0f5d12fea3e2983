import { type Static, Type } from 'typebox';
import { AdjustmentSchema, DesignSchema } from '../../platform/qr-image/design.schemas.ts';
import {
  FREE_TEXT_PATTERN,
  Id,
  NON_BLANK_LINE_PATTERN,
  nullable,
  SINGLE_LINE_PATTERN,
  schemaRef,
  stringEnum,
  Timestamp,
} from '../../shared/common.schemas.ts';
import { SCAN_COUNT_PROPERTIES } from '../../shared/scan-counts.schemas.ts';
import { QR_CODE_KINDS } from './kinds/all-kinds.ts';
import { MAX_TITLE_CHARACTERS } from './qrcode-input.rules.ts';
import { FIELD_VISIBILITIES } from './visibility.rules.ts';

export const KIND_NAMES = QR_CODE_KINDS.map((kind) => kind.kind);

export const QR_CODE_MODES = ['DYNAMIC', 'STATIC'] as const;

/** EXPIRED is computed from `expiresAt`; UNCLAIMED is reserved. */
export const QR_CODE_STATUSES = ['ACTIVE', 'PAUSED', 'LOST', 'EXPIRED', 'DELETED', 'UNCLAIMED'] as const;

export const NOTIFY_ON_VALUES = ['EVERY_SCAN', 'FIRST_OF_DAY', 'ONLY_LOST', 'NEVER'] as const;

const WARNINGS = {
  SCAN_URL_LOCAL: "The address in the image is this machine's own: a printed code would be dead elsewhere.",
  TITLE_NOT_SECRET: 'Titles are searchable and not encrypted: put nothing private into them.',
};

export type QrCodeWarning = keyof typeof WARNINGS;

const Kind = stringEnum(KIND_NAMES, { description: 'Accepted in any case and with spaces or hyphens.' });
const KindName = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'Accepted in any case and with spaces or hyphens.',
});
const Title = Type.String({
  minLength: 1,
  maxLength: MAX_TITLE_CHARACTERS,
  pattern: NON_BLANK_LINE_PATTERN,
  description: 'The name you know it by; searchable, not secret.',
});
const Mode = Type.String({
  minLength: 1,
  maxLength: 10,
  pattern: '^([dD][yY][nN][aA][mM][iI][cC]|[sS][tT][aA][tT][iI][cC])$',
  description: 'DYNAMIC (the image holds the page’s address) or STATIC (the content itself).',
});
const Pin = nullable(Type.String({ pattern: '^[0-9]{4,12}$', description: '4 to 12 digits.' }));
// Validated by the rules of the kind, which name each invalid field.
const Content = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true });
const Cleared = nullable(Content);
const ExpiresAt = nullable(Type.String({ format: 'date-time', description: 'From then on it answers 410.' }));

const settingFields = {
  pin: Type.Optional(Pin),
  design: Type.Optional(Cleared),
  expiresAt: Type.Optional(ExpiresAt),
  visibility: Type.Optional(Cleared),
  contactable: Type.Optional(
    Type.Boolean({ description: 'Whether a finder may write to you; true unless said.' }),
  ),
  showsPage: Type.Optional(
    Type.Boolean({
      description:
        'For kind URL: show the page before going on; false unless said. The operator may show it in any case.',
    }),
  ),
  notifyOn: Type.Optional(
    stringEnum(NOTIFY_ON_VALUES, {
      description:
        'Of which scans by people you are told: EVERY_SCAN (unless said), FIRST_OF_DAY in your time zone, ONLY_LOST or NEVER. Of a lost thing all but NEVER tell of each.',
    }),
  ),
};

export const NewQrCode = Type.Object({
  kind: KindName,
  title: Title,
  mode: Type.Optional(Mode),
  data: Content,
  ...settingFields,
});

export const QrCodeChange = Type.Object({
  kind: Type.Optional(KindName),
  mode: Type.Optional(Mode),
  title: Type.Optional(Title),
  data: Type.Optional(Content),
  status: Type.Optional(
    stringEnum(QR_CODE_STATUSES, {
      description: 'ACTIVE or PAUSED; any other only as it was read, which changes nothing.',
    }),
  ),
  ...settingFields,
});

export const RenderRequest = Type.Object({
  kind: KindName,
  title: Type.Optional(Title),
  mode: Type.Optional(Mode),
  data: Content,
  design: Type.Optional(Cleared),
  visibility: Type.Optional(Cleared),
  format: Type.Optional(stringEnum(['png', 'svg', 'pdf'], { default: 'png' })),
});

export const LostDetails = Type.Object({
  message: Type.Optional(nullable(Type.String({ maxLength: 1000, pattern: FREE_TEXT_PATTERN }))),
  reward: Type.Optional(nullable(Type.String({ maxLength: 200, pattern: SINGLE_LINE_PATTERN }))),
  lastSeen: Type.Optional(
    nullable(
      Type.String({
        description: 'Where it was last seen; on the page, as message and reward are.',
        maxLength: 200,
        pattern: SINGLE_LINE_PATTERN,
      }),
    ),
  ),
});

const Lost = Type.Object({
  message: nullable(Type.String()),
  reward: nullable(Type.String()),
  lastSeen: nullable(Type.String()),
  since: Timestamp,
});

const commonFields = {
  id: Id,
  ownerId: Id,
  kind: Kind,
  mode: stringEnum(QR_CODE_MODES),
  title: Type.String(),
  slug: Type.String(),
  status: stringEnum(QR_CODE_STATUSES),
  imageUrl: nullable(Type.String()),
  scanUrl: Type.String(),
  hasPin: Type.Boolean(),
  contactable: Type.Boolean(),
  showsPage: Type.Boolean(),
  notifyOn: stringEnum(NOTIFY_ON_VALUES),
  scanCount: Type.Integer({ description: 'Scans of all classes; counts shows them apart.' }),
  counts: Type.Object(SCAN_COUNT_PROPERTIES),
  lastScannedAt: nullable(Timestamp),
  expiresAt: nullable(Timestamp),
  version: Type.Integer(),
  warnings: Type.Array(stringEnum(Object.keys(WARNINGS) as QrCodeWarning[])),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const QrCodeItem = Type.Object(commonFields, { $id: 'QrCodeItem' });

export const QrCode = Type.Object(
  {
    ...commonFields,
    data: Content,
    visibility: Type.Unsafe<Record<string, (typeof FIELD_VISIBILITIES)[number]>>({
      type: 'object',
      additionalProperties: { type: 'string', enum: [...FIELD_VISIBILITIES] },
      description: 'Every field of the kind, with who sees it.',
    }),
    design: DesignSchema,
    adjusted: Type.Array(AdjustmentSchema, {
      description: 'What was changed in the design so that it scans.',
    }),
    lost: Type.Unsafe<Static<typeof Lost> | null>({ ...Lost, type: ['object', 'null'] }),
    readOnly: Type.Boolean({
      description:
        'Beyond what the package has room for, where a larger one has ended: it keeps working, and content, title, visibility, design, PIN and expiry cannot be changed. The oldest codes stay within.',
    }),
  },
  { $id: 'QrCode' },
);

export const QrCodePreview = Type.Object(
  {
    as: stringEnum(['finder', 'pin']),
    status: stringEnum(QR_CODE_STATUSES),
    profile: Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      additionalProperties: true,
    }),
    pinRequired: Type.Boolean(),
    contactable: Type.Boolean(),
  },
  { $id: 'QrCodePreview', description: 'What a stranger sees; nothing is recorded.' },
);

export const KindDescription = Type.Object(
  {
    kind: Kind,
    label: Type.String(),
    description: Type.String(),
    schema: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    defaultVisibility: Type.Record(Type.String(), Type.String()),
    example: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  },
  { $id: 'KindDescription' },
);

export const TestLink = Type.Object(
  { url: Type.String({ description: 'Open it once on your own phone.' }), expiresAt: Timestamp },
  { $id: 'TestLink' },
);

export const KindList = Type.Object({ data: Type.Array(schemaRef(KindDescription)) });
