-- Of an event's copy only the end of a subscription counts.
ALTER TABLE webhook_events RENAME COLUMN snapshot TO closure;
UPDATE webhook_events SET closure =
  CASE WHEN closure ->> 'object' = 'SUBSCRIPTION' AND closure ->> 'state' = 'CANCELED' AND closure ->> 'endedAt' IS NOT NULL
       THEN jsonb_build_object('canceledAt', closure -> 'canceledAt', 'endedAt', closure -> 'endedAt') END
WHERE closure IS NOT NULL;
COMMENT ON COLUMN webhook_events.closure IS 'When a subscription ended according to the event, used if the provider has deleted it; null if the event reports no end or was processed.';
