-- Hide records of other accounts from the role of the application. The start enables the policies where there is a second
-- role for statements over all accounts: docs/adr/0057-row-level-security.md. Earlier versions bind no transaction to an
-- account: they would see nothing.
CREATE POLICY account ON saved_views USING (account_id = current_setting('app.account_id', true));
COMMENT ON POLICY account ON saved_views IS 'Only of the account that the transaction is bound to.';
