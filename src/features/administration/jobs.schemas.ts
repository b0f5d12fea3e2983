import { Type } from 'typebox';
import { nullable, schemaRef, Timestamp } from '../../shared/common.schemas.ts';

const JobId = Type.String({ format: 'uuid', description: 'Id of a job: a UUID, unlike other ids.' });

export const JobQueueSchema = Type.Object(
  {
    queue: Type.String(),
    waiting: Type.Integer({ description: 'Not attempted yet.' }),
    running: Type.Integer({ description: 'Taken by a worker.' }),
    retrying: Type.Integer({ description: 'Failed and waiting for the next attempt.' }),
    failed: Type.Integer({ description: 'Failed all attempts: GET /api/admin/jobs/failed.' }),
    waitingSince: nullable(Timestamp),
  },
  {
    $id: 'JobQueue',
    description:
      'A job queue. `waitingSince` is when its oldest waiting job became due; a value minutes ago means that the queue is stuck.',
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
    attempts: Type.Integer({ description: 'With the first one.' }),
    reason: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Error name of the last attempt; WORKER_LOST if the worker died.',
    }),
    createdAt: Timestamp,
    failedAt: Timestamp,
  },
  { $id: 'FailedJob', description: 'A job that failed all attempts, without its data.' },
);

export const JobIdParams = Type.Object({ id: JobId });

export const JobRetryResponse = Type.Object(
  { id: JobId, queue: Type.String(), retried: Type.Literal(true) },
  { $id: 'JobRetried' },
);

export const JobDismissalResponse = Type.Object(
  { id: JobId, queue: Type.String(), deleted: Type.Literal(true) },
  { $id: 'JobDismissed' },
);
