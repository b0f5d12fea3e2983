/** Columns of which each row of a reporting view has its own combination; none where the view has one row. */
export const REPORTING_VIEW_KEYS: Record<string, readonly string[]> = {
  active_owners: ['period', 'starts_on'],
  audit: ['sequence'],
  code_first_scans: ['code_id'],
  codes: ['id'],
  contract: ['version'],
  conversations: ['id'],
  daily_breakdown: ['day', 'dimension', 'value'],
  daily_code_breakdown: ['code_id', 'day', 'dimension', 'value'],
  daily_code_counts: ['code_id', 'day'],
  daily_notification_counts: ['day', 'event', 'channel', 'outcome', 'reason'],
  daily_owner_counts: ['account_id', 'day'],
  daily_subscription_counts: ['day', 'package_code', 'billing_interval', 'currency'],
  document_shares: ['id'],
  documents: ['id'],
  invoices: ['id'],
  memory_tags: ['id'],
  monthly_recurring_revenue: ['month', 'currency', 'package_code'],
  monthly_revenue: ['month', 'currency', 'package_code'],
  notification_deliveries: ['id'],
  package_prices: ['package_code', 'billing_interval', 'currency'],
  packages: ['code'],
  paid_subscriptions: ['id', 'started_on'],
  quarter_hour_code_counts: ['code_id', 'starts_at'],
  recurring_revenue_changes: ['account_id', 'currency', 'day'],
  rollup_lag: [],
  scans: ['id'],
  storage: ['account_id', 'type'],
  subscriptions: ['account_id'],
  users: ['id'],
};

/** Columns of keys that can be null: in a key of several columns as a value of its own, else for rows without a key. */
export const NULLABLE_REPORTING_KEY_COLUMNS: ReadonlySet<string> = new Set([
  'audit.sequence',
  'daily_notification_counts.reason',
  'monthly_revenue.package_code',
]);
