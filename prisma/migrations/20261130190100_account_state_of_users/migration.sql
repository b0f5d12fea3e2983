-- A personal account has the state of its user, and its user as a member. Triggers on users come first: they block
-- writes to users until the existing rows are filled in.
CREATE FUNCTION to_account_status(user_status text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN user_status IN ('SUSPENDED', 'DELETED') THEN user_status ELSE 'ACTIVE' END
$$;
COMMENT ON FUNCTION to_account_status(text) IS 'Status of the personal account of a user with a status.';

CREATE OR REPLACE FUNCTION create_personal_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO accounts (id, user_id, status, language, time_zone, enterprise_mode, created_at, updated_at)
  VALUES (NEW.id, NEW.id, to_account_status(NEW.status), NEW.language, NEW.time_zone, NEW.enterprise_mode,
          NEW.created_at, NEW.updated_at);
  INSERT INTO memberships (account_id, user_id, role, created_at) VALUES (NEW.id, NEW.id, 'OWNER', NEW.created_at);
  RETURN NULL;
END $$;
COMMENT ON FUNCTION create_personal_account() IS 'Creates the personal account of a new user, with the user as its owner.';

CREATE FUNCTION update_personal_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE accounts SET status = to_account_status(NEW.status), language = NEW.language, time_zone = NEW.time_zone,
    enterprise_mode = NEW.enterprise_mode, updated_at = now()
  WHERE id = NEW.id;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION update_personal_account() IS 'Gives the personal account the state of its user.';
CREATE TRIGGER users_update_personal_account AFTER UPDATE OF status, language, time_zone, enterprise_mode ON users
  FOR EACH ROW
  WHEN ((to_account_status(OLD.status), OLD.language, OLD.time_zone, OLD.enterprise_mode)
    IS DISTINCT FROM (to_account_status(NEW.status), NEW.language, NEW.time_zone, NEW.enterprise_mode))
  EXECUTE FUNCTION update_personal_account();
COMMENT ON TRIGGER users_update_personal_account ON users IS 'A user and the personal account change in one transaction.';

UPDATE accounts SET status = to_account_status(users.status), language = users.language, time_zone = users.time_zone,
  enterprise_mode = users.enterprise_mode, updated_at = users.updated_at
FROM users WHERE users.id = accounts.user_id;
INSERT INTO memberships (account_id, user_id, role, created_at)
SELECT id, user_id, 'OWNER', created_at FROM accounts WHERE user_id IN (SELECT id FROM users WHERE status <> 'DELETED');

CREATE OR REPLACE FUNCTION is_erased(account text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  found_status text;
BEGIN
  -- Locked as a foreign key would: an erasure under way is waited for, and one that comes now waits for us.
  SELECT status INTO found_status FROM users WHERE id = account FOR KEY SHARE;
  IF NOT FOUND THEN
    -- An organization. Of a personal account only the user is locked: with both rows, an erasure would deadlock.
    SELECT status INTO found_status FROM accounts WHERE id = account FOR KEY SHARE;
  END IF;
  RETURN coalesce(found_status = 'DELETED', false);
END
$$;
