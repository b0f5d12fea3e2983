import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { commitAuditEntry } from '../../../platform/audit.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { toListPage } from '../../../platform/http/list-pages.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsers, auditAs } from '../../../platform/route-access.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import {
  changeFailedJob,
  countJobsByQueue,
  JobIdParams,
  LAST_FAILED_FIRST,
  listFailedJobs,
} from '../../administration/index.ts';
import { renderEmptyState, renderNote } from '../components.ts';
import { getFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { renderFailedJob, renderQueues } from './job-tables.ts';
import { getStaffEntryPath, sendStaffPage } from './staff-layout.ts';
import { parseStaffListPage, renderNextLink, StaffListParams } from './staff-list.ts';

const JOB_ACCESS = allowByCookie(allowUsers('admin:jobs'));

const NOTES = {
  retried: 'app.staff.jobs.done.retried',
  dismissed: 'app.staff.jobs.done.dismissed',
  changed: 'app.staff.jobs.changed',
} as const satisfies Record<string, MessageKey>;

type NoteName = keyof typeof NOTES;

const JobListQuery = Type.Object({ ...StaffListParams, done: Type.Optional(Type.String()) });

/** The queues, and what failed in them. */
export const jobStaffPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database, jobs } = services;

  app.get(
    '/staff/jobs',
    {
      config: { access: JOB_ACCESS, audit: auditAs('ADMIN_JOBS_READ'), rateLimitClass: 'page' },
      schema: { hide: true, querystring: JobListQuery },
    },
    async (request, reply) => {
      const { query } = request;
      const locale = chooseOwnerPageLocale(request);
      const reader = requireAuthenticatedUser(request);
      const page = parseStaffListPage(request, LAST_FAILED_FIRST, {}, query.cursor);
      await commitAuditEntry(database, getRequestContext(request));
      const [queues, list] = await Promise.all([
        countJobsByQueue(database.client),
        listFailedJobs(database.client, page),
      ]);
      const path = getStaffEntryPath(services, 'jobs');
      const token = getFormToken(services, request, reply);
      const { data, pagination } = toListPage(page, list, (job) =>
        renderFailedJob(job, { path, token, reader, locale }),
      );
      const { done } = query;
      return sendStaffPage(services, request, reply, {
        title: t(locale, 'app.staff.jobs.title'),
        entry: 'jobs',
        body: html`${isKeyOf(NOTES, done) && renderNote(t(locale, NOTES[done]), done === 'changed' ? 'wrong' : 'done')}
<h2>${t(locale, 'app.staff.jobs.failed')}</h2>
<p>${t(locale, 'app.staff.jobs.failedText')}</p>
${data.length > 0 ? html`<ul class="cards rows">${data}</ul>` : renderEmptyState(t(locale, 'app.staff.jobs.noneFailed'))}
${renderNextLink(path, {}, pagination.nextCursor, locale)}
<h2>${t(locale, 'app.staff.jobs.queues')}</h2>
${renderQueues(queues, { reader, locale })}`,
      });
    },
  );

  app.post(
    '/staff/jobs/:id/retry',
    {
      config: { access: JOB_ACCESS, audit: auditAs('JOB_RETRIED') },
      schema: { hide: true, params: JobIdParams },
    },
    async (request, reply) => change(request, reply, 'retry'),
  );

  app.post(
    '/staff/jobs/:id/dismiss',
    {
      config: { access: JOB_ACCESS, audit: auditAs('JOB_DISMISSED') },
      schema: { hide: true, params: JobIdParams },
    },
    async (request, reply) => change(request, reply, 'dismiss'),
  );

  /** A job that somebody else retried in the meantime is no longer there to change. */
  async function change(
    request: FastifyRequest<{ Params: { id: string } }>,
    reply: FastifyReply,
    name: 'retry' | 'dismiss',
  ): Promise<FastifyReply> {
    const lead = (done: NoteName) =>
      reply.redirect(`${getStaffEntryPath(services, 'jobs')}?done=${done}`, 303);
    try {
      const queue = await changeFailedJob(database, getRequestContext(request), request.params.id, name);
      if (name === 'retry') jobs.wake({ name: queue });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'JOB_NOT_FAILED') throw error;
      return lead('changed');
    }
    return lead(name === 'retry' ? 'retried' : 'dismissed');
  }
};
