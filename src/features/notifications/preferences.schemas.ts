import { Type } from 'typebox';
import { nullable, stringEnum, VERSIONED_SCHEMA } from '../../shared/common.schemas.ts';
import { CONFIGURABLE_EVENTS, NOTIFICATION_CHANNELS } from './notification-kinds.rules.ts';
import { DIGEST_FREQUENCIES } from './settings.rules.ts';

const TIME_OF_DAY_PATTERN = '^([01][0-9]|2[0-3]):[0-5][0-9]$';

const QuietHours = nullable(
  Type.Object(
    {
      from: Type.String({ pattern: TIME_OF_DAY_PATTERN }),
      to: Type.String({ pattern: TIME_OF_DAY_PATTERN }),
    },
    {
      additionalProperties: false,
      description:
        'HH:MM in the time zone of the account; past midnight if `to` is earlier than `from`. Notifications that are not urgent wait until the end.',
    },
  ),
);

const Digest = stringEnum(DIGEST_FREQUENCIES, {
  description:
    'When scans are combined: AUTOMATIC (the first five of an hour are sent individually, the others at the end of the hour), HOURLY, DAILY (at 8:00) or NEVER.',
});

export const ChannelPreferences = Type.Object(
  { EMAIL: Type.Boolean(), PUSH: Type.Boolean() },
  { additionalProperties: false },
);

export const ChannelPreferencesChange = Type.Object(
  Object.fromEntries(NOTIFICATION_CHANNELS.map((channel) => [channel, Type.Optional(Type.Boolean())])),
  { additionalProperties: false },
);

export const ConfigurableEventName = stringEnum(CONFIGURABLE_EVENTS);

export const EventChannelPreferences = Type.Object(
  Object.fromEntries(CONFIGURABLE_EVENTS.map((event) => [event, ChannelPreferences])),
  { additionalProperties: false, description: 'Each event has an entry.' },
);

export const NotificationPreferences = Type.Object(
  {
    preferences: EventChannelPreferences,
    changeable: Type.Object(EventChannelPreferences.properties, {
      additionalProperties: false,
      description: 'Whether each can be changed.',
    }),
    quietHours: QuietHours,
    digest: Digest,
    timeZone: Type.String({ description: 'Time zone of the account, for quiet hours and days.' }),
    version: Type.Integer(),
  },
  {
    $id: 'NotificationPreferences',
    ...VERSIONED_SCHEMA,
    description: 'Channels per event, beside the list in the application, which contains all notifications.',
  },
);

export const NotificationPreferencesChange = Type.Object({
  preferences: Type.Optional(
    Type.Object(
      Object.fromEntries(
        CONFIGURABLE_EVENTS.map((event) => [event, Type.Optional(ChannelPreferencesChange)]),
      ),
      { additionalProperties: false },
    ),
  ),
  quietHours: Type.Optional(QuietHours),
  digest: Type.Optional(Digest),
});
