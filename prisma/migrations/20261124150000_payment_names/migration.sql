-- Payments: somebody whom a provider deleted becomes another customer of it, an offer whose price was retired gets another
-- one, and a page says what was bought on it.

ALTER TABLE payment_customers
  ADD COLUMN gone_at timestamptz(3),
  DROP CONSTRAINT payment_customers_pkey,
  DROP CONSTRAINT payment_customers_customer_key,
  ADD CONSTRAINT payment_customers_pkey PRIMARY KEY (provider, customer_id);
COMMENT ON TABLE payment_customers IS 'By what names a payment provider knows a person, and knew them.';
COMMENT ON COLUMN payment_customers.gone_at IS 'When it was found that the provider has deleted the customer; null for the one that pays.';
COMMENT ON CONSTRAINT payment_customers_pkey ON payment_customers IS 'A customer is one person.';
CREATE UNIQUE INDEX payment_customers_current_key ON payment_customers (user_id, provider) WHERE gone_at IS NULL;
COMMENT ON INDEX payment_customers_current_key IS 'A person is one customer of a provider at a time.';
CREATE INDEX payment_customers_user_id_idx ON payment_customers (user_id, provider);
COMMENT ON INDEX payment_customers_user_id_idx IS 'Serves: the customers of a person, and the erasure of an account.';

ALTER TABLE payment_prices DROP CONSTRAINT payment_prices_offer_key;
CREATE INDEX payment_prices_offer_idx ON payment_prices (provider, package_id, version, "interval", currency, created_at);
COMMENT ON INDEX payment_prices_offer_idx IS 'Serves: the last price of an offer. It has several where the provider’s were retired; who has paid at one goes on.';

ALTER TABLE checkout_sessions ADD COLUMN bought_id text COLLATE "C";
COMMENT ON COLUMN checkout_sessions.bought_id IS 'The provider’s id of the subscription that was bought on it; null where it is no package of ours.';

-- What was bought where no money moved has another provider than what was paid for.
COMMENT ON COLUMN payment_customers.provider IS 'The provider: stripe, stripe-test for its test mode, sandbox for what stands in for it.';
COMMENT ON COLUMN payment_prices.provider IS 'The provider: stripe, stripe-test for its test mode, sandbox for what stands in for it.';
COMMENT ON COLUMN checkout_sessions.provider IS 'The provider: stripe, stripe-test for its test mode, sandbox for what stands in for it.';
COMMENT ON COLUMN subscriptions.provider IS 'The provider: stripe, stripe-test for its test mode, sandbox for what stands in for it.';
COMMENT ON COLUMN payment_invoices.provider IS 'The provider: stripe, stripe-test for its test mode, sandbox for what stands in for it.';
COMMENT ON COLUMN webhook_events.provider IS 'The provider: stripe, stripe-test for its test mode, sandbox for what stands in for it.';
COMMENT ON COLUMN payment_syncs.provider IS 'The provider: stripe, stripe-test for its test mode, sandbox for what stands in for it.';
COMMENT ON COLUMN payment_reconciliations.provider IS 'The provider: stripe, stripe-test for its test mode, sandbox for what stands in for it.';
