import { createHash, randomBytes } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { withinBudget } from '../../platform/attempt-budget.repository.ts';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import { problems } from '../../platform/openapi.ts';
import { account, audited, PUBLIC } from '../../platform/route-access.ts';
import { Done, ref } from '../../shared/common.schemas.ts';
import { invalidFields, ServiceError } from '../../shared/errors.ts';
import { LIFETIMES } from '../../shared/lifetimes.ts';
import type { AccountServices } from './account-services.ts';
import { DoneOnDevice, EmailOnly, PasswordChange, PasswordReset } from './accounts.schemas.ts';
import { changePassword } from './change-password.ts';
import { addressKeys } from './device-token.ts';
import { emailOf } from './email.rules.ts';
import { limitMailsOf } from './limit-mails.ts';
import { clearLoginDelay } from './login-delay.repository.ts';
import { passwordProblems } from './password.rules.ts';
import { findPasswordReset, insertPasswordReset, usePasswordReset } from './password-reset.repository.ts';
import { revokeAccess } from './revoke-access.ts';
import { setPassword } from './user.repository.ts';

/** Changing a password, and replacing one that was forgotten. */
export const passwordRoutes: FastifyPluginAsyncTypebox<AccountServices> = async (app, services) => {
  const { database, passwords, postOffice, vault } = services;

  app.post(
    '/forgot-password',
    {
      config: { access: PUBLIC, audit: audited('PASSWORD_RESET_REQUESTED'), rateLimitClass: 'auth' },
      schema: {
        operationId: 'accounts.forgotPassword',
        tags: ['Accounts'],
        summary: 'Mail a link for a new password; the answer is always the same.',
        body: EmailOnly,
        response: { 200: ref(Done) },
      },
    },
    async (request) => {
      const email = emailOf(request.body.email);
      await limitMailsOf(services, callerOf(request));
      const key = `reset-mail:${vault.hash('mail-budget', email).toString('hex')}`;
      await database.transaction(async (tx) => {
        if (await withinBudget(tx, { key, allowed: 3, windowSeconds: 3600 }))
          await mailResetLink(request, tx, email);
      });
      postOffice.wake();
      return { done: true as const };
    },
  );

  app.post(
    '/reset-password',
    {
      config: { access: PUBLIC, audit: audited('PASSWORD_RESET'), rateLimitClass: 'auth', hashes: true },
      schema: {
        operationId: 'accounts.resetPassword',
        tags: ['Accounts'],
        summary: 'Replace the password by the token of a mailed link; ends every session.',
        body: PasswordReset,
        response: { 200: ref(Done) },
      },
    },
    async (request) => {
      const { token, password } = request.body;
      const tokenHash = sha256(token);
      const found = await passwords.inTurn(async (turn) => {
        const reset = await findPasswordReset(database.client, tokenHash);
        const wrong = await passwordProblems(password, reset?.email ?? '');
        if (wrong.length > 0) throw invalidFields(...wrong);
        return reset && { ...reset, passwordHash: await turn.hash(password) };
      });
      const used = found && (await replacePassword(request, tokenHash, found));
      if (!used) {
        await database.transaction((tx) =>
          recordAction(tx, callerOf(request), { action: 'PASSWORD_RESET_REJECTED', outcome: 'DENIED' }),
        );
        throw new ServiceError('RESET_TOKEN_INVALID');
      }
      postOffice.wake();
      return { done: true as const };
    },
  );

  app.post(
    '/change-password',
    {
      config: { access: account('account:use'), audit: audited('PASSWORD_CHANGED'), rateLimitClass: 'auth' },
      schema: {
        operationId: 'accounts.changePassword',
        tags: ['Accounts'],
        summary: 'Change the own password; ends every other session.',
        body: PasswordChange,
        response: { 200: ref(DoneOnDevice), ...problems(401) },
      },
    },
    async (request) => {
      const deviceToken = await changePassword(services, callerOf(request), userOf(request), request.body);
      return { done: true as const, deviceToken };
    },
  );

  /** The same statements whether or not the address has an account, so that the time does not tell. */
  async function mailResetLink(request: FastifyRequest, tx: Tx, email: string): Promise<void> {
    const token = randomBytes(32).toString('base64url');
    const expiresAt = new Date(Date.now() + LIFETIMES.passwordResetLink * 1000);
    const userId = await insertPasswordReset(tx, { email, tokenHash: sha256(token), expiresAt });
    // In the fragment the token reaches no server, no log and no Referer.
    const link = `${services.frontendUrl}/reset-password#token=${token}`;
    await postOffice.post(tx, {
      template: 'PASSWORD_RESET',
      to: email,
      values: { link, minutes: LIFETIMES.passwordResetLink / 60 },
      discarded: !userId,
    });
    await recordAction(tx, callerOf(request), userId ? { resourceId: userId } : { outcome: 'DENIED' });
  }

  async function replacePassword(
    request: FastifyRequest,
    tokenHash: Buffer,
    reset: { userId: string; email: string; passwordHash: string },
  ): Promise<boolean> {
    return database.transaction(async (tx) => {
      if (!(await usePasswordReset(tx, reset.userId, tokenHash))) return false;
      await setPassword(tx, reset.userId, reset.passwordHash);
      await clearLoginDelay(tx, addressKeys(vault, reset.email));
      await revokeAccess(tx, reset.userId, 'PASSWORD_RESET');
      await services.notifyPassword(tx, reset.userId);
      await postOffice.post(tx, { template: 'PASSWORD_RESET_DONE', to: reset.email, values: {} });
      await recordAction(tx, callerOf(request), {
        resourceId: reset.userId,
        actorId: reset.userId,
        changes: ['password'],
      });
      return true;
    });
  }
};

function sha256(token: string): Buffer<ArrayBuffer> {
  return Buffer.from(createHash('sha256').update(token).digest());
}
