-- Subscriptions: what an object is that is to be looked at, an invoice that comes before its subscription, and when
-- everything was last compared with a payment provider.

ALTER TABLE payment_syncs
  ADD COLUMN object text NOT NULL,
  ADD CONSTRAINT payment_syncs_object_known CHECK (object IN ('SUBSCRIPTION', 'INVOICE', 'CHECKOUT', 'CHARGE', 'CUSTOMER'));
COMMENT ON COLUMN payment_syncs.object IS 'What it is: SUBSCRIPTION, INVOICE, CHECKOUT, CHARGE or CUSTOMER.';
COMMENT ON CONSTRAINT payment_syncs_object_known ON payment_syncs IS 'One of the five.';

ALTER TABLE payment_invoices ADD COLUMN provider_subscription_id text COLLATE "C";
COMMENT ON COLUMN payment_invoices.provider_subscription_id IS 'The provider’s id of the subscription that it is for, by which an invoice that came first finds it; null for another reason.';
CREATE INDEX payment_invoices_unclaimed_idx ON payment_invoices (provider, provider_subscription_id)
  WHERE subscription_id IS NULL AND provider_subscription_id IS NOT NULL;
COMMENT ON INDEX payment_invoices_unclaimed_idx IS 'Serves: the invoices that came before their subscription.';

CREATE TABLE payment_reconciliations (
  provider    text NOT NULL,
  begun_at    timestamptz(3) NOT NULL,
  finished_at timestamptz(3),
  CONSTRAINT payment_reconciliations_pkey PRIMARY KEY (provider)
);
COMMENT ON TABLE payment_reconciliations IS 'When everything was last compared with a payment provider.';
COMMENT ON COLUMN payment_reconciliations.provider IS 'The provider, as in the address of its webhook.';
COMMENT ON COLUMN payment_reconciliations.begun_at IS 'When the last comparison was begun.';
COMMENT ON COLUMN payment_reconciliations.finished_at IS 'When it came to its end; null until then.';
COMMENT ON CONSTRAINT payment_reconciliations_pkey ON payment_reconciliations IS 'One row a provider.';

CREATE OR REPLACE FUNCTION audit_subject(resource_type text, resource_id text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT reference FROM audit_people WHERE user_id = CASE resource_type
    WHEN 'USER' THEN resource_id
    WHEN 'SESSION' THEN (SELECT user_id FROM sessions WHERE id = resource_id)
    WHEN 'QRCODE' THEN (SELECT owner_id FROM qr_codes WHERE id = resource_id)
    WHEN 'SCAN' THEN (SELECT owner_id FROM scans WHERE id = resource_id)
    WHEN 'CONVERSATION' THEN (SELECT owner_id FROM conversations WHERE id = resource_id)
    WHEN 'NOTIFICATION' THEN (SELECT user_id FROM notifications WHERE id = resource_id)
    WHEN 'MEMORY_TAG' THEN (SELECT owner_id FROM memory_tags WHERE id = resource_id)
    WHEN 'SUBSCRIPTION' THEN (SELECT user_id FROM subscriptions WHERE id = resource_id)
  END
$$;
