-- Until now keys were of personal accounts, and made by their user.
UPDATE api_keys SET created_by = accounts.user_id FROM accounts WHERE accounts.id = api_keys.account_id;
ALTER TABLE api_keys ALTER COLUMN created_by SET NOT NULL;
