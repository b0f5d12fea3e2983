-- Outgoing mails, notifications and their deliveries, push devices, and events for open sockets.

-- ---------------------------------------------------------------------------------------------
-- Mails
-- ---------------------------------------------------------------------------------------------

CREATE TABLE outgoing_mails (
  id             text COLLATE "C" NOT NULL,
  template       text NOT NULL,
  content        bytea,
  recipient_hash bytea,
  status         text NOT NULL DEFAULT 'WAITING',
  attempts       integer NOT NULL DEFAULT 0,
  reason         text,
  created_at     timestamptz(3) NOT NULL DEFAULT now(),
  sent_at        timestamptz(3),
  CONSTRAINT outgoing_mails_pkey PRIMARY KEY (id),
  CONSTRAINT outgoing_mails_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT outgoing_mails_status_known CHECK (status IN ('WAITING', 'SENT', 'FAILED')),
  CONSTRAINT outgoing_mails_content_only_while_waiting CHECK ((status = 'WAITING') = (content IS NOT NULL)),
  CONSTRAINT outgoing_mails_sent_complete CHECK ((status = 'SENT') = (sent_at IS NOT NULL)),
  CONSTRAINT outgoing_mails_recipient_only_while_waiting CHECK (status = 'WAITING' OR recipient_hash IS NULL)
);
COMMENT ON TABLE outgoing_mails IS 'The outbox: a mail is written in the transaction of what causes it and sent by a job that knows only its id.';
COMMENT ON COLUMN outgoing_mails.id IS 'Record id; also the Message-ID, so that a repeat is harmless.';
COMMENT ON COLUMN outgoing_mails.template IS 'Which mail it is.';
COMMENT ON COLUMN outgoing_mails.content IS 'Recipient, subject and body, encrypted; deleted once sent or given up.';
COMMENT ON COLUMN outgoing_mails.recipient_hash IS 'Keyed hash of the recipient''s address, by which erasure finds the mails that wait; deleted with the content.';
COMMENT ON COLUMN outgoing_mails.status IS 'WAITING, SENT or FAILED.';
COMMENT ON COLUMN outgoing_mails.attempts IS 'Tries so far.';
COMMENT ON COLUMN outgoing_mails.reason IS 'Why the last try failed, as a word.';
COMMENT ON COLUMN outgoing_mails.created_at IS 'When the row was made.';
COMMENT ON COLUMN outgoing_mails.sent_at IS 'When the provider took it.';
COMMENT ON CONSTRAINT outgoing_mails_content_only_while_waiting ON outgoing_mails IS 'The content is there while the mail waits, and gone afterwards.';
COMMENT ON CONSTRAINT outgoing_mails_sent_complete ON outgoing_mails IS 'A mail that was sent, and no other, has the time of it.';
COMMENT ON CONSTRAINT outgoing_mails_recipient_only_while_waiting ON outgoing_mails IS 'Whom it is for is noted while the mail waits, and gone afterwards.';
CREATE INDEX outgoing_mails_waiting_idx ON outgoing_mails (id) WHERE status = 'WAITING';
COMMENT ON INDEX outgoing_mails_waiting_idx IS 'Serves: looking for mails that nobody sends any more.';
CREATE INDEX outgoing_mails_recipient_hash_idx ON outgoing_mails (recipient_hash) WHERE recipient_hash IS NOT NULL;
COMMENT ON INDEX outgoing_mails_recipient_hash_idx IS 'Serves: giving up what waits for an address that was erased.';

-- ---------------------------------------------------------------------------------------------
-- Notifications
-- ---------------------------------------------------------------------------------------------

