import type { FastifyPluginAsync } from 'fastify';
import type { TSchema } from 'typebox';
import { DAY_MS } from '../shared/durations.ts';
import type { JobHandler } from './job-worker.ts';
import type { JobQueueDefinition } from './jobs.ts';
import type { DatabaseGauges } from './monitoring/database-gauges.ts';

export interface FeatureManifest {
  name: string;
  queues: readonly JobQueueDefinition[];
  /** Schemas with a name that routes refer to. */
  schemas?: readonly TSchema[];
  /** Schemas that repeat within others, by the name that the OpenAPI document gives them. */
  repeatedSchemas?: Readonly<Record<string, TSchema>>;
  /** State for monitoring. */
  gauges?: DatabaseGauges;
  refineOpenApiDocument?: (document: Record<string, unknown>) => Record<string, unknown>;
}

export interface FeatureJob {
  queue: JobQueueDefinition;
  handler: JobHandler;
  /** Default: 1. */
  concurrency?: number;
  /** Interval of a recurring job; at most 3,600. */
  intervalSeconds?: number;
}

export interface Feature {
  plugin?: FastifyPluginAsync;
  jobs?: readonly FeatureJob[];
  cleanUp?: readonly (() => Promise<unknown>)[];
}

export function getDateDaysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY_MS);
}
