import type { Static } from 'typebox';
import { recordAuditEntry } from '../../../platform/audit.ts';
import { assertIfMatch } from '../../../platform/http/if-match.ts';
import type { IdempotentResult } from '../../../platform/idempotency.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { createValidationError, type FieldError, ServiceError } from '../../../shared/errors.ts';
import { saveOrganizationOfProfile } from '../organizations/manage-organizations.use-case.ts';
import type { AccountServices } from './account-services.ts';
import type { NewProfileResponse } from './accounts.schemas.ts';
import { findMissingProfileFieldErrors, type UserProfileInput } from './profile.rules.ts';
import { deleteProfilePicture } from './profile-picture-files.ts';
import { runWithStoredUpload } from './profile-picture-upload.ts';
import { encryptUserProfileUpdate, pickUserProfileChanges } from './profile-update.ts';
import { activateUserWithProfile, findUser, type UserRow, updateUserProfile } from './user.repository.ts';
import { toUserView } from './user.view.ts';

interface ProfilePictureUpload {
  picture: Buffer | undefined;
  /** Aborts when the client disconnects. */
  disconnect: AbortSignal | undefined;
}

/** Create the profile of a verified user and activate them. @throws VALIDATION_FAILED, PROFILE_EXISTS */
export async function createProfile(
  services: AccountServices,
  context: RequestContext,
  userId: string,
  input: UserProfileInput,
  { picture, disconnect }: ProfilePictureUpload,
): Promise<IdempotentResult<Static<typeof NewProfileResponse>>> {
  const { database, fieldCipher, publicFiles } = services;
  const before = await findUser(database.client, userId);
  const profile: UserProfileInput = { accountType: 'INDIVIDUAL', ...pickNameFields(before), ...input };
  assertProfileComplete(profile);
  const fingerprint = { ...input, picture: picture?.toString('base64') };
  const uploader = { accountId: userId, disconnect };
  const created = await runWithStoredUpload(publicFiles, picture, uploader, async (profilePicture) => {
    const result = await services.createIdempotently(context, { who: userId, fingerprint }, async (tx) => {
      const change = { ...encryptUserProfileUpdate(fieldCipher, userId, profile), profilePicture };
      const row = await activateUserWithProfile(tx, userId, change);
      if (!row) throw new ServiceError('PROFILE_EXISTS');
      await recordAuditEntry(tx, context, {
        resourceId: userId,
        changes: listChangedFields(input, profilePicture),
      });
      const organizationId = await saveOrganizationOfProfile(tx, context, row);
      const body = { ...toUserView(services, row), organizationId };
      return { body, location: `/api/auth/profile/${userId}` };
    });
    return { result, isReferenced: !result.isReplayed };
  });
  // That of the registration.
  if (picture && !created.isReplayed && before?.profilePicture)
    await deleteProfilePicture(publicFiles, before.profilePicture);
  return created;
}

/** Merge changes into the profile of a user. @throws NOT_FOUND, PRECONDITION_FAILED, PROFILE_REQUIRED, VALIDATION_FAILED, CONFLICT */
export async function updateProfile(
  services: AccountServices,
  context: RequestContext,
  userId: string,
  input: UserProfileInput,
  { picture, disconnect }: ProfilePictureUpload,
  ifMatch: string | undefined,
): Promise<UserRow> {
  const { database, fieldCipher, publicFiles } = services;
  const row = await findUser(database.client, userId);
  if (!row) throw new ServiceError('NOT_FOUND');
  assertIfMatch(ifMatch, row.version);
  if (row.status !== 'ACTIVE') throw new ServiceError('PROFILE_REQUIRED');
  assertProfileComplete({ ...pickNameFields(row), ...input });
  const uploader = { accountId: userId, disconnect };
  const updated = await runWithStoredUpload(publicFiles, picture, uploader, async (profilePicture) => {
    const result = await database.transaction(async (tx) => {
      const change = {
        ...pickUserProfileChanges(fieldCipher, row, input),
        ...(profilePicture !== undefined && { profilePicture }),
      };
      if (Object.keys(change).length === 0) return row;
      const after = await updateUserProfile(tx, userId, row.version, change);
      if (!after) throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
      await recordAuditEntry(tx, context, {
        resourceId: userId,
        changes: listChangedFields(input, profilePicture),
      });
      return after;
    });
    return { result, isReferenced: true };
  });
  if (row.profilePicture && row.profilePicture !== updated.profilePicture)
    await deleteProfilePicture(publicFiles, row.profilePicture);
  return updated;
}

/** Find what the profile of a user would lack after a change. */
export async function findProfileErrors(
  { database }: Pick<AccountServices, 'database'>,
  userId: string,
  input: UserProfileInput,
): Promise<FieldError[]> {
  return findMissingProfileFieldErrors({
    ...pickNameFields(await findUser(database.client, userId)),
    ...input,
  });
}

function assertProfileComplete(profile: UserProfileInput): void {
  const problems = findMissingProfileFieldErrors(profile);
  if (problems.length > 0) throw createValidationError(...problems);
}

/** What a registration can have stored already, without empty fields. */
function pickNameFields(row: UserRow | null): Record<string, unknown> {
  if (!row) return {};
  const { firstName, lastName, accountType, organizationName } = row;
  const fields = { firstName, lastName, accountType, organizationName };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function listChangedFields(input: UserProfileInput, profilePicture: string | undefined): string[] {
  return [...Object.keys(input), ...(profilePicture ? ['profilePicture'] : [])];
}
