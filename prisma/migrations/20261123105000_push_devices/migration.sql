-- The devices that pushes go to. A device belongs to the session it registered in, and goes with it.

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
COMMENT ON TABLE push_devices IS 'Devices that a person is reached on by push, 20 at most.';
COMMENT ON COLUMN push_devices.id IS 'Record id.';
COMMENT ON COLUMN push_devices.user_id IS 'The person.';
COMMENT ON COLUMN push_devices.session_id IS 'The session it registered in; when that ends, nothing is sent to it any more.';
COMMENT ON COLUMN push_devices.platform IS 'ANDROID, IOS or WEB.';
COMMENT ON COLUMN push_devices.name IS 'What the person calls it; null where nobody said.';
COMMENT ON COLUMN push_devices.token IS 'By what the provider reaches it, encrypted.';
COMMENT ON COLUMN push_devices.token_hash IS 'Keyed hash of the token, so that a device is known again.';
COMMENT ON COLUMN push_devices.created_at IS 'When it registered first.';
COMMENT ON COLUMN push_devices.last_used_at IS 'When it registered last.';
COMMENT ON CONSTRAINT push_devices_pkey ON push_devices IS 'One row a record id.';
COMMENT ON CONSTRAINT push_devices_user_id_fkey ON push_devices IS 'With its person.';
COMMENT ON CONSTRAINT push_devices_session_id_fkey ON push_devices IS 'With its session.';
COMMENT ON CONSTRAINT push_devices_token_hash_key ON push_devices IS 'A device belongs to one person: whoever is logged in on it.';
COMMENT ON CONSTRAINT push_devices_id_shape ON push_devices IS 'A record id: 24 hexadecimal digits.';
COMMENT ON CONSTRAINT push_devices_platform_known ON push_devices IS 'ANDROID, IOS or WEB.';
CREATE INDEX push_devices_user_id_idx ON push_devices (user_id, last_used_at DESC, id DESC);
COMMENT ON INDEX push_devices_user_id_idx IS 'Serves: a person''s devices, the last used first, and the erasure of an account.';
CREATE INDEX push_devices_session_id_idx ON push_devices (session_id);
COMMENT ON INDEX push_devices_session_id_idx IS 'Serves: the end of a session.';
CREATE TRIGGER push_devices_of_living BEFORE INSERT ON push_devices
  FOR EACH ROW EXECUTE FUNCTION refuse_for_erased('user_id');
COMMENT ON TRIGGER push_devices_of_living ON push_devices IS 'A registration that an erasure overtook leaves no device.';

CREATE FUNCTION forget_devices_of_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM push_devices WHERE session_id = NEW.id;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION forget_devices_of_session() IS 'Forgets the devices of a session that has ended, however it did.';
CREATE TRIGGER sessions_forget_devices AFTER UPDATE OF ended_at ON sessions
  FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL)
  EXECUTE FUNCTION forget_devices_of_session();
COMMENT ON TRIGGER sessions_forget_devices ON sessions IS 'A device gets no pushes once the session is over that it registered in.';

CREATE INDEX notification_deliveries_waiting_idx ON notification_deliveries (id) WHERE status = 'WAITING' AND device_id IS NOT NULL;
COMMENT ON INDEX notification_deliveries_waiting_idx IS 'Serves: looking for pushes that nobody sends any more.';
