import { Type } from 'typebox';
import { nullable, schemaRef, Timestamp } from '../../shared/common.schemas.ts';

const JobId = Type.String({ format: 'uuid', description: 'Of a job: a UUID, unlike the ids of records.' });

export const JobQueueSchema = Type.Object(
  {
    queue: Type.String(),
    waiting: Type.Integer({ description: 'Not tried yet.' }),
    underWay: Type.Integer(),
    retrying: Type.Integer({ description: 'Failed, and tried again after a pause.' }),
    dead: Type.Integer({ description: 'Used all their attempts: GET /api/admin/jobs/dead.' }),
    waitingSince: nullable(Timestamp),
  },
  {
    $id: 'JobQueue',
    description:
      'Work that happens later. `waitingSince` is since when the oldest job could have been done: one of minutes ago is of a queue that stands still.',
  },
);

export const JobQueueList = Type.Object(
  { data: Type.Array(schemaRef(JobQueueSchema)), at: Timestamp },
  { $id: 'JobQueues' },
);

export const FailedJob = Type.Object(
  {
    id: JobId,
    queue: Type.String(),
    tries: Type.Integer(),
    reason: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Why the last try failed, as a word; WORKER_LOST where its worker died each time.',
    }),
    createdAt: Timestamp,
    failedAt: Timestamp,
  },
  { $id: 'DeadJob', description: 'A job that used up its tries; nothing of what it is about.' },
);

export const JobParams = Type.Object({ id: JobId });

export const JobRetryResponse = Type.Object(
  { id: JobId, queue: Type.String(), retried: Type.Literal(true) },
  { $id: 'JobRetried' },
);

export const JobDismissalResponse = Type.Object(
  { id: JobId, queue: Type.String(), deleted: Type.Literal(true) },
  { $id: 'JobDismissed' },
);
