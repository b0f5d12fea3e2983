import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, auditAs, PUBLIC_ACCESS } from '../../../platform/route-access.ts';
import { DoneResponse, schemaRef } from '../../../shared/common.schemas.ts';
import { formatLifetime } from '../../../shared/lifetimes.ts';
import type { AccountServices } from './account-services.ts';
import {
  DeviceTokenResponse,
  EmailAddressRequest,
  PasswordChangeRequest,
  PasswordResetRequest,
} from './accounts.schemas.ts';
import { changePassword, findNewPasswordErrors } from './change-password.use-case.ts';
import { findResetPasswordErrors, requestPasswordReset, resetPassword } from './reset-password.use-case.ts';

export const passwordRoutes: FastifyPluginAsyncTypebox<AccountServices> = async (app, services) => {
  const { database } = services;

  app.post(
    '/forgot-password',
    {
      config: { access: PUBLIC_ACCESS, audit: auditAs('PASSWORD_RESET_REQUESTED'), rateLimitClass: 'auth' },
      schema: {
        operationId: 'accounts.forgotPassword',
        tags: ['Accounts'],
        summary: 'Request a password reset email; the response is always the same',
        description: `The link in the email works once, for ${formatLifetime('passwordResetLink')}. Nothing is sent to an address without an account.`,
        body: EmailAddressRequest,
        response: { 200: schemaRef(DoneResponse) },
      },
    },
    async (request) => {
      await requestPasswordReset(services, getRequestContext(request), request.body.email);
      return { done: true as const };
    },
  );

  app.post(
    '/reset-password',
    {
      config: {
        access: PUBLIC_ACCESS,
        audit: auditAs('PASSWORD_RESET'),
        rateLimitClass: 'auth',
        requiresPasswordHashing: true,
        findBodyErrors: (body: Partial<Static<typeof PasswordResetRequest>>) =>
          findResetPasswordErrors(database.client, body),
      },
      schema: {
        operationId: 'accounts.resetPassword',
        tags: ['Accounts'],
        summary: 'Reset the password with an emailed token; ends all sessions',
        description:
          'Send the token of the emailed link. Log in afterwards: no tokens are returned. A wrong, used or expired token is 400 RESET_TOKEN_INVALID; a rejected password does not use it up.',
        body: PasswordResetRequest,
        response: { 200: schemaRef(DoneResponse) },
      },
    },
    async (request) => {
      await resetPassword(services, getRequestContext(request), request.body);
      return { done: true as const };
    },
  );

  app.post(
    '/change-password',
    {
      config: {
        access: allowUsers('account:manage'),
        audit: auditAs('PASSWORD_CHANGED'),
        rateLimitClass: 'auth',
        findBodyErrors: ({ newPassword }: Partial<Static<typeof PasswordChangeRequest>>, request) =>
          newPassword === undefined
            ? []
            : findNewPasswordErrors(newPassword, requireAuthenticatedUser(request).email),
      },
      schema: {
        operationId: 'accounts.changePassword',
        tags: ['Accounts'],
        summary: 'Change the password; ends all other sessions',
        description:
          'Requires the current password: a wrong one is 401 CREDENTIALS_INVALID. Returns a new device token, which replaces the stored one. The user gets an email.',
        body: PasswordChangeRequest,
        response: { 200: schemaRef(DeviceTokenResponse), ...createProblemResponseSchemas(401) },
      },
    },
    async (request) => {
      const { deviceToken } = await changePassword(
        services,
        getRequestContext(request),
        requireAuthenticatedUser(request),
        request.body,
      );
      return { done: true as const, deviceToken };
    },
  );
};
