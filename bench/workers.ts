// Makes 1,000 events for mails and 1,000 for pushes while workers are killed 30 times, and counts what a mail server and a
// server of Firebase's protocol on loopback took: none may be lost, each goes under one Message-ID or tag, and repeats are at
// most what was in flight at a kill. The same without a kill, where each goes once: `npm run bench:workers` (or
// `-- <events> <kills>`). Ends with 1 when anything is wrong.
import { numbersOf } from './usage.ts';
import { mailDeliveries } from './workers/mail-deliveries.ts';
import { pushDeliveries } from './workers/push-deliveries.ts';
import { killWorkers, type Outcome } from './workers/run.ts';

const [events = 0, kills = 0] = numbersOf(import.meta.url, 1_000, 30);

const say = (text: string) => process.stderr.write(`${text}\n`);
let wrong = 0;

for (const times of kills > 0 ? [kills, 0] : [0]) {
  const deliveries = [await mailDeliveries(), await pushDeliveries()];
  try {
    print(await killWorkers({ events, kills: times, say }, deliveries));
  } finally {
    await Promise.all(deliveries.map((one) => one.close()));
  }
}
process.exitCode = wrong === 0 ? 0 : 1;

function print({ tallies, kills, brokenOff, undone, seconds }: Outcome): void {
  console.log(`${events} events, ${kills} kills, ${seconds.toFixed(0)} s`);
  for (const { name, lost, once, repeats, underAnotherKey, unknown } of tallies) {
    console.log(
      `  ${name}: ${lost} lost, ${once} delivered once, ${repeats} repeats, ` +
        `${underAnotherKey} under another key, ${unknown} of no event`,
    );
    if (lost > 0 || underAnotherKey > 0 || unknown > 0 || repeats > brokenOff) wrong += 1;
  }
  console.log(`  jobs: ${brokenOff} broken off by kills and tried again, ${undone} undone at the end`);
  // A worker does a job of each queue at a time.
  if (undone > 0 || brokenOff > kills * tallies.length) wrong += 1;
}
