-- Packages and their versions, purchases, and the state of the payment provider.

-- ---------------------------------------------------------------------------------------------
-- Packages
-- ---------------------------------------------------------------------------------------------

CREATE TABLE subscription_packages (
  id       text COLLATE "C" NOT NULL,
  code     text NOT NULL,
  rank     integer NOT NULL,
  names    jsonb NOT NULL,
  prices   jsonb NOT NULL,
  limits   jsonb NOT NULL,
  features jsonb NOT NULL,
  version  integer NOT NULL DEFAULT 1,
  on_offer boolean NOT NULL DEFAULT true,
  CONSTRAINT subscription_packages_pkey PRIMARY KEY (id),
  CONSTRAINT subscription_packages_code_key UNIQUE (code),
  CONSTRAINT subscription_packages_rank_key UNIQUE (rank),
  CONSTRAINT subscription_packages_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT subscription_packages_code_shape CHECK (code ~ '^[A-Z]+$'),
  CONSTRAINT subscription_packages_version_positive CHECK (version > 0)
);
COMMENT ON TABLE subscription_packages IS 'Packages, as they are offered now; what they were is in subscription_package_versions.';
COMMENT ON COLUMN subscription_packages.id IS 'Record id.';
COMMENT ON COLUMN subscription_packages.code IS 'FREE, PERSONAL, FAMILY, BUSINESS or ENTERPRISE.';
COMMENT ON COLUMN subscription_packages.rank IS 'Order from small to large.';
COMMENT ON COLUMN subscription_packages.names IS 'Language to name.';
COMMENT ON COLUMN subscription_packages.prices IS 'List of interval, currency and amount in minor units.';
COMMENT ON COLUMN subscription_packages.limits IS 'Name of a limit to its number; null is none.';
COMMENT ON COLUMN subscription_packages.features IS 'List of feature names.';
COMMENT ON COLUMN subscription_packages.version IS 'Number of the version that is offered now.';
COMMENT ON COLUMN subscription_packages.on_offer IS 'Whether it can be chosen; whoever has it keeps it.';
COMMENT ON CONSTRAINT subscription_packages_code_shape ON subscription_packages IS 'Capital letters.';
COMMENT ON CONSTRAINT subscription_packages_version_positive ON subscription_packages IS 'Versions are counted from one.';
INSERT INTO subscription_packages (id, code, rank, names, prices, limits, features) VALUES
  ('673f0000a1b2c3d4e5f60001', 'FREE', 1,
   '{"en": "Free", "de": "Kostenlos", "ar": "مجاني", "es": "Gratis", "fr": "Gratuit", "he": "חינם", "hi": "निःशुल्क", "it": "Gratuito", "ja": "無料", "nl": "Gratis", "pl": "Bezpłatny", "pt": "Gratuito", "tr": "Ücretsiz", "uk": "Безкоштовний", "zh": "免费版"}',
   '[]',
   '{"qrCodes": 50, "memoryTags": 5, "documents": 5, "storageBytes": 104857600, "scansKeptDays": 365}',
   '["EMAIL_NOTIFICATIONS"]'),
  ('673f0000a1b2c3d4e5f60002', 'PERSONAL', 2,
   '{"en": "Personal", "de": "Persönlich", "ar": "شخصي", "es": "Personal", "fr": "Personnel", "he": "אישי", "hi": "व्यक्तिगत", "it": "Personale", "ja": "パーソナル", "nl": "Persoonlijk", "pl": "Osobisty", "pt": "Pessoal", "tr": "Bireysel", "uk": "Особистий", "zh": "个人版"}',
   '[{"interval": "month", "currency": "EUR", "amount": 300}, {"interval": "year", "currency": "EUR", "amount": 3000}]',
   '{"qrCodes": 250, "memoryTags": 25, "documents": 50, "storageBytes": 2147483648, "scansKeptDays": 1095}',
   '["EMAIL_NOTIFICATIONS", "PUSH_NOTIFICATIONS"]'),
  ('673f0000a1b2c3d4e5f60003', 'FAMILY', 3,
   '{"en": "Family", "de": "Familie", "ar": "عائلي", "es": "Familiar", "fr": "Famille", "he": "משפחתי", "hi": "पारिवारिक", "it": "Famiglia", "ja": "ファミリー", "nl": "Gezin", "pl": "Rodzinny", "pt": "Familiar", "tr": "Aile", "uk": "Сімейний", "zh": "家庭版"}',
   '[{"interval": "month", "currency": "EUR", "amount": 600}, {"interval": "year", "currency": "EUR", "amount": 6000}]',
   '{"qrCodes": 1000, "memoryTags": 100, "documents": 250, "storageBytes": 10737418240, "scansKeptDays": 1825}',
   '["EMAIL_NOTIFICATIONS", "PUSH_NOTIFICATIONS"]'),
  ('673f0000a1b2c3d4e5f60004', 'BUSINESS', 4,
   '{"en": "Business", "de": "Unternehmen", "ar": "أعمال", "es": "Empresa", "fr": "Professionnel", "he": "עסקי", "hi": "व्यावसायिक", "it": "Azienda", "ja": "ビジネス", "nl": "Zakelijk", "pl": "Firmowy", "pt": "Empresarial", "tr": "İşletme", "uk": "Бізнес", "zh": "商业版"}',
   '[{"interval": "month", "currency": "EUR", "amount": 2900}, {"interval": "year", "currency": "EUR", "amount": 29000}]',
   '{"qrCodes": 20000, "memoryTags": 2000, "documents": 5000, "storageBytes": 107374182400, "scansKeptDays": 3650}',
   '["EMAIL_NOTIFICATIONS", "PUSH_NOTIFICATIONS", "REPORTS"]'),
  ('673f0000a1b2c3d4e5f60005', 'ENTERPRISE', 5,
   '{"en": "Enterprise", "de": "Konzern", "ar": "مؤسسات", "es": "Corporativo", "fr": "Grande entreprise", "he": "ארגוני", "hi": "एंटरप्राइज़", "it": "Grande azienda", "ja": "エンタープライズ", "nl": "Grootzakelijk", "pl": "Korporacyjny", "pt": "Corporativo", "tr": "Kurumsal", "uk": "Корпоративний", "zh": "企业版"}',
   '[{"interval": "month", "currency": "EUR", "amount": 19900}, {"interval": "year", "currency": "EUR", "amount": 199000}]',
   '{"qrCodes": null, "memoryTags": null, "documents": null, "storageBytes": null, "scansKeptDays": null}',
   '["EMAIL_NOTIFICATIONS", "PUSH_NOTIFICATIONS", "REPORTS", "ENTERPRISE_MODE"]');

