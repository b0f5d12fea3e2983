import type { JobScheduler } from '../../platform/jobs.ts';
import type { MoveServices, QrCodeServices } from '../codes/index.ts';

export type TransferServices = MoveServices &
  Pick<QrCodeServices, 'database' | 'createIdempotently'> & { jobs: JobScheduler };
