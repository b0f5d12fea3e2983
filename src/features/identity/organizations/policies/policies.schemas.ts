import { type Static, Type } from 'typebox';
import { ACCOUNT_ROLES } from '../../../../shared/account-roles.ts';
import { Id, nullable, stringEnum, VERSIONED_SCHEMA } from '../../../../shared/common.schemas.ts';

export const MAX_SESSION_HOURS = 720;

/** Of those without a second factor; their number is of all. */
export const MAX_LISTED_MEMBERS = 100;

const SecondFactorRequired = Type.Boolean({
  description: 'Members without a second factor only enroll one and leave.',
});

const MaxSessionHours = Type.Integer({ minimum: 1, maximum: MAX_SESSION_HOURS });

export const OrganizationPoliciesChange = Type.Object({
  secondFactorRequired: Type.Optional(SecondFactorRequired),
  maxSessionHours: Type.Optional(nullable(MaxSessionHours)),
});

export type OrganizationPoliciesChangeInput = Static<typeof OrganizationPoliciesChange>;

export const OrganizationPoliciesSchema = Type.Object(
  {
    secondFactorRequired: SecondFactorRequired,
    maxSessionHours: nullable(
      Type.Integer({ description: 'So long after the login members act for it; null for no limit.' }),
    ),
    enterpriseMode: Type.Boolean({
      description: 'Set by administrators. It requires a second factor, too.',
    }),
    membersWithoutSecondFactor: Type.Object({
      count: Type.Integer(),
      members: Type.Array(
        Type.Object({ userId: Id, name: nullable(Type.String()), role: stringEnum(ACCOUNT_ROLES) }),
        { description: `Those of the longest first, up to ${MAX_LISTED_MEMBERS}.` },
      ),
    }),
    version: Type.Integer({ description: 'Of the organization.' }),
  },
  {
    $id: 'OrganizationPolicies',
    description: 'What an organization requires of its members.',
    ...VERSIONED_SCHEMA,
  },
);
