import type { Feature, FeatureManifest } from '../../platform/feature.ts';
import { HOUR_SECONDS } from '../../shared/durations.ts';
import { apiReferenceRoutes } from './api-reference.routes.ts';
import { brandRoutes } from './brand.routes.ts';
import type { DependencyServices } from './check-dependencies.ts';
import { errorDocumentationRoutes } from './error-documentation.routes.ts';
import { CHECK_FILES_QUEUE, createCheckFilesJob } from './file-check/check-files.job.ts';
import { healthRoutes } from './health.routes.ts';
import { localMailboxRoutes } from './mailbox.routes.ts';
import { rootRoutes } from './root.routes.ts';
import type { StartPageServices } from './start-page.ts';

type SystemServices = DependencyServices &
  StartPageServices &
  Parameters<typeof createCheckFilesJob>[0] &
  Parameters<typeof localMailboxRoutes>[1];

export const systemManifest: FeatureManifest = { name: 'system', queues: [CHECK_FILES_QUEUE] };

export function createSystemFeature(services: SystemServices) {
  const feature: Feature = {
    async plugin(app) {
      await app.register(rootRoutes, services);
      await app.register(healthRoutes, services);
      await app.register(brandRoutes, { brand: services.brand });
      await app.register(apiReferenceRoutes, services);
      await app.register(errorDocumentationRoutes);
      if (!services.config.production) await app.register(localMailboxRoutes, { mailbox: services.mailbox });
    },
    jobs: [
      { queue: CHECK_FILES_QUEUE, handler: createCheckFilesJob(services), intervalSeconds: HOUR_SECONDS },
    ],
  };
  return { feature };
}

export { MAX_JOB_WAIT_SECONDS, MAX_WORKER_SILENCE_SECONDS } from './check-dependencies.ts';
export { checkStoredFileConsistency, type FileCheckFinding } from './file-check/check-files.ts';
export { createFileCheckFindingCounts, listFoundFileProblems } from './file-check/file-finding-counts.ts';
