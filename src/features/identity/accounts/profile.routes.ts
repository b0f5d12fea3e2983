import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { recordAuditEntry } from '../../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { assertIfMatch, formatVersionEtag } from '../../../platform/http/if-match.ts';
import { prepareCreatedReply } from '../../../platform/http/reply-created.ts';
import { defineUpdateRoutes } from '../../../platform/http/update-routes.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowBeforeMfaEnrollment, allowUsers, auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema, IdempotencyKeyHeader, schemaRef } from '../../../shared/common.schemas.ts';
import { createValidationError, type FieldError, ServiceError } from '../../../shared/errors.ts';
import { hasRolePermission } from '../../../shared/permissions.ts';
import type { AccountServices } from './account-services.ts';
import {
  CurrentUserResponse,
  NewUserProfileRequest,
  UserProfileRequest,
  UserSchema,
} from './accounts.schemas.ts';
import { findMissingProfileFieldErrors, type UserProfileInput } from './profile.rules.ts';
import { PROFILE_PICTURE_FORM } from './profile-picture.ts';
import { deleteProfilePicture } from './profile-picture-files.ts';
import { runWithStoredProfilePicture } from './profile-picture-upload.ts';
import { encryptUserProfileUpdate, pickUserProfileChanges } from './profile-update.ts';
import { activateUserWithProfile, findUser, updateUserProfile } from './user.repository.ts';
import { toUserView } from './user.view.ts';

