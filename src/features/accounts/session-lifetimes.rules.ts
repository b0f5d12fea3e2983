import { LIFETIMES } from '../../shared/lifetimes.ts';

/** Seconds that an access token lasts for a person. */
export function accessTokenSeconds(isEnterprise: boolean): number {
  return isEnterprise ? LIFETIMES.enterpriseAccessToken : LIFETIMES.accessToken;
}

/** When a refresh token made now ends: in enterprise mode never later than its session was opened to last. */
export function refreshTokenEnd(isEnterprise: boolean, openedAt: Date, now = new Date()): Date {
  const [start, seconds] = isEnterprise
    ? [openedAt, LIFETIMES.enterpriseSession]
    : [now, LIFETIMES.refreshToken];
  return new Date(start.getTime() + seconds * 1000);
}
