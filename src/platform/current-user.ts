/** The person behind a request, as their session row says at this moment. */
export interface CurrentUser {
  id: string;
  email: string;
  role: string;
  status: string;
  timeZone: string;
  /** BCP 47; it may be one that the service does not speak. */
  language: string;
  sessionId: string;
  /** Whether the rules of enterprise mode hold for them. */
  isEnterprise: boolean;
  /** Whether those rules demand a second factor that they do not have. */
  mustEnroll: boolean;
}