CREATE FUNCTION reject_package_version_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a version of a package is never changed' USING ERRCODE = 'insufficient_privilege';
END
$$;
COMMENT ON FUNCTION reject_package_version_change() IS 'Rejects changes of a package version: a bought version never changes.';

CREATE TABLE subscription_package_versions (
  package_id text COLLATE "C" NOT NULL,
  version    integer NOT NULL,
  names      jsonb NOT NULL,
  prices     jsonb NOT NULL,
  limits     jsonb NOT NULL,
  features   jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT subscription_package_versions_pkey PRIMARY KEY (package_id, version),
  CONSTRAINT subscription_package_versions_package_id_fkey FOREIGN KEY (package_id) REFERENCES subscription_packages (id),
  CONSTRAINT subscription_package_versions_version_positive CHECK (version > 0)
);
COMMENT ON TABLE subscription_package_versions IS 'Every version of every package. A row is never changed: whoever bought a version keeps it.';
COMMENT ON COLUMN subscription_package_versions.package_id IS 'The package.';
COMMENT ON COLUMN subscription_package_versions.version IS 'Number of the version, from one.';
COMMENT ON COLUMN subscription_package_versions.names IS 'Language to name.';
COMMENT ON COLUMN subscription_package_versions.prices IS 'List of interval, currency and amount in minor units.';
COMMENT ON COLUMN subscription_package_versions.limits IS 'Name of a limit to its number; null is none.';
COMMENT ON COLUMN subscription_package_versions.features IS 'List of feature names.';
COMMENT ON COLUMN subscription_package_versions.created_at IS 'Since when it was offered; who changed it is in the audit trail.';
COMMENT ON CONSTRAINT subscription_package_versions_pkey ON subscription_package_versions IS 'One row a version of a package.';
COMMENT ON CONSTRAINT subscription_package_versions_package_id_fkey ON subscription_package_versions IS 'Of a package that there is.';
COMMENT ON CONSTRAINT subscription_package_versions_version_positive ON subscription_package_versions IS 'Versions are counted from one.';
CREATE TRIGGER subscription_package_versions_immutable BEFORE UPDATE OR DELETE OR TRUNCATE ON subscription_package_versions
  FOR EACH STATEMENT EXECUTE FUNCTION reject_package_version_change();
