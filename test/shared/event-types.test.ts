import { NOTIFICATION_KIND_BY_EVENT } from '../../src/features/notifications/notification-kinds.rules.ts';
import { SERVER_EVENT_SCHEMAS } from '../../src/features/realtime/realtime.schemas.ts';
import { EVENT_TYPES, NOTIFICATION_ONLY_EVENTS } from '../../src/shared/event-types.ts';
import { t } from '../tap.ts';

t.test('an event has one name for webhooks, notifications and the WebSocket', (t) => {
  const webhooks = Object.keys(EVENT_TYPES);
  const notificationsOnly = Object.keys(NOTIFICATION_KIND_BY_EVENT).filter(
    (name) => !webhooks.includes(name),
  );
  t.same(notificationsOnly.toSorted(), Object.keys(NOTIFICATION_ONLY_EVENTS).toSorted());
  // Frames of the protocol, such as `ready`, have no group.
  const realtime = Object.keys(SERVER_EVENT_SCHEMAS).filter((name) => name.includes('.'));
  for (const name of [...webhooks, ...notificationsOnly, ...realtime])
    t.match(name, /^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/);
  t.end();
});
