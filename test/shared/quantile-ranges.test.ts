import { createQuantileRanges } from '../../src/shared/quantile-ranges.ts';
import { t } from '../tap.ts';

t.test('one high count does not turn all others into one shade', async (t) => {
  t.same(createQuantileRanges([1, 2, 3, 4, 5, 6, 7, 460], 4), [
    { from: 1, to: 2, shade: 1 },
    { from: 3, to: 4, shade: 2 },
    { from: 5, to: 6, shade: 3 },
    { from: 7, to: 460, shade: 4 },
  ]);
});

t.test('near counts differ, and equal ones share a shade', async (t) => {
  t.same(createQuantileRanges([170, 148], 4), [
    { from: 148, to: 148, shade: 3 },
    { from: 170, to: 170, shade: 4 },
  ]);
  t.same(createQuantileRanges([0, 5, 5, 5, 5, 5, 5, 5, 9], 4), [
    { from: 5, to: 5, shade: 3 },
    { from: 9, to: 9, shade: 4 },
  ]);
  t.same(createQuantileRanges([3], 4), [{ from: 3, to: 3, shade: 4 }]);
  t.same(createQuantileRanges([0, 0], 4), []);
});

t.test('a frequent count leaves the others their own shades', async (t) => {
  const shades = (counts: number[]) => createQuantileRanges(counts, 4).map(({ from, to }) => [from, to]);
  t.same(shades([3, 3, 3, 3, 3, 1]), [
    [1, 1],
    [3, 3],
  ]);
  t.same(shades([1, 1, 1, 1, 1, 1, 1, 2, 3, 4]), [
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
  ]);
  t.same(shades([9, 9, 9, 9, 9, 9, 1, 2, 3, 4, 5, 6, 7]), [
    [1, 2],
    [3, 4],
    [5, 6],
    [7, 9],
  ]);
});
