import type { FieldError } from '../../shared/errors.ts';
import {
  CONFIGURABLE_EVENTS,
  type ConfigurableEvent,
  isChannelConfigurable,
  isChannelEnabledByDefault,
  NOTIFICATION_CHANNELS,
  type NotificationChannel,
} from './notification-kinds.rules.ts';

export const DIGEST_FREQUENCIES = ['AUTOMATIC', 'HOURLY', 'DAILY', 'NEVER'] as const;

export type DigestFrequency = (typeof DIGEST_FREQUENCIES)[number];

/** By event and channel; missing entries use the default. */
export type ChannelPreferences = Partial<Record<string, Partial<Record<NotificationChannel, boolean>>>>;

/** HH:MM in the user's time zone; past midnight if `to` is earlier. */
export interface QuietHours {
  from: string;
  to: string;
}

export interface NotificationSettings {
  preferences: ChannelPreferences;
  quietHours: QuietHours | null;
  digest: DigestFrequency;
}

export interface RecipientSettings extends NotificationSettings {
  timeZone: string;
}

export const DEFAULT_NOTIFICATION_SETTINGS: NotificationSettings = {
  preferences: {},
  quietHours: null,
  digest: 'AUTOMATIC',
};

/** Check whether a channel of an event is enabled. Stored values are ignored for fixed channels. */
export function isChannelEnabled(
  preferences: ChannelPreferences,
  event: ConfigurableEvent,
  channel: NotificationChannel,
): boolean {
  const preference = isChannelConfigurable(event, channel) ? preferences[event]?.[channel] : undefined;
  return preference ?? isChannelEnabledByDefault(event, channel);
}

/** Find changes of fixed channels. */
export function findFixedChannelErrors(input: ChannelPreferences): FieldError[] {
  return CONFIGURABLE_EVENTS.flatMap((event) =>
    NOTIFICATION_CHANNELS.filter((channel) => {
      const isOn = input[event]?.[channel];
      const isDefault = isOn === undefined || isOn === isChannelEnabledByDefault(event, channel);
      return !isDefault && !isChannelConfigurable(event, channel);
    }).map((channel) => createFixedFieldError(`preferences.${event}.${channel}`)),
  );
}

/** Merge preferences; fixed channels stay. */
export function mergeChannelPreferences(
  before: ChannelPreferences,
  input: ChannelPreferences,
): ChannelPreferences {
  const merged = { ...before };
  for (const event of CONFIGURABLE_EVENTS)
    for (const channel of NOTIFICATION_CHANNELS) {
      const isOn = input[event]?.[channel];
      if (isOn === undefined || !isChannelConfigurable(event, channel)) continue;
      if (isOn === isChannelEnabled(before, event, channel)) continue;
      merged[event] = { ...merged[event], [channel]: isOn };
    }
  return merged;
}

function createFixedFieldError(field: string): FieldError {
  return { field, code: 'NOT_ALLOWED', message: 'Cannot be changed.' };
}
