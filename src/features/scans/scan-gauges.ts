import type { DatabaseGauges } from '../../platform/monitoring/database-gauges.ts';
import { querySql } from '../../platform/sql.ts';

const SQL = `
  SELECT count(*)::float8 AS "dirtyBuckets",
    coalesce(extract(epoch FROM now() - (min(starts_at) + interval '15 minutes')), 0)::float8 AS "lagSeconds",
    (SELECT extract(epoch FROM max(to_date(right(child.relname, 7), 'YYYY_MM')) + interval '1 month')::float8
     FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
     WHERE inhparent = 'scans'::regclass AND child.relname ~ '^scans_[0-9]{4}_[0-9]{2}$') AS "partitionsUntil"
  FROM scan_dirty_buckets WHERE bucket_size = 'QUARTER_HOUR' AND starts_at <= now() - interval '15 minutes'`;

export const SCAN_GAUGES: DatabaseGauges = {
  gauges: {
    qrps_roll_up_dirty_buckets: {
      help: 'Quarter hours that are over and not yet rolled up, of all codes and owners.',
    },
    qrps_roll_up_lag_seconds: { help: 'How long the oldest of them is over.' },
    qrps_scan_partitions_until_timestamp_seconds: { help: 'End of the last monthly partition of scans.' },
  },
  async read(pool) {
    const rows = await querySql<{
      dirtyBuckets: number;
      lagSeconds: number;
      partitionsUntil: number | null;
    }>(pool)({ text: SQL });
    return rows.flatMap(({ dirtyBuckets, lagSeconds, partitionsUntil }) => [
      { name: 'qrps_roll_up_dirty_buckets', value: dirtyBuckets },
      { name: 'qrps_roll_up_lag_seconds', value: lagSeconds },
      ...(partitionsUntil === null
        ? []
        : [{ name: 'qrps_scan_partitions_until_timestamp_seconds', value: partitionsUntil }]),
    ]);
  },
};
