import type { IdentityProvider } from '../../../providers/identity/identity.port.ts';
import type { AccountServices } from '../accounts/account-services.ts';

export interface IdentityServices extends AccountServices {
  identityProvider: IdentityProvider | null;
}
