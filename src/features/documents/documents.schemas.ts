import { Type } from 'typebox';
import { FILLED_LINE, FREE_TEXT, Id, nullable, oneOf, Timestamp } from '../../shared/common.schemas.ts';

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

const Title = Type.String({ minLength: 1, maxLength: 200, pattern: FILLED_LINE });
const Kind = oneOf(DOCUMENT_KINDS);
const Note = Type.String({ maxLength: 5_000, pattern: FREE_TEXT, description: 'A note of your own.' });
const Day = Type.String({
  format: 'date',
  // The Gregorian calendar has no year 0.
  pattern: '^(?!0000)',
  description: 'The last day on which it is valid: you are told 30 days before, and on the day.',
});

/** The fields of a form beside its file. */
export const NewDocument = Type.Object({
  title: Type.Optional(Type.String({ ...Title, description: 'Without it the name of the file.' })),
  kind: Type.Optional(Kind),
  note: Type.Optional(Note),
  expiresOn: Type.Optional(Day),
});

export const DocumentChange = Type.Object({
  title: Type.Optional(Title),
  kind: Type.Optional(Kind),
  note: Type.Optional(nullable(Note)),
  expiresOn: Type.Optional(nullable(Day)),
});

const facts = {
  id: Id,
  ownerId: Id,
  title: Type.String(),
  kind: Kind,
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

const MalwareCheck = oneOf(['CLEAN', 'WAITING', 'NOT_CHECKED'], {
  description:
    'Of the content: nothing was found; it waits, and nobody reads it until it was checked (409 FILE_NOT_CHECKED); nothing checks files here, or not of that size.',
});

/** A document in a list. */
export const DocumentItem = Type.Object(facts, { $id: 'DocumentItem' });

export const Document = Type.Object(
  {
    ...facts,
    note: nullable(Type.String()),
    fileName: Type.String({ description: 'The name that the newest version is given back under.' }),
    malwareCheck: MalwareCheck,
    readOnly: Type.Boolean({
      description:
        'Beyond what the package has room for, where a larger one has ended: it can be read, shared and deleted, not changed. The oldest documents stay within.',
    }),
  },
  { $id: 'Document' },
);

export const DocumentVersion = Type.Object(
  {
    id: Id,
    documentId: Id,
    number: Type.Integer(),
    fileName: Type.String(),
    contentType: Type.String(),
    size: Type.Integer(),
    malwareCheck: MalwareCheck,
    createdAt: Timestamp,
  },
  { $id: 'DocumentVersion' },
);
