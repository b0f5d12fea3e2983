import { type Static, Type } from 'typebox';
import {
  Id,
  NON_BLANK_LINE_PATTERN,
  nullable,
  schemaRef,
  stringEnum,
  Timestamp,
} from '../../../shared/common.schemas.ts';
import { PageQuery } from '../../../shared/pagination.ts';
import { PageDesign } from '../page-design.rules.ts';
import { MAX_QR_CODE_TITLE_CHARACTERS } from '../qrcode-input.rules.ts';
import { ShortNumber } from '../qrcodes.schemas.ts';

export const MAX_BATCH_TAGS = 100_000;

/** Rows are in one request. */
export const MAX_BATCH_ROWS = 5_000;

export const MAX_BATCH_PREFIX_CHARACTERS = 60;

/** Kinds whose page needs nothing but a name. */
export const BATCH_KINDS = ['LUGGAGE', 'PET', 'CAR', 'MEDICAL', 'IDENTIFICATION'] as const;

export const BATCH_STATUSES = ['WAITING', 'RUNNING', 'COMPLETED', 'FAILED', 'CANCELED'] as const;

export const CLAIM_MODES = ['OPEN', 'BY_CODE'] as const;

export const TAG_STATUSES = ['CREATED', 'PRINTED', 'HANDED_OUT', 'CLAIMED', 'DELETED'] as const;

const Kind = stringEnum(BATCH_KINDS, { description: 'What the tags are for.' });

const CLAIM_DESCRIPTION =
  'OPEN: whoever scans a tag can claim it. BY_CODE: only with the claim code of its packaging, which the CSV export has.';

const Claim = stringEnum(CLAIM_MODES, { description: CLAIM_DESCRIPTION });

const createTagNumber = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_BATCH_TAGS, description }));

const TAG_RANGE = {
  from: createTagNumber('First number. Default 1.'),
  to: createTagNumber('Last number. Default that of the last tag.'),
};

const Design = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'Design of the images, without a logo.',
});

export const NewBatch = Type.Object({
  kind: Kind,
  prefix: Type.String({
    minLength: 1,
    maxLength: MAX_BATCH_PREFIX_CHARACTERS,
    pattern: NON_BLANK_LINE_PATTERN,
    description: 'Name of the batch, and begin of the titles of its tags: “Suitcase” makes “Suitcase 001”.',
  }),
  count: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_BATCH_TAGS, description: 'How many tags. Instead of `rows`.' }),
  ),
  rows: Type.Optional(
    Type.Array(
      Type.Object({
        title: Type.String({
          minLength: 1,
          maxLength: MAX_QR_CODE_TITLE_CHARACTERS,
          pattern: NON_BLANK_LINE_PATTERN,
        }),
      }),
      {
        minItems: 1,
        maxItems: MAX_BATCH_ROWS,
        description: 'A tag for each, with a title of its own. Instead of `count`.',
      },
    ),
  ),
  claim: Type.Optional(stringEnum(CLAIM_MODES, { description: `${CLAIM_DESCRIPTION} Default OPEN.` })),
  design: Type.Optional(Design),
  pageDesign: Type.Optional(schemaRef(PageDesign)),
});

export type NewBatchBody = Static<typeof NewBatch>;

const TagCounts = Type.Object({
  printed: Type.Integer(),
  handedOut: Type.Integer(),
  scanned: Type.Integer({ description: 'Their pages were opened before they were claimed.' }),
  claimed: Type.Integer(),
});

export const BatchSchema = Type.Object(
  {
    id: Id,
    kind: Kind,
    prefix: Type.String(),
    claim: Claim,
    status: stringEnum(BATCH_STATUSES, {
      description:
        'WAITING or RUNNING while a job creates the tags. The tags of a FAILED or CANCELED one stay.',
    }),
    count: Type.Integer({ description: 'How many tags were requested.' }),
    created: Type.Integer({ description: 'How many of them are created so far.' }),
    counts: TagCounts,
    error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    createdAt: Timestamp,
    finishedAt: nullable(Timestamp),
  },
  { $id: 'Batch', description: 'Tags that are printed first and get their owners later.' },
);

export const BatchTagSchema = Type.Object(
  {
    number: Type.Integer({ description: 'Within the batch, from 1.' }),
    qrCodeId: Type.Unsafe<string>({
      ...Id,
      description: 'The code. Once it is claimed it belongs to another account.',
    }),
    shortNumber: ShortNumber,
    status: stringEnum(TAG_STATUSES),
    printedAt: nullable(Timestamp),
    handedOutAt: nullable(Timestamp),
    scannedAt: nullable(Timestamp),
    claimedAt: nullable(Timestamp),
  },
  { $id: 'BatchTag', description: 'A tag of a batch. What its owner writes is not in here.' },
);

export const BatchTagQuery = Type.Object({
  ...PageQuery.properties,
  ...TAG_RANGE,
});

export const BatchImagesQuery = Type.Object({
  format: stringEnum(['png', 'svg'], { default: 'png', description: 'Format of the images.' }),
  ...TAG_RANGE,
});

export const BatchTagChange = Type.Object({
  ...TAG_RANGE,
  printed: Type.Optional(Type.Boolean()),
  handedOut: Type.Optional(Type.Boolean()),
});

export type BatchTagChangeBody = Static<typeof BatchTagChange>;
export type BatchView = Static<typeof BatchSchema>;
export type BatchTagView = Static<typeof BatchTagSchema>;
