/** What a browser or an application keeps once all other sessions of its user have ended. */
export interface RenewedAccess {
  deviceToken: string;
  /** Null for a session without a cookie. */
  sessionCookie: string | null;
}
