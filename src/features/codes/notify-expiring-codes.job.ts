import type { Database } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import type { JobHandler } from '../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../platform/jobs.ts';
import { forEachBatch } from '../../shared/for-each-batch.ts';
import { type ExpiringQrCode, findUnnotifiedExpiringQrCodes } from './expiring-codes.repository.ts';

export const NOTIFY_EXPIRING_QR_CODES_QUEUE: JobQueueDefinition = {
  name: 'notify-expiring-codes',
  expireInSeconds: 120,
  retryLimit: 2,
  retryDelay: 60,
};

const BATCH_SIZE = 200;

export function createNotifyExpiringQrCodesJob({
  database,
  events,
}: {
  database: Database;
  events: DomainEventBus;
}): JobHandler {
  return async () => {
    for (const event of ['code.expiring', 'code.expired'] as const)
      await forEachBatch<ExpiringQrCode>(
        BATCH_SIZE,
        (after) => findUnnotifiedExpiringQrCodes(database.client, event, after, BATCH_SIZE),
        async (codes) => {
          const expiring = codes.map(({ id: qrCodeId, ...code }) => ({ qrCodeId, ...code }));
          if (expiring.length > 0) await database.transaction((tx) => events.publish(tx, event, ...expiring));
        },
      );
  };
}
