-- Organizations have a reference in the trail, as users do. Who creates one inserts it.
INSERT INTO audit_actors (reference, user_id)
SELECT left(replace(gen_random_uuid()::text, '-', ''), 24), id FROM accounts WHERE type = 'ORGANIZATION';

CREATE OR REPLACE FUNCTION audit_subject(resource_type text, resource_id text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT reference FROM audit_actors WHERE user_id = CASE resource_type
    WHEN 'USER' THEN resource_id
    WHEN 'ORGANIZATION' THEN resource_id
    WHEN 'SESSION' THEN (SELECT user_id FROM sessions WHERE id = resource_id)
    WHEN 'QRCODE' THEN (SELECT account_id FROM qr_codes WHERE id = resource_id)
    WHEN 'SCAN' THEN (SELECT account_id FROM scans WHERE id = resource_id)
    WHEN 'CONVERSATION' THEN (SELECT account_id FROM conversations WHERE id = resource_id)
    WHEN 'NOTIFICATION' THEN (SELECT user_id FROM notifications WHERE id = resource_id)
    WHEN 'MEMORY_TAG' THEN (SELECT account_id FROM memory_tags WHERE id = resource_id)
    WHEN 'SUBSCRIPTION' THEN (SELECT account_id FROM subscriptions WHERE id = resource_id)
    WHEN 'DOCUMENT' THEN (SELECT account_id FROM documents WHERE id = resource_id)
  END
$$;
COMMENT ON FUNCTION audit_subject(text, text) IS 'The reference of the user or organization that a record belongs to; null if it belongs to nobody or was deleted.';
