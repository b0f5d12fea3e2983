-- One name for each event, as in src/shared/event-types.ts. The audit trail keeps what it recorded.
DO $$
DECLARE
  names CONSTANT jsonb := '{
    "QR_CODE_SCANNED": "scan.created",
    "SCANS_DIGEST": "scan.digest",
    "LOST_CODE_SCANNED": "code.scanned_while_lost",
    "SCAN_LOCATED": "scan.located",
    "MESSAGE_RECEIVED": "message.created",
    "PIN_REJECTED": "code.pin_rejected",
    "GUEST_BOOK_SIGNED": "guest_book.signed",
    "CARETAKER_ADDED": "caretaker.added",
    "BIRTH_ANNIVERSARY": "memory_tag.birth_anniversary",
    "DEATH_ANNIVERSARY": "memory_tag.death_anniversary",
    "CODE_EXPIRING": "code.expiring",
    "CODE_EXPIRED": "code.expired",
    "DOCUMENT_INFECTED": "document.infected",
    "DOCUMENT_EXPIRING": "document.expiring",
    "DOCUMENT_EXPIRED": "document.expired",
    "DOCUMENT_OPENED": "document.opened",
    "DOCUMENT_GRANTED": "document.granted",
    "PASSCODE_REJECTED": "document.passcode_rejected",
    "SUBSCRIPTION_STARTED": "subscription.started",
    "SUBSCRIPTION_CHANGED": "subscription.changed",
    "SUBSCRIPTION_ENDING": "subscription.ending",
    "SUBSCRIPTION_ENDED": "subscription.ended",
    "SUBSCRIPTION_PAUSED": "subscription.paused",
    "SUBSCRIPTION_RESUMED": "subscription.resumed",
    "TRIAL_ENDING": "subscription.trial_ending",
    "PAYMENT_RECEIVED": "payment.received",
    "PAYMENT_FAILED": "payment.failed",
    "PAYMENT_ACTION_NEEDED": "payment.action_required",
    "PAYMENT_REFUNDED": "payment.refunded",
    "PAYMENT_DISPUTED": "payment.disputed",
    "WEBHOOK_ENDPOINT_DISABLED": "webhook_endpoint.disabled",
    "NEW_LOGIN": "login.created",
    "PASSWORD_CHANGED": "password.changed",
    "SECOND_FACTOR_ON": "second_factor.enabled",
    "SECOND_FACTOR_OFF": "second_factor.disabled",
    "ROLE_CHANGED": "role.changed",
    "BREAK_GLASS_OPENED": "break_glass.opened",
    "CODE_TAKEN_DOWN": "code.taken_down",
    "CODE_REINSTATED": "code.reinstated",
    "APPEAL_REJECTED": "code.appeal_rejected"
  }';
BEGIN
  -- The key of a yearly or expiring event begins with its name: nobody is notified of the same twice.
  UPDATE notifications SET
    event = names ->> event,
    key = CASE WHEN names ? split_part(key, ':', 1) THEN (names ->> split_part(key, ':', 1)) || substr(key, strpos(key, ':'))
               ELSE key END,
    data = CASE WHEN names ? (data ->> 'newestEvent')
                THEN jsonb_set(data, '{newestEvent}', names -> (data ->> 'newestEvent')) ELSE data END
  WHERE names ? event;
  UPDATE notification_settings SET preferences = (
    SELECT coalesce(jsonb_object_agg(coalesce(names ->> one.event, one.event), one.channels), '{}')
    FROM jsonb_each(preferences) AS one (event, channels))
  WHERE preferences ?| ARRAY(SELECT jsonb_object_keys(names));
END
$$;
UPDATE webhook_endpoints SET event_types = array_replace(event_types, 'message.received', 'message.created')
WHERE 'message.received' = ANY(event_types);
UPDATE account_events SET type = 'message.created' WHERE type = 'message.received';
UPDATE webhook_deliveries SET event_type = 'message.created' WHERE event_type = 'message.received';

COMMENT ON COLUMN notifications.event IS 'What happened, such as scan.created or login.created.';
COMMENT ON COLUMN reporting.notification_deliveries.event IS 'What the notification is about, such as scan.created or login.created.';
COMMENT ON COLUMN reporting.daily_notification_counts.event IS 'What the notification is about, such as scan.created or login.created.';
