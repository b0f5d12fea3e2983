import { createFeatures, FEATURE_MANIFESTS } from './features/index.ts';
import { CLEAN_UP_QUEUE, createCleanUpJob } from './platform/clean-up.job.ts';
import type { Feature } from './platform/feature.ts';
import type { JobQueueDefinition } from './platform/jobs.ts';
import { createSharedServices, type ServiceSettings, type SharedServices } from './shared-services.ts';

export const JOB_QUEUES: readonly JobQueueDefinition[] = [
  CLEAN_UP_QUEUE,
  ...FEATURE_MANIFESTS.flatMap(({ queues }) => queues),
];

export type Services = ReturnType<typeof createServices>;

/** Create the services of a process without connecting; throws when a key set cannot be read. */
export function createServices(settings: ServiceSettings) {
  const shared = createSharedServices(settings);
  const { features, services } = createFeatures(shared);
  registerJobs(shared, features);
  return { ...services, features };
}

function registerJobs({ jobs, database }: SharedServices, features: Readonly<Record<string, Feature>>): void {
  jobs.work(CLEAN_UP_QUEUE, createCleanUpJob({ database, features }));
  jobs.repeat(CLEAN_UP_QUEUE, 3_600);
  for (const { queue, handler, concurrency, intervalSeconds } of Object.values(features).flatMap(
    ({ jobs = [] }: Feature) => jobs,
  )) {
    jobs.work(queue, handler, concurrency);
    if (intervalSeconds !== undefined) jobs.repeat(queue, intervalSeconds);
  }
}
