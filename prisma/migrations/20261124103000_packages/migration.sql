-- Names of the packages in the fifteen languages, versions that nobody changes, and what a report says of money.

CREATE TEMPORARY TABLE named (code text, seeded jsonb, names jsonb) ON COMMIT DROP;
INSERT INTO named VALUES
  ('FREE', '{"en": "Free", "de": "Kostenlos"}',
   '{"ar": "مجاني", "es": "Gratis", "fr": "Gratuit", "he": "חינם", "hi": "निःशुल्क", "it": "Gratuito", "ja": "無料", "nl": "Gratis", "pl": "Bezpłatny", "pt": "Gratuito", "tr": "Ücretsiz", "uk": "Безкоштовний", "zh": "免费版"}'),
  ('PERSONAL', '{"en": "Personal", "de": "Persönlich"}',
   '{"ar": "شخصي", "es": "Personal", "fr": "Personnel", "he": "אישי", "hi": "व्यक्तिगत", "it": "Personale", "ja": "パーソナル", "nl": "Persoonlijk", "pl": "Osobisty", "pt": "Pessoal", "tr": "Bireysel", "uk": "Особистий", "zh": "个人版"}'),
  ('FAMILY', '{"en": "Family", "de": "Familie"}',
   '{"ar": "عائلي", "es": "Familiar", "fr": "Famille", "he": "משפחתי", "hi": "पारिवारिक", "it": "Famiglia", "ja": "ファミリー", "nl": "Gezin", "pl": "Rodzinny", "pt": "Familiar", "tr": "Aile", "uk": "Сімейний", "zh": "家庭版"}'),
  ('BUSINESS', '{"en": "Business", "de": "Unternehmen"}',
   '{"ar": "أعمال", "es": "Empresa", "fr": "Professionnel", "he": "עסקי", "hi": "व्यावसायिक", "it": "Azienda", "ja": "ビジネス", "nl": "Zakelijk", "pl": "Firmowy", "pt": "Empresarial", "tr": "İşletme", "uk": "Бізнес", "zh": "商业版"}'),
  ('ENTERPRISE', '{"en": "Enterprise", "de": "Konzern"}',
   '{"ar": "مؤسسات", "es": "Corporativo", "fr": "Grande entreprise", "he": "ארגוני", "hi": "एंटरप्राइज़", "it": "Grande azienda", "ja": "エンタープライズ", "nl": "Grootzakelijk", "pl": "Korporacyjny", "pt": "Corporativo", "tr": "Kurumsal", "uk": "Корпоративний", "zh": "企业版"}');
-- Names that somebody has changed stay. The version is the one that the migration before this one made: nobody has bought it.
UPDATE subscription_package_versions AS made SET names = made.names || named.names
FROM subscription_packages AS package JOIN named ON named.code = package.code
WHERE made.package_id = package.id AND made.version = package.version AND made.names = named.seeded AND package.names = named.seeded;
UPDATE subscription_packages AS package SET names = package.names || named.names
FROM named WHERE named.code = package.code AND package.names = named.seeded;

CREATE FUNCTION refuse_version_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a version of a package is never changed' USING ERRCODE = 'insufficient_privilege';
END
$$;
COMMENT ON FUNCTION refuse_version_change() IS 'Keeps what somebody bought as it was bought.';
CREATE TRIGGER subscription_package_versions_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON subscription_package_versions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_version_change();
COMMENT ON TRIGGER subscription_package_versions_kept ON subscription_package_versions IS 'A package is changed by another version.';

CREATE OR REPLACE VIEW reporting.packages AS
SELECT code, rank, names->>'en' AS name, (limits->>'qrCodes')::bigint AS qr_codes_limit,
       (limits->>'documents')::bigint AS documents_limit, (limits->>'storageBytes')::bigint AS storage_bytes_limit,
       (limits->>'scansKeptDays')::bigint AS scans_kept_days,
       ARRAY(SELECT jsonb_array_elements_text(features)) AS features,
       (limits->>'memoryTags')::bigint AS memory_tags_limit, version, on_offer
FROM subscription_packages;
COMMENT ON VIEW reporting.packages IS 'Packages, as they are now; who bought an earlier version keeps its limits.';
COMMENT ON COLUMN reporting.packages.memory_tags_limit IS 'How many memory tags fit; null is no limit.';
COMMENT ON COLUMN reporting.packages.version IS 'Number of the version, from one.';
COMMENT ON COLUMN reporting.packages.on_offer IS 'Whether it can be chosen.';

CREATE OR REPLACE VIEW reporting.package_prices AS
SELECT package.code AS package_code, price->>'interval' AS billing_interval, price->>'currency' AS currency,
       (price->>'amount')::bigint AS amount_minor, package.version
FROM subscription_packages AS package CROSS JOIN LATERAL jsonb_array_elements(package.prices) AS price;
COMMENT ON VIEW reporting.package_prices IS 'What packages cost now; one that costs nothing has no row. What somebody pays who bought earlier is in subscriptions.';
COMMENT ON COLUMN reporting.package_prices.version IS 'Version of the package since which it may be so.';

