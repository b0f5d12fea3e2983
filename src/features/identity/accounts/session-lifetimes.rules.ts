import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';

/** Seconds that an access token lasts for a person. */
export function getAccessTokenLifetimeSeconds(isEnterprise: boolean): number {
  return isEnterprise ? LIFETIMES_SECONDS.enterpriseAccessToken : LIFETIMES_SECONDS.accessToken;
}

/** When a refresh token made now ends: in enterprise mode never later than its session was opened to last. */
export function getRefreshTokenExpiry(isEnterprise: boolean, openedAt: Date, now = new Date()): Date {
  const [start, seconds] = isEnterprise
    ? [openedAt, LIFETIMES_SECONDS.enterpriseSession]
    : [now, LIFETIMES_SECONDS.refreshToken];
  return new Date(start.getTime() + seconds * 1000);
}
