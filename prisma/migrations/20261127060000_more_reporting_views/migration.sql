-- Compatible with earlier versions: yes
-- More views for reports. Each reads as much as its condition on an owner or a time asks for: counts by day are made
-- day by day through the index of ids or times, and what belongs to an owner is found through the index of owners.

-- ---------------------------------------------------------------------------------------------
-- Storage and documents
-- ---------------------------------------------------------------------------------------------

CREATE VIEW reporting.storage WITH (security_barrier) AS
SELECT owner_id, 'DOCUMENT' AS type, count(*) AS files, sum(size)::bigint AS bytes, true AS counts_towards_limit
FROM document_versions GROUP BY owner_id
UNION ALL
SELECT owner_id, CASE WHEN qr_code_id IS NULL THEN 'MEMORY_TAG_PICTURE' ELSE 'CODE_PICTURE' END, count(*), sum(size)::bigint, true
FROM pictures GROUP BY owner_id, qr_code_id IS NULL
UNION ALL
SELECT file.owner_id, 'PICTURE_RENDITION', count(*), sum(file.size)::bigint, false
FROM stored_files AS file JOIN picture_renditions AS rendition ON rendition.file_id = file.id
WHERE file.state = 'STORED' GROUP BY file.owner_id
UNION ALL
SELECT file.owner_id, 'DATA_EXPORT', count(*), sum(file.size)::bigint, false
FROM stored_files AS file JOIN data_exports AS export ON export.file_id = file.id
WHERE file.state = 'STORED' GROUP BY file.owner_id;
COMMENT ON VIEW reporting.storage IS 'Private files by owner and type, as of now; a type without files has no row. QR images and profile pictures are public and not included.';
COMMENT ON COLUMN reporting.storage.owner_id IS 'The owner: id in users.';
COMMENT ON COLUMN reporting.storage.type IS 'DOCUMENT (every version), MEMORY_TAG_PICTURE, CODE_PICTURE, PICTURE_RENDITION (a smaller size of a picture) or DATA_EXPORT (an archive of the user''s data).';
COMMENT ON COLUMN reporting.storage.files IS 'Number of files.';
COMMENT ON COLUMN reporting.storage.bytes IS 'Their bytes, before encryption.';
COMMENT ON COLUMN reporting.storage.counts_towards_limit IS 'Whether the bytes count towards storage_bytes_limit in packages.';

CREATE VIEW reporting.documents WITH (security_barrier) AS
SELECT document.id, document.owner_id, document.kind, document.expires_on IS NOT NULL AS has_expiry,
       stored.versions, stored.bytes,
       (SELECT count(*) FROM document_grants WHERE document_id = document.id) AS grants,
       shared.shares, shared.open_shares, accessed.accesses, accessed.last_accessed_at,
       document.created_at, document.updated_at
FROM documents AS document
LEFT JOIN LATERAL (
  SELECT count(*) AS versions, coalesce(sum(size), 0)::bigint AS bytes
  FROM document_versions WHERE document_id = document.id) AS stored ON true
LEFT JOIN LATERAL (
  SELECT count(*) AS shares,
         count(*) FILTER (WHERE ended_at IS NULL AND (expires_at IS NULL OR expires_at > now())
                          AND (max_views IS NULL OR views < max_views)) AS open_shares
  FROM document_shares WHERE document_id = document.id) AS shared ON true
LEFT JOIN LATERAL (
  SELECT count(*) AS accesses, max(read_at) AS last_accessed_at
  FROM document_accesses WHERE document_id = document.id) AS accessed ON true;