CREATE OR REPLACE VIEW reporting.subscriptions WITH (security_barrier) AS
SELECT person.id AS person_id, package.code AS package_code,
       coalesce((SELECT active + paused + lost + unclaimed FROM qr_code_counts WHERE owner_id = person.id), 0)::bigint AS qr_codes_used,
       (coalesce(bought.limits, package.limits)->>'qrCodes')::bigint AS qr_codes_limit,
       (SELECT count(*) FROM memory_tags WHERE memory_tags.owner_id = person.id) AS memory_tags_used,
       (coalesce(bought.limits, package.limits)->>'memoryTags')::bigint AS memory_tags_limit,
       bought.package_version, bought.state, bought.billing_interval, bought.currency, bought.amount_minor,
       bought.started_at, bought.current_period_end, bought.cancel_at_period_end
FROM users AS person
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
  WHERE subscription.user_id = person.id AND subscription.state IN ('TRIALING', 'ACTIVE', 'PAST_DUE')
  ORDER BY ranked.rank DESC, subscription.started_at DESC, subscription.id DESC LIMIT 1) AS bought ON true
JOIN subscription_packages AS package
  ON CASE WHEN bought.package_id IS NULL THEN package.code = 'FREE' ELSE package.id = bought.package_id END
WHERE person.status <> 'DELETED';
COMMENT ON VIEW reporting.subscriptions IS 'The package of each account that is not erased, and what it uses of it: that of its best subscription which gives one, else FREE. Where nothing is sold (BILLING=off) nobody is held to it.';
COMMENT ON COLUMN reporting.subscriptions.memory_tags_limit IS 'How many memory tags may be; null is no limit.';
COMMENT ON COLUMN reporting.subscriptions.package_version IS 'The version that was bought; null for FREE, like all that follows.';
COMMENT ON COLUMN reporting.subscriptions.state IS 'TRIALING, ACTIVE or PAST_DUE.';
COMMENT ON COLUMN reporting.subscriptions.billing_interval IS 'month or year.';
COMMENT ON COLUMN reporting.subscriptions.currency IS 'ISO 4217.';
COMMENT ON COLUMN reporting.subscriptions.amount_minor IS 'Price of an interval in minor units (cents), as it was bought.';
COMMENT ON COLUMN reporting.subscriptions.started_at IS 'When it began.';
COMMENT ON COLUMN reporting.subscriptions.current_period_end IS 'Until when the current period runs.';
COMMENT ON COLUMN reporting.subscriptions.cancel_at_period_end IS 'Whether it ends with the period.';

CREATE VIEW reporting.invoices AS
SELECT invoice.id, invoice.user_id AS person_id, package.code AS package_code, invoice.state, invoice.currency,
       invoice.total AS total_minor, invoice.amount_paid AS paid_minor, invoice.amount_refunded AS refunded_minor,
       invoice.is_disputed, invoice.attempts, invoice.needs_action, invoice.period_start, invoice.period_end,
       invoice.issued_at, invoice.paid_at
FROM payment_invoices AS invoice LEFT JOIN subscriptions AS subscription ON subscription.id = invoice.subscription_id
LEFT JOIN subscription_packages AS package ON package.id = subscription.package_id;
COMMENT ON VIEW reporting.invoices IS 'Invoices as the payment provider last said, those of erased accounts too.';
COMMENT ON COLUMN reporting.invoices.id IS 'Record id.';
COMMENT ON COLUMN reporting.invoices.person_id IS 'Who is to pay: id in people.';
COMMENT ON COLUMN reporting.invoices.package_code IS 'Package of its subscription, as it is now: code in packages; null for another reason to pay.';
COMMENT ON COLUMN reporting.invoices.state IS 'DRAFT, OPEN, PAID, VOID or UNCOLLECTIBLE.';
COMMENT ON COLUMN reporting.invoices.currency IS 'ISO 4217.';
COMMENT ON COLUMN reporting.invoices.total_minor IS 'What is asked for, in minor units (cents); below zero where it is owed to the person.';
COMMENT ON COLUMN reporting.invoices.paid_minor IS 'What was paid, in minor units.';
COMMENT ON COLUMN reporting.invoices.refunded_minor IS 'What of it was given back, in minor units.';
COMMENT ON COLUMN reporting.invoices.is_disputed IS 'Whether the person’s bank was asked for it back.';
COMMENT ON COLUMN reporting.invoices.attempts IS 'How often it was tried to collect it.';
COMMENT ON COLUMN reporting.invoices.needs_action IS 'Whether the person has to confirm the payment at their bank.';
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

CREATE VIEW reporting.subscription_days WITH (security_barrier) AS
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
COMMENT ON VIEW reporting.subscription_days IS 'Subscriptions that began and ended by UTC day, package, interval and currency; a day on which none did has no row. One that was never paid, nor tried for nothing, does not count; one that changed counts as what it is now.';
COMMENT ON COLUMN reporting.subscription_days.day IS 'UTC day.';
COMMENT ON COLUMN reporting.subscription_days.package_code IS 'The package: code in packages.';
COMMENT ON COLUMN reporting.subscription_days.billing_interval IS 'month or year.';
COMMENT ON COLUMN reporting.subscription_days.currency IS 'ISO 4217.';
COMMENT ON COLUMN reporting.subscription_days.started IS 'How many began.';
COMMENT ON COLUMN reporting.subscription_days.ended IS 'How many ended.';
COMMENT ON COLUMN reporting.subscription_days.running IS 'How many there were at the end of the day, paused and unpaid ones too.';
