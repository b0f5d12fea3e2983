import { Type } from 'typebox';
import { Id, nullable, stringEnum, Timestamp } from '../../../shared/common.schemas.ts';
import { createNamedPageSchema, PageQuery } from '../../../shared/pagination.ts';

export const Invoice = Type.Object(
  {
    id: Id,
    subscriptionId: nullable(Id),
    number: nullable(Type.String({ description: 'Number printed on the invoice.' })),
    status: stringEnum(['OPEN', 'PAID', 'VOID', 'UNCOLLECTIBLE']),
    currency: Type.String({ description: 'ISO 4217.' }),
    total: Type.Integer({ description: 'In minor units; negative for a credit.' }),
    amountPaid: Type.Integer({ description: 'In minor units.' }),
    amountRefunded: Type.Integer({ description: 'Refunded amount in minor units.' }),
    disputed: Type.Boolean({ description: 'Whether the bank of the customer asks for the money back.' }),
    needsAction: Type.Boolean({ description: 'Whether the payment must be confirmed with the bank.' }),
    nextAttemptAt: nullable(Timestamp),
    periodStart: nullable(Timestamp),
    periodEnd: nullable(Timestamp),
    issuedAt: Timestamp,
    paidAt: nullable(Timestamp),
  },
  { $id: 'Invoice' },
);

export const InvoiceList = createNamedPageSchema(Invoice, 'InvoiceList');

export const InvoiceQuery = PageQuery;

export const InvoicePage = Type.Object(
  { url: Type.String({ description: 'Page of the payment provider for viewing and paying the invoice.' }) },
  { $id: 'InvoicePage' },
);
