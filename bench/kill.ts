// Kills the embedded PostgreSQL of the real service, 30 times at random moments under load, and shows that no scan that was
// acknowledged is lost or doubled, that every count equals the scans, and how soon scans are acknowledged again:
// `npm run bench:kill` (or `-- <kills>`). Ends with 1 when anything is wrong, or the first 201 comes later than 3 s.
import { killUnderLoad } from './kill/run.ts';
import { quantile } from './numbers.ts';
import { withService } from './service-process.ts';
import { numbersOf } from './usage.ts';

const [kills = 0] = numbersOf(import.meta.url, 30);

/** Milliseconds from a kill to the first scan that is acknowledged. */
const GOAL = 3_000;

process.exitCode = await withService(
  {},
  async (service) => {
    const begun = performance.now();
    const result = await killUnderLoad(service, { kills, say: (text) => process.stderr.write(`${text}\n`) });
    const { seen, wrong, stored, rolledUp } = result;
    const back = result.kills.map(({ backAfter }) => backAfter ?? Number.POSITIVE_INFINITY);
    const [median, slowest] = [0.5, 1].map((share) => quantile(back, share));
    const sent = seen.plain.length + seen.medical.length + seen.keyed.length;
    const acknowledged = [...seen.plain, ...seen.medical, ...seen.keyed].filter(({ id }) => id !== null);
    console.log(`${result.kills.length} kills in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
    console.log(
      `${sent} scans sent, ${acknowledged.length} acknowledged, ${stored} stored, ${seen.away} answers of 503; ` +
        `${seen.keyed.length} with a key, ${seen.repeats} of these repeated`,
    );
    console.log(`rolled up ${rolledUp.done} times, ${rolledUp.failed} more were broken by a kill`);
    console.log(
      `first 201 after a kill: median ${median?.toFixed(0)} ms, slowest ${slowest?.toFixed(0)} ms (goal ${GOAL})`,
    );
    console.log(wrong.length === 0 ? 'nothing is lost, doubled or counted wrong' : `${wrong.length} WRONG`);
    for (const line of wrong.slice(0, 20)) console.error(line);
    return wrong.length === 0 && (slowest ?? 0) <= GOAL && result.kills.length === kills ? 0 : 1;
  },
  false,
);
