import type { Db } from '../../platform/database.ts';

/** A scan as it is stored. */
export interface NewScan {
  id: string;
  qrCodeId: string;
  ownerId: string;
  scannerId: string | null;
  type: 'public' | 'guest' | 'user';
  class: string;
  classRule: string;
  visitorHash: Buffer;
  position: Buffer | null;
  city: string | null;
  region: string | null;
  country: string | null;
  ipTruncated: string;
  userAgent: string;
  unlockedAt: Date | null;
  /** The version of the code that it shows more of than to everybody. */
  unlockedVersion: number | null;
  scannedAt: Date;
}

/**
 * Stores scans and counts them on their codes, in one statement: all of it or nothing. Make it the last statement of
 * a transaction, since until the commit nobody else can count on the same codes. The codes are locked in the order of
 * their ids, so that two lists with the same codes cannot wait for each other. Answers on how many codes something was
 * counted: none is stored of a code that was emptied or whose owner was erased meanwhile.
 */
export async function recordScans(db: Db, scans: readonly NewScan[]): Promise<number> {
  return db.$executeRaw`
    WITH given AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(scans.map(asJson))}::jsonb) AS scan (
        id text, "qrCodeId" text, "ownerId" text, "scannerId" text, type text, class text, "classRule" text,
        "visitorHash" text, position text, city text, region text, country text,
        "ipTruncated" text, "userAgent" text, "unlockedAt" timestamptz, "unlockedVersion" int, "scannedAt" timestamptz)
    ), codes AS MATERIALIZED (
      SELECT id FROM qr_codes AS code
      WHERE id IN (SELECT "qrCodeId" FROM given) AND data IS NOT NULL
        AND EXISTS (SELECT FROM users WHERE users.id = code.owner_id AND users.status <> 'DELETED')
      ORDER BY id FOR NO KEY UPDATE OF code
    ), made AS (
      INSERT INTO scans (id, qr_code_id, owner_id, scanner_id, type, class, class_rule, visitor_hash, position,
                         city, region, country, ip_truncated, user_agent, unlocked_at, unlocked_version,
                         scanned_at)
      SELECT given.id, codes.id, "ownerId", "scannerId", type, class, "classRule",
             decode("visitorHash", 'hex'), decode(position, 'hex'), city, region, country,
             "ipTruncated", "userAgent", "unlockedAt", "unlockedVersion", "scannedAt"
      FROM given JOIN codes ON codes.id = "qrCodeId"
      RETURNING qr_code_id, class, visitor_hash, scanned_at
    ), visitors AS (
      INSERT INTO scan_visitors (qr_code_id, day, visitor_hash)
      SELECT DISTINCT qr_code_id, (scanned_at AT TIME ZONE 'UTC')::date, visitor_hash
      FROM made WHERE class = 'HUMAN'
      ON CONFLICT DO NOTHING
      RETURNING qr_code_id
    ), counted AS (
      SELECT qr_code_id, count(*) AS total, count(*) FILTER (WHERE class = 'HUMAN') AS humans,
             max(scanned_at) AS last
      FROM made GROUP BY qr_code_id
    ), newcomers AS (
      SELECT qr_code_id, count(*) AS uniques FROM visitors GROUP BY qr_code_id
    )
    UPDATE qr_codes AS code SET
      scan_count = scan_count + total,
      human_count = human_count + humans,
      unique_count = unique_count + coalesce(uniques, 0),
      last_scanned_at = greatest(last_scanned_at, last)
    FROM counted LEFT JOIN newcomers USING (qr_code_id)
    WHERE code.id = counted.qr_code_id`;
}

function asJson(scan: NewScan) {
  return {
    ...scan,
    visitorHash: scan.visitorHash.toString('hex'),
    position: scan.position?.toString('hex') ?? null,
  };
}
