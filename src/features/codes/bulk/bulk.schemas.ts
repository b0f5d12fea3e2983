import { Type } from 'typebox';
import { FieldProblem, Id, nullable, schemaRef, stringEnum } from '../../../shared/common.schemas.ts';
import { ExternalId } from '../../../shared/metadata.schemas.ts';
import { NewQrCode, QrCodeChange, QrCodeWarnings } from '../qrcodes.schemas.ts';

export const MAX_BULK_ITEMS = 1_000;

export const BulkQrCodes = Type.Object({
  items: Type.Array(NewQrCode, {
    minItems: 1,
    maxItems: MAX_BULK_ITEMS,
    description: 'As POST /api/qrcodes. An item with the `externalId` of a code updates it.',
  }),
});

export const BulkQrCodeChange = Type.Object({
  id: Type.Optional(Id),
  ...QrCodeChange.properties,
});

export const BulkQrCodeChanges = Type.Object({
  items: Type.Array(BulkQrCodeChange, {
    minItems: 1,
    maxItems: MAX_BULK_ITEMS,
    description: 'As PATCH /api/qrcodes/{id}. `"status": "PAUSED"` pauses a code, `"ACTIVE"` resumes it.',
  }),
});

export const BulkQrCodeTargets = Type.Object({
  items: Type.Array(
    Type.Object({ id: Type.Optional(Id), externalId: Type.Optional(ExternalId) }, { minProperties: 1 }),
    { minItems: 1, maxItems: MAX_BULK_ITEMS, description: 'Codes by `id` or `externalId`.' },
  ),
});

/** The items are validated one by one. */
export const BulkEnvelope = Type.Object({
  items: Type.Array(Type.Unknown(), { minItems: 1, maxItems: MAX_BULK_ITEMS }),
});

export const BULK_OUTCOMES = ['CREATED', 'UPDATED', 'UNCHANGED', 'DELETED', 'FAILED'] as const;

const BulkItemError = Type.Object({
  code: Type.String({ description: 'As in a problem document.' }),
  detail: Type.String(),
  errors: Type.Array(schemaRef(FieldProblem)),
});

export const BulkQrCodeItem = Type.Object(
  {
    index: Type.Integer({ description: 'Position in `items`, from 0.' }),
    outcome: stringEnum(BULK_OUTCOMES),
    id: nullable(Id),
    externalId: nullable(Type.String()),
    scanUrl: nullable(Type.String()),
    imageUrl: nullable(
      Type.String({ description: 'Valid at once; the image is drawn on its first request.' }),
    ),
    warnings: QrCodeWarnings,
    error: nullable(BulkItemError),
  },
  { $id: 'BulkQrCodeItem' },
);

export const BulkQrCodeResult = Type.Object(
  {
    data: Type.Array(schemaRef(BulkQrCodeItem), { description: 'One for each item, in their order.' }),
    counts: Type.Object({
      created: Type.Integer(),
      updated: Type.Integer(),
      unchanged: Type.Integer(),
      deleted: Type.Integer(),
      failed: Type.Integer(),
    }),
  },
  { $id: 'BulkQrCodeResult' },
);
