-- Views for reports in a schema of their own. Each start grants them to the role qr_reporting.
-- Names, columns and types are a contract: docs/guides/reports.md says how it changes.
-- Dirty buckets are counted through the index of code (or owner) and time. A range of ids would prune
-- partitions, but the planner would then read all scans of the bucket for each code.

CREATE SCHEMA reporting;
COMMENT ON SCHEMA reporting IS 'Views for reports: no names, addresses, contents, exact positions or secrets. Their names and columns are a contract with a version (view contract); docs/guides/reports.md answers questions by them.';
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

-- ---------------------------------------------------------------------------------------------
-- Users and codes
-- ---------------------------------------------------------------------------------------------

CREATE VIEW reporting.users AS
SELECT id, role, status, account_type, language,
       (created_at AT TIME ZONE 'UTC')::date AS created_on,
       ((SELECT max(last_used_at) FROM sessions WHERE sessions.user_id = users.id) AT TIME ZONE 'UTC')::date AS last_seen_on
FROM users;
COMMENT ON VIEW reporting.users IS 'Users, without names and contact data.';
COMMENT ON COLUMN reporting.users.id IS 'Opaque id of the account.';
COMMENT ON COLUMN reporting.users.role IS 'USER, SUPPORT, AUDITOR or ADMIN.';
COMMENT ON COLUMN reporting.users.status IS 'PENDING_VERIFICATION, VERIFIED (no profile yet), ACTIVE, SUSPENDED or DELETED (erased).';
COMMENT ON COLUMN reporting.users.account_type IS 'INDIVIDUAL or ORGANIZATION; null before there is a profile.';
COMMENT ON COLUMN reporting.users.language IS 'Language for mails and pages (BCP 47).';
COMMENT ON COLUMN reporting.users.created_on IS 'UTC day on which the account was made.';
COMMENT ON COLUMN reporting.users.last_seen_on IS 'UTC day of the last log-in or renewal of a session; null where there was none or it ended more than 90 days ago.';

CREATE VIEW reporting.codes AS
SELECT id, owner_id, kind, mode,
       CASE WHEN status <> 'DELETED' AND expires_at <= now() THEN 'EXPIRED' ELSE status END AS status,
       pin_hash IS NOT NULL AS has_pin, contactable, coalesce(counts.total, 0) AS total,
       coalesce(counts.humans, 0) AS humans, coalesce(counts.uniques, 0) AS uniques,
       counts.last_scanned_at, expires_at, deleted_at, created_at, updated_at
FROM qr_codes LEFT JOIN scan_counts AS counts ON counts.qr_code_id = qr_codes.id;
COMMENT ON VIEW reporting.codes IS 'QR codes, deleted ones too, without title, content and PIN.';
COMMENT ON COLUMN reporting.codes.id IS 'Id of the code.';
COMMENT ON COLUMN reporting.codes.owner_id IS 'Whose code: id in users.';
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

CREATE VIEW reporting.memory_tags WITH (security_barrier) AS
SELECT tag.id, tag.owner_id, tag.qr_code_id AS code_id, tag.subject, tag.guest_book_open,
       (SELECT count(*) FROM guest_book_entries WHERE memory_tag_id = tag.id) AS entries,
       (SELECT count(*) FROM guest_book_entries WHERE memory_tag_id = tag.id AND state = 'APPROVED') AS approved_entries,
       (SELECT count(*) FROM memory_tag_caretakers WHERE memory_tag_id = tag.id) AS caretakers,
       tag.created_at
