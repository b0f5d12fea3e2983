import type { FastifyPluginAsync } from 'fastify';
import type { TSchema } from 'typebox';
import type { JobHandler } from './job-worker.ts';
import type { JobQueueDefinition } from './jobs.ts';

/** The facts of a feature that are known before anything runs. */
export interface FeatureManifest {
  name: string;
  /** Queues of its jobs; created when the database is migrated. */
  queues: readonly JobQueueDefinition[];
  /** Named schemas of the OpenAPI document, which routes refer to. */
  schemas?: readonly TSchema[];
  /** Completes the OpenAPI document with what schemas of routes cannot say. */
  refineDocument?: (document: Record<string, unknown>) => Record<string, unknown>;
}

/** Work of a queue. */
export interface FeatureJob {
  queue: JobQueueDefinition;
  handler: JobHandler;
  /** Jobs of the queue that a process runs at a time; 1 when left out. */
  concurrency?: number;
  /** Seconds between two runs of a recurring job, 3,600 at most. */
  intervalSeconds?: number;
}

/** What a feature adds to a running application. */
export interface Feature {
  /** Its routes; none where other features serve what it does. */
  plugin?: FastifyPluginAsync;
  jobs?: readonly FeatureJob[];
  /** Steps of the hourly clean-up, in order. */
  cleanUp?: readonly (() => Promise<unknown>)[];
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The time so many days before now. */
export function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY_MS);
}
