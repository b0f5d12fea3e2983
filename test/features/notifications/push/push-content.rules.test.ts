import { translatePushNotification } from '../../../../src/features/notifications/push/push-content.rules.ts';
import { DEFAULT_LOCALE } from '../../../../src/shared/i18n/locales.ts';
import { t as translate } from '../../../../src/shared/i18n/translate.ts';
import { t } from '../../../tap.ts';

t.test('shows the name of a memory tag on a locked screen only if the code shows it', async (t) => {
  const data = { remembered: 'Katharina Brandt', memoryTagId: '0'.repeat(24), anniversaryOf: '1931-05-17' };
  for (const event of [
    'guest_book.signed',
    'memory_tag.birth_anniversary',
    'memory_tag.death_anniversary',
  ] as const) {
    const nameless = translatePushNotification(DEFAULT_LOCALE, { event, data }, null);
    t.same(nameless, { title: translate(DEFAULT_LOCALE, `pushes.${event}`), body: '' });
    const { title } = translatePushNotification(DEFAULT_LOCALE, { event, data }, 'MEMORY_TAG');
    t.match(title, 'Katharina Brandt', event);
  }
});
