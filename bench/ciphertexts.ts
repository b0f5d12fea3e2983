// Alter 10,000 ciphertexts in every way that database write access allows, and decrypt them in the service. 200 of them
// are also written to the database and read through the API: `npm run bench:ciphertexts`. Exits with 1 if an altered
// value is accepted, or the response is not DATA_INTEGRITY with a CRITICAL audit entry.
import { startBenchApp } from './bench-app.ts';
import { alterCiphertexts } from './ciphertexts/run.ts';
import { readArguments } from './read-arguments.ts';
import { withScratchDatabase } from './scratch-database.ts';

readArguments(import.meta.url);

process.exitCode = await withScratchDatabase(async (scratch) => {
  const app = await startBenchApp(scratch);
  try {
    const result = await alterCiphertexts(app, { total: 10_000, sampleSize: 200 });
    console.log(`${result.open} of ${result.values} stored values open as they are`);
    console.log(`${result.attemptCount} altered ciphertexts: ${result.acceptedAlterations.length} accepted`);
    console.log(
      `${result.requestCount} through the interface: ${result.unexpectedResponses.length} not 500 DATA_INTEGRITY`,
    );
    console.log(`${result.criticalEntries} CRITICAL entries in the audit trail`);
    for (const line of [...result.acceptedAlterations, ...result.unexpectedResponses]) console.error(line);
    const isPassed =
      result.open === result.values &&
      result.acceptedAlterations.length + result.unexpectedResponses.length === 0 &&
      result.criticalEntries === result.requestCount;
    return isPassed ? 0 : 1;
  } finally {
    await app.close();
  }
});
process.exit();