COMMENT ON TRIGGER subscription_package_versions_immutable ON subscription_package_versions IS 'A package is changed by adding a version.';
INSERT INTO subscription_package_versions (package_id, version, names, prices, limits, features)
SELECT id, version, names, prices, limits, features FROM subscription_packages;

-- ---------------------------------------------------------------------------------------------
-- Purchases
-- ---------------------------------------------------------------------------------------------

CREATE TABLE payment_customers (
  user_id     text COLLATE "C" NOT NULL,
  provider    text NOT NULL,
  customer_id text COLLATE "C" NOT NULL,
  created_at  timestamptz(3) NOT NULL DEFAULT now(),
  deleted_at  timestamptz(3),
  CONSTRAINT payment_customers_pkey PRIMARY KEY (provider, customer_id),
  CONSTRAINT payment_customers_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
);
COMMENT ON TABLE payment_customers IS 'Customers of a payment provider by user, current and former.';
COMMENT ON COLUMN payment_customers.user_id IS 'The user.';
COMMENT ON COLUMN payment_customers.provider IS 'The provider: stripe, stripe-test for its test mode, sandbox for the emulator.';
COMMENT ON COLUMN payment_customers.customer_id IS 'The provider’s id of the customer.';
COMMENT ON COLUMN payment_customers.created_at IS 'When the customer was created at the provider.';
COMMENT ON COLUMN payment_customers.deleted_at IS 'When the service found that the provider has deleted the customer; null for the current customer.';
COMMENT ON CONSTRAINT payment_customers_pkey ON payment_customers IS 'A customer belongs to one user.';
COMMENT ON CONSTRAINT payment_customers_user_id_fkey ON payment_customers IS 'Deleted with the user.';
CREATE UNIQUE INDEX payment_customers_current_key ON payment_customers (user_id, provider) WHERE deleted_at IS NULL;
COMMENT ON INDEX payment_customers_current_key IS 'A user has one current customer per provider.';
CREATE INDEX payment_customers_user_id_idx ON payment_customers (user_id, provider);
COMMENT ON INDEX payment_customers_user_id_idx IS 'Serves: the customers of a user, and the erasure of an account.';
CREATE TRIGGER payment_customers_erasure_guard BEFORE INSERT ON payment_customers
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('user_id');
COMMENT ON TRIGGER payment_customers_erasure_guard ON payment_customers IS 'No row is stored for an erased account.';

CREATE TABLE payment_prices (
  provider   text NOT NULL,
  price_id   text COLLATE "C" NOT NULL,
  package_id text COLLATE "C" NOT NULL,
  version    integer NOT NULL,
  "interval" text NOT NULL,
  currency   text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT payment_prices_pkey PRIMARY KEY (provider, price_id),
  CONSTRAINT payment_prices_version_fkey FOREIGN KEY (package_id, version) REFERENCES subscription_package_versions (package_id, version),
  CONSTRAINT payment_prices_interval_known CHECK ("interval" IN ('month', 'year')),
  CONSTRAINT payment_prices_currency_shape CHECK (currency ~ '^[A-Z]{3}$')
);
COMMENT ON TABLE payment_prices IS 'By what name a payment provider knows the price of a version of a package; made there when it is first bought.';
COMMENT ON COLUMN payment_prices.provider IS 'The provider: stripe, stripe-test for its test mode, sandbox for the emulator.';
COMMENT ON COLUMN payment_prices.price_id IS 'The provider’s id of the price.';
COMMENT ON COLUMN payment_prices.package_id IS 'The package.';
COMMENT ON COLUMN payment_prices.version IS 'Its version.';
COMMENT ON COLUMN payment_prices."interval" IS 'month or year.';
COMMENT ON COLUMN payment_prices.currency IS 'ISO 4217.';
COMMENT ON COLUMN payment_prices.created_at IS 'When it was made.';
COMMENT ON CONSTRAINT payment_prices_pkey ON payment_prices IS 'One row a price of a provider.';
COMMENT ON CONSTRAINT payment_prices_version_fkey ON payment_prices IS 'Of a version that there is.';
COMMENT ON CONSTRAINT payment_prices_interval_known ON payment_prices IS 'month or year.';
COMMENT ON CONSTRAINT payment_prices_currency_shape ON payment_prices IS 'Three capital letters.';
CREATE INDEX payment_prices_offer_idx ON payment_prices (provider, package_id, version, "interval", currency, created_at);
COMMENT ON INDEX payment_prices_offer_idx IS 'Serves: the last price of an offer. It has several where the provider’s were retired; who has paid at one goes on.';

