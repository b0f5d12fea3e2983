// Measure the erasure of an account with 100,000 codes and 300,000 scans: time to the response, time until no row is
// left, and response times of other scans meanwhile: `npm run bench:erasure -- [codes] [scans]`
import { fillAccount } from './fill-account.ts';
import { readNumberArguments } from './read-arguments.ts';
import { formatProbeTimes, type RunningApp, runWithApp, startProbing } from './running-app.ts';
import { type ScratchDatabase, withScratchDatabase } from './scratch-database.ts';

const [codes = 0, scans = 0] = readNumberArguments(import.meta.url, 100_000, 300_000);

await withScratchDatabase((scratch) => runWithApp(scratch, (app) => measureErasure(app, scratch)));
process.exit();

async function measureErasure(app: RunningApp, scratch: ScratchDatabase): Promise<void> {
  const { services, address } = app;
  const other = await fillAccount(scratch, { qrCodes: 100, scans: 0, notifications: 0 });
  const large = await fillAccount(scratch, { qrCodes: codes, scans, notifications: scans / 2 });
  const authorization = `Bearer ${app.createToken(large.userId, large.sessionId)}`;
  const json = { 'content-type': 'application/json' };
  const scan = (qrCodeId: string | undefined) =>
    fetch(`${address}/api/scans/public`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ qrCodeId }),
    });

  const probe = startProbing(() => scan(other.qrCodeIds[0]), 201);
  const startedAt = performance.now();
  const erased = await fetch(`${address}/api/auth/account`, {
    ...{ method: 'DELETE', headers: { ...json, authorization }, body: '{}' },
  });
  const responseMs = performance.now() - startedAt;
  console.log(`DELETE /api/auth/account: ${erased.status} in ${responseMs.toFixed(0)} ms`);
  const probes = await Promise.all(large.qrCodeIds.map((id) => scan(id)));
  console.log(
    `100 of its codes scanned at once: ${[...new Set(probes.map(({ status }) => status))].join(', ')}`,
  );
  const { erasure } = services.database.client;
  while ((await erasure.count({ where: { finishedAt: null } })) > 0)
    await new Promise((resolve) => setTimeout(resolve, 250));
  console.log(`nothing left after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  console.log(`scans of others meanwhile: ${formatProbeTimes(await probe.stop())}`);
}
