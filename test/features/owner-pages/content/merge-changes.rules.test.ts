import {
  mergeChanges,
  serializeBase,
} from '../../../../src/features/owner-pages/content/merge-changes.rules.ts';
import { t } from '../../../tap.ts';

const STORED = { title: 'Rex', 'data.name': 'Rex', 'data.owner': { name: 'Anna' }, 'data.reward': undefined };

t.test('what only one of two people changed is taken from that one', async (t) => {
  const mine = { ...STORED, 'data.name': 'Max' };
  const theirs = { ...STORED, 'data.reward': '100 EUR', 'data.owner': { name: 'Anna', phone: '+49 30 1' } };
  t.same(mergeChanges(serializeBase(STORED), mine, theirs), {
    merged: { ...theirs, 'data.name': 'Max' },
    clashes: [],
  });
});

t.test('what both changed is named, unless they agree', async (t) => {
  const mine = { ...STORED, title: 'Max', 'data.reward': '50 EUR' };
  const theirs = { ...STORED, title: 'Max', 'data.reward': '100 EUR' };
  t.same(mergeChanges(serializeBase(STORED), mine, theirs), { merged: mine, clashes: ['data.reward'] });
});

t.test('what one removed and the other changed is named', async (t) => {
  const mine = { ...STORED, 'data.owner': undefined };
  const theirs = { ...STORED, 'data.owner': { name: 'Eva' } };
  t.same(mergeChanges(serializeBase(STORED), mine, theirs).clashes, ['data.owner']);
});

t.test('without a valid base, every difference is named', async (t) => {
  const mine = { ...STORED, title: 'Max' };
  for (const base of ['', 'x', serializeBase({ title: 'Rex' })])
    t.same(mergeChanges(base, mine, STORED).clashes, ['title'], base);
});
