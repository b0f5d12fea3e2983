import type { Feature, FeatureManifest } from '../../platform/feature.ts';
import { cleanUpExports } from './clean-up-exports.ts';
import { erasureRoutes } from './erasure.routes.ts';
import { exportRoutes } from './export.routes.ts';
import { createFinishErasureJob, ERASURE_QUEUE, resumeErasures } from './finish-erasure.job.ts';
import { createMakeExportJob, EXPORT_QUEUE } from './make-export.job.ts';
import { DataExport, ExportedData } from './personal-data.schemas.ts';
import type { PersonalDataServices } from './personal-data-services.ts';

export const personalDataManifest: FeatureManifest = {
  name: 'personal-data',
  queues: [EXPORT_QUEUE, ERASURE_QUEUE],
  schemas: [DataExport, ExportedData],
};

/** Create the export and the erasure of all data of a user. */
export function createPersonalData(services: PersonalDataServices) {
  const feature: Feature = {
    async plugin(app) {
      await app.register(exportRoutes, { prefix: '/api/auth', ...services });
      await app.register(erasureRoutes, { prefix: '/api/auth', ...services });
    },
    jobs: [
      { queue: EXPORT_QUEUE, handler: createMakeExportJob(services) },
      { queue: ERASURE_QUEUE, handler: createFinishErasureJob(services) },
    ],
    cleanUp: [() => cleanUpExports(services), () => resumeErasures(services)],
  };
  return { feature };
}

export { cleanUpExports } from './clean-up-exports.ts';
export { createFinishErasureJob, ERASURE_QUEUE, resumeErasures } from './finish-erasure.job.ts';
export { createMakeExportJob, EXPORT_QUEUE } from './make-export.job.ts';
export { DataExport, ExportedData } from './personal-data.schemas.ts';
export { PERSONAL_TABLES } from './registry.ts';
