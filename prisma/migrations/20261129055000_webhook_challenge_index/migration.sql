-- Compatible with earlier versions: yes
CREATE INDEX IF NOT EXISTS webhook_deliveries_challenge_idx ON webhook_deliveries (endpoint_id)
  WHERE status = 'PENDING' AND event_type = 'webhook_endpoint.verification';
COMMENT ON INDEX webhook_deliveries_challenge_idx IS 'Serves: whether an endpoint that is not verified has a challenge to send, whatever else waits.';
