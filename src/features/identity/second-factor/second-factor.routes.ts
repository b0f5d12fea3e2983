import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import {
  allowBeforeMfaEnrollment,
  allowUsers,
  auditAs,
  PUBLIC_ACCESS,
  skipAudit,
} from '../../../platform/route-access.ts';
import { schemaRef } from '../../../shared/common.schemas.ts';
import { collectFieldErrors, createValidationError, type FieldError } from '../../../shared/errors.ts';
import { formatLifetime } from '../../../shared/lifetimes.ts';
import { DeviceTokenResponse, TokenResponse } from '../accounts/accounts.schemas.ts';
import { createTokenResponse } from '../accounts/tokens.view.ts';
import { disableSecondFactor, renewRecoveryCodes } from './change-second-factor.use-case.ts';
import type { SecondFactorProof } from './consume-second-factor-proof.ts';
import { findSecondFactorState } from './second-factor.repository.ts';
import {
  MfaConfirmationRequest,
  MfaConfirmationResponse,
  MfaDisableRequest,
  MfaEnrollmentRequest,
  MfaEnrollmentResponse,
  MfaStateResponse,
  MfaVerificationRequest,
  RecoveryCodesResponse,
  SecondFactorProofRequest,
} from './second-factor.schemas.ts';
import {
  confirmSecondFactorEnrollment,
  startSecondFactorEnrollment,
} from './second-factor-enrollment.use-case.ts';
import type { SecondFactorServices } from './second-factor-services.ts';
import { completeSecondFactor } from './verify-second-factor.use-case.ts';

const ACCOUNT_ACCESS = allowUsers('account:manage');

