-- Users who said that they are an organization get one, and own it. What they have stays in their personal account.
WITH organization AS (
  SELECT lpad(to_hex(extract(epoch FROM now())::bigint), 8, '0') || left(encode(sha256(uuid_send(gen_random_uuid())), 'hex'), 16) AS id,
         users.id AS user_id, users.organization_name AS name, users.language, users.time_zone, users.enterprise_mode
  FROM users
  WHERE users.account_type = 'ORGANIZATION' AND users.status = 'ACTIVE' AND length(users.organization_name) BETWEEN 1 AND 200
), inserted AS (
  INSERT INTO accounts (id, type, name, language, time_zone, enterprise_mode)
  SELECT id, 'ORGANIZATION', name, language, time_zone, enterprise_mode FROM organization
  RETURNING id
), actor AS (
  INSERT INTO audit_actors (reference, user_id)
  SELECT left(replace(gen_random_uuid()::text, '-', ''), 24), id FROM inserted
)
INSERT INTO memberships (account_id, user_id, role)
SELECT organization.id, organization.user_id, 'OWNER' FROM organization JOIN inserted ON inserted.id = organization.id;
