import { type Static, Type } from 'typebox';
import { QrCodeDesignAdjustmentSchema, QrCodeDesignSchema } from '../../platform/qr-image/design.schemas.ts';
import {
  ACCOUNT_FIELDS,
  createWarningsSchema,
  FREE_TEXT_PATTERN,
  Id,
  NON_BLANK_LINE_PATTERN,
  nullable,
  repeatable,
  SINGLE_LINE_PATTERN,
  schemaRef,
  stringEnum,
  Timestamp,
  VERSIONED_SCHEMA,
  VisiblePicture,
  withDefault,
} from '../../shared/common.schemas.ts';
import { REFERENCE_FIELDS, REFERENCE_INPUT_FIELDS } from '../../shared/metadata.schemas.ts';
import { SCAN_COUNT_SCHEMA_PROPERTIES } from '../../shared/scan-counts.schemas.ts';
import { QR_CODE_KINDS } from './kinds/all-kinds.ts';
import { PageDesign } from './page-design.rules.ts';
import { MAX_QR_CODE_TITLE_CHARACTERS } from './qrcode-input.rules.ts';
import { SHORT_NUMBER_PATTERN } from './short-number.rules.ts';
import { FIELD_VISIBILITIES, VISIBILITY_PRESETS } from './visibility.rules.ts';

export const QR_CODE_KIND_NAMES = QR_CODE_KINDS.map((kind) => kind.kind);

export const QR_CODE_MODES = ['DYNAMIC', 'STATIC'] as const;

/** Accepted in any case, as in a body. */
export const QrCodeKindFilter = Type.Optional(
  repeatable(
    Type.String({ maxLength: 40 }),
    'Any of these kinds; case-insensitive, with spaces or hyphens for underscores.',
  ),
);

export const ShortNumber = nullable(
  Type.String({
    pattern: SHORT_NUMBER_PATTERN,
    description:
      'Opens the code for somebody who cannot scan it: typed on the start page, or as `/?number=`. Null for a moment after the upgrade from a version without numbers.',
  }),
);

/** EXPIRED is computed from `expiresAt`; UNCLAIMED is a tag of a batch that has no owner yet. */
export const QR_CODE_STATUSES = ['ACTIVE', 'PAUSED', 'LOST', 'EXPIRED', 'DELETED', 'UNCLAIMED'] as const;

export const QR_CODE_NOTIFY_ON_VALUES = ['EVERY_SCAN', 'FIRST_OF_DAY', 'ONLY_LOST', 'NEVER'] as const;

const WARNINGS = {
  SCAN_URL_LOCAL: "The address in the image is this machine's own: a printed code would be dead elsewhere.",
  NOTHING_PUBLIC:
    'The page shows nothing that helps a finder without the PIN. Set fields to PUBLIC, or create an emergency card with `"visibilityPreset": "EMERGENCY"`.',
  TITLE_NOT_SECRET: 'Titles are searchable and not encrypted: put nothing private into them.',
};

export type QrCodeWarning = keyof typeof WARNINGS;

export const QrCodeWarnings = createWarningsSchema(...(Object.keys(WARNINGS) as QrCodeWarning[]));

const Kind = stringEnum(QR_CODE_KIND_NAMES, {
  description: 'Accepted in any case and with spaces or hyphens.',
});
const KindName = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'Accepted in any case and with spaces or hyphens.',
});
const Title = Type.String({
  minLength: 1,
  maxLength: MAX_QR_CODE_TITLE_CHARACTERS,
  pattern: NON_BLANK_LINE_PATTERN,
  description: 'Your name for the code; searchable and not encrypted.',
});
const Mode = Type.String({
  minLength: 1,
  maxLength: 10,
  pattern: '^([dD][yY][nN][aA][mM][iI][cC]|[sS][tT][aA][tT][iI][cC])$',
  description:
    'DYNAMIC: the image contains the URL of the page. STATIC: the image contains the content itself. Accepted in any case.',
});
const Pin = nullable(Type.String({ pattern: '^[0-9]{4,12}$', description: '4 to 12 digits.' }));
// Validated by the rules of the kind, which name each invalid field.
const Content = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true });
const Cleared = nullable(Content);
const ExpiresAt = nullable(
  Type.String({ format: 'date-time', description: 'Expiry date; afterwards scans return 410.' }),
);

