import { createHash } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { recordAuditEntry } from '../../../platform/audit.ts';
import { prepareCreatedReply } from '../../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS } from '../../../platform/route-access.ts';
import { truncateIpAddress } from '../../../shared/client-address.ts';
import { DoneResponse, IdempotencyKeyHeader, schemaRef } from '../../../shared/common.schemas.ts';
import { normalizeEmail, requireValidEmail } from '../../../shared/email.ts';
import { type FieldError, ServiceError } from '../../../shared/errors.ts';
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
import { consumeIpAddressMailQuota, tryConsumeEmailAddressMailQuota } from './mail-quota.ts';
import { getOtpExpiry, OTP_RESEND_DELAY_SECONDS } from './one-time-code.ts';
import { findPasswordErrors } from './password.rules.ts';
import { PROFILE_PICTURE_FORM } from './profile-picture.ts';
import { deriveRegistrationPasswordSalt, registerUser } from './register-user.ts';
import { createRegistrationPicture, tryConsumeRegistrationPictureBytes } from './registration-picture.ts';
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
      const context = getRequestContext(request);
      const { email: address, password, ...profile } = request.body;
      const email = requireValidEmail(address);
      const passwordHash = await services.passwords.runQueued(async (slot) => {
        await consumeIpAddressMailQuota(services, context);
        return slot.hash(password, deriveRegistrationPasswordSalt(services, email));
      });
      const who = services.fieldCipher
        .hash('visitor', truncateIpAddress(request.clientAddress))
        .toString('hex');
      const upload = request.formFiles.profilePicture;
      const fingerprint = { ...request.body, picture: upload && hashPicture(upload) };
      const { disconnect } = request;
      const picture = upload && (await createRegistrationPicture(upload, { accountId: who, disconnect }));
      const result = await services.createIdempotently(context, { who, fingerprint }, async (tx) => {
        const isMailAllowed = await tryConsumeEmailAddressMailQuota(services, tx, context, email);
        const isPictureKept =
          picture &&
          (await tryConsumeRegistrationPictureBytes(services, tx, context.address, picture.bytes.length));
        await registerUser(services, context, tx, {
          email,
          passwordHash,
          profile,
          picture: isPictureKept ? picture : null,
          isMailAllowed,
        });
        if (privilegeRequests.has(request)) {
          await recordAuditEntry(tx, context, {
            action: 'USER_PRIVILEGE_REQUESTED',
            outcome: 'DENIED',
          });
        }
        const body = {
          email,
          status: 'PENDING_VERIFICATION' as const,
          otpExpiresAt: getOtpExpiry().toISOString(),
          resendAfterSeconds: OTP_RESEND_DELAY_SECONDS,
          ...(upload && !isPictureKept && { warnings: ['PICTURE_NOT_STORED' as const] }),
        };
        return { body, location: '/api/auth/me' };
      });
      services.mailOutbox.wake();
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
      const email = normalizeEmail(request.body.email);
      if (!email) throw new ServiceError('OTP_INVALID');
      const { otp, password } = request.body;
      const salt = deriveRegistrationPasswordSalt(services, email);
      const passwordHash =
        password === undefined
          ? null
          : await services.passwords.runQueued((slot) => slot.hash(password, salt));
      const confirmed = await confirmEmail(services, getRequestContext(request), {
        email,
        otp,
        passwordHash,
      });
      services.mailOutbox.wake();
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
      const context = getRequestContext(request);
      const email = requireValidEmail(request.body.email);
      await consumeIpAddressMailQuota(services, context);
      await resendOtpToNetwork(services, context, email);
      return { done: true as const };
    },
  );
};

function hashPicture(upload: Buffer): string {
  return createHash('sha256').update(upload).digest('base64');
}

async function findRegistrationErrors({
  email,
  password,
}: Partial<Static<typeof RegistrationRequest>>): Promise<FieldError[]> {
  return password === undefined ? [] : findPasswordErrors(password, normalizeEmail(email ?? '') ?? '');
}
