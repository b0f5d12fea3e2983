import { Type } from 'typebox';
import { ACCOUNT_ROLES } from '../../../shared/account-roles.ts';
import { Id, nullable, stringEnum, Timestamp, VERSIONED_SCHEMA } from '../../../shared/common.schemas.ts';

const Role = stringEnum(ACCOUNT_ROLES);

export const MemberChange = Type.Object({ role: Role });

export const MemberSchema = Type.Object(
  {
    userId: Id,
    name: nullable(Type.String({ description: 'First and last name; null before there is a profile.' })),
    email: nullable(Type.String({ description: 'For owners and managers; null for other members.' })),
    role: Role,
    since: Timestamp,
    version: Type.Integer(),
  },
  { $id: 'Member', description: 'A user who acts for an organization.', ...VERSIONED_SCHEMA },
);
