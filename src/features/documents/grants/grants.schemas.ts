import { Type } from 'typebox';
import { Id, nullable, Timestamp } from '../../../shared/common.schemas.ts';
import { CursorParam, createCursorPageSchema } from '../../../shared/pagination.ts';

export const DocumentGrantRequest = Type.Object({
  email: Type.String({
    minLength: 3,
    maxLength: 254,
    description:
      'The e-mail address of whom to give it to. Whether it has an account is told by nothing; one that is made later sees the document, too.',
  }),
});

export const DocumentGrant = Type.Object(
  {
    id: Id,
    documentId: Id,
    email: Type.String({ description: 'The address as accounts are known by it.' }),
    createdAt: Timestamp,
  },
  { $id: 'DocumentGrant' },
);

/** A document that somebody else gave. */
export const ReceivedDocument = Type.Object(
  {
    id: Type.String({ ...Id, description: 'Of the grant: it is read and given back by this.' }),
    title: Type.String(),
    kind: Type.String(),
    contentType: Type.String({ description: 'A media type.' }),
    size: Type.Integer({ description: 'Bytes.' }),
    version: Type.Integer({ description: 'The number of the newest version, which is what is read.' }),
    expiresOn: nullable(Type.String({ format: 'date', description: 'The last day it is valid.' })),
    givenBy: Type.Object({ name: Type.String() }),
    createdAt: Type.String({ ...Timestamp, description: 'When it was given.' }),
  },
  { $id: 'GivenDocument' },
);

export const ReceivedDocumentQuery = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 10, description: 'Rows a page.' }),
  cursor: CursorParam,
});

export const ReceivedDocumentList = createCursorPageSchema(ReceivedDocument, 'GivenDocumentList');
