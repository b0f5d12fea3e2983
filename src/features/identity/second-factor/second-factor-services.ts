import type { AccountServices } from '../accounts/account-services.ts';

export type SecondFactorServices = AccountServices;
