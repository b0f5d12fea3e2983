-- Compatible with earlier versions: yes
CREATE TABLE subscription_changes (
  subscription_id text COLLATE "C" NOT NULL,
  changed_at      timestamptz(3) NOT NULL DEFAULT now(),
  package_id      text COLLATE "C" NOT NULL,
  package_version integer NOT NULL,
  "interval"      text NOT NULL,
  currency        text NOT NULL,
  CONSTRAINT subscription_changes_pkey PRIMARY KEY (subscription_id, changed_at),
  CONSTRAINT subscription_changes_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES subscriptions (id) ON DELETE CASCADE
);
COMMENT ON TABLE subscription_changes IS 'What subscriptions were before each change of package, version, interval or currency, for reports on revenue.';
COMMENT ON COLUMN subscription_changes.subscription_id IS 'The subscription.';
COMMENT ON COLUMN subscription_changes.changed_at IS 'When the change was recorded.';
COMMENT ON COLUMN subscription_changes.package_id IS 'The package until then; no foreign key, as versions are never deleted.';
COMMENT ON COLUMN subscription_changes.package_version IS 'Its version.';
COMMENT ON COLUMN subscription_changes."interval" IS 'month or year.';
COMMENT ON COLUMN subscription_changes.currency IS 'ISO 4217.';
COMMENT ON CONSTRAINT subscription_changes_pkey ON subscription_changes IS 'One row per change. Serves: the changes of a subscription.';
COMMENT ON CONSTRAINT subscription_changes_subscription_id_fkey ON subscription_changes IS 'Deleted with the subscription.';
