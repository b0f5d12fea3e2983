-- How a notification reaches a person: when it is to be looked at, what was sent by which channel, and what they wish.

ALTER TABLE notifications ADD COLUMN key text COLLATE "C";
UPDATE notifications SET key = id;
ALTER TABLE notifications ALTER COLUMN key SET NOT NULL;
ALTER TABLE notifications ADD CONSTRAINT notifications_user_id_key_key UNIQUE (user_id, key);
COMMENT ON COLUMN notifications.key IS 'What it is about, so that nobody is told of the same twice: the event with an id, or with a day.';
COMMENT ON CONSTRAINT notifications_user_id_key_key ON notifications IS 'A person is told once of an event.';

-- Those that are there were seen in the application, or will be.
ALTER TABLE notifications ADD COLUMN due_at timestamptz(3);
ALTER TABLE notifications ALTER COLUMN due_at SET DEFAULT now();
COMMENT ON COLUMN notifications.due_at IS 'When its channels are to be decided on; null once they are.';
CREATE INDEX notifications_due_at_idx ON notifications (due_at) WHERE due_at IS NOT NULL;
COMMENT ON INDEX notifications_due_at_idx IS 'Serves: what is to be sent next.';

ALTER TABLE notifications ADD COLUMN dismissed_at timestamptz(3);
COMMENT ON COLUMN notifications.dismissed_at IS 'When the person deleted it, or since when a digest gathers; its key stays until retention removes the row, its data goes at once.';

DROP INDEX notifications_user_id_idx;
CREATE INDEX notifications_user_id_idx ON notifications (user_id, created_at DESC, id DESC) WHERE dismissed_at IS NULL;
COMMENT ON INDEX notifications_user_id_idx IS 'Serves: a person''s notifications, newest first, and how many there are.';
CREATE INDEX notifications_read_at_idx ON notifications (read_at) WHERE read_at IS NOT NULL;
COMMENT ON INDEX notifications_read_at_idx IS 'Serves: the removal of what was read long ago.';
CREATE INDEX notifications_dismissed_at_idx ON notifications (dismissed_at) WHERE dismissed_at IS NOT NULL;
COMMENT ON INDEX notifications_dismissed_at_idx IS 'Serves: the removal of what was deleted long ago.';

CREATE TABLE notification_deliveries (
  id              text COLLATE "C" NOT NULL,
  notification_id text COLLATE "C" NOT NULL,
  user_id         text COLLATE "C" NOT NULL,
  channel         text NOT NULL,
  device_id       text COLLATE "C",
  mail_id         text COLLATE "C",
  status          text NOT NULL DEFAULT 'WAITING',
  reason          text,
  attempts        integer NOT NULL DEFAULT 0,
  due_at          timestamptz(3),
  at              timestamptz(3) NOT NULL DEFAULT now(),
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT notification_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT notification_deliveries_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES notifications (id) ON DELETE CASCADE,
  CONSTRAINT notification_deliveries_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT notification_deliveries_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT notification_deliveries_channel_known CHECK (channel IN ('EMAIL', 'PUSH')),
  CONSTRAINT notification_deliveries_status_known CHECK (status IN ('WAITING', 'DELIVERED', 'NOT_SENT', 'FAILED')),
  CONSTRAINT notification_deliveries_once UNIQUE NULLS NOT DISTINCT (notification_id, channel, device_id)
);
COMMENT ON TABLE notification_deliveries IS 'How a notification was sent beside the application, channel by channel.';
COMMENT ON COLUMN notification_deliveries.id IS 'Record id; the key by which a repeat is no second push.';
COMMENT ON COLUMN notification_deliveries.notification_id IS 'The notification.';
COMMENT ON COLUMN notification_deliveries.user_id IS 'Its person.';
COMMENT ON COLUMN notification_deliveries.channel IS 'EMAIL or PUSH.';
COMMENT ON COLUMN notification_deliveries.device_id IS 'The device of a push; null for a mail, and where there is no device.';
COMMENT ON COLUMN notification_deliveries.mail_id IS 'The mail of the outbox. Without a foreign key: mails are forgotten earlier.';
COMMENT ON COLUMN notification_deliveries.status IS 'WAITING, DELIVERED (taken by the provider), NOT_SENT (it was not to be) or FAILED.';
COMMENT ON COLUMN notification_deliveries.reason IS 'Why it waits, was not sent, or failed, as a word.';
COMMENT ON COLUMN notification_deliveries.attempts IS 'Tries so far.';
COMMENT ON COLUMN notification_deliveries.due_at IS 'When it is to be sent, where it is held back for quiet hours; else null.';
COMMENT ON COLUMN notification_deliveries.at IS 'When the status last changed.';
COMMENT ON COLUMN notification_deliveries.created_at IS 'When the row was made.';
COMMENT ON CONSTRAINT notification_deliveries_pkey ON notification_deliveries IS 'One row a record id.';
COMMENT ON CONSTRAINT notification_deliveries_notification_id_fkey ON notification_deliveries IS 'With its notification.';
COMMENT ON CONSTRAINT notification_deliveries_user_id_fkey ON notification_deliveries IS 'With its person.';
COMMENT ON CONSTRAINT notification_deliveries_id_shape ON notification_deliveries IS 'A record id: 24 hexadecimal digits.';
COMMENT ON CONSTRAINT notification_deliveries_channel_known ON notification_deliveries IS 'EMAIL or PUSH.';
COMMENT ON CONSTRAINT notification_deliveries_status_known ON notification_deliveries IS 'WAITING, DELIVERED, NOT_SENT or FAILED.';
COMMENT ON CONSTRAINT notification_deliveries_once ON notification_deliveries IS 'A notification is sent once by each channel, to each device.';
CREATE INDEX notification_deliveries_due_at_idx ON notification_deliveries (due_at) WHERE due_at IS NOT NULL;
COMMENT ON INDEX notification_deliveries_due_at_idx IS 'Serves: what was held back and is to be sent now.';
CREATE INDEX notification_deliveries_mail_id_idx ON notification_deliveries (mail_id) WHERE mail_id IS NOT NULL;
COMMENT ON INDEX notification_deliveries_mail_id_idx IS 'Serves: what became of a mail.';
CREATE INDEX notification_deliveries_gathered_idx ON notification_deliveries (user_id) WHERE status = 'WAITING' AND reason = 'DIGEST';
COMMENT ON INDEX notification_deliveries_gathered_idx IS 'Serves: what a digest is to tell of.';
CREATE INDEX notification_deliveries_user_id_idx ON notification_deliveries (user_id);
COMMENT ON INDEX notification_deliveries_user_id_idx IS 'Serves: the erasure of an account.';
CREATE TRIGGER notification_deliveries_of_living BEFORE INSERT ON notification_deliveries
  FOR EACH ROW EXECUTE FUNCTION refuse_for_erased('user_id');