COMMENT ON VIEW reporting.documents IS 'Documents, without titles, notes and files. A deleted document has no row.';
COMMENT ON COLUMN reporting.documents.id IS 'Record id.';
COMMENT ON COLUMN reporting.documents.owner_id IS 'The owner: id in users.';
COMMENT ON COLUMN reporting.documents.kind IS 'PASSPORT, IDENTITY, CERTIFICATE, CONTRACT, INSURANCE, HEALTH, FINANCE, VEHICLE or OTHER.';
COMMENT ON COLUMN reporting.documents.has_expiry IS 'Whether the document has a last day of validity.';
COMMENT ON COLUMN reporting.documents.versions IS 'Number of versions.';
COMMENT ON COLUMN reporting.documents.bytes IS 'Bytes of all versions.';
COMMENT ON COLUMN reporting.documents.grants IS 'Number of people that the owner granted it to.';
COMMENT ON COLUMN reporting.documents.shares IS 'Number of share links so far.';
COMMENT ON COLUMN reporting.documents.open_shares IS 'Number of share links that open it now.';
COMMENT ON COLUMN reporting.documents.accesses IS 'How often it was opened by a share link or a grant.';
COMMENT ON COLUMN reporting.documents.last_accessed_at IS 'When it was last opened that way; null if never.';
COMMENT ON COLUMN reporting.documents.created_at IS 'When it was created.';
COMMENT ON COLUMN reporting.documents.updated_at IS 'When it was last changed.';

CREATE VIEW reporting.document_shares AS
SELECT id, document_id, owner_id, qr_code_id AS code_id,
       CASE WHEN ended_at IS NOT NULL THEN 'ENDED' WHEN expires_at <= now() THEN 'EXPIRED'
            WHEN views >= max_views THEN 'USED_UP' ELSE 'OPEN' END AS status,
       passcode_hash IS NOT NULL AS has_passcode, max_views, views, last_opened_at, expires_at, ended_at, created_at
FROM document_shares;
COMMENT ON VIEW reporting.document_shares IS 'Share links of documents, without their tokens and passcodes.';
COMMENT ON COLUMN reporting.document_shares.id IS 'Record id; it opens nothing.';
COMMENT ON COLUMN reporting.document_shares.document_id IS 'The document: id in documents.';
COMMENT ON COLUMN reporting.document_shares.owner_id IS 'The owner of the document: id in users.';
COMMENT ON COLUMN reporting.document_shares.code_id IS 'The code whose page offers the document: id in codes; null for a link alone.';
COMMENT ON COLUMN reporting.document_shares.status IS 'OPEN, ENDED (by the owner), EXPIRED or USED_UP (opened as often as allowed), as of now.';
COMMENT ON COLUMN reporting.document_shares.has_passcode IS 'Whether a passcode is required.';
COMMENT ON COLUMN reporting.document_shares.max_views IS 'How often it may be opened; null for no limit.';
COMMENT ON COLUMN reporting.document_shares.views IS 'How often it was opened.';
COMMENT ON COLUMN reporting.document_shares.last_opened_at IS 'When it was last opened; null if never.';
COMMENT ON COLUMN reporting.document_shares.expires_at IS 'When it expires; null for never.';
COMMENT ON COLUMN reporting.document_shares.ended_at IS 'When the owner ended it; null if not.';
COMMENT ON COLUMN reporting.document_shares.created_at IS 'When it was created.';

-- ---------------------------------------------------------------------------------------------
-- Notifications and conversations
-- ---------------------------------------------------------------------------------------------

-- The event is looked up row by row: a join would read all notifications for the deliveries of a day.
CREATE VIEW reporting.notification_deliveries WITH (security_barrier) AS
SELECT id, notification_id, user_id, (SELECT event FROM notifications WHERE notifications.id = notification_id) AS event,
       channel, status AS outcome, reason, attempts, created_at, status_changed_at AS outcome_at
