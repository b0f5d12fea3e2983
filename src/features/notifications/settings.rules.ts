import { createValidationError, type FieldError } from '../../shared/errors.ts';
import {
  CONFIGURABLE_EVENTS,
  type ConfigurableEvent,
  isChannelConfigurable,
  isEnabledByDefault,
  NOTIFICATION_CHANNELS,
  type NotificationChannel,
} from './notification-kinds.rules.ts';

/** When ordinary scans are told of together. */
export const DIGEST_FREQUENCIES = ['AUTOMATIC', 'HOURLY', 'DAILY', 'NEVER'] as const;

export type DigestFrequency = (typeof DIGEST_FREQUENCIES)[number];

/** By event and channel, whether it is sent; what is not named is as it comes. */
export type ChannelPreferences = Partial<Record<string, Partial<Record<NotificationChannel, boolean>>>>;

/** From a time of day to another, HH:MM in the person's time zone; past midnight where the second is the earlier. */
export interface QuietHours {
  from: string;
  to: string;
}

/** What a person wishes to be told of and how. */
export interface NotificationSettings {
  preferences: ChannelPreferences;
  quietHours: QuietHours | null;
  digest: DigestFrequency;
}

export const DEFAULT_NOTIFICATION_SETTINGS: NotificationSettings = {
  preferences: {},
  quietHours: null,
  digest: 'AUTOMATIC',
};

/** Whether a person wants an event by a channel. Of what cannot be switched, what is stored says nothing. */
export function isChannelEnabled(
  preferences: ChannelPreferences,
  event: ConfigurableEvent,
  channel: NotificationChannel,
): boolean {
  const preference = isChannelConfigurable(event, channel) ? preferences[event]?.[channel] : undefined;
  return preference ?? isEnabledByDefault(event, channel);
}

/**
 * Preferences with those that are given put in. Throws VALIDATION_FAILED naming each that cannot be switched and is given as
 * other than it is.
 */
export function mergePreferences(before: ChannelPreferences, input: ChannelPreferences): ChannelPreferences {
  const merged = { ...before };
  const errors: FieldError[] = [];
  for (const event of CONFIGURABLE_EVENTS)
    for (const channel of NOTIFICATION_CHANNELS) {
      const isOn = input[event]?.[channel];
      if (isOn === undefined) continue;
      if (isChannelConfigurable(event, channel)) merged[event] = { ...merged[event], [channel]: isOn };
      else if (isOn !== isEnabledByDefault(event, channel))
        errors.push(createFixedFieldError(`preferences.${event}.${channel}`));
    }
  if (errors.length > 0) throw createValidationError(...errors);
  return merged;
}

function createFixedFieldError(field: string): FieldError {
  return { field, code: 'NOT_ALLOWED', message: 'Cannot be switched.' };
}
