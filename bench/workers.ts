// Create 1,000 events for mails and 1,000 for pushes while workers are killed 30 times, and count what a mail server
// and an FCM server on loopback received: none may be lost, each must have one Message-ID or tag, and repeats must not
// exceed what was in flight at a kill. The same without kills, where each must be sent once: `npm run bench:workers`
// (or `-- <events> <kills>`). Exits with 1 on any error.
import { readNumberArguments } from './read-arguments.ts';
import { startMailDeliveries } from './workers/mail-deliveries.ts';
import { startPushDeliveries } from './workers/push-deliveries.ts';
import { killWorkers, type WorkerRunResult } from './workers/run.ts';

const [events = 0, kills = 0] = readNumberArguments(import.meta.url, 1_000, 30);

const printLine = (text: string) => process.stderr.write(`${text}\n`);
let errorCount = 0;

for (const times of kills > 0 ? [kills, 0] : [0]) {
  const deliveries = [await startMailDeliveries(), await startPushDeliveries()];
  try {
    printOutcome(await killWorkers({ events, kills: times, log: printLine }, deliveries));
  } finally {
    await Promise.all(deliveries.map((one) => one.close()));
  }
}
process.exitCode = errorCount === 0 ? 0 : 1;

function printOutcome({ tallies, kills, interruptedJobs, unfinishedJobs, seconds }: WorkerRunResult): void {
  console.log(`${events} events, ${kills} kills, ${seconds.toFixed(0)} s`);
  for (const { name, lost, once, repeats, withOtherKey, unknown } of tallies) {
    console.log(
      `  ${name}: ${lost} lost, ${once} delivered once, ${repeats} repeats, ` +
        `${withOtherKey} under another key, ${unknown} of no event`,
    );
    if (lost > 0 || withOtherKey > 0 || unknown > 0 || repeats > interruptedJobs) errorCount += 1;
  }
  console.log(
    `  jobs: ${interruptedJobs} broken off by kills and tried again, ${unfinishedJobs} undone at the end`,
  );
  // A worker runs one job per queue at a time.
  if (unfinishedJobs > 0 || interruptedJobs > kills * tallies.length) errorCount += 1;
}
