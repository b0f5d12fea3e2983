import type { DatabaseGauges } from '../../platform/monitoring/database-gauges.ts';
import { querySql } from '../../platform/sql.ts';

const SQL = `
  SELECT coalesce(greatest(
    (SELECT extract(epoch FROM now() - min(due_at)) FROM notifications WHERE due_at <= now()),
    (SELECT extract(epoch FROM now() - min(due_at)) FROM notification_deliveries WHERE due_at <= now())
  ), 0)::float8 AS lag`;

export const NOTIFICATION_GAUGES: DatabaseGauges = {
  gauges: {
    qrps_notification_lag_seconds: {
      help: 'How long the oldest due notification or delivery waits for the dispatcher.',
    },
  },
  async read(pool) {
    const rows = await querySql<{ lag: number }>(pool)({ text: SQL });
    return rows.map(({ lag }) => ({ name: 'qrps_notification_lag_seconds', value: lag }));
  },
};
