import { basename } from 'node:path';
import { type Static, Type } from 'typebox';
import { readOrReportIntegrityFailure } from '../../platform/integrity-failure.ts';
import {
  defineExportedList,
  defineExportedRows,
  defineExportedValue,
  definePersonalData,
  defineTableDeletedOnErasure,
  defineTableKeptOnErasure,
  type ExportArchiveFile,
  type PersonalDataExportContext,
  type PersonalDataViewContext,
} from '../../platform/personal-data.ts';
import { createRowDeletionStep } from '../../platform/personal-rows.repository.ts';
import { Id, nullable, Timestamp } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { deriveLoginAccountKey } from './accounts/device-token.ts';
import { deleteLoginFailures } from './accounts/login-delay.repository.ts';
import { listMemberships, type MembershipRow } from './accounts/membership.repository.ts';
import { ExportedMembership } from './accounts/membership.schemas.ts';
import { getProfilePicturePath } from './accounts/profile-picture-files.ts';
import { findUser, type UserRow } from './accounts/user.repository.ts';
import { toMembershipView, USER_PHONE } from './accounts/user.view.ts';
import { findApiKeysByIds } from './api-keys/api-key.repository.ts';
import { toApiKeyView } from './api-keys/api-key.view.ts';
import { eraseMemberships } from './organizations/erase-memberships.ts';
import {
  EXPORTED_INVITATIONS,
  INVITATIONS_PRIVACY,
} from './organizations/invitations/invitation-personal-data.ts';
import { anonymizeAccount, findSessionsByIds, listIdentitiesForExport } from './personal-data.repository.ts';
import { hasSecondFactor } from './second-factor/second-factor.repository.ts';

const Text = Type.String();