FROM notification_deliveries;
COMMENT ON VIEW reporting.notification_deliveries IS 'Notifications sent by email or push, one row for each notification, channel and device, as long as the notification is stored: 90 days after it was read, a year if not. Condition for a time: id >= reporting.scan_id_at(…).';
COMMENT ON COLUMN reporting.notification_deliveries.id IS 'Record id; begins with its time (function scan_id_at).';
COMMENT ON COLUMN reporting.notification_deliveries.notification_id IS 'The notification: the same for all of its channels and devices.';
COMMENT ON COLUMN reporting.notification_deliveries.user_id IS 'The recipient: id in users.';
COMMENT ON COLUMN reporting.notification_deliveries.event IS 'What the notification is about, such as QR_CODE_SCANNED or NEW_LOGIN.';
COMMENT ON COLUMN reporting.notification_deliveries.channel IS 'EMAIL or PUSH.';
COMMENT ON COLUMN reporting.notification_deliveries.outcome IS 'WAITING, DELIVERED (accepted by the provider), NOT_SENT (by a setting or for lack of a device) or FAILED.';
COMMENT ON COLUMN reporting.notification_deliveries.reason IS 'Why it waits, was not sent, or failed, as a word; null if there is nothing to explain.';
COMMENT ON COLUMN reporting.notification_deliveries.attempts IS 'Number of attempts so far.';
COMMENT ON COLUMN reporting.notification_deliveries.created_at IS 'When the channel was chosen.';
COMMENT ON COLUMN reporting.notification_deliveries.outcome_at IS 'When the outcome last changed.';

CREATE VIEW reporting.daily_notification_counts WITH (security_barrier) AS
SELECT days.day::date AS day, counted.event, counted.channel, counted.outcome, counted.reason, counted.notifications
FROM generate_series(
  (SELECT date_trunc('day', to_timestamp(('x' || left(min(id), 8))::bit(32)::bigint) AT TIME ZONE 'UTC') FROM notifications),
  now() AT TIME ZONE 'UTC', interval '1 day') AS days (day)
CROSS JOIN LATERAL (
  SELECT event, 'IN_APP' AS channel,
         CASE WHEN read_at IS NOT NULL THEN 'READ' WHEN dismissed_at IS NOT NULL THEN 'DISMISSED' ELSE 'UNREAD' END AS outcome,
         NULL::text AS reason, count(*) AS notifications
  FROM notifications
  WHERE id >= reporting.scan_id_at(days.day AT TIME ZONE 'UTC') AND id < reporting.scan_id_at((days.day + interval '1 day') AT TIME ZONE 'UTC')
  GROUP BY 1, 3
  UNION ALL
  SELECT event, channel, outcome, reason, count(*) FROM reporting.notification_deliveries
  WHERE id >= reporting.scan_id_at(days.day AT TIME ZONE 'UTC') AND id < reporting.scan_id_at((days.day + interval '1 day') AT TIME ZONE 'UTC')
  GROUP BY 1, 2, 3, 4) AS counted;
COMMENT ON VIEW reporting.daily_notification_counts IS 'Notifications by UTC day, event, channel and outcome, as long as they are stored: 90 days after they were read, a year if not. Older days can therefore become less.';
COMMENT ON COLUMN reporting.daily_notification_counts.day IS 'UTC day on which the notification was created, or its channel chosen.';
COMMENT ON COLUMN reporting.daily_notification_counts.event IS 'What the notification is about, such as QR_CODE_SCANNED or NEW_LOGIN.';
COMMENT ON COLUMN reporting.daily_notification_counts.channel IS 'IN_APP, EMAIL or PUSH (one for each device).';
COMMENT ON COLUMN reporting.daily_notification_counts.outcome IS 'As of now. IN_APP: READ, DISMISSED (deleted unread, or collected for a digest) or UNREAD. EMAIL and PUSH: WAITING, DELIVERED (accepted by the provider), NOT_SENT or FAILED.';
COMMENT ON COLUMN reporting.daily_notification_counts.reason IS 'Why it waits, was not sent, or failed, as a word; null if there is nothing to explain.';
COMMENT ON COLUMN reporting.daily_notification_counts.notifications IS 'How many.';

CREATE VIEW reporting.conversations WITH (security_barrier) AS
SELECT conversation.id, conversation.owner_id, conversation.qr_code_id AS code_id, conversation.from_scan,
       conversation.status, conversation.ended_by, message.finder_messages, message.owner_messages,
       (SELECT count(*) FROM conversation_reports WHERE conversation_id = conversation.id) AS reports,
       message.first_answered_at, conversation.last_message_at, conversation.ended_at, conversation.created_at
