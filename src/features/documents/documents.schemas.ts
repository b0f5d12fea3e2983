import { Type } from 'typebox';
import {
  FREE_TEXT_PATTERN,
  Id,
  NON_BLANK_LINE_PATTERN,
  nullable,
  stringEnum,
  Timestamp,
} from '../../shared/common.schemas.ts';

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
  description: 'A note of your own.',
});
const ExpiryDate = Type.String({
  format: 'date',
  // The Gregorian calendar has no year 0.
  pattern: '^(?!0000)',
  description: 'The last day on which it is valid: you are told 30 days before, and on the day.',
});

/** The fields of a form beside its file. */
export const NewDocumentRequest = Type.Object({
  title: Type.Optional(Type.String({ ...DocumentTitle, description: 'Without it the name of the file.' })),
  kind: Type.Optional(DocumentKind),
  note: Type.Optional(DocumentNote),
  expiresOn: Type.Optional(ExpiryDate),
});

export const DocumentUpdateRequest = Type.Object({
  title: Type.Optional(DocumentTitle),
  kind: Type.Optional(DocumentKind),
  note: Type.Optional(nullable(DocumentNote)),
  expiresOn: Type.Optional(nullable(ExpiryDate)),
});

const documentProperties = {
  id: Id,
  ownerId: Id,
  title: Type.String(),
  kind: DocumentKind,
  expiresOn: nullable(Type.String({ format: 'date' })),
  contentType: Type.String({ description: 'Of the newest version, by its content.' }),
  size: Type.Integer({ description: 'Bytes of the newest version.' }),
  versionCount: Type.Integer(),
  currentVersion: Type.Integer({ description: 'Number of the newest version.' }),
  shareCount: Type.Integer({ description: 'Links that open it, and people it was given to.' }),
  version: Type.Integer({ description: 'Counts changes, for If-Match.' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

const MalwareCheckSchema = stringEnum(['CLEAN', 'WAITING', 'NOT_CHECKED'], {
  description:
    'Of the content: nothing was found; it waits, and nobody reads it until it was checked (409 FILE_CHECK_PENDING); nothing checks files here, or not of that size.',
});

/** A document in a list. */
export const DocumentItem = Type.Object(documentProperties, { $id: 'DocumentItem' });

export const DocumentSchema = Type.Object(
  {
    ...documentProperties,
    note: nullable(Type.String()),
    fileName: Type.String({ description: 'The name that the newest version is given back under.' }),
    malwareCheck: MalwareCheckSchema,
    readOnly: Type.Boolean({
      description:
        'Beyond what the package has room for, where a larger one has ended: it can be read, shared and deleted, not changed. The oldest documents stay within.',
    }),
  },
  { $id: 'Document' },
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
