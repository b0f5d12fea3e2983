-- Compatible with earlier versions: yes
CREATE TABLE webhook_endpoints (
  id              text COLLATE "C" NOT NULL,
  user_id         text COLLATE "C" NOT NULL,
  url             bytea NOT NULL,
  secrets         bytea NOT NULL,
  event_types     text[] NOT NULL,
  description     text,
  disabled_at     timestamptz(3),
  disabled_reason text,
  failing_since   timestamptz(3),
  failed_batches  integer NOT NULL DEFAULT 0,
  is_slow         boolean NOT NULL DEFAULT false,
  paused_until    timestamptz(3),
  claimed_until   timestamptz(3),
  version         integer NOT NULL DEFAULT 1,
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  updated_at      timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_endpoints_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT webhook_endpoints_id_shape CHECK (id ~ '^[0-9a-f]{24}$'),
  CONSTRAINT webhook_endpoints_disabled_complete CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL)),
  CONSTRAINT webhook_endpoints_disabled_reason_known CHECK (disabled_reason IN ('OWNER', 'FAILING', 'GONE'))
);
COMMENT ON TABLE webhook_endpoints IS 'Addresses of users to which the service sends events. The webhooks of payment providers are in webhook_events.';
COMMENT ON COLUMN webhook_endpoints.id IS 'Record id.';
COMMENT ON COLUMN webhook_endpoints.user_id IS 'The user whose events are sent.';
COMMENT ON COLUMN webhook_endpoints.url IS 'Encrypted: the address, which can contain a token.';
COMMENT ON COLUMN webhook_endpoints.secrets IS 'Encrypted: the secrets that sign, newest first, each with the time when it ends; null for the newest.';
COMMENT ON COLUMN webhook_endpoints.event_types IS 'Which events are sent: names such as scan.created, groups such as scan.*, or * for all.';
COMMENT ON COLUMN webhook_endpoints.description IS 'What the user calls it.';
COMMENT ON COLUMN webhook_endpoints.disabled_at IS 'Since when nothing is sent; null while it is enabled.';
COMMENT ON COLUMN webhook_endpoints.disabled_reason IS 'OWNER, FAILING (only failures for three days) or GONE (it answered 410).';
COMMENT ON COLUMN webhook_endpoints.failing_since IS 'First failure since the last success.';
COMMENT ON COLUMN webhook_endpoints.failed_batches IS 'Batches without a success since the last one with a success.';
COMMENT ON COLUMN webhook_endpoints.is_slow IS 'Fails or takes long: then it shares the few places of such endpoints.';
COMMENT ON COLUMN webhook_endpoints.paused_until IS 'Nothing is sent before, since it fails.';
COMMENT ON COLUMN webhook_endpoints.claimed_until IS 'Until when a process sends to it, or when it was last sent to.';
COMMENT ON COLUMN webhook_endpoints.version IS 'Grows with each change by the user; the ETag.';
COMMENT ON COLUMN webhook_endpoints.created_at IS 'When it was created.';
COMMENT ON COLUMN webhook_endpoints.updated_at IS 'When the user last changed it.';
COMMENT ON CONSTRAINT webhook_endpoints_pkey ON webhook_endpoints IS 'One row a record id.';
COMMENT ON CONSTRAINT webhook_endpoints_user_id_fkey ON webhook_endpoints IS 'Deleted with its user.';
COMMENT ON CONSTRAINT webhook_endpoints_id_shape ON webhook_endpoints IS '24 hexadecimal digits.';
COMMENT ON CONSTRAINT webhook_endpoints_disabled_complete ON webhook_endpoints IS 'A disabled endpoint has a reason.';
COMMENT ON CONSTRAINT webhook_endpoints_disabled_reason_known ON webhook_endpoints IS 'OWNER, FAILING or GONE.';
CREATE INDEX webhook_endpoints_user_id_idx ON webhook_endpoints (user_id, created_at, id);
COMMENT ON INDEX webhook_endpoints_user_id_idx IS 'Serves: the endpoints of a user, oldest first, also for each event, and the erasure of an account.';
CREATE TRIGGER webhook_endpoints_erasure_guard BEFORE INSERT ON webhook_endpoints
  FOR EACH ROW EXECUTE FUNCTION reject_erased_account('user_id');
COMMENT ON TRIGGER webhook_endpoints_erasure_guard ON webhook_endpoints IS 'No endpoint is stored for an erased account.';

