import { pushWords } from '../../../src/features/push/push-content.rules.ts';
import { ENGLISH } from '../../../src/shared/languages/language.ts';
import { t } from '../../tap.ts';

t.test('who is remembered is on a locked screen only where a code tells it', async (t) => {
  const data = { remembered: 'Katharina Brandt', memoryTagId: '0'.repeat(24), anniversaryOf: '1931-05-17' };
  for (const event of ['GUEST_BOOK_SIGNED', 'BIRTH_ANNIVERSARY', 'DEATH_ANNIVERSARY'] as const) {
    const nameless = pushWords(ENGLISH, { event, data }, null);
    t.same(nameless, { title: ENGLISH.pushes[event], body: '' });
    const { title } = pushWords(ENGLISH, { event, data }, 'MEMORY_TAG');
    t.match(title, 'Katharina Brandt', event);
  }
});
