/** What people are told of what they pay for. */
export const PAYMENT_NOTIFICATION_EVENTS = [
  'SUBSCRIPTION_STARTED',
  'SUBSCRIPTION_CHANGED',
  'SUBSCRIPTION_ENDING',
  'SUBSCRIPTION_ENDED',
  'SUBSCRIPTION_PAUSED',
  'SUBSCRIPTION_RESUMED',
  'TRIAL_ENDING',
  'PAYMENT_RECEIVED',
  'PAYMENT_FAILED',
  'PAYMENT_ACTION_NEEDED',
  'PAYMENT_REFUNDED',
  'PAYMENT_DISPUTED',
] as const;

/** Something that a person is told once, whatever the order in which its events came. */
export interface PaymentNotification {
  userId: string;
  /** What makes it one: the same is told only once. */
  key: string;
  event: (typeof PAYMENT_NOTIFICATION_EVENTS)[number];
  /** Ids of our rows, an amount in minor units, a time as ISO 8601. */
  data: {
    subscriptionId?: string;
    invoiceId?: string;
    packageCode?: string;
    amount?: string;
    currency?: string;
    at?: string;
  };
}
