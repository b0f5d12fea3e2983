import { deleteExpiredDeletions } from '../../platform/deletion.repository.ts';
import { type Feature, type FeatureManifest, getDateDaysAgo } from '../../platform/feature.ts';
import { DAY_SECONDS } from '../../shared/durations.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { cleanUpDataExports } from './clean-up-exports.use-case.ts';
import { eraseDueOrganizations } from './erase-organization.use-case.ts';
import { accountErasureRoutes } from './erasure.routes.ts';
import { dataExportRoutes } from './export.routes.ts';
import { createFinishErasureJob, ERASURE_QUEUE, requeueLostErasures } from './finish-erasure.job.ts';
import { createMakeDataExportJob, DATA_EXPORT_QUEUE } from './make-export.job.ts';
import { DataExport } from './personal-data.schemas.ts';
import type { PersonalDataServices } from './personal-data-services.ts';

export const personalDataManifest: FeatureManifest = {
  name: 'personal-data',
  queues: [DATA_EXPORT_QUEUE, ERASURE_QUEUE],
  schemas: [DataExport],
};

/** Create the export and the erasure of all data of a user. */
export function createPersonalDataFeature(shared: PersonalDataServices) {
  // The tables, and the condition that finds a user's rows in them, are known at run time only.
  const services = { ...shared, database: shared.database.forEveryAccount('RUN_TIME') };
  const feature: Feature = {
    async plugin(app) {
      await app.register(dataExportRoutes, { prefix: '/api/auth', ...services });
      await app.register(accountErasureRoutes, { prefix: '/api/auth', ...services });
    },
    jobs: [
      { queue: DATA_EXPORT_QUEUE, handler: createMakeDataExportJob(services) },
      { queue: ERASURE_QUEUE, handler: createFinishErasureJob(services) },
    ],
    cleanUp: [
      () => cleanUpDataExports(services),
      () => eraseDueOrganizations(services),
      () => requeueLostErasures(services),
      // A day more than clients are promised.
      () =>
        deleteExpiredDeletions(
          services.database.client,
          getDateDaysAgo(LIFETIMES_SECONDS.deletedRecord / DAY_SECONDS + 1),
        ),
    ],
  };
  return { feature };
}

export { listDataExports } from './data-export.repository.ts';
export { toDataExportView } from './data-export.view.ts';
export { eraseAccount } from './erase-account.use-case.ts';
export type { PersonalDataServices } from './personal-data-services.ts';
export { reauthenticateUser } from './reauthenticate.ts';
export { PERSONAL_TABLES } from './registry.ts';
export { findDataExportRecipientErrors } from './request-export.use-case.ts';
export { requestOwnDataExport } from './request-own-export.use-case.ts';
export { sendDataExport } from './send-data-export.ts';
