import type { Static } from 'typebox';
import {
  CONFIGURABLE_EVENTS,
  type ConfigurableEvent,
  isChannelConfigurable,
  type NotificationChannel,
} from './notification-kinds.rules.ts';
import type { NotificationPreferences } from './preferences.schemas.ts';
import { isChannelEnabled, type NotificationSettings } from './settings.rules.ts';

/** Convert settings to the view with the effective value of each channel, and whether it can be changed. */
export function toNotificationPreferencesView(
  { preferences, quietHours, digest, version }: NotificationSettings & { version: number },
  timeZone: string,
): Static<typeof NotificationPreferences> {
  return {
    preferences: mapEvents((event, channel) => isChannelEnabled(preferences, event, channel)),
    changeable: mapEvents(isChannelConfigurable),
    quietHours,
    digest,
    timeZone,
    version,
  };
}

function mapEvents(getValue: (event: ConfigurableEvent, channel: NotificationChannel) => boolean) {
  return Object.fromEntries(
    CONFIGURABLE_EVENTS.map((event) => [
      event,
      { EMAIL: getValue(event, 'EMAIL'), PUSH: getValue(event, 'PUSH') },
    ]),
  );
}
