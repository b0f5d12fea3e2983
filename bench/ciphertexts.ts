// Alter 10,000 ciphertexts in every way that database write access allows, and decrypt them in the service. 200 of them
// are also written to the database and read through the API: `npm run bench:ciphertexts`. Exits with 1 if an altered
// value is accepted, or the response is not DATA_INTEGRITY with a CRITICAL audit entry.
import { startBenchApp } from './bench-app.ts';
import { alterCiphertexts } from './ciphertexts/run.ts';
import { readArguments } from './read-arguments.ts';
import { withScratchDatabase } from './scratch-database.ts';

readArguments(import.meta.url);

process.exitCode = await withScratchDatabase(async (place) => {
  const bench = await startBenchApp(place);
  try {
    const result = await alterCiphertexts(bench, { total: 10_000, sampled: 200 });
    console.log(`${result.open} of ${result.values} stored values open as they are`);
    console.log(`${result.attempted} altered ciphertexts: ${result.accepted.length} accepted`);
    console.log(
      `${result.requested} through the interface: ${result.answered.length} not 500 DATA_INTEGRITY`,
    );
    console.log(`${result.criticalEntries} CRITICAL entries in the audit trail`);
    for (const line of [...result.accepted, ...result.answered]) console.error(line);
    const right =
      result.open === result.values &&
      result.accepted.length + result.answered.length === 0 &&
      result.criticalEntries === result.requested;
    return right ? 0 : 1;
  } finally {
    await bench.close();
  }
});
process.exit();