FROM conversations AS conversation
LEFT JOIN LATERAL (
  SELECT count(*) FILTER (WHERE sender = 'FINDER') AS finder_messages,
         count(*) FILTER (WHERE sender = 'OWNER') AS owner_messages,
         min(created_at) FILTER (WHERE sender = 'OWNER') AS first_answered_at
  FROM conversation_messages WHERE conversation_id = conversation.id) AS message ON true;
COMMENT ON VIEW reporting.conversations IS 'Conversations between finders and owners: counts and times, nothing that anybody wrote and nothing about the finder. A conversation is removed 90 days after its last message, a reported one later.';
COMMENT ON COLUMN reporting.conversations.id IS 'Record id.';
COMMENT ON COLUMN reporting.conversations.owner_id IS 'The owner of the code: id in users.';
COMMENT ON COLUMN reporting.conversations.code_id IS 'The code: id in codes.';
COMMENT ON COLUMN reporting.conversations.from_scan IS 'Whether it began with a scan; false if the code was paused or expired.';
COMMENT ON COLUMN reporting.conversations.status IS 'OPEN or ENDED.';
COMMENT ON COLUMN reporting.conversations.ended_by IS 'FINDER, OWNER or ADMINISTRATION; null while it is open.';
COMMENT ON COLUMN reporting.conversations.finder_messages IS 'Number of messages by the finder.';
COMMENT ON COLUMN reporting.conversations.owner_messages IS 'Number of messages by the owner.';
COMMENT ON COLUMN reporting.conversations.reports IS 'How many of the two sides reported it to the administration.';
COMMENT ON COLUMN reporting.conversations.first_answered_at IS 'When the owner wrote for the first time; null if never.';
COMMENT ON COLUMN reporting.conversations.last_message_at IS 'When the last message was written.';
COMMENT ON COLUMN reporting.conversations.ended_at IS 'When it ended; null while it is open.';
COMMENT ON COLUMN reporting.conversations.created_at IS 'When it began.';

-- ---------------------------------------------------------------------------------------------
-- Owners and first scans
-- ---------------------------------------------------------------------------------------------

CREATE VIEW reporting.active_owners WITH (security_barrier) AS
SELECT periods.period, starts.starts_at::date AS starts_on, acted.owners
FROM (VALUES ('DAY', interval '1 day'), ('WEEK', interval '7 days'), ('MONTH', interval '1 month')) AS periods (period, length)
CROSS JOIN LATERAL generate_series(
  (SELECT date_trunc(periods.period, min(created_at) AT TIME ZONE 'UTC') FROM audit_entries),
  now() AT TIME ZONE 'UTC', periods.length) AS starts (starts_at)
CROSS JOIN LATERAL (
  SELECT count(DISTINCT actor_reference) AS owners FROM audit_entries
  WHERE created_at >= starts.starts_at AT TIME ZONE 'UTC' AND created_at < (starts.starts_at + periods.length) AT TIME ZONE 'UTC'
    AND outcome = 'SUCCESS') AS acted;
COMMENT ON VIEW reporting.active_owners IS 'Accounts that were active by UTC day, week and month: those which did something that the audit trail records, such as to log in, renew a session, or change a code. Staff and erased accounts are included. Goes back as far as the audit trail. Owners whose codes were scanned are in daily_owner_counts.';
COMMENT ON COLUMN reporting.active_owners.period IS 'DAY, WEEK (from Monday) or MONTH. Choose one: an account that is active on several days counts once in their week.';
COMMENT ON COLUMN reporting.active_owners.starts_on IS 'First UTC day of the period. The last period is not over yet.';
COMMENT ON COLUMN reporting.active_owners.owners IS 'Number of different accounts.';