FROM memory_tags AS tag;
COMMENT ON VIEW reporting.memory_tags IS 'Memorials of people and animals, without names and stories.';
COMMENT ON COLUMN reporting.memory_tags.id IS 'Record id.';
COMMENT ON COLUMN reporting.memory_tags.owner_id IS 'Who keeps it: id in users.';
COMMENT ON COLUMN reporting.memory_tags.code_id IS 'The code on the stone: id in codes; null where there is none.';
COMMENT ON COLUMN reporting.memory_tags.subject IS 'PERSON or ANIMAL.';
COMMENT ON COLUMN reporting.memory_tags.guest_book_open IS 'Whether it has a guest book.';
COMMENT ON COLUMN reporting.memory_tags.entries IS 'What visitors wrote in its guest book.';
COMMENT ON COLUMN reporting.memory_tags.approved_entries IS 'What of it visitors see.';
COMMENT ON COLUMN reporting.memory_tags.caretakers IS 'Addresses that were named as caretakers.';
COMMENT ON COLUMN reporting.memory_tags.created_at IS 'When it was made.';

-- ---------------------------------------------------------------------------------------------
-- Scans
-- ---------------------------------------------------------------------------------------------

CREATE VIEW reporting.scans AS
SELECT scan.id, scan.qr_code_id AS code_id, scan.owner_id, code.kind, scan.type, scan.class, scan.class_rule, scan.is_unique,
       scan.scanner_id IS NOT NULL AS is_signed_in, scan.unlocked_at IS NOT NULL AS is_unlocked,
       scan.city, scan.region, scan.country, scan.device, scan.os, scan.browser,
       scan.scanned_at, (scan.scanned_at AT TIME ZONE 'UTC')::date AS scanned_on
FROM scans AS scan LEFT JOIN qr_codes AS code ON code.id = scan.qr_code_id;
COMMENT ON VIEW reporting.scans IS 'One row a scan, without exact position, visitor, address, agent and the account that scanned.';
COMMENT ON COLUMN reporting.scans.id IS 'Id of the scan; begins with its time (function scan_id_at).';
COMMENT ON COLUMN reporting.scans.code_id IS 'The code that was scanned: id in codes.';
COMMENT ON COLUMN reporting.scans.owner_id IS 'The code''s owner: id in users.';
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
  WHERE kept.bucket_size = 'DAY' AND NOT EXISTS (
    SELECT FROM scan_dirty_buckets AS dirty
    WHERE dirty.subject_id = kept.subject_id AND dirty.bucket_size = 'DAY' AND dirty.starts_at = kept.starts_at)
  UNION ALL
  SELECT subject.id AS code_id, subject.owner_id, subject.kind, dirty.starts_at, fresh.total, fresh.humans, fresh.uniques
  FROM scan_dirty_buckets AS dirty JOIN qr_codes AS subject ON subject.id = dirty.subject_id
  CROSS JOIN LATERAL (
    SELECT count(*) AS total, count(*) FILTER (WHERE class = 'HUMAN') AS humans, count(*) FILTER (WHERE is_unique) AS uniques
    FROM scans WHERE scans.qr_code_id = dirty.subject_id
      AND scans.scanned_at >= dirty.starts_at AND scans.scanned_at < dirty.starts_at + interval '24 hours') AS fresh
  WHERE dirty.bucket_size = 'DAY' AND fresh.total > 0) AS counted;
COMMENT ON VIEW reporting.daily_code_counts IS 'Scans by code and UTC day; a day without scans has no row. Exact at any moment: what is not rolled up yet is counted from the scans.';
COMMENT ON COLUMN reporting.daily_code_counts.code_id IS 'The code: id in codes.';
COMMENT ON COLUMN reporting.daily_code_counts.owner_id IS 'The code''s owner: id in users.';
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
  WHERE kept.bucket_size = 'DAY' AND NOT EXISTS (
    SELECT FROM scan_dirty_buckets AS dirty
    WHERE dirty.subject_id = kept.subject_id AND dirty.bucket_size = 'DAY' AND dirty.starts_at = kept.starts_at)
  UNION ALL
  SELECT subject.id AS owner_id, dirty.starts_at, fresh.total, fresh.humans, fresh.uniques
  FROM scan_dirty_buckets AS dirty JOIN users AS subject ON subject.id = dirty.subject_id
  CROSS JOIN LATERAL (
    SELECT count(*) AS total, count(*) FILTER (WHERE class = 'HUMAN') AS humans, count(*) FILTER (WHERE is_unique) AS uniques
    FROM scans WHERE scans.owner_id = dirty.subject_id
      AND scans.scanned_at >= dirty.starts_at AND scans.scanned_at < dirty.starts_at + interval '24 hours') AS fresh
  WHERE dirty.bucket_size = 'DAY' AND fresh.total > 0) AS counted;
