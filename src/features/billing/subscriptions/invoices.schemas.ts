import { Type } from 'typebox';
import { Id, nullable, stringEnum, Timestamp } from '../../../shared/common.schemas.ts';
import { CursorParam, createCursorPageSchema, PageQuery } from '../../../shared/pagination.ts';

export const Invoice = Type.Object(
  {
    id: Id,
    subscriptionId: nullable(Id),
    number: nullable(Type.String({ description: 'As it is printed on it.' })),
    state: stringEnum(['OPEN', 'PAID', 'VOID', 'UNCOLLECTIBLE']),
    currency: Type.String({ description: 'ISO 4217.' }),
    total: Type.Integer({ description: 'In minor units; below zero where it is credited.' }),
    amountPaid: Type.Integer({ description: 'In minor units.' }),
    amountRefunded: Type.Integer({ description: 'What of it was given back, in minor units.' }),
    isDisputed: Type.Boolean(),
    needsAction: Type.Boolean({ description: 'Whether the payment is to be confirmed at the bank.' }),
    nextAttemptAt: nullable(Timestamp),
    periodStart: nullable(Timestamp),
    periodEnd: nullable(Timestamp),
    issuedAt: Timestamp,
    paidAt: nullable(Timestamp),
  },
  { $id: 'Invoice' },
);

export const InvoiceList = createCursorPageSchema(Invoice, 'InvoiceList');

export const InvoiceQuery = Type.Object({ ...PageQuery.properties, cursor: CursorParam });

export const InvoicePage = Type.Object(
  { url: Type.String({ description: 'A page of the payment provider, on which it can be read and paid.' }) },
  { $id: 'InvoicePage' },
);
