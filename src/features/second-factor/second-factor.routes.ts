import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import { problems } from '../../platform/openapi.ts';
import { account, audited, beforeEnrollment, PUBLIC, unaudited } from '../../platform/route-access.ts';
import { ref } from '../../shared/common.schemas.ts';
import { invalidFields } from '../../shared/errors.ts';
import { DoneOnDevice, Tokens } from '../accounts/accounts.schemas.ts';
import { tokensAnswer } from '../accounts/tokens.view.ts';
import { disable, renewRecoveryCodes } from './change-second-factor.ts';
import type { SecondFactorProof } from './check-second-factor.ts';
import { confirmEnrollment, enroll } from './enroll.ts';
import { findSecondFactor } from './second-factor.repository.ts';
import {
  ConfirmRequest,
  DisableRequest,
  EnrollRequest,
  MfaConfirmed,
  MfaEnrollment,
  MfaState,
  ProofRequest,
  RecoveryCodes,
  VerifyRequest,
} from './second-factor.schemas.ts';
import type { SecondFactorServices } from './second-factor-services.ts';
import { verifySecondFactor } from './verify-second-factor.ts';

const OWN = account('account:use');

/** The second factor of an account, and the second step of a log-in. */
export const secondFactorRoutes: FastifyPluginAsyncTypebox<SecondFactorServices> = async (app, services) => {
  app.get(
    '',
    {
      config: { access: beforeEnrollment(OWN), audit: unaudited('USER') },
      schema: {
        operationId: 'mfa.state',
        tags: ['Accounts'],
        summary: 'Whether the account has a second factor, and how many recovery codes are left.',
        response: { 200: ref(MfaState) },
      },
    },
    async (request) => {
      const user = userOf(request);
      const state = await findSecondFactor(services.database.client, user.id);
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
        access: beforeEnrollment(OWN),
        audit: audited('MFA_ENROLL_STARTED'),
        rateLimitClass: 'auth',
      },
      schema: {
        operationId: 'mfa.enroll',
        tags: ['Accounts'],
        summary: 'Make the secret of a second factor; it counts once its first code was entered.',
        body: EnrollRequest,
        response: { 200: ref(MfaEnrollment), ...problems(401, 403, 409) },
      },
    },
    async (request) => {
      const { password } = request.body;
      const { expiresAt, ...made } = await enroll(services, callerOf(request), userOf(request), password);
      return { ...made, expiresAt: expiresAt.toISOString() };
    },
  );

  app.post(
    '/confirm',
    {
      config: { access: beforeEnrollment(OWN), audit: audited('MFA_ENABLED'), rateLimitClass: 'auth' },
      schema: {
        operationId: 'mfa.confirm',
        tags: ['Accounts'],
        summary: 'Switch the second factor on by its first code; ends every other session.',
        body: ConfirmRequest,
        response: { 200: ref(MfaConfirmed), ...problems(401, 409) },
      },
    },
    async (request) => confirmEnrollment(services, callerOf(request), userOf(request), request.body.code),
  );

  app.delete(
    '',
    {
      config: { access: OWN, audit: audited('MFA_DISABLED'), rateLimitClass: 'auth' },
      schema: {
        operationId: 'mfa.disable',
        tags: ['Accounts'],
        summary: 'Switch the second factor off by password and code; ends every other session.',
        body: DisableRequest,
        response: { 200: ref(DoneOnDevice), ...problems(401, 403, 409) },
      },
    },
    async (request) => {
      const { password, ...proof } = request.body;
      const given = { password, proof: proofOf(proof) };
      const deviceToken = await disable(services, callerOf(request), userOf(request), given);
      return { done: true as const, deviceToken };
    },
  );

  app.post(
    '/recovery-codes',
    {
      config: { access: OWN, audit: audited('RECOVERY_CODES_RENEWED'), rateLimitClass: 'auth' },
      schema: {
        operationId: 'mfa.renewRecoveryCodes',
        tags: ['Accounts'],
        summary: 'Make new recovery codes; the old ones are void.',
        body: ProofRequest,
        response: { 200: ref(RecoveryCodes), ...problems(401, 409) },
      },
    },
    async (request) => {
      const proof = proofOf(request.body);
      const recoveryCodes = await renewRecoveryCodes(services, callerOf(request), userOf(request), proof);
      return { recoveryCodes };
    },
  );

  app.post(
    '/verify',
    {
      config: { access: PUBLIC, audit: audited('MFA_VERIFIED'), rateLimitClass: 'auth' },
      schema: {
        operationId: 'mfa.verify',
        tags: ['Accounts'],
        summary: 'The second step of a log-in: a code, or a recovery code.',
        body: VerifyRequest,
        response: { 200: ref(Tokens), ...problems(401, 403) },
      },
    },
    async (request) => {
      const { mfaToken, deviceToken, ...proof } = request.body;
      const given = { mfaToken, deviceToken, proof: proofOf(proof) };
      const { user, session } = await verifySecondFactor(services, callerOf(request), given);
      return tokensAnswer(services, app, user, session);
    },
  );
};

function proofOf(given: { code?: string; recoveryCode?: string }): SecondFactorProof {
  const { code, recoveryCode } = given;
  if (code !== undefined && recoveryCode === undefined) return { code };
  if (recoveryCode !== undefined && code === undefined) return { recoveryCode };
  const message = 'Give either code or recoveryCode.';
  throw invalidFields({ field: 'code', code: code === undefined ? 'REQUIRED' : 'CONFLICT', message });
}
