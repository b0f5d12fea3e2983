import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { prepareCreatedReply } from '../../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS } from '../../../platform/route-access.ts';
import { DoneResponse, IdempotencyKeyHeader, schemaRef } from '../../../shared/common.schemas.ts';
import { normalizeEmail } from '../../../shared/email.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { formatLifetime } from '../../../shared/lifetimes.ts';
import type { AccountServices } from './account-services.ts';
import {
  EmailAddressRequest,
  OtpVerificationRequest,
  RegistrationRequest,
  RegistrationResponse,
  TokenResponse,
} from './accounts.schemas.ts';
import { confirmEmail } from './confirm-email.use-case.ts';
import { findPasswordErrors } from './password.rules.ts';
import { PROFILE_PICTURE_FORM } from './profile-picture.ts';
import { register } from './register.use-case.ts';
import { resendOtpToNetwork } from './resend-otp.ts';
import { createTokenResponse } from './tokens.view.ts';

const PRIVILEGED_FIELDS = [
  '_id',
  'id',
  'role',
  'permissions',
  'status',
  'isVerified',
  'isAdmin',
  'subscription',
  'emailVerified',
];

export const registrationRoutes: FastifyPluginAsyncTypebox<AccountServices> = async (app, services) => {
  const privilegeRequests = new WeakSet<FastifyRequest>();

  app.post(
    '/register',
    {
      config: {
        access: PUBLIC_ACCESS,
        audit: auditAs('USER_REGISTERED'),
        rateLimitClass: 'auth',
        form: PROFILE_PICTURE_FORM,
        findBodyErrors: findRegistrationErrors,
      },
      preValidation: async (request) => {
        const body: unknown = request.body;
        const keys = typeof body === 'object' && body !== null ? Object.keys(body) : [];
        if (keys.some((key) => PRIVILEGED_FIELDS.includes(key))) privilegeRequests.add(request);
      },
      schema: {
        operationId: 'accounts.register',
        tags: ['Accounts'],
        summary: 'Register an email address; emails a six-digit code',
        description: `The code works for ${formatLifetime('oneTimeCode')}: send it to POST /api/auth/verify-otp. The response is the same for an address that has an account; only the email differs. A \`profilePicture\` becomes that of the account when the address is confirmed by the code of this registration.`,
        headers: IdempotencyKeyHeader,
        body: RegistrationRequest,
        response: { 201: schemaRef(RegistrationResponse), ...createProblemResponseSchemas(409) },
      },
    },
    async (request, reply) => {
      const result = await register(services, getRequestContext(request), request.body, {
        upload: request.formFiles.profilePicture,
        disconnect: request.disconnect,
        wantsPrivileges: privilegeRequests.has(request),
      });
      return prepareCreatedReply(reply, result);
    },
  );

  app.post(
    '/verify-otp',
    {
      config: { access: PUBLIC_ACCESS, audit: auditAs('EMAIL_VERIFIED'), rateLimitClass: 'auth' },
      schema: {
        operationId: 'accounts.verifyOtp',
        tags: ['Accounts'],
        summary: 'Verify an email address by its code; returns tokens',
        description:
          'Confirms the address and logs the account in. If it was registered with several passwords, the code does not decide between them: send your `password` too, or choose one by the link in another email (`passwordLinkSent`). If `user.status` is VERIFIED, POST /api/auth/create-profile is next. A wrong, used or expired code is 400 OTP_INVALID.',
        body: OtpVerificationRequest,
        response: { 200: schemaRef(TokenResponse), ...createProblemResponseSchemas(503) },
      },
    },
    async (request) => {
      const confirmed = await confirmEmail(services, getRequestContext(request), request.body);
      return {
        ...createTokenResponse(services, app, confirmed.user, confirmed.session),
        ...(confirmed.isPasswordMissing && { passwordLinkSent: true as const }),
      };
    },
  );

  app.post(
    '/resend-otp',
    {
      config: { access: PUBLIC_ACCESS, audit: auditAs('OTP_RESENT'), rateLimitClass: 'auth' },
      schema: {
        operationId: 'accounts.resendOtp',
        tags: ['Accounts'],
        summary: 'Resend the verification code; the response is always the same',
        description:
          'Earlier codes for this network stop working. Nothing is sent to an address without a pending registration, or above the limit of emails.',
        body: EmailAddressRequest,
        response: { 200: schemaRef(DoneResponse) },
      },
    },
    async (request) => {
      await resendOtpToNetwork(services, getRequestContext(request), request.body.email);
      return { done: true as const };
    },
  );
};

/** Find what the schema of a registration cannot express. */
export async function findRegistrationErrors({
  email,
  password,
}: Partial<Static<typeof RegistrationRequest>>): Promise<FieldError[]> {
  return password === undefined ? [] : findPasswordErrors(password, normalizeEmail(email ?? '') ?? '');
}
