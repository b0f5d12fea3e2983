ALTER TABLE payment_invoices ADD COLUMN is_dispute_lost boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN payment_invoices.is_dispute_lost IS 'Whether the bank decided a dispute of the payment against us; it ends the subscription.';