COMMENT ON VIEW reporting.daily_owner_counts IS 'Scans of all codes of an owner by UTC day; a day without scans has no row. Exact at any moment: what is not rolled up yet is counted from the scans.';
COMMENT ON COLUMN reporting.daily_owner_counts.owner_id IS 'The owner: id in users.';
COMMENT ON COLUMN reporting.daily_owner_counts.day IS 'UTC day.';
COMMENT ON COLUMN reporting.daily_owner_counts.total IS 'Scans of all classes.';
COMMENT ON COLUMN reporting.daily_owner_counts.humans IS 'Scans of class HUMAN.';
COMMENT ON COLUMN reporting.daily_owner_counts.uniques IS 'Scans that were the first human one of their visitor on the code and UTC day.';

CREATE VIEW reporting.quarter_hour_code_counts WITH (security_barrier) AS
SELECT code_id, owner_id, kind, starts_at, total, humans, uniques
FROM (
  SELECT subject.id AS code_id, subject.owner_id, subject.kind, kept.starts_at, kept.total::bigint AS total, kept.humans::bigint AS humans, kept.uniques::bigint AS uniques
  FROM scan_rollups AS kept JOIN qr_codes AS subject ON subject.id = kept.subject_id
  WHERE kept.bucket_size = 'QUARTER_HOUR' AND NOT EXISTS (
    SELECT FROM scan_dirty_buckets AS dirty
    WHERE dirty.subject_id = kept.subject_id AND dirty.bucket_size = 'QUARTER_HOUR' AND dirty.starts_at = kept.starts_at)
  UNION ALL
  SELECT subject.id AS code_id, subject.owner_id, subject.kind, dirty.starts_at, fresh.total, fresh.humans, fresh.uniques
  FROM scan_dirty_buckets AS dirty JOIN qr_codes AS subject ON subject.id = dirty.subject_id
  CROSS JOIN LATERAL (
    SELECT count(*) AS total, count(*) FILTER (WHERE class = 'HUMAN') AS humans, count(*) FILTER (WHERE is_unique) AS uniques
    FROM scans WHERE scans.qr_code_id = dirty.subject_id
      AND scans.scanned_at >= dirty.starts_at AND scans.scanned_at < dirty.starts_at + interval '15 minutes') AS fresh
  WHERE dirty.bucket_size = 'QUARTER_HOUR' AND fresh.total > 0) AS counted;
COMMENT ON VIEW reporting.quarter_hour_code_counts IS 'Scans by code and 15-minute bucket, for days of time zones other than UTC; a bucket without scans has no row. Always exact: what is not rolled up yet is counted from the scans.';
COMMENT ON COLUMN reporting.quarter_hour_code_counts.code_id IS 'The code: id in codes.';
COMMENT ON COLUMN reporting.quarter_hour_code_counts.owner_id IS 'The code''s owner: id in users.';
COMMENT ON COLUMN reporting.quarter_hour_code_counts.kind IS 'Kind of the code.';
COMMENT ON COLUMN reporting.quarter_hour_code_counts.starts_at IS 'Start of the 15-minute bucket.';
COMMENT ON COLUMN reporting.quarter_hour_code_counts.total IS 'Scans of all classes.';
COMMENT ON COLUMN reporting.quarter_hour_code_counts.humans IS 'Scans of class HUMAN.';
COMMENT ON COLUMN reporting.quarter_hour_code_counts.uniques IS 'Scans that were the first human one of their visitor on the code and UTC day.';

