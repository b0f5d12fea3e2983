/** The minimum work of a scan in one statement: select the code, insert the scan, update the count of the code. */
export const SCAN_STATEMENT = `
  WITH code AS (
    SELECT id, owner_id, kind, title, visibility, data FROM qr_codes WHERE id = $1 AND status = 'ACTIVE'
  ), counted AS (
    INSERT INTO scan_counts AS kept (qr_code_id, total, humans, uniques, last_scanned_at)
    SELECT id, 1, 1, 0, now() FROM code
    ON CONFLICT (qr_code_id) DO UPDATE SET
      total = kept.total + 1, humans = kept.humans + 1, last_scanned_at = excluded.last_scanned_at
  ), made AS (
    INSERT INTO scans (id, qr_code_id, owner_id, type, class, class_rule, visitor_hash, ip_truncated, user_agent, scanned_at)
    SELECT $2, id, owner_id, 'public', 'HUMAN', 'none', $3, '127.0.0.0', $4, now() FROM code
  )
  SELECT id, owner_id, kind, title, visibility, data FROM code`;
