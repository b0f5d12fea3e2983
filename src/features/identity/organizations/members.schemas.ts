import { Type } from 'typebox';
import { ACCOUNT_ROLES } from '../../../shared/account-roles.ts';
import { Id, nullable, stringEnum, Timestamp, VERSIONED_SCHEMA } from '../../../shared/common.schemas.ts';

const Role = stringEnum(ACCOUNT_ROLES);

export const MemberChange = Type.Object({ role: Role });

/** As many as an account can have. */
export const MAX_MEMBER_FOLDERS = 500;

export const MemberFolders = Type.Object({
  folderIds: nullable(
    Type.Array(Id, {
      maxItems: MAX_MEMBER_FOLDERS,
      uniqueItems: true,
      description: 'The member has the codes in these folders only; null for all codes.',
    }),
  ),
});

export const OwnershipTransfer = Type.Object({
  userId: Type.Unsafe<string>({ ...Id, description: 'Another member, who becomes an owner.' }),
});

/** What a member would take along, so that it ends or has to be changed. */
export const MemberAccessSchema = Type.Object(
  {
    apiKeys: Type.Array(Type.Object({ id: Id, name: Type.String(), prefix: Type.String() }), {
      description:
        'They stop with the membership, unless an owner or manager takes them over: `POST /api/api-keys/<id>/take-over`.',
    }),
    webhookEndpoints: Type.Array(Type.Object({ id: Id, description: nullable(Type.String()) }), {
      description: 'The member could read their secrets: rotate them.',
    }),
    links: Type.Integer({ description: 'Of reports by email and of tests; they end.' }),
  },
  { $id: 'MemberAccess' },
);

export const MemberSchema = Type.Object(
  {
    userId: Id,
    name: nullable(Type.String({ description: 'First and last name; null before there is a profile.' })),
    email: nullable(Type.String({ description: 'For owners and managers; null for other members.' })),
    role: Role,
    folderIds: nullable(
      Type.Array(Id, { description: 'The folders that the member is limited to; null for all codes.' }),
    ),
    since: Timestamp,
    version: Type.Integer(),
  },
  { $id: 'Member', description: 'A user who acts for an organization.', ...VERSIONED_SCHEMA },
);