CREATE VIEW reporting.daily_code_breakdown WITH (security_barrier) AS
SELECT code_id, owner_id, kind, (starts_at AT TIME ZONE 'UTC')::date AS day, dimension, value, total, humans, uniques
FROM (
  SELECT subject.id AS code_id, subject.owner_id, subject.kind, kept.starts_at, by_dimension.key AS dimension, by_value.key AS value,
    (by_value.value->>0)::bigint AS total, (by_value.value->>1)::bigint AS humans, (by_value.value->>2)::bigint AS uniques
  FROM scan_rollups AS kept JOIN qr_codes AS subject ON subject.id = kept.subject_id
  CROSS JOIN LATERAL jsonb_each(kept.breakdown) AS by_dimension CROSS JOIN LATERAL jsonb_each(by_dimension.value) AS by_value
  WHERE kept.bucket_size = 'DAY' AND NOT EXISTS (
    SELECT FROM scan_dirty_buckets AS dirty
    WHERE dirty.subject_id = kept.subject_id AND dirty.bucket_size = 'DAY' AND dirty.starts_at = kept.starts_at)
  UNION ALL
  SELECT subject.id AS code_id, subject.owner_id, subject.kind, dirty.starts_at, fresh.dimension, fresh.value, fresh.total, fresh.humans, fresh.uniques
  FROM scan_dirty_buckets AS dirty JOIN qr_codes AS subject ON subject.id = dirty.subject_id
  CROSS JOIN LATERAL (
    SELECT dimension, value, count(*) AS total, count(*) FILTER (WHERE class = 'HUMAN') AS humans,
           count(*) FILTER (WHERE is_unique) AS uniques
    FROM scans CROSS JOIN LATERAL (VALUES
    ('class', scans.class), ('country', scans.country),
    ('city', CASE WHEN scans.city IS NOT NULL THEN concat_ws(', ', scans.city, scans.country) END),
    ('device', scans.device), ('os', scans.os), ('browser', scans.browser)) AS of_scan (dimension, value)
    WHERE scans.qr_code_id = dirty.subject_id AND value IS NOT NULL
      AND scans.scanned_at >= dirty.starts_at AND scans.scanned_at < dirty.starts_at + interval '24 hours'
    GROUP BY dimension, value) AS fresh
  WHERE dirty.bucket_size = 'DAY') AS counted;
COMMENT ON VIEW reporting.daily_code_breakdown IS 'Scans by code, UTC day and value of a dimension. Exact at any moment: what is not rolled up yet is counted from the scans.';
COMMENT ON COLUMN reporting.daily_code_breakdown.code_id IS 'The code: id in codes.';
COMMENT ON COLUMN reporting.daily_code_breakdown.owner_id IS 'The code''s owner: id in users.';
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
  WHERE kept.bucket_size = 'DAY' AND NOT EXISTS (
    SELECT FROM scan_dirty_buckets AS dirty
    WHERE dirty.subject_id = kept.subject_id AND dirty.bucket_size = 'DAY' AND dirty.starts_at = kept.starts_at)
  UNION ALL
  SELECT dirty.starts_at, fresh.dimension, fresh.value, fresh.total, fresh.humans, fresh.uniques
  FROM scan_dirty_buckets AS dirty JOIN users AS subject ON subject.id = dirty.subject_id
  CROSS JOIN LATERAL (
    SELECT dimension, value, count(*) AS total, count(*) FILTER (WHERE class = 'HUMAN') AS humans,
           count(*) FILTER (WHERE is_unique) AS uniques
    FROM scans CROSS JOIN LATERAL (VALUES
    ('class', scans.class), ('country', scans.country),
    ('city', CASE WHEN scans.city IS NOT NULL THEN concat_ws(', ', scans.city, scans.country) END),
    ('device', scans.device), ('os', scans.os), ('browser', scans.browser)) AS of_scan (dimension, value)
    WHERE scans.owner_id = dirty.subject_id AND value IS NOT NULL
      AND scans.scanned_at >= dirty.starts_at AND scans.scanned_at < dirty.starts_at + interval '24 hours'
    GROUP BY dimension, value) AS fresh
  WHERE dirty.bucket_size = 'DAY') AS counted