-- The range of ids prunes partitions: without it each code would search every month of scans.
CREATE VIEW reporting.code_first_scans WITH (security_barrier) AS
SELECT code.id AS code_id, code.owner_id, code.kind, code.mode, code.created_at,
       first.scanned_on AS first_scanned_on, first.human_scanned_on AS first_human_scanned_on,
       (SELECT min(scanned_at) FROM scans WHERE qr_code_id = code.id AND scanned_at >= first.day_start AND scanned_at < first.day_start + interval '24 hours'
          AND id >= reporting.scan_id_at(first.day_start) AND id < reporting.scan_id_at(first.day_start + interval '24 hours')) AS first_scanned_at,
       (SELECT min(scanned_at) FROM scans WHERE qr_code_id = code.id AND class = 'HUMAN'
          AND scanned_at >= first.human_day_start AND scanned_at < first.human_day_start + interval '24 hours'
          AND id >= reporting.scan_id_at(first.human_day_start) AND id < reporting.scan_id_at(first.human_day_start + interval '24 hours')) AS first_human_scanned_at
FROM qr_codes AS code
CROSS JOIN LATERAL (
  SELECT min(day) AS scanned_on, min(day) FILTER (WHERE humans > 0) AS human_scanned_on,
         min(day)::timestamp AT TIME ZONE 'UTC' AS day_start, min(day) FILTER (WHERE humans > 0)::timestamp AT TIME ZONE 'UTC' AS human_day_start
  FROM reporting.daily_code_counts AS counts WHERE counts.code_id = code.id) AS first;
COMMENT ON VIEW reporting.code_first_scans IS 'When each code was first scanned, also long after the scans themselves were removed. Codes that were never scanned have a row without days.';
COMMENT ON COLUMN reporting.code_first_scans.code_id IS 'The code: id in codes.';
COMMENT ON COLUMN reporting.code_first_scans.owner_id IS 'The code''s owner: id in users.';
COMMENT ON COLUMN reporting.code_first_scans.kind IS 'Kind of the code.';
COMMENT ON COLUMN reporting.code_first_scans.mode IS 'DYNAMIC or STATIC; scans of static codes are not seen.';
COMMENT ON COLUMN reporting.code_first_scans.created_at IS 'When the code was created.';
COMMENT ON COLUMN reporting.code_first_scans.first_scanned_on IS 'UTC day of the first scan of any class; null if there was none.';
COMMENT ON COLUMN reporting.code_first_scans.first_human_scanned_on IS 'UTC day of the first scan of class HUMAN; null if there was none.';
COMMENT ON COLUMN reporting.code_first_scans.first_scanned_at IS 'Time of the first scan of any class; null if there was none, or if the scans of that day were removed (SCAN_RETENTION_DAYS).';
COMMENT ON COLUMN reporting.code_first_scans.first_human_scanned_at IS 'Time of the first scan of class HUMAN; null if there was none, or if the scans of that day were removed.';

-- ---------------------------------------------------------------------------------------------
-- Recurring revenue
-- ---------------------------------------------------------------------------------------------

CREATE VIEW reporting.paid_subscriptions WITH (security_barrier) AS
SELECT subscription.id, subscription.user_id, package.code AS package_code, phase.package_version,
       phase."interval" AS billing_interval, phase.currency, price.amount_minor,
       CASE phase."interval" WHEN 'year' THEN round(price.amount_minor / 12.0)::bigint ELSE price.amount_minor END AS monthly_minor,
       subscription.state,
       days.started_on, days.ended_on
FROM subscriptions AS subscription
CROSS JOIN LATERAL (
  SELECT package_id, package_version, "interval", currency,
         coalesce(lag(changed_at) OVER (ORDER BY changed_at), subscription.started_at) AS began_at, changed_at AS over_at
  FROM subscription_changes WHERE subscription_id = subscription.id
  UNION ALL
  SELECT subscription.package_id, subscription.package_version, subscription."interval", subscription.currency,
         coalesce((SELECT max(changed_at) FROM subscription_changes WHERE subscription_id = subscription.id),
                  subscription.started_at), NULL) AS phase