const settingFields = {
  ...REFERENCE_INPUT_FIELDS,
  folderId: Type.Optional(
    nullable(Type.String({ ...Id, description: 'A folder of the account: GET /api/folders.' })),
  ),
  pin: Type.Optional(Pin),
  design: Type.Optional(Cleared),
  expiresAt: Type.Optional(ExpiresAt),
  pageDesign: Type.Optional(
    nullable(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description:
          'Color, order and pictures of the page: members as in the response. Requires a package with the feature PAGE_DESIGN.',
      }),
    ),
  ),
  visibility: Type.Optional(Cleared),
  contactable: Type.Optional(
    Type.Boolean({ description: 'Whether finders can send you messages. Default true.' }),
  ),
  showsPage: Type.Optional(
    Type.Boolean({
      description:
        'For kind URL: show the page before redirecting. Default false. The operator can always show it.',
    }),
  ),
  notifyOn: Type.Optional(
    stringEnum(QR_CODE_NOTIFY_ON_VALUES, {
      description:
        'Scans by humans that notify you: EVERY_SCAN (default), FIRST_OF_DAY in your time zone, ONLY_LOST or NEVER. A lost item notifies on every scan unless NEVER.',
    }),
  ),
};

export const NewQrCode = Type.Object({
  kind: KindName,
  title: Title,
  mode: Type.Optional(Mode),
  data: Content,
  visibilityPreset: Type.Optional(
    stringEnum(VISIBILITY_PRESETS, {
      description:
        'For kind MEDICAL. EMERGENCY: everybody who scans sees what paramedics ask first and whom to call, without a PIN. `visibility` can still hide single fields.',
    }),
  ),
  ...settingFields,
});

export const QrCodeChange = Type.Object({
  kind: Type.Optional(KindName),
  mode: Type.Optional(Mode),
  title: Type.Optional(Title),
  data: Type.Optional(Content),
  status: Type.Optional(
    stringEnum(QR_CODE_STATUSES, {
      description: 'ACTIVE or PAUSED; other values are accepted only if unchanged.',
    }),
  ),
  ...settingFields,
});

export const RenderQrCodeRequest = Type.Object({
  kind: KindName,
  title: Type.Optional(Title),
  mode: Type.Optional(Mode),
  data: Content,
  design: Type.Optional(Cleared),
  visibility: Type.Optional(Cleared),
  format: withDefault(stringEnum(['png', 'svg', 'pdf'], { default: 'png' })),
});

export const LostItemDetails = Type.Object({
  message: Type.Optional(nullable(Type.String({ maxLength: 1000, pattern: FREE_TEXT_PATTERN }))),
  reward: Type.Optional(nullable(Type.String({ maxLength: 200, pattern: SINGLE_LINE_PATTERN }))),
  lastSeen: Type.Optional(
    nullable(
      Type.String({
        description: 'Where it was last seen; shown on the page, like message and reward.',
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
  ...ACCOUNT_FIELDS,
  kind: Kind,
  mode: stringEnum(QR_CODE_MODES),
  title: Type.String(),
  slug: Type.String(),
  ...REFERENCE_FIELDS,
  folderId: nullable(Id),
  shortNumber: ShortNumber,
  status: stringEnum(QR_CODE_STATUSES),
  takenDownAt: nullable({
    ...Timestamp,
    description:
      'Since when administrators withhold the code, whatever its status: GET /api/qrcodes/<id>/takedown has the reason. Finders get 410.',
  }),
  imageUrl: nullable(Type.String()),
  scanUrl: Type.String(),
  hasPin: Type.Boolean(),
  contactable: Type.Boolean(),
  showsPage: Type.Boolean(),
  notifyOn: stringEnum(QR_CODE_NOTIFY_ON_VALUES),
  scanCount: Type.Integer({ description: 'Scans of all classes; see counts.' }),
  counts: Type.Object(SCAN_COUNT_SCHEMA_PROPERTIES),
  lastScannedAt: nullable(Timestamp),
  expiresAt: nullable(Timestamp),
  version: Type.Integer(),
  warnings: QrCodeWarnings,
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
      description: 'Visibility of every field of the kind, and of its pictures.',
    }),
    design: QrCodeDesignSchema,
    adjusted: Type.Array(QrCodeDesignAdjustmentSchema, {
      description: 'Adjustments to the design that make it scannable.',
    }),
    pageDesign: schemaRef(PageDesign),
    lost: Type.Unsafe<Static<typeof Lost> | null>({ ...Lost, type: ['object', 'null'] }),
    readOnly: Type.Boolean({
      description:
        'The code exceeds the limit of the current package. It keeps working, but content, title, visibility, design, PIN and expiry cannot be changed. The oldest codes count first.',
    }),
  },
  { $id: 'QrCode', ...VERSIONED_SCHEMA },
);

export const QrCodePreview = Type.Object(
  {
    as: stringEnum(['finder', 'pin']),
    status: stringEnum(QR_CODE_STATUSES),
    profile: Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      additionalProperties: true,
    }),
    pictures: Type.Array(schemaRef(VisiblePicture)),
    pinRequired: Type.Boolean(),
    contactable: Type.Boolean(),
  },
  { $id: 'QrCodePreview', description: 'What a finder sees; no scan is recorded.' },
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
  { $id: 'TestLink', description: 'One-time link that marks a phone as the owner’s.' },
);

export const QrCodeKindList = Type.Object({ data: Type.Array(schemaRef(KindDescription)) });
