import type { ApiKeyScope } from '../permissions.ts';
import type { ActingAccount } from './acting-account.ts';

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
  /** That of the account that the user acts for counts, too. */
  isEnterprise: boolean;
  /** Enterprise mode, or the account that the user acts for, requires a second factor that the user does not have. */
  mustEnroll: boolean;
  /** Null where the user is no member of the account that the request names. */
  account: ActingAccount | null;
}