CREATE TABLE checkout_sessions (
  id                       text COLLATE "C" NOT NULL,
  user_id                  text COLLATE "C" NOT NULL,
  provider                 text NOT NULL,
  session_id               text COLLATE "C",
  package_id               text COLLATE "C" NOT NULL,
  package_version          integer NOT NULL,
  "interval"               text NOT NULL,
  currency                 text NOT NULL,
  state                    text NOT NULL DEFAULT 'OPEN',
  provider_subscription_id text COLLATE "C",
  expires_at               timestamptz(3) NOT NULL,
  created_at               timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT checkout_sessions_pkey PRIMARY KEY (id),
  CONSTRAINT checkout_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT checkout_sessions_version_fkey FOREIGN KEY (package_id, package_version) REFERENCES subscription_package_versions (package_id, version),
  CONSTRAINT checkout_sessions_session_key UNIQUE (provider, session_id),
  CONSTRAINT checkout_sessions_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT checkout_sessions_interval_known CHECK ("interval" IN ('month', 'year')),
  CONSTRAINT checkout_sessions_currency_shape CHECK (currency ~ '^[A-Z]{3}$'),
  CONSTRAINT checkout_sessions_state_known CHECK (state IN ('OPEN', 'COMPLETED', 'EXPIRED'))
);
COMMENT ON TABLE checkout_sessions IS 'Pages of a payment provider on which somebody is to pay for a package; forgotten a month after they end.';
COMMENT ON COLUMN checkout_sessions.id IS 'Record id, and the key under which the provider is asked for the page.';
COMMENT ON COLUMN checkout_sessions.user_id IS 'Who buys.';
COMMENT ON COLUMN checkout_sessions.provider IS 'The provider: stripe, stripe-test for its test mode, sandbox for the emulator.';
COMMENT ON COLUMN checkout_sessions.session_id IS 'The provider’s id of the page; null until it answered.';
COMMENT ON COLUMN checkout_sessions.package_id IS 'The package.';
COMMENT ON COLUMN checkout_sessions.package_version IS 'Its version.';
COMMENT ON COLUMN checkout_sessions."interval" IS 'month or year.';
COMMENT ON COLUMN checkout_sessions.currency IS 'ISO 4217.';
COMMENT ON COLUMN checkout_sessions.state IS 'OPEN, COMPLETED, or EXPIRED, which is also what another choice makes of it.';
COMMENT ON COLUMN checkout_sessions.provider_subscription_id IS 'The provider’s id of the subscription that was bought; null if it is for none of our packages.';
COMMENT ON COLUMN checkout_sessions.expires_at IS 'When the page ends.';
COMMENT ON COLUMN checkout_sessions.created_at IS 'When it was asked for.';
COMMENT ON CONSTRAINT checkout_sessions_pkey ON checkout_sessions IS 'One row a record id.';
COMMENT ON CONSTRAINT checkout_sessions_user_id_fkey ON checkout_sessions IS 'Deleted with the user.';
COMMENT ON CONSTRAINT checkout_sessions_version_fkey ON checkout_sessions IS 'Of a version that there is.';
COMMENT ON CONSTRAINT checkout_sessions_session_key ON checkout_sessions IS 'One row a page of a provider.';
COMMENT ON CONSTRAINT checkout_sessions_interval_known ON checkout_sessions IS 'month or year.';
COMMENT ON CONSTRAINT checkout_sessions_currency_shape ON checkout_sessions IS 'Three capital letters.';
COMMENT ON CONSTRAINT checkout_sessions_state_known ON checkout_sessions IS 'One of the three states.';
CREATE UNIQUE INDEX checkout_sessions_open_key ON checkout_sessions (user_id) WHERE state = 'OPEN';
COMMENT ON INDEX checkout_sessions_open_key IS 'A user has one open checkout at a time.';
CREATE INDEX checkout_sessions_ended_idx ON checkout_sessions (created_at) WHERE state <> 'OPEN';
COMMENT ON INDEX checkout_sessions_ended_idx IS 'Serves: forgetting those that ended.';
CREATE INDEX checkout_sessions_user_id_idx ON checkout_sessions (user_id, id);
COMMENT ON INDEX checkout_sessions_user_id_idx IS 'Serves: the checkouts of a user, and the erasure of an account.';
CREATE TRIGGER checkout_sessions_erasure_guard BEFORE INSERT ON checkout_sessions
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('user_id');
COMMENT ON TRIGGER checkout_sessions_erasure_guard ON checkout_sessions IS 'No row is stored for an erased account.';

