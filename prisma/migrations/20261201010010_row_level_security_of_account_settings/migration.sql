-- Each row is read and changed for its account, or by the second role.
CREATE POLICY account ON owner_phones USING (account_id = current_setting('app.account_id', true));
COMMENT ON POLICY account ON owner_phones IS 'Only of the account that the transaction is bound to.';
CREATE POLICY account ON print_sheets USING (account_id = current_setting('app.account_id', true));
COMMENT ON POLICY account ON print_sheets IS 'Only of the account that the transaction is bound to.';
CREATE POLICY account ON report_schedules USING (account_id = current_setting('app.account_id', true));
COMMENT ON POLICY account ON report_schedules IS 'Only of the account that the transaction is bound to.';
