import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import { created } from '../../platform/http/created.ts';
import { checkVersion, versionTag } from '../../platform/http/if-match.ts';
import { problems } from '../../platform/openapi.ts';
import { account, audited, beforeEnrollment, unaudited } from '../../platform/route-access.ts';
import { IdempotencyHeader, idParams, ref } from '../../shared/common.schemas.ts';
import { invalidFields, ServiceError } from '../../shared/errors.ts';
import { mayUse } from '../../shared/permissions.ts';
import type { AccountServices } from './account-services.ts';
import { Me, ProfileFields, User } from './accounts.schemas.ts';
import { missingFields, type Profile, profileProblems } from './profile.rules.ts';
import { PICTURE_FORM } from './profile-picture.ts';
import { removeProfilePicture } from './profile-picture-files.ts';
import { withProfilePicture } from './profile-picture-upload.ts';
import { profileChange } from './profile-row.ts';
import { changeProfile, completeProfile, findUser } from './user.repository.ts';
import { userView } from './user.view.ts';

/** The profile of a person. */
export const profileRoutes: FastifyPluginAsyncTypebox<AccountServices> = async (app, services) => {
  const { database, vault } = services;

  app.post(
    '/create-profile',
    {
      config: {
        access: account('account:use'),
        audit: audited('PROFILE_CREATED'),
        rateLimitClass: 'upload',
        form: PICTURE_FORM,
      },
      schema: {
        operationId: 'accounts.createProfile',
        tags: ['Accounts'],
        summary: 'Complete the account after its address was confirmed.',
        description: 'Fields given at registration need not be given again.',
        headers: IdempotencyHeader,
        body: ProfileFields,
        response: { 201: ref(User), ...problems(409, 503) },
      },
    },
    async (request, reply) => {
      const { id } = userOf(request);
      const known = await ownProfile(id);
      const profile: Profile = { accountType: 'INDIVIDUAL', ...withoutNulls(known), ...request.body };
      const wrong = [...missingFields(profile), ...profileProblems(profile)];
      if (wrong.length > 0) throw invalidFields(...wrong);
      const caller = callerOf(request);
      const upload = request.formFiles.profilePicture;
      const once = { who: id, sameAs: { ...request.body, picture: upload?.toString('base64') } };
      const made = await withProfilePicture(services.publicFiles, upload, async (profilePicture) => {
        const result = await services.createOnce(caller, once, async (tx) => {
          const change = { ...profileChange(vault, id, profile), profilePicture };
          const row = await completeProfile(tx, id, change);
          if (!row) throw new ServiceError('PROFILE_EXISTS');
          const changes = changedFields(request.body, profilePicture);
          await recordAction(tx, caller, { resourceId: id, changes });
          return { body: userView(services, row), location: `/api/auth/profile/${id}` };
        });
        return { result, isUsed: !result.isReplayed };
      });
      return created(reply, made);
    },
  );

  app.get(
    '/profile/:id',
    {
      exposeHeadRoute: false,
      config: { access: account('account:use'), audit: audited('PROFILE_READ') },
      schema: {
        operationId: 'accounts.profile',
        tags: ['Accounts'],
        summary: 'Read the own profile; administrators read any.',
        params: idParams('id'),
        response: { 200: ref(User) },
      },
    },
    async (request, reply) => {
      const user = userOf(request);
      const { id } = request.params;
      if (id !== user.id && !mayUse(user.role, 'profiles:read-any')) throw new ServiceError('NOT_FOUND');
      const row = await findUser(database.client, id);
      if (!row) throw new ServiceError('NOT_FOUND');
      if (id !== user.id)
        await database.transaction((tx) => recordAction(tx, callerOf(request), { resourceId: id }));
      return reply.header('ETag', versionTag(row.version)).send(userView(services, row));
    },
  );

  for (const method of ['PUT', 'PATCH'] as const)
    app.route({
      method,
      url: '/profile/:id',
      config: {
        access: account('account:use'),
        audit: audited('PROFILE_UPDATED'),
        rateLimitClass: 'upload',
        form: PICTURE_FORM,
      },
      schema: {
        operationId: method === 'PUT' ? 'accounts.updateProfile' : 'accounts.patchProfile',
        tags: ['Accounts'],
        summary: 'Change the own profile: what is not given stays, null clears.',
        params: idParams('id'),
        body: ProfileFields,
        response: { 200: ref(User), ...problems(409, 412, 503) },
      },
      handler: async (request, reply) => {
        const { id } = userOf(request);
        if (request.params.id !== id) throw new ServiceError('NOT_FOUND');
        const row = await findUser(database.client, id);
        if (!row) throw new ServiceError('NOT_FOUND');
        checkVersion(request.headers['if-match'], row.version);
        if (row.status !== 'ACTIVE') throw new ServiceError('PROFILE_REQUIRED');
        const profile: Profile = { ...withoutNulls(await ownProfile(id)), ...request.body };
        const wrong = [...missingFields(profile), ...profileProblems(request.body)];
        if (wrong.length > 0) throw invalidFields(...wrong);
        const upload = request.formFiles.profilePicture;
        const changed = await withProfilePicture(services.publicFiles, upload, async (profilePicture) => {
          const result = await database.transaction(async (tx) => {
            const change = { ...profileChange(vault, id, request.body), profilePicture };
            const after = await changeProfile(tx, id, row.version, change);
            if (!after) throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
            const changes = changedFields(request.body, profilePicture);
            await recordAction(tx, callerOf(request), { resourceId: id, changes });
            return after;
          });
          return { result, isUsed: true };
        });
        if (row.profilePicture && row.profilePicture !== changed.profilePicture) {
          await removeProfilePicture(services.publicFiles, row.profilePicture);
        }
        return reply.header('ETag', versionTag(changed.version)).send(userView(services, changed));
      },
    });

  app.get(
    '/me',
    {
      config: { access: beforeEnrollment(account('account:use')), audit: unaudited('USER') },
      schema: {
        operationId: 'accounts.me',
        tags: ['Accounts'],
        summary: 'The person behind the credential, what they have to do next, and their package.',
        response: { 200: ref(Me) },
      },
    },
    async (request) => {
      const row = await findUser(database.client, userOf(request).id);
      if (!row) throw new ServiceError('UNAUTHENTICATED');
      const plan = await services.planOf(database.client, row.id, row.language);
      const profileStep = row.status === 'VERIFIED' ? ('CREATE_PROFILE' as const) : null;
      const nextStep = userOf(request).mustEnroll ? ('ENROLL_MFA' as const) : profileStep;
      return { user: userView(services, row), nextStep, ...plan };
    },
  );

  async function ownProfile(id: string): Promise<Record<string, unknown>> {
    const row = await findUser(database.client, id);
    if (!row) return {};
    const { firstName, lastName, accountType, organizationName } = row;
    return { firstName, lastName, accountType, organizationName };
  }
};

function withoutNulls(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

function changedFields(body: Profile, profilePicture: string | undefined): string[] {
  return [...Object.keys(body), ...(profilePicture ? ['profilePicture'] : [])];
}