CREATE TABLE subscriptions (
  id                   text COLLATE "C" NOT NULL,
  user_id              text COLLATE "C" NOT NULL,
  provider             text NOT NULL,
  provider_id          text COLLATE "C" NOT NULL,
  package_id           text COLLATE "C" NOT NULL,
  package_version      integer NOT NULL,
  "interval"           text NOT NULL,
  currency             text NOT NULL,
  state                text NOT NULL,
  current_period_start timestamptz(3),
  current_period_end   timestamptz(3),
  cancel_at_period_end boolean NOT NULL DEFAULT false,
  trial_ends_at        timestamptz(3),
  canceled_at          timestamptz(3),
  ended_at             timestamptz(3),
  started_at           timestamptz(3) NOT NULL,
  version              integer NOT NULL DEFAULT 1,
  CONSTRAINT subscriptions_pkey PRIMARY KEY (id),
  CONSTRAINT subscriptions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT subscriptions_version_fkey FOREIGN KEY (package_id, package_version) REFERENCES subscription_package_versions (package_id, version),
  CONSTRAINT subscriptions_provider_key UNIQUE (provider, provider_id),
  CONSTRAINT subscriptions_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT subscriptions_interval_known CHECK ("interval" IN ('month', 'year')),
  CONSTRAINT subscriptions_currency_shape CHECK (currency ~ '^[A-Z]{3}$'),
  CONSTRAINT subscriptions_state_known CHECK (state IN ('INCOMPLETE', 'TRIALING', 'ACTIVE', 'PAST_DUE', 'UNPAID', 'PAUSED', 'CANCELED')),
  CONSTRAINT subscriptions_end_known CHECK ((state = 'CANCELED') = (ended_at IS NOT NULL))
);
COMMENT ON TABLE subscriptions IS 'Subscriptions as the payment provider last reported them. The provider is the source of truth.';
COMMENT ON COLUMN subscriptions.id IS 'Record id.';
COMMENT ON COLUMN subscriptions.user_id IS 'Whose it is.';
COMMENT ON COLUMN subscriptions.provider IS 'The provider: stripe, stripe-test for its test mode, sandbox for the emulator.';
COMMENT ON COLUMN subscriptions.provider_id IS 'The provider’s id of it.';
COMMENT ON COLUMN subscriptions.package_id IS 'The package.';
COMMENT ON COLUMN subscriptions.package_version IS 'Its version, whatever is offered now.';
COMMENT ON COLUMN subscriptions."interval" IS 'month or year.';
COMMENT ON COLUMN subscriptions.currency IS 'ISO 4217.';
COMMENT ON COLUMN subscriptions.state IS 'TRIALING, ACTIVE and PAST_DUE give the package; INCOMPLETE (not paid yet), UNPAID, PAUSED and CANCELED do not. CANCELED is final.';
COMMENT ON COLUMN subscriptions.current_period_start IS 'Since when the current period runs.';
COMMENT ON COLUMN subscriptions.current_period_end IS 'Until when it does.';
COMMENT ON COLUMN subscriptions.cancel_at_period_end IS 'Whether it ends with the period.';
COMMENT ON COLUMN subscriptions.trial_ends_at IS 'Until when nothing is paid; null without a trial.';
COMMENT ON COLUMN subscriptions.canceled_at IS 'When its end was asked for.';
COMMENT ON COLUMN subscriptions.ended_at IS 'When it ended; null until then.';
COMMENT ON COLUMN subscriptions.started_at IS 'When the provider began it.';
COMMENT ON COLUMN subscriptions.version IS 'Counts changes.';
COMMENT ON CONSTRAINT subscriptions_pkey ON subscriptions IS 'One row a record id.';
COMMENT ON CONSTRAINT subscriptions_user_id_fkey ON subscriptions IS 'Deleted with the user.';
COMMENT ON CONSTRAINT subscriptions_version_fkey ON subscriptions IS 'Of a version that there is.';
COMMENT ON CONSTRAINT subscriptions_provider_key ON subscriptions IS 'One row a subscription of a provider.';
COMMENT ON CONSTRAINT subscriptions_interval_known ON subscriptions IS 'month or year.';
COMMENT ON CONSTRAINT subscriptions_currency_shape ON subscriptions IS 'Three capital letters.';
COMMENT ON CONSTRAINT subscriptions_state_known ON subscriptions IS 'One of the seven states.';
COMMENT ON CONSTRAINT subscriptions_end_known ON subscriptions IS 'What has ended says when.';
CREATE INDEX subscriptions_user_id_idx ON subscriptions (user_id, started_at DESC);
COMMENT ON INDEX subscriptions_user_id_idx IS 'Serves: the package of a user, at every creation.';

