import type { SecondFactorServices } from '../identity/index.ts';

export type AdministrationServices = SecondFactorServices;