GROUP BY 1, 2, 3;
COMMENT ON VIEW reporting.daily_breakdown IS 'Scans of the whole service by UTC day and value of a dimension. Exact at any moment: what is not rolled up yet is counted from the scans.';
COMMENT ON COLUMN reporting.daily_breakdown.day IS 'UTC day.';
COMMENT ON COLUMN reporting.daily_breakdown.dimension IS 'class, country, city, device, os or browser.';
COMMENT ON COLUMN reporting.daily_breakdown.value IS 'The value: of class HUMAN, say; a city stands with its country (Berlin, DE). Scans without one have no row.';
COMMENT ON COLUMN reporting.daily_breakdown.total IS 'Scans of all classes.';
COMMENT ON COLUMN reporting.daily_breakdown.humans IS 'Scans of class HUMAN.';
COMMENT ON COLUMN reporting.daily_breakdown.uniques IS 'Scans that were the first human one of their visitor on the code and UTC day.';

CREATE VIEW reporting.rollup_lag WITH (security_barrier) AS
SELECT count(*) AS dirty_buckets, min(starts_at)::timestamptz AS oldest_starts_at
FROM scan_dirty_buckets
WHERE bucket_size = 'QUARTER_HOUR' AND starts_at <= now() - interval '15 minutes';
COMMENT ON VIEW reporting.rollup_lag IS 'How far the roll-ups are behind the scans; one row. The counts of the other views are always exact, but slower while many buckets are dirty.';
COMMENT ON COLUMN reporting.rollup_lag.dirty_buckets IS 'Finished 15-minute buckets of codes and owners that are not rolled up yet and are counted from the scans until then.';
COMMENT ON COLUMN reporting.rollup_lag.oldest_starts_at IS 'Start of the oldest of them; null if there is none.';

-- ---------------------------------------------------------------------------------------------
-- Billing
-- ---------------------------------------------------------------------------------------------

CREATE VIEW reporting.packages AS
SELECT code, rank, names->>'en' AS name, (limits->>'qrCodes')::bigint AS qr_codes_limit,
       (limits->>'documents')::bigint AS documents_limit, (limits->>'storageBytes')::bigint AS storage_bytes_limit,
       (limits->>'scansKeptDays')::bigint AS scan_retention_days,
       ARRAY(SELECT jsonb_array_elements_text(features)) AS features,
       (limits->>'memoryTags')::bigint AS memory_tags_limit, version, on_offer
FROM subscription_packages;
COMMENT ON VIEW reporting.packages IS 'Packages, as they are now; who bought an earlier version keeps its limits.';
COMMENT ON COLUMN reporting.packages.code IS 'FREE, PERSONAL, FAMILY, BUSINESS or ENTERPRISE.';
COMMENT ON COLUMN reporting.packages.rank IS 'Order from small to large.';
COMMENT ON COLUMN reporting.packages.name IS 'English name.';
COMMENT ON COLUMN reporting.packages.qr_codes_limit IS 'How many codes fit; null is no limit.';
COMMENT ON COLUMN reporting.packages.documents_limit IS 'How many documents fit; null is no limit.';
COMMENT ON COLUMN reporting.packages.storage_bytes_limit IS 'How many bytes fit; null is no limit.';
COMMENT ON COLUMN reporting.packages.scan_retention_days IS 'How long scans are kept, in days; null is unlimited.';
COMMENT ON COLUMN reporting.packages.features IS 'Names of what it has beyond.';
COMMENT ON COLUMN reporting.packages.memory_tags_limit IS 'How many memory tags fit; null is no limit.';
COMMENT ON COLUMN reporting.packages.version IS 'Number of the version, from one.';
COMMENT ON COLUMN reporting.packages.on_offer IS 'Whether it can be chosen.';

CREATE VIEW reporting.package_prices AS
SELECT package.code AS package_code, price->>'interval' AS billing_interval, price->>'currency' AS currency,
       (price->>'amount')::bigint AS amount_minor, package.version