CROSS JOIN LATERAL (
  SELECT (greatest(phase.began_at, subscription.trial_ends_at) AT TIME ZONE 'UTC')::date AS started_on,
         (coalesce(phase.over_at, subscription.ended_at) AT TIME ZONE 'UTC')::date AS ended_on) AS days
JOIN subscription_packages AS package ON package.id = phase.package_id
JOIN subscription_package_versions AS of_version
  ON of_version.package_id = phase.package_id AND of_version.version = phase.package_version
CROSS JOIN LATERAL (
  SELECT (offer->>'amount')::bigint AS amount_minor FROM jsonb_array_elements(of_version.prices) AS offer
  WHERE offer->>'interval' = phase."interval" AND offer->>'currency' = phase.currency LIMIT 1) AS price
WHERE subscription.state <> 'INCOMPLETE'
  -- What did not last until the end of a day does not count.
  AND (phase.over_at IS NULL OR days.ended_on > days.started_on)
  AND greatest(subscription.started_at, subscription.trial_ends_at) <= now()
  AND (subscription.state <> 'CANCELED'
    OR subscription.ended_at > greatest(subscription.started_at, subscription.trial_ends_at)
       AND EXISTS (SELECT FROM payment_invoices AS invoice
                   WHERE invoice.subscription_id = subscription.id AND invoice.paid_at IS NOT NULL AND invoice.total > 0));
COMMENT ON VIEW reporting.paid_subscriptions IS 'Subscriptions with recurring revenue, ended ones and those of erased accounts too, with a row for each package, version, interval and currency that lasted beyond a day, at the list price of the package version that was bought: also of versions that are no longer offered. Not included: trials that run or ended unpaid, subscriptions that wait for their first payment, and those that ended without a payment.';
COMMENT ON COLUMN reporting.paid_subscriptions.id IS 'Record id; with started_on it names a row.';
COMMENT ON COLUMN reporting.paid_subscriptions.user_id IS 'Who pays: id in users.';
COMMENT ON COLUMN reporting.paid_subscriptions.package_code IS 'The package: code in packages.';
COMMENT ON COLUMN reporting.paid_subscriptions.package_version IS 'The version that was bought.';
COMMENT ON COLUMN reporting.paid_subscriptions.billing_interval IS 'month or year.';
COMMENT ON COLUMN reporting.paid_subscriptions.currency IS 'ISO 4217.';
COMMENT ON COLUMN reporting.paid_subscriptions.amount_minor IS 'Price of an interval in minor units (cents).';
COMMENT ON COLUMN reporting.paid_subscriptions.monthly_minor IS 'Monthly recurring revenue in minor units: the price, of a year a twelfth, rounded.';
COMMENT ON COLUMN reporting.paid_subscriptions.state IS 'ACTIVE, PAST_DUE, UNPAID, PAUSED or CANCELED, as of now. UNPAID and PAUSED count until they end, because past pauses are not recorded.';
COMMENT ON COLUMN reporting.paid_subscriptions.started_on IS 'UTC day on which it began, its trial ended, or it changed to this package, version, interval or currency.';
COMMENT ON COLUMN reporting.paid_subscriptions.ended_on IS 'UTC day on which it ended or changed; null while it runs.';

-- Compared within each account: a join of the subscriptions with themselves would read their invoices several times.
CREATE VIEW reporting.recurring_revenue_changes WITH (security_barrier) AS
SELECT change_days.day, account.user_id, account.currency,
       CASE WHEN totals.previous_rank IS NULL AND totals.has_paid_before THEN 'REACTIVATION'
            WHEN totals.previous_rank IS NULL THEN 'NEW'
            WHEN totals.rank IS NULL THEN 'CHURN'
            WHEN totals.monthly_minor > totals.previous_monthly_minor THEN 'EXPANSION'
            WHEN totals.monthly_minor < totals.previous_monthly_minor THEN 'CONTRACTION'
            ELSE 'TRANSFER' END AS change,
       previous_package.code AS previous_package_code, package.code AS package_code,
       totals.previous_monthly_minor, totals.monthly_minor
