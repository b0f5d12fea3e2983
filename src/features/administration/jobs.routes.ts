import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { recordAction } from '../../platform/audit.ts';
import { type Caller, callerOf } from '../../platform/caller.ts';
import type { Database, Tx } from '../../platform/database.ts';
import type { Jobs } from '../../platform/jobs.ts';
import { problems } from '../../platform/openapi.ts';
import { account, audited } from '../../platform/route-access.ts';
import { ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { offsetOf, PageQuery, pageAnswer, pageOf } from '../../shared/pagination.ts';
import { countJobs, deleteDeadJob, isJob, listDeadJobs, reviveJob } from './jobs.repository.ts';
import { DeadJob, JobDismissed, JobParams, JobQueues, JobRetried } from './jobs.schemas.ts';

const ACCESS = account('admin:jobs');

interface Services {
  database: Database;
  jobs: Jobs;
}

/** What of the work that happens later is behind, and what was given up. */
export const jobRoutes: FastifyPluginAsyncTypebox<Services> = async (app, { database, jobs }) => {
  app.get(
    '/jobs',
    {
      exposeHeadRoute: false,
      config: { access: ACCESS, audit: audited('ADMIN_JOBS_READ') },
      schema: {
        operationId: 'admin.jobs',
        tags: ['Administration'],
        summary: 'The queues of the work that happens later: what waits, since when, and what was given up.',
        response: { 200: ref(JobQueues) },
      },
    },
    async (request) => {
      const rows = await database.transaction(async (tx) => {
        await recordAction(tx, callerOf(request));
        return countJobs(tx);
      });
      const data = rows.map((row) => ({ ...row, waitingSince: row.waitingSince?.toISOString() ?? null }));
      return { data, at: new Date().toISOString() };
    },
  );

  app.get(
    '/jobs/dead',
    {
      exposeHeadRoute: false,
      config: { access: ACCESS, audit: audited('ADMIN_JOBS_READ') },
      schema: {
        operationId: 'admin.deadJobs',
        tags: ['Administration'],
        summary: 'Jobs that used up their tries, the last one first.',
        description:
          'Kept for 30 days, or until they are tried again or dismissed. A mail stays in the outbox as long as its job is here; one that mail servers would not take for an hour is given up there, and counted by GET /api/admin/analytics.',
        querystring: PageQuery,
        response: { 200: pageOf(DeadJob) },
      },
    },
    async (request) => {
      const page = { skip: offsetOf(request.query), take: request.query.limit };
      const { rows, total } = await database.transaction(async (tx) => {
        await recordAction(tx, callerOf(request));
        return listDeadJobs(tx, page);
      });
      const data = rows.map((row) => ({
        ...row,
        createdAt: row.createdAt.toISOString(),
        failedAt: row.failedAt.toISOString(),
      }));
      return pageAnswer(request.query, data, total);
    },
  );

  app.post(
    '/jobs/dead/:id/retry',
    {
      config: { access: ACCESS, audit: audited('JOB_RETRIED') },
      schema: {
        operationId: 'admin.retryJob',
        tags: ['Administration'],
        summary: 'Have a dead job tried once more, now.',
        description: '409 where it is not dead any more. One that fails again comes back to the list.',
        params: JobParams,
        response: { 200: ref(JobRetried), ...problems(404, 409) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const queue = await database.transaction((tx) => change(tx, callerOf(request), id, reviveJob));
      jobs.wake({ name: queue });
      return { id, queue, retried: true as const };
    },
  );

  app.delete(
    '/jobs/dead/:id',
    {
      config: { access: ACCESS, audit: audited('JOB_DISMISSED') },
      schema: {
        operationId: 'admin.dismissJob',
        tags: ['Administration'],
        summary: 'Remove a dead job: what it was to do is not done.',
        params: JobParams,
        response: { 200: ref(JobDismissed), ...problems(404, 409) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const queue = await database.transaction((tx) => change(tx, callerOf(request), id, deleteDeadJob));
      return { id, queue, deleted: true as const };
    },
  );
};

/** Changes a dead job and records it. Answers its queue; throws NOT_FOUND, and JOB_NOT_DEAD for one in another state. */
async function change(
  tx: Tx,
  caller: Caller,
  id: string,
  work: (tx: Tx, id: string) => Promise<string | null>,
): Promise<string> {
  const queue = await work(tx, id);
  if (queue === null) throw new ServiceError((await isJob(tx, id)) ? 'JOB_NOT_DEAD' : 'NOT_FOUND');
  await recordAction(tx, caller, { resourceId: id, changes: [queue] });
  return queue;
}
