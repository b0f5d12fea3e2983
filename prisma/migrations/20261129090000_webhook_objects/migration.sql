-- Compatible with earlier versions: yes
ALTER TABLE webhook_endpoints ADD COLUMN includes_object boolean NOT NULL DEFAULT false;

COMMENT ON COLUMN webhook_endpoints.includes_object IS 'Whether deliveries carry the record that an event is about. It is read when they are sent and never stored with them.';