CREATE TABLE notifications (
  id           text COLLATE "C" NOT NULL,
  user_id      text COLLATE "C" NOT NULL,
  type         text NOT NULL,
  event        text NOT NULL,
  key          text COLLATE "C" NOT NULL,
  data         jsonb NOT NULL DEFAULT '{}',
  due_at       timestamptz(3) DEFAULT now(),
  read_at      timestamptz(3),
  dismissed_at timestamptz(3),
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT notifications_pkey PRIMARY KEY (id),
  CONSTRAINT notifications_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT notifications_user_id_key_key UNIQUE (user_id, key),
  CONSTRAINT notifications_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT notifications_type_known CHECK (type IN ('DEFAULT', 'ALERT', 'MESSAGE', 'SYSTEM'))
);
COMMENT ON TABLE notifications IS 'Notifications of users in the application.';
COMMENT ON COLUMN notifications.id IS 'Record id.';
COMMENT ON COLUMN notifications.user_id IS 'The recipient.';
COMMENT ON COLUMN notifications.type IS 'DEFAULT (ordinary), ALERT, MESSAGE or SYSTEM.';
COMMENT ON COLUMN notifications.event IS 'What happened, such as QR_CODE_SCANNED or NEW_LOGIN.';
COMMENT ON COLUMN notifications.key IS 'Deduplication key, so that nobody is notified of the same twice: the event with an id or a day.';
COMMENT ON COLUMN notifications.data IS 'Ids that a client needs to open what it is about, and names to put into its sentences; nothing private.';
COMMENT ON COLUMN notifications.due_at IS 'When its channels are to be decided on; null once they are.';
COMMENT ON COLUMN notifications.read_at IS 'When it was read.';
COMMENT ON COLUMN notifications.dismissed_at IS 'When the user deleted it, or when it was collected for a digest. Its data is deleted at once; the row stays until retention removes it.';
COMMENT ON COLUMN notifications.created_at IS 'When the row was made.';
COMMENT ON CONSTRAINT notifications_user_id_key_key ON notifications IS 'A user is notified once of an event.';
CREATE INDEX notifications_unread_idx ON notifications (user_id) WHERE read_at IS NULL;
COMMENT ON INDEX notifications_unread_idx IS 'Serves: the number of unread ones.';
CREATE INDEX notifications_due_at_idx ON notifications (due_at) WHERE due_at IS NOT NULL;
COMMENT ON INDEX notifications_due_at_idx IS 'Serves: what is to be sent next.';
CREATE INDEX notifications_user_id_idx ON notifications (user_id, created_at DESC, id DESC) WHERE dismissed_at IS NULL;
COMMENT ON INDEX notifications_user_id_idx IS 'Serves: a user''s notifications, newest first, and their number.';
CREATE INDEX notifications_read_at_idx ON notifications (read_at) WHERE read_at IS NOT NULL;
COMMENT ON INDEX notifications_read_at_idx IS 'Serves: the removal of what was read long ago.';
CREATE INDEX notifications_dismissed_at_idx ON notifications (dismissed_at) WHERE dismissed_at IS NOT NULL;
COMMENT ON INDEX notifications_dismissed_at_idx IS 'Serves: the removal of what was deleted long ago.';
CREATE TRIGGER notifications_erasure_guard BEFORE INSERT ON notifications
  FOR EACH ROW EXECUTE FUNCTION skip_erased_account();
COMMENT ON TRIGGER notifications_erasure_guard ON notifications IS 'No notification is stored for an erased account.';

