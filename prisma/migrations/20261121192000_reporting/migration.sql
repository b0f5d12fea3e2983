-- What a DBA reads: views of a schema of their own, which the role qr_reporting is granted at each start.
-- Names, columns and types are a contract: docs/reports.md says how it changes.
-- Spans that wait are counted by the index of code (or owner) and time. A range of ids beside it would choose the
-- partition, but make the planner read all scans of the span for each code.

CREATE SCHEMA reporting;
COMMENT ON SCHEMA reporting IS 'Views for reports: no names, addresses, contents, exact positions or secrets. Their names and columns are a contract with a version (view contract); docs/reports.md answers questions by them.';
REVOKE ALL ON SCHEMA reporting FROM PUBLIC;

CREATE FUNCTION reporting.scan_id_at(moment timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT lpad(to_hex(floor(extract(epoch FROM moment))::bigint), 8, '0') || '0000000000000000'
$$;
COMMENT ON FUNCTION reporting.scan_id_at(timestamptz) IS 'The smallest id that a scan of that second or later has. With id >= reporting.scan_id_at(…) in a condition only the months in question are read.';


CREATE VIEW reporting.contract AS
SELECT version, since, changes
FROM (VALUES (1, DATE '2026-11-21', 'The first version.')) AS versions (version, since, changes);
COMMENT ON VIEW reporting.contract IS 'The versions of this schema, one row each; the highest is in force.';
COMMENT ON COLUMN reporting.contract.version IS 'Grows by one when a view or a column goes or changes its type; what is added needs no new version.';
COMMENT ON COLUMN reporting.contract.since IS 'Day from which it is in force.';
COMMENT ON COLUMN reporting.contract.changes IS 'What is different from the version before.';

CREATE VIEW reporting.people AS
SELECT id, role, status, account_type, language,
       (created_at AT TIME ZONE 'UTC')::date AS created_on,
       ((SELECT max(last_used_at) FROM sessions WHERE sessions.user_id = users.id) AT TIME ZONE 'UTC')::date AS last_seen_on
FROM users;
COMMENT ON VIEW reporting.people IS 'Accounts, without anything that names or reaches a person.';
COMMENT ON COLUMN reporting.people.id IS 'Opaque id of the account.';
COMMENT ON COLUMN reporting.people.role IS 'USER, SUPPORT, AUDITOR or ADMIN.';
COMMENT ON COLUMN reporting.people.status IS 'PENDING_VERIFICATION, VERIFIED (no profile yet), ACTIVE, SUSPENDED or DELETED (erased).';
COMMENT ON COLUMN reporting.people.account_type IS 'INDIVIDUAL or ORGANIZATION; null before there is a profile.';
COMMENT ON COLUMN reporting.people.language IS 'Language for mails and pages (BCP 47).';
COMMENT ON COLUMN reporting.people.created_on IS 'UTC day on which the account was made.';
COMMENT ON COLUMN reporting.people.last_seen_on IS 'UTC day of the last log-in or renewal of a session; null where there was none or it ended more than 90 days ago.';

CREATE VIEW reporting.codes AS
SELECT id, owner_id, kind, mode,
       CASE WHEN status <> 'DELETED' AND expires_at <= now() THEN 'EXPIRED' ELSE status END AS status,
       pin_hash IS NOT NULL AS has_pin, contactable, scan_count AS total, human_count AS humans, unique_count AS uniques,
       last_scanned_at, expires_at, deleted_at, created_at, updated_at
FROM qr_codes;
COMMENT ON VIEW reporting.codes IS 'QR codes, deleted ones too, without title, content and PIN.';
COMMENT ON COLUMN reporting.codes.id IS 'Id of the code.';
COMMENT ON COLUMN reporting.codes.owner_id IS 'Whose code: id in people.';
COMMENT ON COLUMN reporting.codes.kind IS 'MEMORY_TAG, MEDICAL, CAR, LUGGAGE, PET, IDENTIFICATION, DOCUMENT, WIFI, URL, TEXT, VCARD, EMAIL, PHONE, SMS, LOCATION or EVENT.';
COMMENT ON COLUMN reporting.codes.mode IS 'DYNAMIC: the image holds the address of the page; STATIC: the content itself, so that scans are not seen.';
COMMENT ON COLUMN reporting.codes.status IS 'ACTIVE, PAUSED, LOST, EXPIRED, DELETED or UNCLAIMED, as of now.';
COMMENT ON COLUMN reporting.codes.has_pin IS 'Whether a PIN opens more of it.';
COMMENT ON COLUMN reporting.codes.contactable IS 'Whether a finder may write to the owner.';
COMMENT ON COLUMN reporting.codes.total IS 'Scans of all classes so far.';
COMMENT ON COLUMN reporting.codes.humans IS 'Scans of class HUMAN so far.';
COMMENT ON COLUMN reporting.codes.uniques IS 'Different human visitors, added up over UTC days.';
COMMENT ON COLUMN reporting.codes.last_scanned_at IS 'Time of the last scan of any class; null where there was none.';
COMMENT ON COLUMN reporting.codes.expires_at IS 'From when on it is EXPIRED; null for never.';
COMMENT ON COLUMN reporting.codes.deleted_at IS 'When it was deleted.';
COMMENT ON COLUMN reporting.codes.created_at IS 'When it was made.';
COMMENT ON COLUMN reporting.codes.updated_at IS 'When its owner last changed it.';

CREATE VIEW reporting.scans AS
SELECT scan.id, scan.qr_code_id AS code_id, scan.owner_id, code.kind, scan.type, scan.class, scan.class_rule, scan.is_unique,
       scan.scanner_id IS NOT NULL AS is_signed_in, scan.unlocked_at IS NOT NULL AS is_unlocked,
       scan.city, scan.region, scan.country, scan.device, scan.os, scan.browser,
       scan.scanned_at, (scan.scanned_at AT TIME ZONE 'UTC')::date AS scanned_on
FROM scans AS scan LEFT JOIN qr_codes AS code ON code.id = scan.qr_code_id;
COMMENT ON VIEW reporting.scans IS 'One row a scan, without exact position, visitor, address, agent and the account that scanned.';
COMMENT ON COLUMN reporting.scans.id IS 'Id of the scan; begins with its time (function scan_id_at).';
COMMENT ON COLUMN reporting.scans.code_id IS 'The code that was scanned: id in codes.';
COMMENT ON COLUMN reporting.scans.owner_id IS 'The codes owner: id in people.';
COMMENT ON COLUMN reporting.scans.kind IS 'Kind of the code.';
COMMENT ON COLUMN reporting.scans.type IS 'public (page or plain scan), guest (with a position, no account) or user (signed in).';
COMMENT ON COLUMN reporting.scans.class IS 'HUMAN, BOT, PREVIEW (a messenger that fetched a link), OWNER or DUPLICATE.';
COMMENT ON COLUMN reporting.scans.class_rule IS 'Name of the rule that decided the class.';
COMMENT ON COLUMN reporting.scans.is_unique IS 'Whether it is the first human scan of its visitor on this code and UTC day: what uniques count.';
COMMENT ON COLUMN reporting.scans.is_signed_in IS 'Whether an account scanned.';
COMMENT ON COLUMN reporting.scans.is_unlocked IS 'Whether the right PIN was given.';
COMMENT ON COLUMN reporting.scans.city IS 'City by the geocoder; null without a position.';
COMMENT ON COLUMN reporting.scans.region IS 'Region by the geocoder.';
COMMENT ON COLUMN reporting.scans.country IS 'Country by the geocoder (ISO 3166-1 alpha-2).';
COMMENT ON COLUMN reporting.scans.device IS 'Kind of device: phone, tablet, desktop, tv, bot or unknown.';
COMMENT ON COLUMN reporting.scans.os IS 'Family of the operating system, or unknown.';
COMMENT ON COLUMN reporting.scans.browser IS 'Family of the browser, or unknown.';
COMMENT ON COLUMN reporting.scans.scanned_at IS 'When it was scanned.';
COMMENT ON COLUMN reporting.scans.scanned_on IS 'UTC day of the scan.';

CREATE VIEW reporting.daily_code_counts WITH (security_barrier) AS
SELECT code_id, owner_id, kind, (starts_at AT TIME ZONE 'UTC')::date AS day, total, humans, uniques
FROM (
  SELECT subject.id AS code_id, subject.owner_id, subject.kind, kept.starts_at, kept.total::bigint AS total, kept.humans::bigint AS humans, kept.uniques::bigint AS uniques
  FROM scan_rollups AS kept JOIN qr_codes AS subject ON subject.id = kept.subject_id
  WHERE kept.span = 'DAY' AND NOT EXISTS (
    SELECT FROM scan_stale_spans AS stale
    WHERE stale.subject_id = kept.subject_id AND stale.span = 'DAY' AND stale.starts_at = kept.starts_at)
  UNION ALL
  SELECT subject.id AS code_id, subject.owner_id, subject.kind, stale.starts_at, fresh.total, fresh.humans, fresh.uniques
  FROM scan_stale_spans AS stale JOIN qr_codes AS subject ON subject.id = stale.subject_id
  CROSS JOIN LATERAL (
    SELECT count(*) AS total, count(*) FILTER (WHERE class = 'HUMAN') AS humans, count(*) FILTER (WHERE is_unique) AS uniques
    FROM scans WHERE scans.qr_code_id = stale.subject_id
      AND scans.scanned_at >= stale.starts_at AND scans.scanned_at < stale.starts_at + interval '24 hours') AS fresh
  WHERE stale.span = 'DAY' AND fresh.total > 0) AS counted;
COMMENT ON VIEW reporting.daily_code_counts IS 'Scans by code and UTC day; a day without scans has no row. Exact at any moment: what is not rolled up yet is counted from the scans.';
COMMENT ON COLUMN reporting.daily_code_counts.code_id IS 'The code: id in codes.';
COMMENT ON COLUMN reporting.daily_code_counts.owner_id IS 'The code''s owner: id in people.';
COMMENT ON COLUMN reporting.daily_code_counts.kind IS 'Kind of the code.';
COMMENT ON COLUMN reporting.daily_code_counts.day IS 'UTC day.';
COMMENT ON COLUMN reporting.daily_code_counts.total IS 'Scans of all classes.';
COMMENT ON COLUMN reporting.daily_code_counts.humans IS 'Scans of class HUMAN.';
COMMENT ON COLUMN reporting.daily_code_counts.uniques IS 'Scans that were the first human one of their visitor on the code and UTC day.';

CREATE VIEW reporting.daily_owner_counts WITH (security_barrier) AS
SELECT owner_id, (starts_at AT TIME ZONE 'UTC')::date AS day, total, humans, uniques
FROM (
  SELECT subject.id AS owner_id, kept.starts_at, kept.total::bigint AS total, kept.humans::bigint AS humans, kept.uniques::bigint AS uniques
  FROM scan_rollups AS kept JOIN users AS subject ON subject.id = kept.subject_id
  WHERE kept.span = 'DAY' AND NOT EXISTS (
    SELECT FROM scan_stale_spans AS stale
    WHERE stale.subject_id = kept.subject_id AND stale.span = 'DAY' AND stale.starts_at = kept.starts_at)
  UNION ALL
  SELECT subject.id AS owner_id, stale.starts_at, fresh.total, fresh.humans, fresh.uniques
  FROM scan_stale_spans AS stale JOIN users AS subject ON subject.id = stale.subject_id
  CROSS JOIN LATERAL (
    SELECT count(*) AS total, count(*) FILTER (WHERE class = 'HUMAN') AS humans, count(*) FILTER (WHERE is_unique) AS uniques
    FROM scans WHERE scans.owner_id = stale.subject_id
      AND scans.scanned_at >= stale.starts_at AND scans.scanned_at < stale.starts_at + interval '24 hours') AS fresh
  WHERE stale.span = 'DAY' AND fresh.total > 0) AS counted;
COMMENT ON VIEW reporting.daily_owner_counts IS 'Scans of all codes of an owner by UTC day; a day without scans has no row. Exact at any moment: what is not rolled up yet is counted from the scans.';
COMMENT ON COLUMN reporting.daily_owner_counts.owner_id IS 'The owner: id in people.';
COMMENT ON COLUMN reporting.daily_owner_counts.day IS 'UTC day.';
COMMENT ON COLUMN reporting.daily_owner_counts.total IS 'Scans of all classes.';
COMMENT ON COLUMN reporting.daily_owner_counts.humans IS 'Scans of class HUMAN.';
COMMENT ON COLUMN reporting.daily_owner_counts.uniques IS 'Scans that were the first human one of their visitor on the code and UTC day.';

CREATE VIEW reporting.quarter_code_counts WITH (security_barrier) AS
SELECT code_id, owner_id, kind, starts_at, total, humans, uniques
FROM (
  SELECT subject.id AS code_id, subject.owner_id, subject.kind, kept.starts_at, kept.total::bigint AS total, kept.humans::bigint AS humans, kept.uniques::bigint AS uniques
  FROM scan_rollups AS kept JOIN qr_codes AS subject ON subject.id = kept.subject_id
  WHERE kept.span = 'QUARTER' AND NOT EXISTS (
    SELECT FROM scan_stale_spans AS stale
    WHERE stale.subject_id = kept.subject_id AND stale.span = 'QUARTER' AND stale.starts_at = kept.starts_at)
  UNION ALL
  SELECT subject.id AS code_id, subject.owner_id, subject.kind, stale.starts_at, fresh.total, fresh.humans, fresh.uniques
  FROM scan_stale_spans AS stale JOIN qr_codes AS subject ON subject.id = stale.subject_id
  CROSS JOIN LATERAL (
    SELECT count(*) AS total, count(*) FILTER (WHERE class = 'HUMAN') AS humans, count(*) FILTER (WHERE is_unique) AS uniques
    FROM scans WHERE scans.qr_code_id = stale.subject_id
      AND scans.scanned_at >= stale.starts_at AND scans.scanned_at < stale.starts_at + interval '15 minutes') AS fresh
  WHERE stale.span = 'QUARTER' AND fresh.total > 0) AS counted;
COMMENT ON VIEW reporting.quarter_code_counts IS 'Scans by code and quarter of an hour, for days of other time zones than UTC; a quarter without scans has no row. Exact at any moment: what is not rolled up yet is counted from the scans.';
COMMENT ON COLUMN reporting.quarter_code_counts.code_id IS 'The code: id in codes.';
COMMENT ON COLUMN reporting.quarter_code_counts.owner_id IS 'The code''s owner: id in people.';
COMMENT ON COLUMN reporting.quarter_code_counts.kind IS 'Kind of the code.';
COMMENT ON COLUMN reporting.quarter_code_counts.starts_at IS 'Where the quarter of an hour begins.';
COMMENT ON COLUMN reporting.quarter_code_counts.total IS 'Scans of all classes.';
COMMENT ON COLUMN reporting.quarter_code_counts.humans IS 'Scans of class HUMAN.';
COMMENT ON COLUMN reporting.quarter_code_counts.uniques IS 'Scans that were the first human one of their visitor on the code and UTC day.';

CREATE VIEW reporting.daily_code_breakdown WITH (security_barrier) AS
SELECT code_id, owner_id, kind, (starts_at AT TIME ZONE 'UTC')::date AS day, dimension, value, total, humans, uniques
FROM (
  SELECT subject.id AS code_id, subject.owner_id, subject.kind, kept.starts_at, by_dimension.key AS dimension, by_value.key AS value,
    (by_value.value->>0)::bigint AS total, (by_value.value->>1)::bigint AS humans, (by_value.value->>2)::bigint AS uniques
  FROM scan_rollups AS kept JOIN qr_codes AS subject ON subject.id = kept.subject_id
  CROSS JOIN LATERAL jsonb_each(kept.breakdown) AS by_dimension CROSS JOIN LATERAL jsonb_each(by_dimension.value) AS by_value
  WHERE kept.span = 'DAY' AND NOT EXISTS (
    SELECT FROM scan_stale_spans AS stale
    WHERE stale.subject_id = kept.subject_id AND stale.span = 'DAY' AND stale.starts_at = kept.starts_at)
  UNION ALL
  SELECT subject.id AS code_id, subject.owner_id, subject.kind, stale.starts_at, fresh.dimension, fresh.value, fresh.total, fresh.humans, fresh.uniques
  FROM scan_stale_spans AS stale JOIN qr_codes AS subject ON subject.id = stale.subject_id
  CROSS JOIN LATERAL (
    SELECT dimension, value, count(*) AS total, count(*) FILTER (WHERE class = 'HUMAN') AS humans,
           count(*) FILTER (WHERE is_unique) AS uniques
    FROM scans CROSS JOIN LATERAL (VALUES
    ('class', scans.class), ('country', scans.country),
    ('city', CASE WHEN scans.city IS NOT NULL THEN concat_ws(', ', scans.city, scans.country) END),
    ('device', scans.device), ('os', scans.os), ('browser', scans.browser)) AS of_scan (dimension, value)
    WHERE scans.qr_code_id = stale.subject_id AND value IS NOT NULL
      AND scans.scanned_at >= stale.starts_at AND scans.scanned_at < stale.starts_at + interval '24 hours'
    GROUP BY dimension, value) AS fresh
  WHERE stale.span = 'DAY') AS counted;
COMMENT ON VIEW reporting.daily_code_breakdown IS 'Scans by code, UTC day and value of a dimension. Exact at any moment: what is not rolled up yet is counted from the scans.';
COMMENT ON COLUMN reporting.daily_code_breakdown.code_id IS 'The code: id in codes.';
COMMENT ON COLUMN reporting.daily_code_breakdown.owner_id IS 'The code''s owner: id in people.';
COMMENT ON COLUMN reporting.daily_code_breakdown.kind IS 'Kind of the code.';
COMMENT ON COLUMN reporting.daily_code_breakdown.day IS 'UTC day.';
COMMENT ON COLUMN reporting.daily_code_breakdown.dimension IS 'class, country, city, device, os or browser.';
COMMENT ON COLUMN reporting.daily_code_breakdown.value IS 'The value: of class HUMAN, say; a city stands with its country (Berlin, DE). Scans without one have no row.';
COMMENT ON COLUMN reporting.daily_code_breakdown.total IS 'Scans of all classes.';
COMMENT ON COLUMN reporting.daily_code_breakdown.humans IS 'Scans of class HUMAN.';
COMMENT ON COLUMN reporting.daily_code_breakdown.uniques IS 'Scans that were the first human one of their visitor on the code and UTC day.';

CREATE VIEW reporting.daily_breakdown WITH (security_barrier) AS
SELECT (starts_at AT TIME ZONE 'UTC')::date AS day, dimension, value, sum(total)::bigint AS total, sum(humans)::bigint AS humans, sum(uniques)::bigint AS uniques
FROM (
  SELECT kept.starts_at, by_dimension.key AS dimension, by_value.key AS value,
    (by_value.value->>0)::bigint AS total, (by_value.value->>1)::bigint AS humans, (by_value.value->>2)::bigint AS uniques
  FROM scan_rollups AS kept JOIN users AS subject ON subject.id = kept.subject_id
  CROSS JOIN LATERAL jsonb_each(kept.breakdown) AS by_dimension CROSS JOIN LATERAL jsonb_each(by_dimension.value) AS by_value
  WHERE kept.span = 'DAY' AND NOT EXISTS (
    SELECT FROM scan_stale_spans AS stale
    WHERE stale.subject_id = kept.subject_id AND stale.span = 'DAY' AND stale.starts_at = kept.starts_at)
  UNION ALL
  SELECT stale.starts_at, fresh.dimension, fresh.value, fresh.total, fresh.humans, fresh.uniques
  FROM scan_stale_spans AS stale JOIN users AS subject ON subject.id = stale.subject_id
  CROSS JOIN LATERAL (
    SELECT dimension, value, count(*) AS total, count(*) FILTER (WHERE class = 'HUMAN') AS humans,
           count(*) FILTER (WHERE is_unique) AS uniques
    FROM scans CROSS JOIN LATERAL (VALUES
    ('class', scans.class), ('country', scans.country),
    ('city', CASE WHEN scans.city IS NOT NULL THEN concat_ws(', ', scans.city, scans.country) END),
    ('device', scans.device), ('os', scans.os), ('browser', scans.browser)) AS of_scan (dimension, value)
    WHERE scans.owner_id = stale.subject_id AND value IS NOT NULL
      AND scans.scanned_at >= stale.starts_at AND scans.scanned_at < stale.starts_at + interval '24 hours'
    GROUP BY dimension, value) AS fresh
  WHERE stale.span = 'DAY') AS counted
GROUP BY 1, 2, 3;
COMMENT ON VIEW reporting.daily_breakdown IS 'Scans of the whole service by UTC day and value of a dimension. Exact at any moment: what is not rolled up yet is counted from the scans.';
COMMENT ON COLUMN reporting.daily_breakdown.day IS 'UTC day.';
COMMENT ON COLUMN reporting.daily_breakdown.dimension IS 'class, country, city, device, os or browser.';
COMMENT ON COLUMN reporting.daily_breakdown.value IS 'The value: of class HUMAN, say; a city stands with its country (Berlin, DE). Scans without one have no row.';
COMMENT ON COLUMN reporting.daily_breakdown.total IS 'Scans of all classes.';
COMMENT ON COLUMN reporting.daily_breakdown.humans IS 'Scans of class HUMAN.';
COMMENT ON COLUMN reporting.daily_breakdown.uniques IS 'Scans that were the first human one of their visitor on the code and UTC day.';

CREATE VIEW reporting.packages AS
SELECT code, rank, names->>'en' AS name, (limits->>'qrCodes')::bigint AS qr_codes_limit,
       (limits->>'documents')::bigint AS documents_limit, (limits->>'storageBytes')::bigint AS storage_bytes_limit,
       (limits->>'scansKeptDays')::bigint AS scans_kept_days,
       ARRAY(SELECT jsonb_array_elements_text(features)) AS features
FROM subscription_packages;
COMMENT ON VIEW reporting.packages IS 'Packages on offer.';
COMMENT ON COLUMN reporting.packages.code IS 'FREE, PERSONAL, FAMILY, BUSINESS or ENTERPRISE.';
COMMENT ON COLUMN reporting.packages.rank IS 'Order from small to large.';
COMMENT ON COLUMN reporting.packages.name IS 'English name.';
COMMENT ON COLUMN reporting.packages.qr_codes_limit IS 'How many codes fit; null is no limit.';
COMMENT ON COLUMN reporting.packages.documents_limit IS 'How many documents fit; null is no limit.';
COMMENT ON COLUMN reporting.packages.storage_bytes_limit IS 'How many bytes fit; null is no limit.';
COMMENT ON COLUMN reporting.packages.scans_kept_days IS 'How long scans are kept, in days; null is for ever.';
COMMENT ON COLUMN reporting.packages.features IS 'Names of what it has beyond.';

CREATE VIEW reporting.package_prices AS
SELECT package.code AS package_code, price->>'interval' AS billing_interval, price->>'currency' AS currency,
       (price->>'amount')::bigint AS amount_minor
FROM subscription_packages AS package CROSS JOIN LATERAL jsonb_array_elements(package.prices) AS price;
COMMENT ON VIEW reporting.package_prices IS 'What packages cost; one that costs nothing has no row.';
COMMENT ON COLUMN reporting.package_prices.package_code IS 'The package: code in packages.';
COMMENT ON COLUMN reporting.package_prices.billing_interval IS 'month or year.';
COMMENT ON COLUMN reporting.package_prices.currency IS 'ISO 4217.';
COMMENT ON COLUMN reporting.package_prices.amount_minor IS 'Price of an interval in minor units (cents).';

CREATE VIEW reporting.subscriptions WITH (security_barrier) AS
SELECT person.id AS person_id, package.code AS package_code,
       (SELECT count(*) FROM qr_codes WHERE qr_codes.owner_id = person.id AND qr_codes.status <> 'DELETED') AS qr_codes_used,
       (package.limits->>'qrCodes')::bigint AS qr_codes_limit,
       (SELECT count(*) FROM memory_tags WHERE memory_tags.owner_id = person.id) AS memory_tags_used
FROM users AS person CROSS JOIN subscription_packages AS package
WHERE person.status <> 'DELETED' AND package.code = 'FREE';
COMMENT ON VIEW reporting.subscriptions IS 'The package of each account that is not erased, and what it uses of it. Everybody has FREE until packages are sold.';
COMMENT ON COLUMN reporting.subscriptions.person_id IS 'The account: id in people.';
COMMENT ON COLUMN reporting.subscriptions.package_code IS 'Its package: code in packages.';
COMMENT ON COLUMN reporting.subscriptions.qr_codes_used IS 'Codes that count: all but deleted ones.';
COMMENT ON COLUMN reporting.subscriptions.qr_codes_limit IS 'How many may be; null is no limit.';
COMMENT ON COLUMN reporting.subscriptions.memory_tags_used IS 'Memory tags.';

CREATE VIEW reporting.audit AS
SELECT seal.sequence, entry.created_at AS happened_at, entry.action, entry.severity, entry.outcome, entry.resource_type,
       code.kind AS code_kind, entry.operation, entry.actor_reference, entry.changes
FROM audit_entries AS entry LEFT JOIN audit_seals AS seal ON seal.entry_id = entry.id
LEFT JOIN qr_codes AS code ON code.id = entry.resource_id;
COMMENT ON VIEW reporting.audit IS 'The audit trail without origins (address, agent, request) and without what was acted on, by which people could be found out.';
COMMENT ON COLUMN reporting.audit.sequence IS 'Place in the sealed trail, by which an auditor finds the entry; null for the second until it is sealed.';
COMMENT ON COLUMN reporting.audit.happened_at IS 'When it was done.';
COMMENT ON COLUMN reporting.audit.action IS 'What was done.';
COMMENT ON COLUMN reporting.audit.severity IS 'LOW, MEDIUM, HIGH or CRITICAL.';
COMMENT ON COLUMN reporting.audit.outcome IS 'SUCCESS, DENIED or FAILURE.';
COMMENT ON COLUMN reporting.audit.resource_type IS 'What it was done to: USER, SESSION, QRCODE, SCAN, NOTIFICATION, MEMORY_TAG, SUBSCRIPTION or SYSTEM.';
COMMENT ON COLUMN reporting.audit.code_kind IS 'Kind of the code, where it was done to a code; else null.';
COMMENT ON COLUMN reporting.audit.operation IS 'The operation or command by which it was done.';
COMMENT ON COLUMN reporting.audit.actor_reference IS 'Random reference of who did it: the same for all that they did, and no id in people. Null for the public and the service itself.';
COMMENT ON COLUMN reporting.audit.changes IS 'Names of changed fields, never values.';
