import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';

export function getAccessTokenLifetimeSeconds(isEnterprise: boolean): number {
  return isEnterprise ? LIFETIMES_SECONDS.enterpriseAccessToken : LIFETIMES_SECONDS.accessToken;
}

/** In enterprise mode capped by the start of the session. */
export function getRefreshTokenExpiry(isEnterprise: boolean, openedAt: Date, now = new Date()): Date {
  const [start, seconds] = isEnterprise
    ? [openedAt, LIFETIMES_SECONDS.enterpriseSession]
    : [now, LIFETIMES_SECONDS.refreshToken];
  return new Date(start.getTime() + seconds * 1000);
}