FROM subscription_packages AS package CROSS JOIN LATERAL jsonb_array_elements(package.prices) AS price;
COMMENT ON VIEW reporting.package_prices IS 'What packages cost now; one that costs nothing has no row. What somebody pays who bought earlier is in subscriptions.';
COMMENT ON COLUMN reporting.package_prices.package_code IS 'The package: code in packages.';
COMMENT ON COLUMN reporting.package_prices.billing_interval IS 'month or year.';
COMMENT ON COLUMN reporting.package_prices.currency IS 'ISO 4217.';
COMMENT ON COLUMN reporting.package_prices.amount_minor IS 'Price of an interval in minor units (cents).';
COMMENT ON COLUMN reporting.package_prices.version IS 'Version of the package since which it may be so.';

CREATE VIEW reporting.subscriptions WITH (security_barrier) AS
SELECT owner.id AS user_id, package.code AS package_code,
       coalesce((SELECT active + paused + lost + unclaimed FROM qr_code_counts WHERE owner_id = owner.id), 0)::bigint AS qr_codes_used,
       (coalesce(bought.limits, package.limits)->>'qrCodes')::bigint AS qr_codes_limit,
       (SELECT count(*) FROM memory_tags WHERE memory_tags.owner_id = owner.id) AS memory_tags_used,
       (coalesce(bought.limits, package.limits)->>'memoryTags')::bigint AS memory_tags_limit,
       bought.package_version, bought.state, bought.billing_interval, bought.currency, bought.amount_minor,
       bought.started_at, bought.current_period_end, bought.cancel_at_period_end
FROM users AS owner
LEFT JOIN LATERAL (
  SELECT subscription.package_id, subscription.package_version, subscription.state, subscription."interval" AS billing_interval,
         subscription.currency, subscription.started_at, subscription.current_period_end, subscription.cancel_at_period_end,
         of_version.limits,
         (SELECT (price->>'amount')::bigint FROM jsonb_array_elements(of_version.prices) AS price
          WHERE price->>'interval' = subscription."interval" AND price->>'currency' = subscription.currency) AS amount_minor
  FROM subscriptions AS subscription
  JOIN subscription_packages AS ranked ON ranked.id = subscription.package_id
  JOIN subscription_package_versions AS of_version
    ON of_version.package_id = subscription.package_id AND of_version.version = subscription.package_version
  WHERE subscription.user_id = owner.id AND subscription.state IN ('TRIALING', 'ACTIVE', 'PAST_DUE')
  ORDER BY ranked.rank DESC, subscription.started_at DESC, subscription.id DESC LIMIT 1) AS bought ON true
JOIN subscription_packages AS package
  ON CASE WHEN bought.package_id IS NULL THEN package.code = 'FREE' ELSE package.id = bought.package_id END
WHERE owner.status <> 'DELETED';
COMMENT ON VIEW reporting.subscriptions IS 'The package of each account that is not erased, and what it uses of it: that of its best subscription which gives one, else FREE. Where nothing is sold (BILLING=off) nobody is held to it.';
COMMENT ON COLUMN reporting.subscriptions.user_id IS 'The account: id in users.';
COMMENT ON COLUMN reporting.subscriptions.package_code IS 'Its package: code in packages.';
COMMENT ON COLUMN reporting.subscriptions.qr_codes_used IS 'Codes that count: all but deleted ones.';
COMMENT ON COLUMN reporting.subscriptions.qr_codes_limit IS 'How many may be; null is no limit.';
COMMENT ON COLUMN reporting.subscriptions.memory_tags_used IS 'Memory tags.';
COMMENT ON COLUMN reporting.subscriptions.memory_tags_limit IS 'How many memory tags may be; null is no limit.';
COMMENT ON COLUMN reporting.subscriptions.package_version IS 'The version that was bought; null for FREE, like all that follows.';
COMMENT ON COLUMN reporting.subscriptions.state IS 'TRIALING, ACTIVE or PAST_DUE.';
COMMENT ON COLUMN reporting.subscriptions.billing_interval IS 'month or year.';
COMMENT ON COLUMN reporting.subscriptions.currency IS 'ISO 4217.';
COMMENT ON COLUMN reporting.subscriptions.amount_minor IS 'Price of an interval in minor units (cents), as it was bought.';
COMMENT ON COLUMN reporting.subscriptions.started_at IS 'When it began.';
COMMENT ON COLUMN reporting.subscriptions.current_period_end IS 'Until when the current period runs.';
COMMENT ON COLUMN reporting.subscriptions.cancel_at_period_end IS 'Whether it ends with the period.';

