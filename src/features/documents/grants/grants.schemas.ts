import { Type } from 'typebox';
import { Id, nullable, Timestamp } from '../../../shared/common.schemas.ts';
import { CursorQuery, createNamedPageSchema } from '../../../shared/pagination.ts';

export const NewDocumentGrantRequest = Type.Object({
  email: Type.String({
    minLength: 3,
    maxLength: 254,
    format: 'email',
    description:
      'Email address of the recipient. The response does not reveal whether it has an account. An account that is created later gets access, too.',
  }),
});

export const DocumentGrant = Type.Object(
  {
    id: Id,
    documentId: Id,
    email: Type.String({ description: 'Normalized email address.' }),
    createdAt: Timestamp,
  },
  { $id: 'DocumentGrant' },
);

export const ReceivedDocument = Type.Object(
  {
    id: Type.String({
      ...Id,
      description: 'Id of the grant. Use it to read the document or to decline the grant.',
    }),
    title: Type.String(),
    kind: Type.String(),
    contentType: Type.String({ description: 'Media type.' }),
    size: Type.Integer({ description: 'Bytes.' }),
    version: Type.Integer({
      description: 'Number of the current version, which is the one that can be read.',
    }),
    expiresOn: nullable(Type.String({ format: 'date', description: 'Last day of validity.' })),
    grantedBy: Type.Object({ name: Type.String() }),
    createdAt: Type.String({ ...Timestamp, description: 'When access was granted.' }),
  },
  { $id: 'ReceivedDocument' },
);

export const ReceivedDocumentQuery = CursorQuery;

export const ReceivedDocumentList = createNamedPageSchema(ReceivedDocument, 'ReceivedDocumentList');
