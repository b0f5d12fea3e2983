import type { FastifyInstance } from 'fastify';
import type { CreatedSession } from './create-session.ts';
import { createDeviceToken } from './device-token.ts';
import type { LoginResult } from './log-in.ts';
import type { UserRow } from './user.repository.ts';
import { toUserView, type UserViewContext } from './user.view.ts';

/** The answer to a log-in: tokens, and the person they stand for. */
export function toTokenResponse(
  context: UserViewContext,
  app: FastifyInstance,
  user: UserRow,
  session: CreatedSession,
) {
  return {
    ...toSessionTokens(app, user, session),
    deviceToken: createDeviceToken(context.fieldCipher, user),
    user: toUserView(context, user),
  };
}

/** The answer to the first step of a log-in: tokens, or what the second factor is given with. */
export function toLogInResponse(
  context: UserViewContext,
  app: FastifyInstance,
  { user, loginStep }: LoginResult,
) {
  if (loginStep.challenge) return { mfaRequired: true as const, ...loginStep.challenge };
  return toTokenResponse(context, app, user, loginStep.session);
}

/** The tokens of a session, alone. */
export function toSessionTokens(
  app: FastifyInstance,
  user: { id: string; role: string },
  session: CreatedSession,
) {
  return {
    accessToken: app.signAccessToken(user, session.sessionId, session.accessTokenSeconds),
    refreshToken: session.refreshToken,
    tokenType: 'Bearer' as const,
    expiresIn: session.accessTokenSeconds,
  };
}