const ExportedProfile = Type.Object({
  id: Id,
  email: Text,
  status: Text,
  role: Text,
  firstName: nullable(Text),
  lastName: nullable(Text),
  accountType: nullable(Text),
  organizationName: nullable(Text),
  phone: nullable(Text),
  language: Text,
  timeZone: Text,
  hasSecondFactor: Type.Boolean(),
  enterpriseMode: Type.Boolean(),
  accounts: Type.Array(ExportedMembership),
  picture: nullable(Type.String({ description: 'The file in the archive.' })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const ExportedSession = Type.Object({
  id: Id,
  ip: Text,
  userAgent: Text,
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
  expiresAt: Timestamp,
  endedAt: nullable(Timestamp),
  endReason: nullable(Text),
});

const ExportedApiKey = Type.Object({
  id: Id,
  name: Text,
  prefix: Text,
  scopes: Type.Array(Text),
  allowedNetworks: Type.Array(Text),
  lastUsedAt: nullable(Timestamp),
  expiresAt: nullable(Timestamp),
  revokedAt: nullable(Timestamp),
  createdAt: Timestamp,
});

const ExportedIdentity = Type.Object({
  id: Id,
  issuer: Text,
  subject: Text,
  email: Text,
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
});

type SessionRow = Awaited<ReturnType<typeof findSessionsByIds>>[number];

export const identityPersonalData = definePersonalData({
  tables: {
    users: {
      exported: { in: 'profile, pictures/' },
      erased: 'EMPTIED',
      how: 'Immediately. The id remains as the owner of codes and their counts. The picture file is deleted.',
      columns: {
        retained: ['id', 'status', 'access_epoch', 'version', 'created_at', 'updated_at'],
        emptied: [
          'email',
          'password_hash',
          'role',
          'first_name',
          'last_name',
          'account_type',
          'organization_name',
          'phone',
          'language',
          'time_zone',
          'profile_picture',
          'previous_status',
          'search_text',
          'enterprise_mode',
          'unlinked_issuers',
          'first_steps',
        ],
      },
      eraseWithAccount: (tx, { userId }) => anonymizeAccount(tx, userId),
      size: {
        users: ['id'],
        isUncounted: true,
        file: { column: 'profile_picture', getPath: getProfilePicturePath },
      },
    },
    accounts: {
      exported: { not: 'state of the profile' },
      erased: 'EMPTIED',
      how: 'With the user, by a trigger; an organization when its days to restore it are over, or with its only member. The id remains as the owner of codes and their counts.',
      columns: {
        retained: ['id', 'user_id', 'type', 'status', 'version', 'owner_count', 'created_at', 'updated_at'],
        emptied: [
          'name',
          'language',
          'time_zone',
          'enterprise_mode',
          'second_factor_required',
          'max_session_hours',
          'delete_after',
        ],
      },
    },
    membership_folders: defineTableDeletedOnErasure(
      { not: 'folders of an organization that a member is limited to' },
      { how: 'With their memberships.' },
    ),
    memberships: defineTableDeletedOnErasure(
      { in: 'profile' },
      {
        how: 'Every row of the user.',
        // At once: until then the user would count as an owner.
        eraseWithAccount: (tx, { userId }) => eraseMemberships(tx, userId),
      },
    ),
    invitations: INVITATIONS_PRIVACY,
    pending_registrations: defineTableDeletedOnErasure(
      { not: 'unconfirmed registration; there is no account yet' },
      { erase: createRowDeletionStep('pending_registrations', 'user_id') },
    ),
    sessions: defineTableDeletedOnErasure(
      { in: 'sessions' },
      { erase: createRowDeletionStep('sessions', 'user_id'), size: { users: ['user_id'] } },
    ),
    api_keys: defineTableDeletedOnErasure(
      { in: 'apiKeys' },
      {
        how: 'Every row of the account. Those that the user made for an organization stay, and stop working.',
        erase: createRowDeletionStep('api_keys', 'account_id'),
        size: { users: ['account_id'] },
      },
    ),
    refresh_tokens: defineTableDeletedOnErasure({ not: 'hashes of tokens' }, { how: 'With their sessions.' }),
    password_resets: defineTableDeletedOnErasure(
      { not: 'hashes of tokens' },
      { erase: createRowDeletionStep('password_resets', 'user_id') },
    ),
    user_identities: defineTableDeletedOnErasure(
      { in: 'identities' },
      { erase: createRowDeletionStep('user_identities', 'user_id') },
    ),
    sign_in_codes: defineTableDeletedOnErasure({ not: 'hashes of codes' }, { how: 'With their identities.' }),
    used_sign_in_proofs: defineTableKeptOnErasure(
      'hashes of used sign-in proofs',
      'Contain no personal data; deleted after the proofs expire.',
    ),
    second_factors: defineTableDeletedOnErasure(
      { not: 'a secret; `hasSecondFactor` of `profile` says whether there is one' },
      { erase: createRowDeletionStep('second_factors', 'user_id', 'user_id') },
    ),
    recovery_codes: defineTableDeletedOnErasure({ not: 'keyed hashes' }, { how: 'With the second factor.' }),
    pending_logins: defineTableDeletedOnErasure(
      { not: 'hashes of tokens' },
      { how: 'With the second factor.' },
    ),
    login_delays: defineTableKeptOnErasure(
      'keyed hashes of addresses, and counts',
      'The row of the address is deleted immediately; the others expire.',
      {
        eraseWithAccount: (tx, { email, fieldCipher }) =>
          deleteLoginFailures(tx, deriveLoginAccountKey(fieldCipher, email)),
      },
    ),
  },
  lists: {
    profile: defineExportedValue({
      schema: ExportedProfile,
      async read(context: PersonalDataExportContext) {
        const row = await findUser(context.db, context.userId);
        if (!row) throw new ServiceError('NOT_FOUND');
        return toExportedProfile(context, row, {
          hasSecondFactor: await hasSecondFactor(context.db, context.userId),
          memberships: await listMemberships(context.db, context.userId),
        });
      },
    }),
    sessions: defineExportedRows({
      item: ExportedSession,
      description: 'Logins, newest first.',
      sources: [{ table: 'sessions', user: 'user_id', at: 'created_at' }],
      findByIds: findSessionsByIds,
      toItem: (_context, row) => toExportedSession(row),
    }),
    apiKeys: defineExportedRows({
      item: ExportedApiKey,
      description: 'API keys, newest first, without their tokens.',
      sources: [{ table: 'api_keys', user: 'account_id', at: 'created_at' }],
      findByIds: findApiKeysByIds,
      toItem(_context, row) {
        const { status, stopReason, role, createdBy, rotatedAt, previousTokenExpiresAt, ...exported } =
          toApiKeyView(row);
        return exported;
      },
    }),
    identities: defineExportedList({
      item: ExportedIdentity,
      description: 'Sign-in providers linked to the account.',
      async *read({ db, userId }: PersonalDataExportContext) {
        const rows = await listIdentitiesForExport(db, userId);
        yield rows.map((row) => ({
          ...row,
          createdAt: row.createdAt.toISOString(),
          lastUsedAt: row.lastUsedAt.toISOString(),
        }));
      },
    }),
    invitations: EXPORTED_INVITATIONS,
  },
  files: readProfilePicture,
});

function toExportedProfile(
  context: PersonalDataViewContext,
  row: UserRow,
  account: { hasSecondFactor: boolean; memberships: MembershipRow[] },
): Static<typeof ExportedProfile> {
  const { id, phone, profilePicture } = row;
  return {
    id,
    email: row.email,
    status: row.status,
    role: row.role,
    firstName: row.firstName,
    lastName: row.lastName,
    accountType: row.accountType,
    organizationName: row.organizationName,
    phone:
      phone &&
      readOrReportIntegrityFailure(
        () => USER_PHONE.decryptValue(context.fieldCipher, { id }, phone),
        context.onIntegrityFailure,
      ),
    language: row.language,
    timeZone: row.timeZone,
    hasSecondFactor: account.hasSecondFactor,
    enterpriseMode: row.enterpriseMode,
    accounts: account.memberships.map((membership) => ({
      ...toMembershipView(membership),
      since: membership.createdAt.toISOString(),
    })),
    picture: profilePicture && `pictures/${profilePicture}`,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function toExportedSession(row: SessionRow): Static<typeof ExportedSession> {
  return {
    id: row.id,
    ip: row.ip,
    userAgent: row.userAgent,
    endReason: row.endReason,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}

async function* readProfilePicture(context: PersonalDataExportContext): AsyncGenerator<ExportArchiveFile> {
  const user = await findUser(context.db, context.userId);
  if (!user?.profilePicture) return;
  const path = getProfilePicturePath(user.profilePicture);
  yield { name: `pictures/${basename(path)}`, open: () => context.openPublicFile(path) };
}