CREATE TABLE payment_invoices (
  id                       text COLLATE "C" NOT NULL,
  user_id                  text COLLATE "C" NOT NULL,
  subscription_id          text COLLATE "C",
  provider                 text NOT NULL,
  provider_id              text COLLATE "C" NOT NULL,
  provider_subscription_id text COLLATE "C",
  number                   text,
  state                    text NOT NULL,
  currency                 text NOT NULL,
  total                    bigint NOT NULL,
  amount_paid              bigint NOT NULL,
  amount_refunded          bigint NOT NULL DEFAULT 0,
  is_disputed              boolean NOT NULL DEFAULT false,
  attempts                 integer NOT NULL DEFAULT 0,
  needs_action             boolean NOT NULL DEFAULT false,
  next_attempt_at          timestamptz(3),
  period_start             timestamptz(3),
  period_end               timestamptz(3),
  issued_at                timestamptz(3) NOT NULL,
  paid_at                  timestamptz(3),
  CONSTRAINT payment_invoices_pkey PRIMARY KEY (id),
  CONSTRAINT payment_invoices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT payment_invoices_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscriptions (id) ON DELETE SET NULL,
  CONSTRAINT payment_invoices_provider_key UNIQUE (provider, provider_id),
  CONSTRAINT payment_invoices_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT payment_invoices_state_known CHECK (state IN ('DRAFT', 'OPEN', 'PAID', 'VOID', 'UNCOLLECTIBLE')),
  CONSTRAINT payment_invoices_currency_shape CHECK (currency ~ '^[A-Z]{3}$')
);
COMMENT ON TABLE payment_invoices IS 'What was asked for and paid, as the payment provider last said.';
COMMENT ON COLUMN payment_invoices.id IS 'Record id.';
COMMENT ON COLUMN payment_invoices.user_id IS 'Who is to pay.';
COMMENT ON COLUMN payment_invoices.subscription_id IS 'For which subscription; null for another reason.';
COMMENT ON COLUMN payment_invoices.provider IS 'The provider: stripe, stripe-test for its test mode, sandbox for the emulator.';
COMMENT ON COLUMN payment_invoices.provider_id IS 'The provider’s id of it.';
COMMENT ON COLUMN payment_invoices.provider_subscription_id IS 'The provider’s id of the subscription that it is for, by which an invoice that came first finds it; null for another reason.';
COMMENT ON COLUMN payment_invoices.number IS 'The number that is printed on it; null while it is a draft.';
COMMENT ON COLUMN payment_invoices.state IS 'DRAFT, OPEN, PAID, VOID or UNCOLLECTIBLE.';
COMMENT ON COLUMN payment_invoices.currency IS 'ISO 4217.';
COMMENT ON COLUMN payment_invoices.total IS 'Invoice total in minor units; negative if the amount is owed to the user.';
COMMENT ON COLUMN payment_invoices.amount_paid IS 'What was paid, in minor units.';
COMMENT ON COLUMN payment_invoices.amount_refunded IS 'What of it was given back, in minor units.';
COMMENT ON COLUMN payment_invoices.is_disputed IS 'Whether the payment is disputed (chargeback).';
COMMENT ON COLUMN payment_invoices.attempts IS 'How often it was tried to collect it.';
COMMENT ON COLUMN payment_invoices.needs_action IS 'Whether the user has to confirm the payment with their bank.';
COMMENT ON COLUMN payment_invoices.next_attempt_at IS 'When it is tried again; null where it is not.';
COMMENT ON COLUMN payment_invoices.period_start IS 'From when what it is for runs.';
COMMENT ON COLUMN payment_invoices.period_end IS 'Until when.';
COMMENT ON COLUMN payment_invoices.issued_at IS 'When the provider made it.';
COMMENT ON COLUMN payment_invoices.paid_at IS 'When it was paid.';
COMMENT ON CONSTRAINT payment_invoices_pkey ON payment_invoices IS 'One row a record id.';
COMMENT ON CONSTRAINT payment_invoices_user_id_fkey ON payment_invoices IS 'Deleted with the user.';
COMMENT ON CONSTRAINT payment_invoices_subscription_id_fkey ON payment_invoices IS 'For a subscription that there is.';
COMMENT ON CONSTRAINT payment_invoices_provider_key ON payment_invoices IS 'One row an invoice of a provider.';
COMMENT ON CONSTRAINT payment_invoices_state_known ON payment_invoices IS 'One of the five states.';
COMMENT ON CONSTRAINT payment_invoices_currency_shape ON payment_invoices IS 'Three capital letters.';
CREATE INDEX payment_invoices_user_id_idx ON payment_invoices (user_id, issued_at DESC, id DESC);
COMMENT ON INDEX payment_invoices_user_id_idx IS 'Serves: the invoices of a user, newest first.';
CREATE INDEX payment_invoices_subscription_id_idx ON payment_invoices (subscription_id);
COMMENT ON INDEX payment_invoices_subscription_id_idx IS 'Serves: the deletion of a subscription.';
CREATE INDEX payment_invoices_unclaimed_idx ON payment_invoices (provider, provider_subscription_id)
  WHERE subscription_id IS NULL AND provider_subscription_id IS NOT NULL;
