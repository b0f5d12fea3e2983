import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { recordAction } from '../../platform/audit.ts';
import { callerOf } from '../../platform/caller.ts';
import { created } from '../../platform/http/created.ts';
import { problems } from '../../platform/openapi.ts';
import { audited, PUBLIC } from '../../platform/route-access.ts';
import { truncateAddress } from '../../shared/client-address.ts';
import { Done, IdempotencyHeader, ref } from '../../shared/common.schemas.ts';
import { invalidFields, ServiceError } from '../../shared/errors.ts';
import type { AccountServices } from './account-services.ts';
import { EmailOnly, OtpEntry, Registered, Registration, Tokens } from './accounts.schemas.ts';
import { confirmEmail } from './confirm-email.ts';
import { emailOf, normaliseEmail } from './email.rules.ts';
import { limitMailsOf, mayMail } from './limit-mails.ts';
import { otpExpiry, RESEND_AFTER_SECONDS } from './one-time-code.ts';
import { passwordProblems } from './password.rules.ts';
import { profileProblems } from './profile.rules.ts';
import { makeProfilePicture, PICTURE_FORM } from './profile-picture.ts';
import { register, registrationSalt } from './register.ts';
import { resendCode } from './resend-code.ts';
import { tokensAnswer } from './tokens.view.ts';

const PRIVILEGED = [
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

/** Registration: an address, a password, and the code that confirms the address. */
export const registrationRoutes: FastifyPluginAsyncTypebox<AccountServices> = async (app, services) => {
  const asksForRights = new WeakSet<FastifyRequest>();

  app.post(
    '/register',
    {
      config: {
        access: PUBLIC,
        audit: audited('USER_REGISTERED'),
        rateLimitClass: 'auth',
        form: PICTURE_FORM,
      },
      preValidation: async (request) => {
        const body: unknown = request.body;
        const keys = typeof body === 'object' && body !== null ? Object.keys(body) : [];
        if (keys.some((key) => PRIVILEGED.includes(key))) asksForRights.add(request);
      },
      schema: {
        operationId: 'accounts.register',
        tags: ['Accounts'],
        summary: 'Register an address; a six-digit code is mailed to it.',
        headers: IdempotencyHeader,
        body: Registration,
        response: { 201: ref(Registered), ...problems(409) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const { email: address, password, ...profile } = request.body;
      const email = emailOf(address);
      const wrong = [...(await passwordProblems(password, email)), ...profileProblems(profile)];
      if (wrong.length > 0) throw invalidFields(...wrong);
      const upload = request.formFiles.profilePicture;
      const { picture, passwordHash } = await services.passwords.inTurn(async (turn) => {
        await limitMailsOf(services, caller);
        return {
          picture: upload ? await makeProfilePicture(upload) : null,
          passwordHash: await turn.hash(password, registrationSalt(services, email)),
        };
      });
      const who = services.vault.hash('visitor', truncateAddress(request.ip)).toString('hex');
      const sameAs = { ...request.body, picture: upload?.toString('base64') };
      const made = await services.createOnce(caller, { who, sameAs }, async (tx) => {
        if (await mayMail(services, tx, email))
          await register(services, caller, tx, { email, passwordHash, profile, picture });
        if (asksForRights.has(request)) {
          await recordAction(tx, caller, {
            action: 'USER_PRIVILEGE_REQUESTED',
            outcome: 'DENIED',
          });
        }
        const body = {
          email,
          status: 'PENDING_VERIFICATION' as const,
          otpExpiresAt: otpExpiry().toISOString(),
          resendAfterSeconds: RESEND_AFTER_SECONDS,
        };
        return { body, location: '/api/auth/me' };
      });
      services.postOffice.wake();
      return created(reply, made);
    },
  );

  app.post(
    '/verify-otp',
    {
      config: { access: PUBLIC, audit: audited('EMAIL_VERIFIED'), rateLimitClass: 'auth' },
      schema: {
        operationId: 'accounts.verifyOtp',
        tags: ['Accounts'],
        summary: 'Confirm an address by its code; answers the first tokens.',
        body: OtpEntry,
        response: { 200: ref(Tokens) },
      },
    },
    async (request) => {
      const email = normaliseEmail(request.body.email);
      if (!email) throw new ServiceError('OTP_INVALID');
      const { user, session } = await confirmEmail(services, callerOf(request), {
        email,
        otp: request.body.otp,
      });
      return tokensAnswer(services, app, user, session);
    },
  );

  app.post(
    '/resend-otp',
    {
      config: { access: PUBLIC, audit: audited('OTP_RESENT'), rateLimitClass: 'auth' },
      schema: {
        operationId: 'accounts.resendOtp',
        tags: ['Accounts'],
        summary: 'Mail a new code; the answer is the same whether or not the address waits for one.',
        body: EmailOnly,
        response: { 200: ref(Done) },
      },
    },
    async (request) => {
      const caller = callerOf(request);
      const email = emailOf(request.body.email);
      await limitMailsOf(services, caller);
      await services.database.transaction(async (tx) => {
        if (await mayMail(services, tx, email)) await resendCode(services, caller, tx, email);
      });
      services.postOffice.wake();
      return { done: true as const };
    },
  );
};