CREATE TABLE notification_deliveries (
  id                text COLLATE "C" NOT NULL,
  notification_id   text COLLATE "C" NOT NULL,
  user_id           text COLLATE "C" NOT NULL,
  channel           text NOT NULL,
  device_id         text COLLATE "C",
  mail_id           text COLLATE "C",
  status            text NOT NULL DEFAULT 'WAITING',
  reason            text,
  attempts          integer NOT NULL DEFAULT 0,
  due_at            timestamptz(3),
  status_changed_at timestamptz(3) NOT NULL DEFAULT now(),
  created_at        timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT notification_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT notification_deliveries_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES notifications (id) ON DELETE CASCADE,
  CONSTRAINT notification_deliveries_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT notification_deliveries_notification_channel_device_key UNIQUE NULLS NOT DISTINCT (notification_id, channel, device_id),
  CONSTRAINT notification_deliveries_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT notification_deliveries_channel_known CHECK (channel IN ('EMAIL', 'PUSH')),
  CONSTRAINT notification_deliveries_status_known CHECK (status IN ('WAITING', 'DELIVERED', 'NOT_SENT', 'FAILED'))
);
COMMENT ON TABLE notification_deliveries IS 'How a notification was sent beside the application, channel by channel.';
COMMENT ON COLUMN notification_deliveries.id IS 'Record id; the key by which a repeat is no second push.';
COMMENT ON COLUMN notification_deliveries.notification_id IS 'The notification.';
COMMENT ON COLUMN notification_deliveries.user_id IS 'The recipient.';
COMMENT ON COLUMN notification_deliveries.channel IS 'EMAIL or PUSH.';
COMMENT ON COLUMN notification_deliveries.device_id IS 'The device of a push; null for a mail, and where there is no device.';
COMMENT ON COLUMN notification_deliveries.mail_id IS 'The mail of the outbox. Without a foreign key: mails are forgotten earlier.';
COMMENT ON COLUMN notification_deliveries.status IS 'WAITING, DELIVERED (taken by the provider), NOT_SENT (it was not to be) or FAILED.';
COMMENT ON COLUMN notification_deliveries.reason IS 'Why it waits, was not sent, or failed, as a word.';
COMMENT ON COLUMN notification_deliveries.attempts IS 'Tries so far.';
COMMENT ON COLUMN notification_deliveries.due_at IS 'When a delivery that was deferred for quiet hours is sent; else null.';
COMMENT ON COLUMN notification_deliveries.status_changed_at IS 'When the status last changed.';
COMMENT ON COLUMN notification_deliveries.created_at IS 'When the row was made.';
COMMENT ON CONSTRAINT notification_deliveries_pkey ON notification_deliveries IS 'One row a record id.';
COMMENT ON CONSTRAINT notification_deliveries_notification_id_fkey ON notification_deliveries IS 'With its notification.';
COMMENT ON CONSTRAINT notification_deliveries_user_id_fkey ON notification_deliveries IS 'Deleted with its user.';
COMMENT ON CONSTRAINT notification_deliveries_notification_channel_device_key ON notification_deliveries IS 'A notification is sent once by each channel, to each device.';
COMMENT ON CONSTRAINT notification_deliveries_channel_known ON notification_deliveries IS 'EMAIL or PUSH.';
COMMENT ON CONSTRAINT notification_deliveries_status_known ON notification_deliveries IS 'WAITING, DELIVERED, NOT_SENT or FAILED.';
CREATE INDEX notification_deliveries_due_at_idx ON notification_deliveries (due_at) WHERE due_at IS NOT NULL;
COMMENT ON INDEX notification_deliveries_due_at_idx IS 'Serves: deferred deliveries that are due.';
CREATE INDEX notification_deliveries_mail_id_idx ON notification_deliveries (mail_id) WHERE mail_id IS NOT NULL;
COMMENT ON INDEX notification_deliveries_mail_id_idx IS 'Serves: what became of a mail.';
CREATE INDEX notification_deliveries_digest_idx ON notification_deliveries (user_id) WHERE status = 'WAITING' AND reason = 'DIGEST';
COMMENT ON INDEX notification_deliveries_digest_idx IS 'Serves: the deliveries to combine into a digest.';
CREATE INDEX notification_deliveries_user_id_idx ON notification_deliveries (user_id);
COMMENT ON INDEX notification_deliveries_user_id_idx IS 'Serves: the erasure of an account.';
CREATE INDEX notification_deliveries_waiting_idx ON notification_deliveries (id) WHERE status = 'WAITING' AND device_id IS NOT NULL;
COMMENT ON INDEX notification_deliveries_waiting_idx IS 'Serves: looking for pushes that nobody sends any more.';
CREATE TRIGGER notification_deliveries_erasure_guard BEFORE INSERT ON notification_deliveries
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('user_id');
COMMENT ON TRIGGER notification_deliveries_erasure_guard ON notification_deliveries IS 'No delivery is stored for an erased account.';

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
  CONSTRAINT notification_settings_quiet_complete CHECK ((quiet_from IS NULL) = (quiet_to IS NULL))
);
COMMENT ON TABLE notification_settings IS 'Notification settings of a user; no row if all are defaults.';
COMMENT ON COLUMN notification_settings.user_id IS 'The user.';
COMMENT ON COLUMN notification_settings.preferences IS 'By event and channel, whether it is sent; what is not named has its default.';
COMMENT ON COLUMN notification_settings.quiet_from IS 'When quiet hours begin, in the user''s time zone; null for none.';
COMMENT ON COLUMN notification_settings.quiet_to IS 'When they end; before the beginning where they go past midnight.';
COMMENT ON COLUMN notification_settings.digest IS 'When notifications of ordinary scans are combined: AUTOMATIC (once there are many), HOURLY, DAILY or NEVER.';
COMMENT ON COLUMN notification_settings.version IS 'Grows with each change.';
COMMENT ON COLUMN notification_settings.updated_at IS 'When it was last changed.';
COMMENT ON CONSTRAINT notification_settings_pkey ON notification_settings IS 'One row per user.';
COMMENT ON CONSTRAINT notification_settings_user_id_fkey ON notification_settings IS 'Deleted with the user.';
COMMENT ON CONSTRAINT notification_settings_digest_known ON notification_settings IS 'AUTOMATIC, HOURLY, DAILY or NEVER.';
COMMENT ON CONSTRAINT notification_settings_quiet_complete ON notification_settings IS 'Quiet hours have a beginning and an end, or neither.';
CREATE TRIGGER notification_settings_erasure_guard BEFORE INSERT ON notification_settings
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('user_id');
COMMENT ON TRIGGER notification_settings_erasure_guard ON notification_settings IS 'No settings are stored for an erased account.';

