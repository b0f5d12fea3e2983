import { readFile } from 'node:fs/promises';
import {
  CONFIGURABLE_EVENTS,
  NOTIFICATION_KIND_BY_EVENT,
} from '../../src/features/notifications/notification-kinds.rules.ts';
import { t } from '../tap.ts';
import { findSection } from './markdown.ts';

const WORD_BY_POLICY = { ON: 'on', OFF: 'off', ALWAYS: 'always', ELSEWHERE: 'own email' };

t.test('the guide lists every kind of notification with its channels', async (t) => {
  const guide = await readFile('docs/guides/notifications.md', 'utf8');
  const rows = findSection(guide, '## Kinds of notifications').matchAll(
    /^\| (`[a-z_.]+`(?:, `[a-z_.]+`)*) \|[^|]+\| ([^|]+) \| ([^|]+) \| (yes )?\|$/gm,
  );
  const listed = [...rows].flatMap(([, events = '', email, push, urgent]) =>
    events.split(', ').map((event) => [event.slice(1, -1), email, push, Boolean(urgent)].join(' ')),
  );
  const expected = CONFIGURABLE_EVENTS.map((event) => {
    const { EMAIL, PUSH, ignoresQuietHours } = NOTIFICATION_KIND_BY_EVENT[event];
    return [event, WORD_BY_POLICY[EMAIL], WORD_BY_POLICY[PUSH], ignoresQuietHours].join(' ');
  });
  t.same(listed.sort(), expected.sort());
});
