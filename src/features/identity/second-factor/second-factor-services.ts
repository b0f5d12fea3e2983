import type { AccountServices } from '../accounts/account-services.ts';

/** Services of the routes of the second factor. */
export type SecondFactorServices = AccountServices;
