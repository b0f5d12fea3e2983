import { createValidationError, type FieldError } from '../../shared/errors.ts';
import {
  CHANNELS,
  type Channel,
  canBeSwitched,
  isSentAsItComes,
  TOLD_EVENTS,
  type ToldEvent,
} from './notification-kinds.rules.ts';

/** When ordinary scans are told of together. */
export const DIGESTS = ['AUTOMATIC', 'HOURLY', 'DAILY', 'NEVER'] as const;

export type Digest = (typeof DIGESTS)[number];

/** By event and channel, whether it is sent; what is not named is as it comes. */
export type Preferences = Partial<Record<string, Partial<Record<Channel, boolean>>>>;

/** From a time of day to another, HH:MM in the person's time zone; past midnight where the second is the earlier. */
export interface QuietHours {
  from: string;
  to: string;
}

/** What a person wishes to be told of and how. */
export interface Settings {
  preferences: Preferences;
  quietHours: QuietHours | null;
  digest: Digest;
}

export const USUAL_SETTINGS: Settings = { preferences: {}, quietHours: null, digest: 'AUTOMATIC' };

/** Whether a person wants an event by a channel. Of what cannot be switched, what is stored says nothing. */
export function isWanted(preferences: Preferences, event: ToldEvent, channel: Channel): boolean {
  const said = canBeSwitched(event, channel) ? preferences[event]?.[channel] : undefined;
  return said ?? isSentAsItComes(event, channel);
}

/**
 * Preferences with those that are given put in. Throws VALIDATION_FAILED naming each that cannot be switched and is given as
 * other than it is.
 */
export function mergedPreferences(before: Preferences, given: Preferences): Preferences {
  const merged = { ...before };
  const faults: FieldError[] = [];
  for (const event of TOLD_EVENTS)
    for (const channel of CHANNELS) {
      const isOn = given[event]?.[channel];
      if (isOn === undefined) continue;
      if (canBeSwitched(event, channel)) merged[event] = { ...merged[event], [channel]: isOn };
      else if (isOn !== isSentAsItComes(event, channel))
        faults.push(fixed(`preferences.${event}.${channel}`));
    }
  if (faults.length > 0) throw createValidationError(...faults);
  return merged;
}

function fixed(field: string): FieldError {
  return { field, code: 'NOT_ALLOWED', message: 'Cannot be switched.' };
}
