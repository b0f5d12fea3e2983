import type { IdentityProvider } from '../../../providers/identity/identity.port.ts';
import type { AccountServices } from '../accounts/account-services.ts';

/** What signing in by an identity provider works with; put together in services.ts. */
export interface IdentityServices extends AccountServices {
  /** Null where none is configured. */
  identityProvider: IdentityProvider | null;
}
