-- Sums that contradict themselves are refused.

UPDATE payment_invoices SET amount_refunded = amount_paid WHERE amount_refunded > amount_paid;
ALTER TABLE payment_invoices
  ADD CONSTRAINT payment_invoices_amounts_ordered CHECK (0 <= amount_refunded AND amount_refunded <= amount_paid),
  ADD CONSTRAINT payment_invoices_attempts_not_negative CHECK (attempts >= 0);
COMMENT ON CONSTRAINT payment_invoices_amounts_ordered ON payment_invoices IS 'No more is refunded than was paid.';
COMMENT ON CONSTRAINT payment_invoices_attempts_not_negative ON payment_invoices IS 'A count.';

ALTER TABLE imports
  ADD CONSTRAINT imports_counts_not_negative CHECK (least(size, bytes_read, row_number, created, updated, unchanged, failed) >= 0);
COMMENT ON CONSTRAINT imports_counts_not_negative ON imports IS 'Sizes and counts.';

ALTER TABLE scan_archives
  ADD CONSTRAINT scan_archives_sums_not_negative CHECK (scans >= 0 AND size >= 0);
COMMENT ON CONSTRAINT scan_archives_sums_not_negative ON scan_archives IS 'A count and a size.';