export const secondFactorRoutes: FastifyPluginAsyncTypebox<SecondFactorServices> = async (app, services) => {
  app.get(
    '',
    {
      config: { access: allowBeforeMfaEnrollment(ACCOUNT_ACCESS), audit: skipAudit('USER') },
      schema: {
        operationId: 'mfa.get',
        tags: ['Accounts'],
        summary: 'Get the state of the second factor',
        description:
          'Says whether a second factor is on, pending or required, and how many recovery codes are left.',
        response: { 200: schemaRef(MfaStateResponse) },
      },
    },
    async (request) => {
      const user = requireAuthenticatedUser(request);
      const state = await findSecondFactorState(services.database.client, user.id);
      return {
        enabled: Boolean(state?.confirmedAt),
        required: user.isEnterprise,
        enabledAt: state?.confirmedAt?.toISOString() ?? null,
        pendingUntil: state?.pendingUntil?.toISOString() ?? null,
        recoveryCodesLeft: state?.recoveryCodesLeft ?? 0,
      };
    },
  );

  app.post(
    '/enroll',
    {
      config: {
        access: allowBeforeMfaEnrollment(ACCOUNT_ACCESS),
        audit: auditAs('MFA_ENROLL_STARTED'),
        rateLimitClass: 'auth',
      },
      schema: {
        operationId: 'mfa.enroll',
        tags: ['Accounts'],
        summary: 'Start second-factor enrollment',
        description: `Returns a secret for an authenticator app, as text and as QR code. It has no effect until POST /api/auth/mfa/confirm, within ${formatLifetime('enrollment')}. Requires the password, or a login within the last ${formatLifetime('freshSession')} for an account without one.`,
        body: MfaEnrollmentRequest,
        response: { 200: schemaRef(MfaEnrollmentResponse), ...createProblemResponseSchemas(401, 403, 409) },
      },
    },
    async (request) => {
      const { password } = request.body;
      const { expiresAt, ...enrollment } = await startSecondFactorEnrollment(
        services,
        getRequestContext(request),
        requireAuthenticatedUser(request),
        password,
      );
      return { ...enrollment, expiresAt: expiresAt.toISOString() };
    },
  );

  app.post(
    '/confirm',
    {
      config: {
        access: allowBeforeMfaEnrollment(ACCOUNT_ACCESS),
        audit: auditAs('MFA_ENABLED'),
        rateLimitClass: 'auth',
      },
      schema: {
        operationId: 'mfa.confirm',
        tags: ['Accounts'],
        summary: 'Confirm second-factor enrollment; ends all other sessions',
        description:
          'Turns the second factor on with the first code of the app. Returns the recovery codes, which are not shown again, and a new device token. Without an enrollment it is 409 MFA_NOT_ENABLED.',
        body: MfaConfirmationRequest,
        response: { 200: schemaRef(MfaConfirmationResponse), ...createProblemResponseSchemas(401, 409) },
      },
    },
    async (request) => {
      const { recoveryCodes, deviceToken } = await confirmSecondFactorEnrollment(
        services,
        getRequestContext(request),
        requireAuthenticatedUser(request),
        request.body.code,
      );
      return { recoveryCodes, deviceToken };
    },
  );

  app.delete(
    '',
    {
      config: {
        access: ACCOUNT_ACCESS,
        audit: auditAs('MFA_DISABLED'),
        rateLimitClass: 'auth',
        findBodyErrors: findSecondFactorProofErrors,
      },
      schema: {
        operationId: 'mfa.disable',
        tags: ['Accounts'],
        summary: 'Disable the second factor; ends all other sessions',
        description:
          'Requires the password and a code or recovery code. Returns a new device token; the user gets an email. Without a second factor it is 409 MFA_NOT_ENABLED.',
        body: MfaDisableRequest,
        response: { 200: schemaRef(DeviceTokenResponse), ...createProblemResponseSchemas(401, 403, 409) },
      },
    },
    async (request) => {
      const { password, ...proof } = request.body;
      const input = { password, proof: parseSecondFactorProof(proof) };
      const { deviceToken } = await disableSecondFactor(
        services,
        getRequestContext(request),
        requireAuthenticatedUser(request),
        input,
      );
      return { done: true as const, deviceToken };
    },
  );

  app.post(
    '/recovery-codes',
    {
      config: {
        access: ACCOUNT_ACCESS,
        audit: auditAs('RECOVERY_CODES_RENEWED'),
        rateLimitClass: 'auth',
        findBodyErrors: findSecondFactorProofErrors,
      },
      schema: {
        operationId: 'mfa.renewRecoveryCodes',
        tags: ['Accounts'],
        summary: 'Replace the recovery codes after a recent login',
        description: `Requires a code or an old recovery code, and a login within the last ${formatLifetime('freshSession')} (403 REAUTHENTICATION_REQUIRED). The old recovery codes stop working; the new ones are shown only here.`,
        body: SecondFactorProofRequest,
        response: { 200: schemaRef(RecoveryCodesResponse), ...createProblemResponseSchemas(401, 403, 409) },
      },
    },
    async (request) => {
      const proof = parseSecondFactorProof(request.body);
      const recoveryCodes = await renewRecoveryCodes(
        services,
        getRequestContext(request),
        requireAuthenticatedUser(request),
        proof,
      );
      return { recoveryCodes };
    },
  );

  app.post(
    '/verify',
    {
      config: {
        access: PUBLIC_ACCESS,
        audit: auditAs('MFA_VERIFIED'),
        rateLimitClass: 'auth',
        findBodyErrors: findSecondFactorProofErrors,
      },
      schema: {
        operationId: 'mfa.verify',
        tags: ['Accounts'],
        summary: 'Complete a login with a second-factor or recovery code',
        description:
          'Send the `mfaToken` of the login, which lasts five minutes, with either `code` or `recoveryCode`. Each works once: otherwise 401 MFA_CODE_INVALID. Returns tokens.',
        body: MfaVerificationRequest,
        response: { 200: schemaRef(TokenResponse), ...createProblemResponseSchemas(401, 403) },
      },
    },
    async (request) => {
      const { mfaToken, deviceToken, ...proof } = request.body;
      const input = { mfaToken, deviceToken, proof: parseSecondFactorProof(proof) };
      const { user, session } = await completeSecondFactor(services, getRequestContext(request), input);
      return createTokenResponse(services, app, user, session);
    },
  );
};

function findSecondFactorProofErrors(body: Partial<Static<typeof SecondFactorProofRequest>>): FieldError[] {
  return collectFieldErrors(() => parseSecondFactorProof(body));
}

function parseSecondFactorProof(input: { code?: string; recoveryCode?: string }): SecondFactorProof {
  const { code, recoveryCode } = input;
  if (code !== undefined && recoveryCode === undefined) return { code };
  if (recoveryCode !== undefined && code === undefined) return { recoveryCode };
  const message = 'Give either code or recoveryCode.';
  throw createValidationError({ field: 'code', code: code === undefined ? 'REQUIRED' : 'CONFLICT', message });
}
