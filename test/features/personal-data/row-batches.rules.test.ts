import { splitIntoBatchesByBytes } from '../../../src/features/personal-data/erase-batch.ts';
import { fc } from '../../property.ts';
import { t } from '../../tap.ts';

t.test('batches keep all rows in order, and only a single row can exceed the limit', async (t) => {
  const sizes = fc.array(fc.nat({ max: 200 }), { maxLength: 300 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 500 }), (counts, batchSize) => {
      const rows = counts.map((bytes, id) => ({ id, bytes }));
      const batches = splitIntoBatchesByBytes(rows, batchSize);
      const isBounded = (batch: typeof rows) =>
        batch.length === 1 || batch.reduce((sum, { bytes }) => sum + bytes, 0) <= batchSize;
      return JSON.stringify(batches.flat()) === JSON.stringify(rows) && batches.every(isBounded);
    }),
  );
  t.same(splitIntoBatchesByBytes([], 10), []);
});
