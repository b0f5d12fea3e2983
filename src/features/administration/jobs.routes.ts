import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { commitAuditEntry } from '../../platform/audit.ts';
import type { Database } from '../../platform/database.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import type { JobScheduler } from '../../platform/jobs.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import { schemaRef } from '../../shared/common.schemas.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';
import { createPageSchema, PageQuery } from '../../shared/pagination.ts';
import { changeFailedJob } from './change-failed-job.use-case.ts';
import { countJobsByQueue, LAST_FAILED_FIRST, listFailedJobs } from './jobs.repository.ts';
import {
  FailedJob,
  JobDismissalResponse,
  JobIdParams,
  JobQueueList,
  JobRetryResponse,
} from './jobs.schemas.ts';

const JOB_ACCESS = allowUsers('admin:jobs');

interface JobRouteServices {
  database: Database;
  jobs: JobScheduler;
}

/** Routes of administrators for the job queues and failed jobs. */
export const adminJobRoutes: FastifyPluginAsyncTypebox<JobRouteServices> = async (
  app,
  { database, jobs },
) => {
  app.get(
    '/jobs',
    {
      config: { access: JOB_ACCESS, audit: auditAs('ADMIN_JOBS_READ') },
      schema: {
        operationId: 'admin.listJobQueues',
        tags: ['Administration'],
        summary: 'List the job queues with their waiting and failed jobs',
        description: 'Counts by queue, and since when the oldest job waits: whether the workers keep up.',
        response: { 200: schemaRef(JobQueueList) },
      },
    },
    async (request) => {
      await commitAuditEntry(database, getRequestContext(request));
      const rows = await countJobsByQueue(database.client);
      const data = rows.map((row) => ({ ...row, waitingSince: row.waitingSince?.toISOString() ?? null }));
      return { data, at: new Date().toISOString() };
    },
  );

  app.get(
    '/jobs/failed',
    {
      config: { access: JOB_ACCESS, audit: auditAs('ADMIN_JOBS_READ') },
      schema: {
        operationId: 'admin.listFailedJobs',
        tags: ['Administration'],
        summary: 'List failed jobs, newest first',
        description: `Failed jobs are kept for ${formatLifetime('failedJob')}, or until they are retried or dismissed. An email stays in the outbox while its job is listed. An email that mail servers reject for an hour fails in the outbox instead and is counted by GET /api/admin/analytics.`,
        querystring: PageQuery,
        response: { 200: createPageSchema(FailedJob) },
      },
    },
    async (request) => {
      const page = parseListPage(request, LAST_FAILED_FIRST);
      await commitAuditEntry(database, getRequestContext(request));
      const list = await listFailedJobs(database.client, page);
      return toListPage(page, list, (row) => ({
        ...row,
        createdAt: row.createdAt.toISOString(),
        failedAt: row.failedAt.toISOString(),
      }));
    },
  );

  app.post(
    '/jobs/failed/:id/retry',
    {
      config: { access: JOB_ACCESS, audit: auditAs('JOB_RETRIED'), storesResponse: true },
      schema: {
        operationId: 'admin.retryJob',
        tags: ['Administration'],
        summary: 'Retry a failed job now',
        description: '409 if the job is no longer failed. A job that fails again returns to the list.',
        params: JobIdParams,
        response: { 200: schemaRef(JobRetryResponse), ...createProblemResponseSchemas(404, 409) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const queue = await changeFailedJob(database, getRequestContext(request), id, 'retry');
      jobs.wake({ name: queue });
      return { id, queue, retried: true as const };
    },
  );

  app.delete(
    '/jobs/failed/:id',
    {
      config: { access: JOB_ACCESS, audit: auditAs('JOB_DISMISSED') },
      schema: {
        operationId: 'admin.dismissJob',
        tags: ['Administration'],
        summary: 'Remove a failed job without running it again',
        description: 'Its work is not done. 409 JOB_NOT_FAILED if it is waiting, running or completed.',
        params: JobIdParams,
        response: { 200: schemaRef(JobDismissalResponse), ...createProblemResponseSchemas(404, 409) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const queue = await changeFailedJob(database, getRequestContext(request), id, 'dismiss');
      return { id, queue, deleted: true as const };
    },
  );
};
