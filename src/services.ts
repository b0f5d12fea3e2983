import { createFeatures, FEATURE_MANIFESTS } from './features/index.ts';
import { CLEAN_UP_QUEUE, createCleanUpJob } from './platform/clean-up.job.ts';
import type { Feature } from './platform/feature.ts';
import type { JobQueueDefinition } from './platform/jobs.ts';
import { HOUR_SECONDS } from './shared/durations.ts';
import { createSharedServices, type ServiceDependencies, type SharedServices } from './shared-services.ts';

export const JOB_QUEUES: readonly JobQueueDefinition[] = [
  CLEAN_UP_QUEUE,
  ...FEATURE_MANIFESTS.flatMap(({ queues }) => queues),
];

export const FEATURE_GAUGES = FEATURE_MANIFESTS.flatMap(({ gauges }) => gauges ?? []);

export type Services = ReturnType<typeof createServices>;

interface RecurringJobOptions {
  /** Off in tests: a recurring job would change data in the middle of a slow one. */
  repeatsJobs?: boolean;
}

/** Create the services with their features and jobs; connects to nothing. @throws for an unreadable key set */
export function createServices({
  repeatsJobs = true,
  ...settings
}: ServiceDependencies & RecurringJobOptions) {
  const shared = createSharedServices(settings);
  const { features, services } = createFeatures(shared);
  registerJobs(shared, features, repeatsJobs);
  return { ...services, features };
}

function registerJobs(
  { jobs, database }: SharedServices,
  features: Readonly<Record<string, Feature>>,
  repeatsJobs: boolean,
): void {
  jobs.work(CLEAN_UP_QUEUE, createCleanUpJob({ database, features }));
  if (repeatsJobs) jobs.repeat(CLEAN_UP_QUEUE, HOUR_SECONDS);
  const featureJobs = Object.values(features).flatMap((feature) => feature.jobs ?? []);
  for (const { queue, handler, concurrency, intervalSeconds } of featureJobs) {
    jobs.work(queue, handler, concurrency);
    if (repeatsJobs && intervalSeconds !== undefined) jobs.repeat(queue, intervalSeconds);
  }
}
