import type { SecondFactorServices } from '../identity/index.ts';

/** Services of the routes of administration and support. */
export type AdministrationServices = SecondFactorServices;
