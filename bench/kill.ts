// Kill the embedded PostgreSQL of the real service 30 times at random moments under load. Check that no acknowledged
// scan is lost or duplicated and that every count equals the scans, and measure the time to recovery:
// `npm run bench:kill` (or `-- <kills>`). Exits with 1 on any error, or if the first 201 comes later than 3 s.
import { killUnderLoad } from './kill/run.ts';
import { getQuantile } from './numbers.ts';
import { readNumberArguments } from './read-arguments.ts';
import { runWithService } from './service-process.ts';

const [kills = 0] = readNumberArguments(import.meta.url, 30);

const MAX_RECOVERY_MS = 3_000;

process.exitCode = await runWithService(
  {},
  async (service) => {
    const startedAt = performance.now();
    const result = await killUnderLoad(service, { kills, log: (text) => process.stderr.write(`${text}\n`) });
    const { visitorResults, errors, stored, rolledUp } = result;
    const recoveryTimes = result.kills.map(
      ({ recoveredAfterMs }) => recoveredAfterMs ?? Number.POSITIVE_INFINITY,
    );
    const [median, slowest] = [0.5, 1].map((share) => getQuantile(recoveryTimes, share));
    const sentCount =
      visitorResults.withoutKey.length +
      visitorResults.medical.length +
      visitorResults.withIdempotencyKey.length;
    const acknowledged = [
      ...visitorResults.withoutKey,
      ...visitorResults.medical,
      ...visitorResults.withIdempotencyKey,
    ].filter(({ id }) => id !== null);
    console.log(`${result.kills.length} kills in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    console.log(
      `${sentCount} scans sent, ${acknowledged.length} acknowledged, ${stored} stored, ${visitorResults.unavailableResponses} answers of 503; ` +
        `${visitorResults.withIdempotencyKey.length} with a key, ${visitorResults.repeats} of these repeated`,
    );
    console.log(
      `rolled up ${rolledUp.completedRequests} times, ${rolledUp.failed} more were broken by a kill`,
    );
    console.log(
      `first 201 after a kill: median ${median?.toFixed(0)} ms, slowest ${slowest?.toFixed(0)} ms (goal ${MAX_RECOVERY_MS})`,
    );
    console.log(errors.length === 0 ? 'nothing is lost, doubled or counted wrong' : `${errors.length} WRONG`);
    for (const line of errors.slice(0, 20)) console.error(line);
    return errors.length === 0 && (slowest ?? 0) <= MAX_RECOVERY_MS && result.kills.length === kills ? 0 : 1;
  },
  false,
);
