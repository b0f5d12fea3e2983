import { Type } from 'typebox';
import {
  ACCOUNT_FIELDS,
  Id,
  nullable,
  SINGLE_LINE_PATTERN,
  stringEnum,
  Timestamp,
} from '../../shared/common.schemas.ts';
import { PageQuery } from '../../shared/pagination.ts';
import { QR_CODE_KIND_NAMES, QR_CODE_STATUSES } from '../codes/index.ts';
import { USER_STATUSES } from '../identity/index.ts';

/** A minimum length, so that support cannot list everything. */
const createSupportSearchParam = (description: string) =>
  Type.String({
    minLength: 3,
    maxLength: 100,
    pattern: SINGLE_LINE_PATTERN,
    description: `${description} At least 3 letters or digits.`,
  });

export const SupportUserQuery = Type.Object({
  ...PageQuery.properties,
  search: createSupportSearchParam('Matches part of address, name or organization, case-insensitive.'),
});

export const SupportQrCodeQuery = Type.Object(
  {
    ...PageQuery.properties,
    search: Type.Optional(createSupportSearchParam('Matches part of title or kind, case-insensitive.')),
    id: Type.Optional(Id),
    accountId: Type.Optional(Id),
    ownerId: Type.Optional(ACCOUNT_FIELDS.ownerId),
  },
  { description: 'One of search, id or accountId is required.' },
);

export const SupportUser = Type.Object(
  {
    id: Id,
    email: Type.String(),
    firstName: nullable(Type.String()),
    lastName: nullable(Type.String()),
    organizationName: nullable(Type.String()),
    language: Type.String(),
    status: stringEnum(USER_STATUSES),
    qrCodes: Type.Integer({ description: 'Number of codes, without deleted ones.' }),
    lastLoginAt: nullable(Timestamp),
    createdAt: Timestamp,
  },
  { $id: 'SupportUser', description: 'A user as support sees them.' },
);

export const SupportQrCode = Type.Object(
  {
    id: Id,
    ...ACCOUNT_FIELDS,
    ownerEmail: Type.String(),
    kind: stringEnum(QR_CODE_KIND_NAMES),
    mode: stringEnum(['DYNAMIC', 'STATIC']),
    title: Type.String(),
    status: stringEnum(QR_CODE_STATUSES),
    expiresAt: nullable(Timestamp),
    deletedAt: nullable(Timestamp),
    takenDownAt: nullable(Timestamp),
    createdAt: Timestamp,
  },
  { $id: 'SupportQrCode', description: 'A QR code as support sees it, without content and scans.' },
);