CREATE VIEW reporting.daily_subscription_counts WITH (security_barrier) AS
WITH sold AS (
  SELECT package.code AS package_code, subscription."interval" AS billing_interval, subscription.currency,
         (subscription.started_at AT TIME ZONE 'UTC')::date AS from_day, (subscription.ended_at AT TIME ZONE 'UTC')::date AS to_day
  FROM subscriptions AS subscription JOIN subscription_packages AS package ON package.id = subscription.package_id
  WHERE subscription.state <> 'INCOMPLETE' AND (
    subscription.state <> 'CANCELED' OR subscription.trial_ends_at IS NOT NULL
    OR EXISTS (SELECT FROM payment_invoices AS invoice WHERE invoice.subscription_id = subscription.id AND invoice.paid_at IS NOT NULL)))
SELECT day, package_code, billing_interval, currency, sum(begun)::bigint AS started, sum(over)::bigint AS ended,
       sum(sum(begun - over)) OVER (PARTITION BY package_code, billing_interval, currency ORDER BY day)::bigint AS running
FROM (
  SELECT from_day AS day, package_code, billing_interval, currency, 1 AS begun, 0 AS over FROM sold
  UNION ALL
  SELECT to_day, package_code, billing_interval, currency, 0, 1 FROM sold WHERE to_day IS NOT NULL) AS changed
GROUP BY day, package_code, billing_interval, currency;
COMMENT ON VIEW reporting.daily_subscription_counts IS 'Subscriptions that began and ended by UTC day, package, interval and currency; a day on which none did has no row. One that was never paid, nor tried for nothing, does not count; one that changed counts as what it is now.';
COMMENT ON COLUMN reporting.daily_subscription_counts.day IS 'UTC day.';
COMMENT ON COLUMN reporting.daily_subscription_counts.package_code IS 'The package: code in packages.';
COMMENT ON COLUMN reporting.daily_subscription_counts.billing_interval IS 'month or year.';
COMMENT ON COLUMN reporting.daily_subscription_counts.currency IS 'ISO 4217.';
COMMENT ON COLUMN reporting.daily_subscription_counts.started IS 'How many began.';
COMMENT ON COLUMN reporting.daily_subscription_counts.ended IS 'How many ended.';
COMMENT ON COLUMN reporting.daily_subscription_counts.running IS 'How many there were at the end of the day, paused and unpaid ones too.';

CREATE VIEW reporting.invoices AS
SELECT invoice.id, invoice.user_id AS user_id, package.code AS package_code, invoice.state, invoice.currency,
       invoice.total AS total_minor, invoice.amount_paid AS paid_minor, invoice.amount_refunded AS refunded_minor,
       invoice.is_disputed, invoice.attempts, invoice.needs_action, invoice.period_start, invoice.period_end,
       invoice.issued_at, invoice.paid_at
