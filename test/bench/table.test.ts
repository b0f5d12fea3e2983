import { formatTable, type Measurement, summarizeMeasurement } from '../../bench/table.ts';
import { fc } from '../property.ts';
import { t } from '../tap.ts';

const line: Measurement = {
  ...{ row: 'scan', measure: 'answers a second', unit: '/s' },
  ...{ service: [3000, 1600, 1500], baseline: [1000, 1000, 1000], ratioGoal: { min: 1.5 } },
};

t.test('a row has the medians of both sides and the ratios of the rounds', async (t) => {
  t.match(summarizeMeasurement(line), {
    service: 1600,
    baseline: 1000,
    ratio: { median: 1.6, minRatio: 1.5, maxRatio: 3 },
    isGoalReached: true,
  });
  t.match(summarizeMeasurement({ ...line, service: [1, 2], baseline: [1, 1] }), {
    service: 1.5,
    ratio: { median: 1.5 },
  });
});

t.test('a goal bounds the median ratio: from below for rates, from above for times', async (t) => {
  const isGoalReached = (ratioGoal: Measurement['ratioGoal'], service: number[]) =>
    summarizeMeasurement({ ...line, service, ratioGoal }).isGoalReached;
  t.equal(isGoalReached({ min: 1.5 }, [1500, 1500, 1500]), true);
  t.equal(isGoalReached({ min: 1.5 }, [1499, 1499, 9000]), false);
  t.equal(isGoalReached({ max: 1 }, [1000, 1000, 1000]), true);
  t.equal(isGoalReached({ max: 1 }, [1001, 1001, 1]), false);
  t.equal(isGoalReached(null, [1, 1, 1]), null, 'a row without a goal has no result');
});

t.test('a failed answer misses every goal; a row without measurements misses none', async (t) => {
  t.equal(summarizeMeasurement({ ...line, failed: 1 }).isGoalReached, false);
  const absent = summarizeMeasurement({
    ...line,
    service: [],
    baseline: [],
    note: 'pgbench is not installed',
  });
  t.match(absent, { service: null, baseline: null, ratio: null, isGoalReached: null });
  t.match(formatTable([absent]), /pgbench is not installed/);
});

t.test('the median of the ratios lies between the smallest and the largest', async () => {
  const number = fc.integer({ min: 1, max: 9999 });
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number), { minLength: 1 }), (pairs) => {
      const [service, baseline] = [pairs.map(([value]) => value), pairs.map(([, value]) => value)];
      const { ratio } = summarizeMeasurement({ ...line, service, baseline });
      return ratio !== null && ratio.minRatio <= ratio.median && ratio.median <= ratio.maxRatio;
    }),
  );
});

t.test('the table is Markdown with aligned columns', async (t) => {
  const lines = formatTable([
    summarizeMeasurement(line),
    summarizeMeasurement({ ...line, row: 'a longer name', ratioGoal: { max: 1 }, failed: 3 }),
  ]).split('\n');
  t.equal(lines.length, 4);
  t.equal(new Set(lines.map((text) => text.length)).size, 1);
  t.match(lines[1], /^\| -+ \|/);
  t.match(lines[2], /1,600 \/s .*1,000 \/s .*1\.60 × \(1\.50 to 3\.00\) .*≥ 1\.5 × .*reached/);
  t.match(lines[3], /≤ 1 × .*MISSED, 3 FAILED/);
});
