/** The least that a scan can be, in one statement: select the code, insert the scan, count it on the code. */
export const SCAN_STATEMENT = `
  WITH code AS (
    UPDATE qr_codes SET scan_count = scan_count + 1, human_count = human_count + 1, last_scanned_at = now()
    WHERE id = $1 AND status = 'ACTIVE' RETURNING id, owner_id, kind, title, visibility, data
  ), made AS (
    INSERT INTO scans (id, qr_code_id, owner_id, type, class, class_rule, visitor_hash, ip_truncated, user_agent, scanned_at)
    SELECT $2, id, owner_id, 'public', 'HUMAN', 'none', $3, '127.0.0.0', $4, now() FROM code
  )
  SELECT id, owner_id, kind, title, visibility, data FROM code`;