COMMENT ON INDEX payment_invoices_unclaimed_idx IS 'Serves: the invoices that came before their subscription.';

-- ---------------------------------------------------------------------------------------------
-- Webhooks and synchronisation
-- ---------------------------------------------------------------------------------------------

CREATE TABLE webhook_events (
  provider    text NOT NULL,
  event_id    text COLLATE "C" NOT NULL,
  kind        text NOT NULL,
  object_id   text COLLATE "C",
  snapshot    jsonb,
  state       text NOT NULL,
  created_at  timestamptz(3) NOT NULL,
  received_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT webhook_events_pkey PRIMARY KEY (provider, event_id),
  CONSTRAINT webhook_events_state_known CHECK (state IN ('WAITING', 'DONE', 'IGNORED'))
);
COMMENT ON TABLE webhook_events IS 'Webhook events of payment providers, each stored once; deleted after 90 days.';
COMMENT ON COLUMN webhook_events.provider IS 'The provider: stripe, stripe-test for its test mode, sandbox for the emulator.';
COMMENT ON COLUMN webhook_events.event_id IS 'The provider’s id of the event.';
COMMENT ON COLUMN webhook_events.kind IS 'The provider’s name of the event type.';
COMMENT ON COLUMN webhook_events.object_id IS 'The provider’s id of the object to sync because of the event; null if the event is irrelevant.';
COMMENT ON COLUMN webhook_events.snapshot IS 'State of the object as the event reports it (ids, amounts and times only), used if the provider has deleted the object; null if the event has none or was processed.';
COMMENT ON COLUMN webhook_events.state IS 'WAITING, DONE, or IGNORED if the event is irrelevant.';
COMMENT ON COLUMN webhook_events.created_at IS 'When the event happened according to the provider; not used for ordering.';
COMMENT ON COLUMN webhook_events.received_at IS 'When the event was received.';
COMMENT ON CONSTRAINT webhook_events_pkey ON webhook_events IS 'An event is stored once, however often it is received.';
COMMENT ON CONSTRAINT webhook_events_state_known ON webhook_events IS 'One of the three states.';
CREATE INDEX webhook_events_object_idx ON webhook_events (provider, object_id) WHERE state = 'WAITING';
COMMENT ON INDEX webhook_events_object_idx IS 'Serves: the waiting events of an object.';
CREATE INDEX webhook_events_received_at_idx ON webhook_events (received_at);
COMMENT ON INDEX webhook_events_received_at_idx IS 'Serves: deletion of old events.';