CREATE TABLE account_events (
  id         text COLLATE "C" NOT NULL,
  user_id    text COLLATE "C" NOT NULL,
  type       text NOT NULL,
  data       jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT account_events_pkey PRIMARY KEY (id),
  CONSTRAINT account_events_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
  CONSTRAINT account_events_id_shape CHECK (id ~ '^[0-9a-f]{24}$')
);
COMMENT ON TABLE account_events IS 'What happened to what a user owns, for 30 days. Events of type scan.created are rows of scans instead.';
COMMENT ON COLUMN account_events.id IS 'Record id.';
COMMENT ON COLUMN account_events.user_id IS 'The owner.';
COMMENT ON COLUMN account_events.type IS 'Such as code.updated.';
COMMENT ON COLUMN account_events.data IS 'Ids of what it is about; nothing private.';
COMMENT ON COLUMN account_events.created_at IS 'When it happened.';
COMMENT ON CONSTRAINT account_events_pkey ON account_events IS 'One row a record id. Serves: the removal of old ones, as ids begin with their time.';
COMMENT ON CONSTRAINT account_events_user_id_fkey ON account_events IS 'Deleted with its user.';
COMMENT ON CONSTRAINT account_events_id_shape ON account_events IS '24 hexadecimal digits.';
CREATE INDEX account_events_user_id_idx ON account_events (user_id, created_at DESC, id DESC);
COMMENT ON INDEX account_events_user_id_idx IS 'Serves: the events of a user, newest or (read backwards) oldest first, and the erasure of an account.';
CREATE TRIGGER account_events_erasure_guard BEFORE INSERT ON account_events
  FOR EACH ROW EXECUTE FUNCTION skip_erased_account();
COMMENT ON TRIGGER account_events_erasure_guard ON account_events IS 'No event is stored for an erased account.';

CREATE TABLE webhook_deliveries (
  user_id         text COLLATE "C" NOT NULL,
  endpoint_id     text COLLATE "C" NOT NULL,
  event_id        text COLLATE "C" NOT NULL,
  event_type      text NOT NULL,
  event_data      jsonb NOT NULL,
  event_at        timestamptz(3) NOT NULL,
  status          text NOT NULL DEFAULT 'PENDING',
  attempts        jsonb NOT NULL DEFAULT '[]',
  failures        integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz(3) DEFAULT now(),
  created_at      timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (user_id, endpoint_id, event_id),
  CONSTRAINT webhook_deliveries_status_known CHECK (status IN ('PENDING', 'DELIVERED', 'FAILED')),
  CONSTRAINT webhook_deliveries_pending_complete CHECK ((status = 'PENDING') = (next_attempt_at IS NOT NULL))
);
COMMENT ON TABLE webhook_deliveries IS 'Events to be sent to an endpoint, or sent in the last 30 days. Without foreign keys, since scans insert them; those of a deleted endpoint are never sent.';
COMMENT ON COLUMN webhook_deliveries.user_id IS 'The owner of event and endpoint.';
COMMENT ON COLUMN webhook_deliveries.endpoint_id IS 'The endpoint.';
COMMENT ON COLUMN webhook_deliveries.event_id IS 'The event: a row of account_events or scans, or a test. The id of the delivery to receivers.';
COMMENT ON COLUMN webhook_deliveries.event_type IS 'Such as scan.created.';
COMMENT ON COLUMN webhook_deliveries.event_data IS 'Ids of what it is about; nothing private.';
COMMENT ON COLUMN webhook_deliveries.event_at IS 'When it happened.';
COMMENT ON COLUMN webhook_deliveries.status IS 'PENDING, DELIVERED (answered with 2xx) or FAILED (no attempts left).';
COMMENT ON COLUMN webhook_deliveries.attempts IS 'The last attempts: time, status code, error, milliseconds.';
COMMENT ON COLUMN webhook_deliveries.failures IS 'Failed attempts since it was created or replayed.';
COMMENT ON COLUMN webhook_deliveries.next_attempt_at IS 'When it is sent next, or again if a sending process is lost; null once nothing is to be sent.';
COMMENT ON COLUMN webhook_deliveries.created_at IS 'When it was created.';
COMMENT ON CONSTRAINT webhook_deliveries_pkey ON webhook_deliveries IS 'An event is delivered once to an endpoint. Serves: the deliveries of an endpoint, newest first, as event ids begin with their time; the erasure of an account.';
COMMENT ON CONSTRAINT webhook_deliveries_status_known ON webhook_deliveries IS 'PENDING, DELIVERED or FAILED.';
COMMENT ON CONSTRAINT webhook_deliveries_pending_complete ON webhook_deliveries IS 'What is pending has a next attempt.';
CREATE INDEX webhook_deliveries_pending_idx ON webhook_deliveries (endpoint_id, next_attempt_at) WHERE status = 'PENDING';
COMMENT ON INDEX webhook_deliveries_pending_idx IS 'Serves: the endpoints with something to send, and what is sent next.';
CREATE INDEX webhook_deliveries_created_at_idx ON webhook_deliveries (created_at);
COMMENT ON INDEX webhook_deliveries_created_at_idx IS 'Serves: the removal of old deliveries.';
CREATE TRIGGER webhook_deliveries_erasure_guard BEFORE INSERT ON webhook_deliveries
  FOR EACH ROW EXECUTE FUNCTION skip_erased_account();
COMMENT ON TRIGGER webhook_deliveries_erasure_guard ON webhook_deliveries IS 'No delivery is stored for an erased account.';
