-- Compatible with earlier versions: yes
-- Browsers as devices that receive push notifications.

ALTER TABLE push_devices
  ADD COLUMN vapid_public_key text
    CONSTRAINT push_devices_vapid_public_key_shape CHECK (vapid_public_key ~ '^[A-Za-z0-9_-]{87}$');
COMMENT ON COLUMN push_devices.vapid_public_key IS 'Public key that a browser subscribed with, in base64url; null for a device of Firebase.';
COMMENT ON CONSTRAINT push_devices_vapid_public_key_shape ON push_devices IS '65 bytes in base64url.';
COMMENT ON COLUMN push_devices.token IS 'By what it is reached, encrypted: a token of Firebase, or the subscription of a browser.';
