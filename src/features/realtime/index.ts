import type { Db } from '../../platform/database.ts';
import { type Feature, type FeatureManifest, getDateDaysAgo } from '../../platform/feature.ts';
import { deleteExpiredRealtimeEvents } from '../../platform/realtime/event.repository.ts';
import { DAY_SECONDS } from '../../shared/durations.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { REALTIME_PATH } from '../../shared/realtime-protocol.ts';
import { realtimeRoutes } from './realtime.routes.ts';
import { RealtimeClientEvent, RealtimeServerEvent } from './realtime.schemas.ts';
import type { RealtimeServices } from './realtime-services.ts';

const EVENT_RETENTION_DAYS = LIFETIMES_SECONDS.realtimeEvent / DAY_SECONDS;
const EVENT_BATCH_SIZE = 5_000;

export const realtimeManifest: FeatureManifest = {
  name: 'realtime',
  queues: [],
  schemas: [RealtimeServerEvent, RealtimeClientEvent],
};

export function createRealtimeFeature(
  services: RealtimeServices & { allowedOrigins: readonly string[] | 'any'; publicBaseUrl: string },
) {
  const feature: Feature = {
    async plugin(app) {
      await app.register(realtimeRoutes, {
        prefix: REALTIME_PATH,
        ...services,
        origins: services.allowedOrigins,
      });
    },
    cleanUp: [() => deleteOldEvents(services.database.client)],
  };
  return { feature };
}

async function deleteOldEvents(db: Db): Promise<void> {
  while (
    (await deleteExpiredRealtimeEvents(db, getDateDaysAgo(EVENT_RETENTION_DAYS), EVENT_BATCH_SIZE)) ===
    EVENT_BATCH_SIZE
  );
}

export { realtimePersonalData } from './personal-data.ts';
