import { Type } from 'typebox';
import {
  ACCOUNT_FIELDS,
  FREE_TEXT_PATTERN,
  Id,
  NON_BLANK_LINE_PATTERN,
  nullable,
  stringEnum,
  Timestamp,
  VERSIONED_SCHEMA,
} from '../../shared/common.schemas.ts';
import { REFERENCE_FIELDS, REFERENCE_INPUT_FIELDS } from '../../shared/metadata.schemas.ts';

export const DOCUMENT_KINDS = [
  'PASSPORT',
  'IDENTITY',
  'CERTIFICATE',
  'CONTRACT',
  'INSURANCE',
  'HEALTH',
  'FINANCE',
  'VEHICLE',
  'OTHER',
] as const;

const DocumentTitle = Type.String({ minLength: 1, maxLength: 200, pattern: NON_BLANK_LINE_PATTERN });
const DocumentKind = stringEnum(DOCUMENT_KINDS);
const DocumentNote = Type.String({
  maxLength: 5_000,
  pattern: FREE_TEXT_PATTERN,
  description: 'A private note.',
});
export const ExpiryDate = Type.String({
  format: 'date',
  // The Gregorian calendar has no year 0.
  pattern: '^0{0,3}[1-9]',
  description: 'Last day of validity. You are notified 30 days before, and on this day.',
});

export const NewDocumentRequest = Type.Object({
  title: Type.Optional(Type.String({ ...DocumentTitle, description: 'Default: the file name.' })),
  kind: Type.Optional(DocumentKind),
  note: Type.Optional(DocumentNote),
  expiresOn: Type.Optional(ExpiryDate),
  ...REFERENCE_INPUT_FIELDS,
});

export const DocumentUpdateRequest = Type.Object({
  title: Type.Optional(DocumentTitle),
  kind: Type.Optional(DocumentKind),
  note: Type.Optional(nullable(DocumentNote)),
  expiresOn: Type.Optional(nullable(ExpiryDate)),
  ...REFERENCE_INPUT_FIELDS,
});

const documentProperties = {
  id: Id,
  ...ACCOUNT_FIELDS,
  title: Type.String(),
  kind: DocumentKind,
  ...REFERENCE_FIELDS,
  expiresOn: nullable(Type.String({ format: 'date' })),
  contentType: Type.String({ description: 'Detected type of the current version.' }),
  size: Type.Integer({ description: 'Size of the current version in bytes.' }),
  versionCount: Type.Integer(),
  currentVersion: Type.Integer({
    description: 'Number of the version that is read: the newest, unless an earlier one was restored.',
  }),
  shareCount: Type.Integer({ description: 'Number of active links and grants.' }),
  version: Type.Integer({ description: 'Incremented by each change, for If-Match.' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

const MalwareCheckSchema = stringEnum(['CLEAN', 'WAITING', 'NOT_CHECKED'], {
  description:
    'CLEAN: nothing was found. WAITING: the content cannot be read until it is checked (409 FILE_CHECK_PENDING). NOT_CHECKED: no scanner is configured, or the file is too large for it.',
});

export const DocumentItem = Type.Object(documentProperties, { $id: 'DocumentItem' });

export const DocumentSchema = Type.Object(
  {
    ...documentProperties,
    note: nullable(Type.String()),
    fileName: Type.String({ description: 'File name of the current version.' }),
    malwareCheck: MalwareCheckSchema,
    readOnly: Type.Boolean({
      description:
        'The document exceeds the quota after a change of package. It can be read, shared and deleted, but not changed. The oldest documents count first.',
    }),
  },
  { $id: 'Document', ...VERSIONED_SCHEMA },
);

export const DocumentVersionSchema = Type.Object(
  {
    id: Id,
    documentId: Id,
    number: Type.Integer(),
    fileName: Type.String(),
    contentType: Type.String(),
    size: Type.Integer(),
    malwareCheck: MalwareCheckSchema,
    createdAt: Timestamp,
  },
  { $id: 'DocumentVersion' },
);
