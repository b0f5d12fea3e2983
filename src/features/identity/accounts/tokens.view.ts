import type { FastifyInstance } from 'fastify';
import type { CreatedSession } from './create-session.ts';
import { createDeviceToken } from './device-token.ts';
import type { LoginResult } from './log-in.use-case.ts';
import type { UserRow } from './user.repository.ts';
import { toUserView, type UserViewContext } from './user.view.ts';

export function createTokenResponse(
  context: UserViewContext,
  app: FastifyInstance,
  user: UserRow,
  session: CreatedSession,
) {
  return {
    ...createSessionTokens(app, user, session),
    deviceToken: createDeviceToken(context.fieldCipher, user),
    user: toUserView(context, user),
  };
}

export function createLogInResponse(
  context: UserViewContext,
  app: FastifyInstance,
  { user, loginStep }: LoginResult,
) {
  if (loginStep.challenge) return { mfaRequired: true as const, ...loginStep.challenge };
  return createTokenResponse(context, app, user, loginStep.session);
}

export function createSessionTokens(
  app: FastifyInstance,
  user: { id: string; role: string },
  session: CreatedSession,
) {
  return {
    accessToken: app.signAccessToken(user, session.sessionId, session.accessTokenSeconds),
    refreshToken: session.credential,
    tokenType: 'Bearer' as const,
    expiresIn: session.accessTokenSeconds,
  };
}