FROM payment_invoices AS invoice LEFT JOIN subscriptions AS subscription ON subscription.id = invoice.subscription_id
LEFT JOIN subscription_packages AS package ON package.id = subscription.package_id;
COMMENT ON VIEW reporting.invoices IS 'Invoices as the payment provider last said, those of erased accounts too.';
COMMENT ON COLUMN reporting.invoices.id IS 'Record id.';
COMMENT ON COLUMN reporting.invoices.user_id IS 'Who is to pay: id in users.';
COMMENT ON COLUMN reporting.invoices.package_code IS 'Package of its subscription, as it is now: code in packages; null for another reason to pay.';
COMMENT ON COLUMN reporting.invoices.state IS 'DRAFT, OPEN, PAID, VOID or UNCOLLECTIBLE.';
COMMENT ON COLUMN reporting.invoices.currency IS 'ISO 4217.';
COMMENT ON COLUMN reporting.invoices.total_minor IS 'Invoice total in minor units (cents); negative if the amount is owed to the user.';
COMMENT ON COLUMN reporting.invoices.paid_minor IS 'What was paid, in minor units.';
COMMENT ON COLUMN reporting.invoices.refunded_minor IS 'What of it was given back, in minor units.';
COMMENT ON COLUMN reporting.invoices.is_disputed IS 'Whether the payment is disputed (chargeback).';
COMMENT ON COLUMN reporting.invoices.attempts IS 'How often it was tried to collect it.';
COMMENT ON COLUMN reporting.invoices.needs_action IS 'Whether the user has to confirm the payment with their bank.';
COMMENT ON COLUMN reporting.invoices.period_start IS 'From when what it is for runs.';
COMMENT ON COLUMN reporting.invoices.period_end IS 'Until when.';
COMMENT ON COLUMN reporting.invoices.issued_at IS 'When it was made.';
COMMENT ON COLUMN reporting.invoices.paid_at IS 'When it was paid; null until then.';

CREATE VIEW reporting.monthly_revenue WITH (security_barrier) AS
SELECT date_trunc('month', invoice.paid_at AT TIME ZONE 'UTC')::date AS month, invoice.currency, package.code AS package_code,
       count(*) AS invoices, sum(invoice.amount_paid)::bigint AS paid_minor, sum(invoice.amount_refunded)::bigint AS refunded_minor,
       sum(invoice.amount_paid - invoice.amount_refunded)::bigint AS net_minor,
       coalesce(sum(invoice.amount_paid - invoice.amount_refunded) FILTER (WHERE invoice.is_disputed), 0)::bigint AS disputed_minor
FROM payment_invoices AS invoice LEFT JOIN subscriptions AS subscription ON subscription.id = invoice.subscription_id
LEFT JOIN subscription_packages AS package ON package.id = subscription.package_id
WHERE invoice.paid_at IS NOT NULL AND invoice.amount_paid > 0
GROUP BY 1, 2, 3;
COMMENT ON VIEW reporting.monthly_revenue IS 'What was paid by UTC month of the payment, currency and package. Amounts of different currencies are never added up.';
COMMENT ON COLUMN reporting.monthly_revenue.month IS 'First day of the month.';
COMMENT ON COLUMN reporting.monthly_revenue.currency IS 'ISO 4217.';
COMMENT ON COLUMN reporting.monthly_revenue.package_code IS 'Package of the subscription, as it is now: code in packages; null for another reason to pay.';
COMMENT ON COLUMN reporting.monthly_revenue.invoices IS 'Invoices that were paid.';
COMMENT ON COLUMN reporting.monthly_revenue.paid_minor IS 'What was paid, in minor units (cents).';
COMMENT ON COLUMN reporting.monthly_revenue.refunded_minor IS 'What of it was given back, whenever that was.';
COMMENT ON COLUMN reporting.monthly_revenue.net_minor IS 'What is left.';
COMMENT ON COLUMN reporting.monthly_revenue.disputed_minor IS 'What of that is disputed.';

-- ---------------------------------------------------------------------------------------------
-- Audit trail
-- ---------------------------------------------------------------------------------------------

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
COMMENT ON COLUMN reporting.audit.resource_type IS 'What it was done to: USER, SESSION, QRCODE, SCAN, CONVERSATION, NOTIFICATION, MEMORY_TAG, SUBSCRIPTION or SYSTEM.';
COMMENT ON COLUMN reporting.audit.code_kind IS 'Kind of the code, where it was done to a code; else null.';
COMMENT ON COLUMN reporting.audit.operation IS 'The operation or command by which it was done.';
COMMENT ON COLUMN reporting.audit.actor_reference IS 'Random reference of who did it: the same for all that they did, and no id in users. Null for the public and the service itself.';
COMMENT ON COLUMN reporting.audit.changes IS 'Names of changed fields, never values.';