CREATE TABLE payment_syncs (
  provider        text NOT NULL,
  object_id       text COLLATE "C" NOT NULL,
  object_type     text NOT NULL,
  requested_count bigint NOT NULL DEFAULT 1,
  completed_count bigint NOT NULL DEFAULT 0,
  lease           text COLLATE "C",
  leased_until    timestamptz(3),
  CONSTRAINT payment_syncs_pkey PRIMARY KEY (provider, object_id),
  CONSTRAINT payment_syncs_counts_ordered CHECK (completed_count <= requested_count),
  CONSTRAINT payment_syncs_lease_complete CHECK ((lease IS NULL) = (leased_until IS NULL)),
  CONSTRAINT payment_syncs_object_type_known CHECK (object_type IN ('SUBSCRIPTION', 'INVOICE', 'CHECKOUT', 'CHARGE', 'CUSTOMER'))
);
COMMENT ON TABLE payment_syncs IS 'Objects of payment providers to fetch again. One worker at a time syncs an object; one sync answers many events.';
COMMENT ON COLUMN payment_syncs.provider IS 'The provider: stripe, stripe-test for its test mode, sandbox for the emulator.';
COMMENT ON COLUMN payment_syncs.object_id IS 'The provider’s id of the object.';
COMMENT ON COLUMN payment_syncs.object_type IS 'SUBSCRIPTION, INVOICE, CHECKOUT, CHARGE or CUSTOMER.';
COMMENT ON COLUMN payment_syncs.requested_count IS 'How many syncs were requested.';
COMMENT ON COLUMN payment_syncs.completed_count IS 'How many of these requests the last sync answered.';
COMMENT ON COLUMN payment_syncs.lease IS 'Random id of the worker that syncs the object now; null if none does.';
COMMENT ON COLUMN payment_syncs.leased_until IS 'When the lease ends and another worker may take over.';
COMMENT ON CONSTRAINT payment_syncs_pkey ON payment_syncs IS 'One row per object.';
COMMENT ON CONSTRAINT payment_syncs_counts_ordered ON payment_syncs IS 'Not more syncs are completed than were requested.';
COMMENT ON CONSTRAINT payment_syncs_lease_complete ON payment_syncs IS 'A lease has an id and an end, or neither.';
COMMENT ON CONSTRAINT payment_syncs_object_type_known ON payment_syncs IS 'One of the five object types.';
CREATE INDEX payment_syncs_due_idx ON payment_syncs (provider, object_id) WHERE completed_count < requested_count;
COMMENT ON INDEX payment_syncs_due_idx IS 'Serves: the objects to sync.';

CREATE TABLE payment_reconciliations (
  provider    text NOT NULL,
  started_at  timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  CONSTRAINT payment_reconciliations_pkey PRIMARY KEY (provider)
);
COMMENT ON TABLE payment_reconciliations IS 'When the data was last reconciled with a payment provider.';
COMMENT ON COLUMN payment_reconciliations.provider IS 'The provider: stripe, stripe-test for its test mode, sandbox for the emulator.';
COMMENT ON COLUMN payment_reconciliations.started_at IS 'When the last reconciliation started.';
COMMENT ON COLUMN payment_reconciliations.finished_at IS 'When it finished; null until then.';
COMMENT ON CONSTRAINT payment_reconciliations_pkey ON payment_reconciliations IS 'One row a provider.';
