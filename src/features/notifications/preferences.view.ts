import type { Static } from 'typebox';
import { type Channel, canBeSwitched, TOLD_EVENTS, type ToldEvent } from './notification-kinds.rules.ts';
import type { NotificationPreferences } from './preferences.schemas.ts';
import { isWanted, type Settings } from './settings.rules.ts';

/** What a person wishes, as they see it: of each event what holds, and whether they decide about it. */
export function preferencesView(
  { preferences, quietHours, digest, version }: Settings & { version: number },
  timeZone: string,
): Static<typeof NotificationPreferences> {
  return {
    preferences: ofEach((event, channel) => isWanted(preferences, event, channel)),
    changeable: ofEach(canBeSwitched),
    ...{ quietHours, digest, timeZone, version },
  };
}

function ofEach(decide: (event: ToldEvent, channel: Channel) => boolean) {
  return Object.fromEntries(
    TOLD_EVENTS.map((event) => [event, { EMAIL: decide(event, 'EMAIL'), PUSH: decide(event, 'PUSH') }]),
  );
}