-- ---------------------------------------------------------------------------------------------
-- Push devices
-- ---------------------------------------------------------------------------------------------

CREATE TABLE push_devices (
  id           text COLLATE "C" NOT NULL,
  user_id      text COLLATE "C" NOT NULL,
  session_id   text COLLATE "C" NOT NULL,
  platform     text NOT NULL,
  name         text,
  token        bytea NOT NULL,
  token_hash   bytea NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT push_devices_pkey PRIMARY KEY (id),
  CONSTRAINT push_devices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT push_devices_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions (id) ON DELETE CASCADE,
  CONSTRAINT push_devices_token_hash_key UNIQUE (token_hash),
  CONSTRAINT push_devices_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT push_devices_platform_known CHECK (platform IN ('ANDROID', 'IOS', 'WEB'))
);
COMMENT ON TABLE push_devices IS 'Devices that receive push notifications of a user, 20 at most.';
COMMENT ON COLUMN push_devices.id IS 'Record id.';
COMMENT ON COLUMN push_devices.user_id IS 'The user.';
COMMENT ON COLUMN push_devices.session_id IS 'The session it registered in; when that ends, nothing is sent to it any more.';
COMMENT ON COLUMN push_devices.platform IS 'ANDROID, IOS or WEB.';
COMMENT ON COLUMN push_devices.name IS 'Name that the user gave the device; null if none.';
COMMENT ON COLUMN push_devices.token IS 'By what the provider reaches it, encrypted.';
COMMENT ON COLUMN push_devices.token_hash IS 'Keyed hash of the token, so that a device is known again.';
COMMENT ON COLUMN push_devices.created_at IS 'When it registered first.';
COMMENT ON COLUMN push_devices.last_used_at IS 'When it registered last.';
COMMENT ON CONSTRAINT push_devices_pkey ON push_devices IS 'One row a record id.';
COMMENT ON CONSTRAINT push_devices_user_id_fkey ON push_devices IS 'Deleted with its user.';
COMMENT ON CONSTRAINT push_devices_session_id_fkey ON push_devices IS 'With its session.';
COMMENT ON CONSTRAINT push_devices_token_hash_key ON push_devices IS 'A device belongs to one user: the one who is logged in on it.';
COMMENT ON CONSTRAINT push_devices_platform_known ON push_devices IS 'ANDROID, IOS or WEB.';
CREATE INDEX push_devices_user_id_idx ON push_devices (user_id, last_used_at DESC, id DESC);
COMMENT ON INDEX push_devices_user_id_idx IS 'Serves: a user''s devices, the last used first, and the erasure of an account.';
CREATE INDEX push_devices_session_id_idx ON push_devices (session_id);
COMMENT ON INDEX push_devices_session_id_idx IS 'Serves: the end of a session.';
CREATE TRIGGER push_devices_erasure_guard BEFORE INSERT ON push_devices
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('user_id');
COMMENT ON TRIGGER push_devices_erasure_guard ON push_devices IS 'No device is stored for an erased account.';

CREATE FUNCTION delete_session_devices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM push_devices WHERE session_id = NEW.id;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION delete_session_devices() IS 'Deletes the push devices of a session that has ended.';

CREATE TRIGGER sessions_delete_devices AFTER UPDATE OF ended_at ON sessions
  FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL)
  EXECUTE FUNCTION delete_session_devices();
COMMENT ON TRIGGER sessions_delete_devices ON sessions IS 'A device gets no push notifications after the end of its session.';

-- ---------------------------------------------------------------------------------------------
-- Realtime
-- ---------------------------------------------------------------------------------------------