export const userProfileRoutes: FastifyPluginAsyncTypebox<AccountServices> = async (app, services) => {
  const { database, fieldCipher } = services;

  app.post(
    '/create-profile',
    {
      config: {
        access: allowUsers('account:use'),
        audit: auditAs('PROFILE_CREATED'),
        rateLimitClass: 'upload',
        form: PROFILE_PICTURE_FORM,
        findBodyErrors,
      },
      schema: {
        operationId: 'accounts.createProfile',
        tags: ['Accounts'],
        summary: 'Create the profile of a verified account',
        description:
          '`firstName` and `lastName` are required, and `organizationName` for an ORGANIZATION, unless they were sent at registration. A registration with all of them has created the profile already; one call may still change it. Later calls are 409 PROFILE_EXISTS.',
        headers: IdempotencyKeyHeader,
        body: NewUserProfileRequest,
        response: { 201: schemaRef(UserSchema), ...createProblemResponseSchemas(409, 503) },
      },
    },
    async (request, reply) => {
      const { id } = requireAuthenticatedUser(request);
      const profile: UserProfileInput = {
        accountType: 'INDIVIDUAL',
        ...omitNulls(await ownProfile(id)),
        ...request.body,
      };
      const problems = findMissingProfileFieldErrors(profile);
      if (problems.length > 0) throw createValidationError(...problems);
      const context = getRequestContext(request);
      const upload = request.formFiles.profilePicture;
      const idempotencyInput = {
        who: id,
        fingerprint: { ...request.body, picture: upload?.toString('base64') },
      };
      const idempotentResult = await runWithStoredProfilePicture(
        services.publicFiles,
        upload,
        { accountId: id, disconnect: request.disconnect },
        async (profilePicture) => {
          const result = await services.createIdempotently(context, idempotencyInput, async (tx) => {
            const change = { ...encryptUserProfileUpdate(fieldCipher, id, profile), profilePicture };
            const row = await activateUserWithProfile(tx, id, change);
            if (!row) throw new ServiceError('PROFILE_EXISTS');
            const changes = listChangedFields(request.body, profilePicture);
            await recordAuditEntry(tx, context, { resourceId: id, changes });
            return { body: toUserView(services, row), location: `/api/auth/profile/${id}` };
          });
          return { result, isReferenced: !result.isReplayed };
        },
      );
      return prepareCreatedReply(reply, idempotentResult);
    },
  );

  app.get(
    '/profile/:id',
    {
      config: { access: allowUsers('account:use'), audit: auditAs('PROFILE_READ') },
      schema: {
        operationId: 'accounts.getProfile',
        tags: ['Accounts'],
        summary: 'Get a profile',
        description:
          'Returns your own profile; administrators can read any, which is audited. Other ids are 404.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(UserSchema) },
      },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const { id } = request.params;
      if (id !== user.id && !hasRolePermission(user.role, 'profiles:read-any'))
        throw new ServiceError('NOT_FOUND');
      const row = await findUser(database.client, id);
      if (!row) throw new ServiceError('NOT_FOUND');
      if (id !== user.id)
        await database.transaction((tx) =>
          recordAuditEntry(tx, getRequestContext(request), { resourceId: id }),
        );
      return reply.header('ETag', formatVersionEtag(row.version)).send(toUserView(services, row));
    },
  );

  defineUpdateRoutes(app, {
    url: '/profile/:id',
    operationIds: { put: 'accounts.updateProfile', patch: 'accounts.patchProfile' },
    config: {
      access: allowUsers('account:use'),
      audit: auditAs('PROFILE_UPDATED'),
      rateLimitClass: 'upload',
      form: PROFILE_PICTURE_FORM,
      findBodyErrors,
    },
    schema: {
      tags: ['Accounts'],
      summary: 'Update your profile',
      description:
        'A form can carry a new `profilePicture`, which replaces the old one. 403 PROFILE_REQUIRED before the profile exists.',
      params: createIdParamsSchema('id'),
      body: UserProfileRequest,
      response: { 200: schemaRef(UserSchema), ...createProblemResponseSchemas(403, 409, 412, 503) },
    },
    handler: async (request, reply) => {
      const { id } = requireAuthenticatedUser(request);
      if (request.params.id !== id) throw new ServiceError('NOT_FOUND');
      const row = await findUser(database.client, id);
      if (!row) throw new ServiceError('NOT_FOUND');
      assertIfMatch(request.headers['if-match'], row.version);
      if (row.status !== 'ACTIVE') throw new ServiceError('PROFILE_REQUIRED');
      const profile: UserProfileInput = { ...omitNulls(await ownProfile(id)), ...request.body };
      const problems = findMissingProfileFieldErrors(profile);
      if (problems.length > 0) throw createValidationError(...problems);
      const upload = request.formFiles.profilePicture;
      const updatedRow = await runWithStoredProfilePicture(
        services.publicFiles,
        upload,
        { accountId: id, disconnect: request.disconnect },
        async (profilePicture) => {
          const result = await database.transaction(async (tx) => {
            const change = {
              ...pickUserProfileChanges(fieldCipher, row, request.body),
              ...(profilePicture !== undefined && { profilePicture }),
            };
            if (Object.keys(change).length === 0) return row;
            const after = await updateUserProfile(tx, id, row.version, change);
            if (!after) throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
            const changes = listChangedFields(request.body, profilePicture);
            await recordAuditEntry(tx, getRequestContext(request), { resourceId: id, changes });
            return after;
          });
          return { result, isReferenced: true };
        },
      );
      if (row.profilePicture && row.profilePicture !== updatedRow.profilePicture) {
        await deleteProfilePicture(services.publicFiles, row.profilePicture);
      }
      return reply
        .header('ETag', formatVersionEtag(updatedRow.version))
        .send(toUserView(services, updatedRow));
    },
  });

  app.get(
    '/me',
    {
      config: { access: allowBeforeMfaEnrollment(allowUsers('account:use')), audit: skipAudit('USER') },
      schema: {
        operationId: 'accounts.getMe',
        tags: ['Accounts'],
        summary: 'Get the current user, their next step and their package',
        description:
          'Call it after a login: `nextStep` is what the account has to do first, `limits` and `usage` are those of its package.',
        response: { 200: schemaRef(CurrentUserResponse) },
      },
    },
    async (request) => {
      const row = await findUser(database.client, requireAuthenticatedUser(request).id);
      if (!row) throw new ServiceError('UNAUTHENTICATED');
      const plan = await services.getPlan(database.client, row.id, row.language);
      const profileStep = row.status === 'VERIFIED' ? ('CREATE_PROFILE' as const) : null;
      const nextStep = requireAuthenticatedUser(request).mustEnroll ? ('ENROLL_MFA' as const) : profileStep;
      return { user: toUserView(services, row), nextStep, ...plan };
    },
  );

  async function findBodyErrors(body: UserProfileInput, request: FastifyRequest): Promise<FieldError[]> {
    const { id } = requireAuthenticatedUser(request);
    return findMissingProfileFieldErrors({ ...omitNulls(await ownProfile(id)), ...body });
  }

  async function ownProfile(id: string): Promise<Record<string, unknown>> {
    const row = await findUser(database.client, id);
    if (!row) return {};
    const { firstName, lastName, accountType, organizationName } = row;
    return { firstName, lastName, accountType, organizationName };
  }
};

function omitNulls(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

function listChangedFields(body: UserProfileInput, profilePicture: string | undefined): string[] {
  return [...Object.keys(body), ...(profilePicture ? ['profilePicture'] : [])];
}
