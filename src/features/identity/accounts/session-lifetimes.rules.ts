import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';

export function getAccessTokenLifetimeSeconds(isEnterprise: boolean): number {
  return isEnterprise ? LIFETIMES_SECONDS.enterpriseAccessToken : LIFETIMES_SECONDS.accessToken;
}

/** Capped by the start of the session. */
export function getRefreshTokenExpiry(isEnterprise: boolean, openedAt: Date, now = new Date()): Date {
  const maxSeconds = isEnterprise ? LIFETIMES_SECONDS.enterpriseSession : LIFETIMES_SECONDS.maxSession;
  return new Date(
    Math.min(now.getTime() + LIFETIMES_SECONDS.refreshToken * 1000, openedAt.getTime() + maxSeconds * 1000),
  );
}
