import type { Static } from 'typebox';
import type { CurrentUser } from '../../../platform/current-user.ts';
import type { PushDeviceRow } from './push-device.repository.ts';
import { PUSH_PLATFORMS, type PushDevice } from './push-devices.schemas.ts';

/** What the API gives of a device: neither its token nor its subscription. */
export function toPushDeviceView(
  row: PushDeviceRow,
  { sessionId }: Pick<CurrentUser, 'sessionId'>,
): Static<typeof PushDevice> {
  return {
    id: row.id,
    platform: PUSH_PLATFORMS.find((platform) => platform === row.platform) ?? 'WEB',
    name: row.name,
    current: row.sessionId === sessionId,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
  };
}
