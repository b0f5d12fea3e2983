import type { FastifyInstance } from 'fastify';
import { deviceTokenFor } from './device-token.ts';
import type { LoggedIn } from './log-in.ts';
import type { OpenedSession } from './open-session.ts';
import type { UserRow } from './user.repository.ts';
import { type UserViewContext, userView } from './user.view.ts';

/** The answer to a log-in: tokens, and the person they stand for. */
export function tokensAnswer(
  context: UserViewContext,
  app: FastifyInstance,
  user: UserRow,
  session: OpenedSession,
) {
  return {
    ...sessionTokens(app, user, session),
    deviceToken: deviceTokenFor(context.vault, user),
    user: userView(context, user),
  };
}

/** The answer to the first step of a log-in: tokens, or what the second factor is given with. */
export function logInAnswer(context: UserViewContext, app: FastifyInstance, { user, admission }: LoggedIn) {
  if (admission.step) return { mfaRequired: true as const, ...admission.step };
  return tokensAnswer(context, app, user, admission.session);
}

/** The tokens of a session, alone. */
export function sessionTokens(
  app: FastifyInstance,
  user: { id: string; role: string },
  session: OpenedSession,
) {
  return {
    accessToken: app.signAccessToken(user, session.sessionId, session.accessTokenSeconds),
    refreshToken: session.refreshToken,
    tokenType: 'Bearer' as const,
    expiresIn: session.accessTokenSeconds,
  };
}