COMMENT ON TRIGGER notification_deliveries_of_living ON notification_deliveries IS 'Nothing is sent to an erased account.';

CREATE TABLE notification_settings (
  user_id     text COLLATE "C" NOT NULL,
  preferences jsonb NOT NULL DEFAULT '{}',
  quiet_from  time(0),
  quiet_to    time(0),
  digest      text NOT NULL DEFAULT 'AUTOMATIC',
  version     integer NOT NULL DEFAULT 1,
  updated_at  timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT notification_settings_pkey PRIMARY KEY (user_id),
  CONSTRAINT notification_settings_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT notification_settings_digest_known CHECK (digest IN ('AUTOMATIC', 'HOURLY', 'DAILY', 'NEVER')),
  CONSTRAINT notification_settings_quiet_whole CHECK ((quiet_from IS NULL) = (quiet_to IS NULL))
);
COMMENT ON TABLE notification_settings IS 'What a person wishes to be told of and how; no row where all is as it comes.';
COMMENT ON COLUMN notification_settings.user_id IS 'The person.';
COMMENT ON COLUMN notification_settings.preferences IS 'By event and channel, whether it is sent; what is not named is as it comes.';
COMMENT ON COLUMN notification_settings.quiet_from IS 'When quiet hours begin, in the person''s time zone; null for none.';
COMMENT ON COLUMN notification_settings.quiet_to IS 'When they end; before the beginning where they go past midnight.';
COMMENT ON COLUMN notification_settings.digest IS 'When ordinary scans are told of together: AUTOMATIC (once they become many), HOURLY, DAILY or NEVER.';
COMMENT ON COLUMN notification_settings.version IS 'Grows with each change.';
COMMENT ON COLUMN notification_settings.updated_at IS 'When it was last changed.';
COMMENT ON CONSTRAINT notification_settings_pkey ON notification_settings IS 'A person has one row.';
COMMENT ON CONSTRAINT notification_settings_user_id_fkey ON notification_settings IS 'With the person.';
COMMENT ON CONSTRAINT notification_settings_digest_known ON notification_settings IS 'AUTOMATIC, HOURLY, DAILY or NEVER.';
COMMENT ON CONSTRAINT notification_settings_quiet_whole ON notification_settings IS 'Quiet hours have a beginning and an end, or neither.';
CREATE TRIGGER notification_settings_of_living BEFORE INSERT ON notification_settings
  FOR EACH ROW EXECUTE FUNCTION refuse_for_erased('user_id');
COMMENT ON TRIGGER notification_settings_of_living ON notification_settings IS 'An erased account wishes nothing.';

ALTER TABLE qr_codes ADD COLUMN notify_on text NOT NULL DEFAULT 'EVERY_SCAN';
ALTER TABLE qr_codes ADD CONSTRAINT qr_codes_notify_on_known CHECK (notify_on IN ('EVERY_SCAN', 'FIRST_OF_DAY', 'ONLY_LOST', 'NEVER'));
COMMENT ON COLUMN qr_codes.notify_on IS 'Of which scans by people its owner is told: EVERY_SCAN, FIRST_OF_DAY (in their time zone), ONLY_LOST or NEVER.';
COMMENT ON CONSTRAINT qr_codes_notify_on_known ON qr_codes IS 'EVERY_SCAN, FIRST_OF_DAY, ONLY_LOST or NEVER.';