FROM (
  SELECT paid.user_id, paid.currency, array_agg(paid.started_on) AS starts, array_agg(paid.ended_on) AS ends,
         array_agg(package.rank) AS ranks, array_agg(paid.monthly_minor) AS amounts
  FROM reporting.paid_subscriptions AS paid JOIN subscription_packages AS package ON package.code = paid.package_code
  GROUP BY paid.user_id, paid.currency) AS account
CROSS JOIN LATERAL (
  SELECT DISTINCT day FROM unnest(account.starts || account.ends) AS listed (day) WHERE day IS NOT NULL) AS change_days
CROSS JOIN LATERAL (
  SELECT max(paid.rank) FILTER (WHERE paid.ran_before) AS previous_rank, max(paid.rank) FILTER (WHERE paid.runs) AS rank,
         coalesce(sum(paid.monthly_minor) FILTER (WHERE paid.ran_before), 0)::bigint AS previous_monthly_minor,
         coalesce(sum(paid.monthly_minor) FILTER (WHERE paid.runs), 0)::bigint AS monthly_minor,
         bool_or(paid.started_on < change_days.day) AS has_paid_before
  FROM (
    SELECT rank, monthly_minor, started_on,
           started_on < change_days.day AND (ended_on IS NULL OR ended_on >= change_days.day) AS ran_before,
           started_on <= change_days.day AND (ended_on IS NULL OR ended_on > change_days.day) AS runs
    FROM unnest(account.starts, account.ends, account.ranks, account.amounts)
      AS listed (started_on, ended_on, rank, monthly_minor)) AS paid) AS totals
LEFT JOIN subscription_packages AS previous_package ON previous_package.rank = totals.previous_rank
LEFT JOIN subscription_packages AS package ON package.rank = totals.rank
WHERE totals.previous_monthly_minor <> totals.monthly_minor OR totals.previous_rank IS DISTINCT FROM totals.rank;
COMMENT ON VIEW reporting.recurring_revenue_changes IS 'Changes of the monthly recurring revenue (MRR) of an account from the end of one UTC day to the end of the next, from paid_subscriptions: new, expansion, contraction, churn.';
COMMENT ON COLUMN reporting.recurring_revenue_changes.day IS 'UTC day of the change.';
COMMENT ON COLUMN reporting.recurring_revenue_changes.user_id IS 'Who pays: id in users.';
COMMENT ON COLUMN reporting.recurring_revenue_changes.currency IS 'ISO 4217. An account that pays in another currency churns in the first and is new in the second.';
COMMENT ON COLUMN reporting.recurring_revenue_changes.change IS 'NEW, REACTIVATION (paid before, but not on the day before), EXPANSION, CONTRACTION, CHURN, or TRANSFER to another package of the same price.';
COMMENT ON COLUMN reporting.recurring_revenue_changes.previous_package_code IS 'Largest package at the end of the day before: code in packages; null for none.';
COMMENT ON COLUMN reporting.recurring_revenue_changes.package_code IS 'Largest package at the end of the day: code in packages; null for none.';
COMMENT ON COLUMN reporting.recurring_revenue_changes.previous_monthly_minor IS 'MRR at the end of the day before, in minor units (cents).';
COMMENT ON COLUMN reporting.recurring_revenue_changes.monthly_minor IS 'MRR at the end of the day, in minor units.';

