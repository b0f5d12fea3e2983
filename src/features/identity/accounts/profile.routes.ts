import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { hasRolePermission } from '../../../permissions.ts';
import { commitAuditEntry } from '../../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { formatVersionEtag } from '../../../platform/http/if-match.ts';
import { prepareCreatedReply } from '../../../platform/http/reply-created.ts';
import { defineUpdateRoutes } from '../../../platform/http/update-routes.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowBeforeMfaEnrollment, allowUsers, auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema, IdempotencyKeyHeader, schemaRef } from '../../../shared/common.schemas.ts';
import { type FieldError, ServiceError } from '../../../shared/errors.ts';
import type { AccountServices } from './account-services.ts';
import {
  CurrentUserResponse,
  NewProfileResponse,
  NewUserProfileRequest,
  UserProfileRequest,
  UserSchema,
} from './accounts.schemas.ts';
import { listMemberships } from './membership.repository.ts';
import type { UserProfileInput } from './profile.rules.ts';
import { PROFILE_PICTURE_FORM } from './profile-picture.ts';
import { createProfile, findProfileErrors, updateProfile } from './save-profile.use-case.ts';
import { findUser } from './user.repository.ts';
import { toMembershipView, toUserView } from './user.view.ts';

export const userProfileRoutes: FastifyPluginAsyncTypebox<AccountServices> = async (app, services) => {
  const { database } = services;

  app.post(
    '/create-profile',
    {
      config: {
        access: allowUsers('account:use'),
        audit: auditAs('PROFILE_CREATED'),
        rateLimitClass: 'upload',
        form: PROFILE_PICTURE_FORM,
        findUseCaseErrors,
      },
      schema: {
        operationId: 'accounts.createProfile',
        tags: ['Accounts'],
        summary: 'Create the profile of a verified account',
        description:
          '`firstName` and `lastName` are required, and `organizationName` for an ORGANIZATION, unless they were sent at registration. A registration with all of them has created the profile already; one call may still change it. Later calls are 409 PROFILE_EXISTS. An ORGANIZATION gets an account of its own, which you own: `organizationId`.',
        headers: IdempotencyKeyHeader,
        body: NewUserProfileRequest,
        response: { 201: schemaRef(NewProfileResponse), ...createProblemResponseSchemas(409, 503) },
      },
    },
    async (request, reply) => {
      const { id } = requireAuthenticatedUser(request);
      const upload = { picture: request.formFiles.profilePicture, disconnect: request.disconnect };
      const created = await createProfile(services, getRequestContext(request), id, request.body, upload);
      return prepareCreatedReply(reply, created);
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
      if (id !== user.id) await commitAuditEntry(database, getRequestContext(request), { resourceId: id });
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
      findUseCaseErrors,
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
      const row = await updateProfile(
        services,
        getRequestContext(request),
        id,
        request.body,
        { picture: request.formFiles.profilePicture, disconnect: request.disconnect },
        request.headers['if-match'],
      );
      return reply.header('ETag', formatVersionEtag(row.version)).send(toUserView(services, row));
    },
  });

  app.get(
    '/me',
    {
      config: { access: allowBeforeMfaEnrollment(allowUsers('account:use')), audit: skipAudit('USER') },
      schema: {
        operationId: 'accounts.getMe',
        tags: ['Accounts'],
        summary: 'Get the current user, their next step, accounts and package',
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
      const accounts = (await listMemberships(database.client, row.id)).map(toMembershipView);
      return { user: toUserView(services, row), nextStep, accounts, ...plan };
    },
  );

  async function findUseCaseErrors(body: UserProfileInput, request: FastifyRequest): Promise<FieldError[]> {
    return findProfileErrors(services, requireAuthenticatedUser(request).id, body);
  }
};
