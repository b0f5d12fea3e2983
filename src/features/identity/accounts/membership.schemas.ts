import { Type } from 'typebox';
import { ACCOUNT_ROLES } from '../../../shared/account-roles.ts';
import { Id, nullable, stringEnum, Timestamp } from '../../../shared/common.schemas.ts';

const ACCOUNT_TYPES = ['PERSONAL', 'ORGANIZATION'] as const;

export type AccountType = (typeof ACCOUNT_TYPES)[number];

const membershipProperties = {
  id: Id,
  type: stringEnum(ACCOUNT_TYPES),
  name: nullable(Type.String({ description: 'Of an organization; null for the personal account.' })),
  role: stringEnum(ACCOUNT_ROLES),
};

/** An account that a user acts for. */
export const AccountMembership = Type.Object(membershipProperties);

export const ExportedMembership = Type.Object({
  ...membershipProperties,
  since: Timestamp,
});