CREATE TABLE realtime_streams (
  stream          text COLLATE "C" NOT NULL,
  user_id         text COLLATE "C",
  conversation_id text COLLATE "C",
  last_seq        bigint NOT NULL,
  last_event_id   text COLLATE "C" NOT NULL,
  CONSTRAINT realtime_streams_pkey PRIMARY KEY (stream),
  CONSTRAINT realtime_streams_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT realtime_streams_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations (id) ON DELETE CASCADE,
  CONSTRAINT realtime_streams_name_complete CHECK (coalesce(stream = 'u:' || user_id, false) <> coalesce(stream = 'c:' || conversation_id, false)),
  CONSTRAINT realtime_streams_last_seq_positive CHECK (last_seq > 0),
  CONSTRAINT realtime_streams_last_event_id_shape CHECK (last_event_id ~ '^[0-9a-f]{24}$')
) WITH (fillfactor = 70);
COMMENT ON TABLE realtime_streams IS 'Streams of events: one for an account, one for a conversation. Adding an event locks the row until the commit, so that events are numbered in the order in which they become visible.';
COMMENT ON COLUMN realtime_streams.stream IS 'u: and the id of an account, or c: and the id of a conversation.';
COMMENT ON COLUMN realtime_streams.user_id IS 'The account; null of a conversation.';
COMMENT ON COLUMN realtime_streams.conversation_id IS 'The conversation; null of an account.';
COMMENT ON COLUMN realtime_streams.last_seq IS 'Number of the last event, which may have been removed already.';
COMMENT ON COLUMN realtime_streams.last_event_id IS 'Id of the last event.';
COMMENT ON CONSTRAINT realtime_streams_pkey ON realtime_streams IS 'One row a stream.';
COMMENT ON CONSTRAINT realtime_streams_user_id_fkey ON realtime_streams IS 'With the account.';
COMMENT ON CONSTRAINT realtime_streams_conversation_id_fkey ON realtime_streams IS 'With the conversation.';
COMMENT ON CONSTRAINT realtime_streams_name_complete ON realtime_streams IS 'The name says whose it is: of an account or of a conversation.';
COMMENT ON CONSTRAINT realtime_streams_last_seq_positive ON realtime_streams IS 'Numbers begin with one.';
-- Neither is unique, although a user or conversation has one stream: INSERT … ON CONFLICT (stream) would fail at a second
-- unique index when two transactions create a stream at once.
CREATE INDEX realtime_streams_user_id_idx ON realtime_streams (user_id);
COMMENT ON INDEX realtime_streams_user_id_idx IS 'Serves: the removal of an account.';
CREATE INDEX realtime_streams_conversation_id_idx ON realtime_streams (conversation_id);
COMMENT ON INDEX realtime_streams_conversation_id_idx IS 'Serves: the removal of a conversation.';
CREATE TRIGGER realtime_streams_erasure_guard BEFORE INSERT ON realtime_streams
  FOR EACH ROW WHEN (NEW.user_id IS NOT NULL) EXECUTE FUNCTION skip_erased_account();
COMMENT ON TRIGGER realtime_streams_erasure_guard ON realtime_streams IS 'No stream is created for an erased account.';

CREATE TABLE realtime_events (
  stream     text COLLATE "C" NOT NULL,
  seq        bigint NOT NULL,
  id         text COLLATE "C" NOT NULL,
  event      text NOT NULL,
  data       jsonb NOT NULL,
  -- Not now(): the times of a stream must not run against its numbers.
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT realtime_events_pkey PRIMARY KEY (stream, seq),
  CONSTRAINT realtime_events_stream_fkey FOREIGN KEY (stream) REFERENCES realtime_streams (stream) ON DELETE CASCADE,
  CONSTRAINT realtime_events_stream_id_key UNIQUE (stream, id),
  CONSTRAINT realtime_events_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT realtime_events_event_shape CHECK (event ~ '^[a-z]+\.[a-z]+$')
);
COMMENT ON TABLE realtime_events IS 'Events that sockets hear; kept for seven days, for those who were away.';
COMMENT ON COLUMN realtime_events.stream IS 'The stream.';
COMMENT ON COLUMN realtime_events.seq IS 'Number within the stream, without gaps.';
COMMENT ON COLUMN realtime_events.id IS 'Record id; the same event has the same id in each of its streams.';
COMMENT ON COLUMN realtime_events.event IS 'What happened, such as message.created.';
COMMENT ON COLUMN realtime_events.data IS 'Ids of what it is about; nothing that anybody wrote.';
COMMENT ON COLUMN realtime_events.created_at IS 'When it was added.';
COMMENT ON CONSTRAINT realtime_events_pkey ON realtime_events IS 'A number is given once in a stream. Serves: what is new in a stream.';
COMMENT ON CONSTRAINT realtime_events_stream_fkey ON realtime_events IS 'With the stream.';
COMMENT ON CONSTRAINT realtime_events_stream_id_key ON realtime_events IS 'An event is once in a stream. Serves: where somebody stopped who was away.';
COMMENT ON CONSTRAINT realtime_events_event_shape ON realtime_events IS 'A noun, a point and a verb.';
CREATE INDEX realtime_events_created_at_idx ON realtime_events (created_at);
COMMENT ON INDEX realtime_events_created_at_idx IS 'Serves: the removal of what is old.';
