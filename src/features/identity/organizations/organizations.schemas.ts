import { type Static, Type } from 'typebox';
import { ACCOUNT_ROLES } from '../../../shared/account-roles.ts';
import {
  Id,
  NON_BLANK_LINE_PATTERN,
  nullable,
  stringEnum,
  Timestamp,
  VERSIONED_SCHEMA,
} from '../../../shared/common.schemas.ts';
import { LanguageInput, TimeZoneInput } from '../accounts/accounts.schemas.ts';

/** That one user owns: each has the limits of a package of its own. */
export const MAX_OWNED_ORGANIZATIONS = 10;

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: NON_BLANK_LINE_PATTERN,
  description: 'As members and finders read it.',
});

export const NewOrganization = Type.Object({
  name: Name,
  language: Type.Optional(LanguageInput),
  timeZone: Type.Optional(TimeZoneInput),
});

export const OrganizationChange = Type.Partial(NewOrganization);

export type NewOrganizationInput = Static<typeof NewOrganization>;
export type OrganizationChangeInput = Static<typeof OrganizationChange>;

export const OrganizationSchema = Type.Object(
  {
    id: Id,
    name: Type.String(),
    status: stringEnum(['ACTIVE', 'SUSPENDED']),
    role: stringEnum(ACCOUNT_ROLES),
    language: Type.String(),
    timeZone: Type.String(),
    deleteAfter: nullable(
      Type.String({
        format: 'date-time',
        description: 'When it is erased, after an owner has deleted it; until then it can be restored.',
      }),
    ),
    version: Type.Integer(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  {
    $id: 'Organization',
    description: 'An account of several users. `role` is yours.',
    ...VERSIONED_SCHEMA,
  },
);
