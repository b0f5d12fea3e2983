import { type Static, Type } from 'typebox';
import { SINGLE_LINE_PATTERN, stringEnum } from '../../../shared/common.schemas.ts';
import { ExternalId, MetadataPair } from '../../../shared/metadata.schemas.ts';
import { FolderFilter } from '../folders/folders.schemas.ts';
import { QR_CODE_SORTS } from '../qrcode-list.repository.ts';
import { QR_CODE_KIND_NAMES } from '../qrcodes.schemas.ts';

/** Deleted codes have a list of their own. */
export const SAVED_VIEW_STATUSES = ['ACTIVE', 'PAUSED', 'LOST', 'EXPIRED'] as const;

const Day = Type.Optional(Type.String({ format: 'date' }));

export const SavedViewQuery = Type.Object(
  {
    search: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: SINGLE_LINE_PATTERN })),
    kind: Type.Optional(stringEnum(QR_CODE_KIND_NAMES)),
    folder: Type.Optional(FolderFilter),
    status: Type.Optional(stringEnum(SAVED_VIEW_STATUSES)),
    externalId: Type.Optional(ExternalId),
    metadata: Type.Optional(MetadataPair),
    notScannedSince: Day,
    expiresTo: Day,
    sort: Type.Optional(stringEnum(QR_CODE_SORTS)),
  },
  { description: 'Parameters of GET /api/qrcodes, one value of each.' },
);

export type SavedViewQueryParameters = Static<typeof SavedViewQuery>;
