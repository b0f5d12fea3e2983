import { type TProperties, Type } from 'typebox';
import { nullable, stringEnum } from '../../shared/common.schemas.ts';
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
        'HH:MM in the time zone of the account, past midnight where `to` is the earlier. What is not urgent waits for their end.',
    },
  ),
);

const Digest = stringEnum(DIGEST_FREQUENCIES, {
  description:
    'When ordinary scans are told of together: AUTOMATIC (the first five of an hour singly, the others at its end), HOURLY, DAILY (at eight in the morning) or NEVER.',
});

const mapEvents = (make: () => TProperties) =>
  Type.Object(
    Object.fromEntries(
      CONFIGURABLE_EVENTS.map((event) => [event, Type.Object(make(), { additionalProperties: false })]),
    ),
    { additionalProperties: false },
  );

const Changeable = mapEvents(() => ({
  EMAIL: Type.Boolean({ description: 'Whether it can be switched.' }),
  PUSH: Type.Boolean({ description: 'Whether it can be switched.' }),
}));

export const NotificationPreferences = Type.Object(
  {
    preferences: mapEvents(() => ({ EMAIL: Type.Boolean(), PUSH: Type.Boolean() })),
    changeable: Changeable,
    quietHours: QuietHours,
    digest: Digest,
    timeZone: Type.String({ description: 'That of the account; quiet hours and days are in it.' }),
    version: Type.Integer(),
  },
  {
    $id: 'NotificationPreferences',
    description:
      'By which channels a person hears of what, beside the list in the application, where all of it is.',
  },
);

export const NotificationPreferencesChange = Type.Object({
  preferences: Type.Optional(
    Type.Object(
      Object.fromEntries(
        CONFIGURABLE_EVENTS.map((event) => [
          event,
          Type.Optional(
            Type.Object(
              Object.fromEntries(
                NOTIFICATION_CHANNELS.map((channel) => [channel, Type.Optional(Type.Boolean())]),
              ),
              { additionalProperties: false },
            ),
          ),
        ]),
      ),
      { additionalProperties: false },
    ),
  ),
  quietHours: Type.Optional(QuietHours),
  digest: Type.Optional(Digest),
});
