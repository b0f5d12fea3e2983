import { Type } from 'typebox';
import { Id, nullable, Timestamp } from '../../../shared/common.schemas.ts';

export const OwnerPhone = Type.Object(
  {
    id: Id,
    name: Type.String({ description: 'Browser and operating system, without versions.' }),
    createdAt: Type.String({ format: 'date-time', description: 'When it was marked.' }),
    lastScannedOn: nullable(
      Type.String({
        format: 'date',
        description: 'The last day in UTC on which it opened a page of a code.',
      }),
    ),
    expiresAt: Timestamp,
  },
  { $id: 'OwnerPhone', description: "A phone that is marked as the owner's." },
);