CREATE VIEW reporting.monthly_recurring_revenue WITH (security_barrier) AS
WITH movements AS (
  SELECT date_trunc('month', changes.day::timestamp)::date AS month, changes.currency, side.package_code,
         sum(side.accounts)::bigint AS accounts, sum(side.net)::bigint AS net,
         sum(side.gained) FILTER (WHERE changes.change = 'NEW') AS new_minor,
         sum(side.gained) FILTER (WHERE changes.change = 'REACTIVATION') AS reactivated_minor,
         sum(side.gained) FILTER (WHERE changes.change = 'EXPANSION') AS expansion_minor,
         sum(side.lost) FILTER (WHERE changes.change = 'CONTRACTION') AS contraction_minor,
         sum(side.lost) FILTER (WHERE changes.change = 'CHURN') AS churned_minor,
         sum(side.net - side.gained + side.lost) FILTER (WHERE changes.previous_package_code <> changes.package_code) AS transferred_minor
  FROM reporting.recurring_revenue_changes AS changes
  CROSS JOIN LATERAL (VALUES
    (changes.previous_package_code, -1, -changes.previous_monthly_minor, 0, greatest(changes.previous_monthly_minor - changes.monthly_minor, 0)),
    (changes.package_code, 1, changes.monthly_minor, greatest(changes.monthly_minor - changes.previous_monthly_minor, 0), 0)
  ) AS side (package_code, accounts, net, gained, lost)
  WHERE side.package_code IS NOT NULL
  GROUP BY 1, 2, 3)
SELECT months.month::date AS month, sold.currency, sold.package_code,
       coalesce(movements.new_minor, 0)::bigint AS new_minor,
       coalesce(movements.reactivated_minor, 0)::bigint AS reactivated_minor,
       coalesce(movements.expansion_minor, 0)::bigint AS expansion_minor,
       coalesce(movements.contraction_minor, 0)::bigint AS contraction_minor,
       coalesce(movements.churned_minor, 0)::bigint AS churned_minor,
       coalesce(movements.transferred_minor, 0)::bigint AS transferred_minor,
       coalesce(sum(movements.net) OVER so_far, 0)::bigint AS mrr_minor,
       coalesce(sum(movements.accounts) OVER so_far, 0)::bigint AS accounts
FROM (SELECT currency, package_code, min(month) AS first_month FROM movements GROUP BY 1, 2) AS sold
CROSS JOIN LATERAL generate_series(sold.first_month::timestamp, now() AT TIME ZONE 'UTC', interval '1 month') AS months (month)
LEFT JOIN movements ON movements.currency = sold.currency AND movements.package_code = sold.package_code AND movements.month = months.month
WINDOW so_far AS (PARTITION BY sold.currency, sold.package_code ORDER BY months.month);
COMMENT ON VIEW reporting.monthly_recurring_revenue IS 'Monthly recurring revenue (MRR) by UTC month, currency and package, with what changed it: the sum of recurring_revenue_changes. mrr_minor is that of the month before + new + reactivated + expansion - contraction - churned + transferred. A package has a row for every month from its first sale on.';
COMMENT ON COLUMN reporting.monthly_recurring_revenue.month IS 'First day of the month. The last month is not over yet.';
COMMENT ON COLUMN reporting.monthly_recurring_revenue.currency IS 'ISO 4217.';
COMMENT ON COLUMN reporting.monthly_recurring_revenue.package_code IS 'The package, past ones too: code in packages.';
COMMENT ON COLUMN reporting.monthly_recurring_revenue.new_minor IS 'MRR of accounts that had never paid in this currency, in minor units (cents).';
COMMENT ON COLUMN reporting.monthly_recurring_revenue.reactivated_minor IS 'MRR of accounts that had paid before and came back.';
COMMENT ON COLUMN reporting.monthly_recurring_revenue.expansion_minor IS 'What accounts pay more than before; in the row of the package that they have now.';
COMMENT ON COLUMN reporting.monthly_recurring_revenue.contraction_minor IS 'What accounts pay less than before and still pay; in the row of the package that they had.';
COMMENT ON COLUMN reporting.monthly_recurring_revenue.churned_minor IS 'MRR of accounts that ended; in the row of the package that they had.';
COMMENT ON COLUMN reporting.monthly_recurring_revenue.transferred_minor IS 'MRR that moved here from other packages with their accounts, less what moved away; 0 over all packages.';
COMMENT ON COLUMN reporting.monthly_recurring_revenue.mrr_minor IS 'MRR at the end of the month, in minor units.';
COMMENT ON COLUMN reporting.monthly_recurring_revenue.accounts IS 'Accounts with the package at the end of the month.';
