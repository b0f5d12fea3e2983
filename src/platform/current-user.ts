export interface CurrentUser {
  id: string;
  email: string;
  role: string;
  status: string;
  timeZone: string;
  /** BCP 47; not necessarily a locale of the service. */
  language: string;
  sessionId: string;
  isEnterprise: boolean;
  /** Enterprise mode requires a second factor that the user does not have. */
  mustEnroll: boolean;
}
