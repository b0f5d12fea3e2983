import { type TProperties, Type } from 'typebox';
import { nullable, stringEnum } from '../../shared/common.schemas.ts';
import { CHANNELS, TOLD_EVENTS } from './notification-kinds.rules.ts';
import { DIGESTS } from './settings.rules.ts';

const TIME_OF_DAY = '^([01][0-9]|2[0-3]):[0-5][0-9]$';

const QuietHours = nullable(
  Type.Object(
    { from: Type.String({ pattern: TIME_OF_DAY }), to: Type.String({ pattern: TIME_OF_DAY }) },
    {
      additionalProperties: false,
      description:
        'HH:MM in the time zone of the account, past midnight where `to` is the earlier. What is not urgent waits for their end.',
    },
  ),
);

const Digest = stringEnum(DIGESTS, {
  description:
    'When ordinary scans are told of together: AUTOMATIC (the first five of an hour singly, the others at its end), HOURLY, DAILY (at eight in the morning) or NEVER.',
});

const ofEach = (make: () => TProperties) =>
  Type.Object(
    Object.fromEntries(
      TOLD_EVENTS.map((event) => [event, Type.Object(make(), { additionalProperties: false })]),
    ),
    { additionalProperties: false },
  );

const fixed = ofEach(() => ({
  EMAIL: Type.Boolean({ description: 'Whether it can be switched.' }),
  PUSH: Type.Boolean({ description: 'Whether it can be switched.' }),
}));

export const NotificationPreferences = Type.Object(
  {
    preferences: ofEach(() => ({ EMAIL: Type.Boolean(), PUSH: Type.Boolean() })),
    changeable: fixed,
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
        TOLD_EVENTS.map((event) => [
          event,
          Type.Optional(
            Type.Object(
              Object.fromEntries(CHANNELS.map((channel) => [channel, Type.Optional(Type.Boolean())])),
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
