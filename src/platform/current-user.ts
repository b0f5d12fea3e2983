import type { ApiKeyScope } from '../permissions.ts';

export interface CurrentUser {
  id: string;
  email: string;
  /** USER for an API key, whatever role its user has. */
  role: string;
  status: string;
  timeZone: string;
  /** BCP 47; not necessarily a locale of the service. */
  language: string;
  /** The id of the API key if there is no session. */
  sessionId: string;
  apiKey: { id: string; scopes: readonly ApiKeyScope[]; isNetworkAllowed: boolean } | null;
  isEnterprise: boolean;
  /** Enterprise mode requires a second factor that the user does not have. */
  mustEnroll: boolean;
}
