import type { DatabaseGauges } from '../../platform/monitoring/database-gauges.ts';
import { querySql } from '../../platform/sql.ts';

const SQL = `
  SELECT count(*)::float8 AS entries, coalesce(extract(epoch FROM now() - min(entry.created_at)), 0)::float8 AS lag
  FROM audit_unsealed CROSS JOIN LATERAL (SELECT created_at FROM audit_entries WHERE id = entry_id OFFSET 0) AS entry`;

export const AUDIT_GAUGES: DatabaseGauges = {
  gauges: {
    qrps_audit_unsealed_entries: { help: 'Entries of the audit trail that are not yet sealed.' },
    qrps_audit_seal_lag_seconds: { help: 'Age of the oldest of them.' },
  },
  async read(pool) {
    const rows = await querySql<{ entries: number; lag: number }>(pool)({ text: SQL });
    return rows.flatMap(({ entries, lag }) => [
      { name: 'qrps_audit_unsealed_entries', value: entries },
      { name: 'qrps_audit_seal_lag_seconds', value: lag },
    ]);
  },
};
