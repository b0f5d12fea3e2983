import type { Db } from '../../platform/database.ts';
import { querySql } from '../../platform/sql.ts';

/** LIKE pattern of the addresses that `npm run demo` registers; nobody receives mail at example.org (RFC 2606). */
const DEMO_EMAIL_PATTERN = 'demo-________@example.org';

/** Bounds the cost in a large database. */
const MAX_SEARCHED_CODES = 200;

interface DemoQrCode {
  id: string;
  kind: string;
  title: string;
}

/** Find codes that `npm run demo` created among the newest codes, newest first. */
export async function findDemoQrCodes(db: Db, limit: number): Promise<DemoQrCode[]> {
  return querySql<DemoQrCode>(db)`
    SELECT newest.id, newest.kind, newest.title
    FROM (SELECT id, kind, title, account_id, created_at FROM qr_codes
          WHERE status <> 'DELETED' ORDER BY created_at DESC, id DESC LIMIT ${MAX_SEARCHED_CODES}) AS newest
    JOIN users ON users.id = account_id AND users.status <> 'DELETED' AND email LIKE ${DEMO_EMAIL_PATTERN}
    ORDER BY newest.created_at DESC, newest.id DESC
    LIMIT ${limit}`;
}
