import { join, relative } from 'node:path';
import { LOOPBACK_HOST_NAMES } from '../shared/client-address.ts';
import { readCommandArguments } from '../shared/command-usage.ts';
import { generateRandomAlphanumeric } from '../shared/ids.ts';
import { loadClientPackage } from '../start/development-packages.ts';
import { renderTerminalQrCode } from '../start/terminal-qr-code.ts';
import { DEMO_API_CALLS, DEMO_API_CALLS_SCAN_COUNT, DEMO_PASSWORD } from './demo-calls.ts';
import { waitForMailedOtp } from './demo-mailbox.ts';
import { formatDemoCall, formatDemoRows } from './demo-output.ts';
import { createCommandProgress } from './progress.ts';

const PHONE_USER_AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

readCommandArguments(`Usage:
  npm run demo    creates an account with several codes and three months of scans in the running service; prints the
                  calls with their responses, and where to see the result`);
const { runCommand } = await import('./command-context.ts');
const {
  addDemoPicture,
  createDemoQrCodes,
  createLostDemoPet,
  DEMO_REQUEST_TIMEOUT_MS,
  insertDemoScans,
  openDemoGuestBook,
  saveDemoReport,
} = await import('./demo-content.ts');

// The reader of the output can leave early (`| head`).
const outputClosed = new AbortController();
process.stdout.once('error', () => outputClosed.abort());

await runCommand('demo', async ({ services, signal: commandSignal }) => {
  const stopping = AbortSignal.any([commandSignal, outputClosed.signal]);
  const base = services.publicBaseUrl;
  if (services.config.production)
    return printFailure('The demo creates an account and scans. It does not run in production.');
  if (services.config.smtpUrl)
    return printFailure('The demo reads its code from the mailbox. Unset SMTP_URL to run it.');
  const clientPackage = await loadClientPackage();
  if (!clientPackage)
    return printFailure(
      'The demo needs development packages, which `npm ci` installs and `npm run build` builds.',
    );
  const isUp = await fetch(`${base}/api/health/ready`, {
    signal: AbortSignal.timeout(DEMO_REQUEST_TIMEOUT_MS),
  }).then(
    (response) => response.ok,
    () => false,
  );
  if (!isUp) return printFailure(`The service is not reachable at ${base}. Start it first: npm start`);

  console.log('These calls create an account with a code, scan the code, and read what the owner sees.\n');
  const values: Record<string, string> = { email: `demo-${generateRandomAlphanumeric(8)}@example.org` };
  for (const [index, call] of DEMO_API_CALLS.entries()) {
    if (stopping.aborted) return 1;
    if (JSON.stringify(call.body ?? {}).includes('{otp}')) {
      values.otp = await waitForMailedOtp(services.mailboxDir, values.email ?? '');
    }
    await sendCall(base, call, index + 1, values);
  }
  if (stopping.aborted) return 1;
  const client = clientPackage.createClient({ baseUrl: base, token: values.token ?? '' });
  const dog = {
    kind: 'PET',
    label: 'Pet',
    id: values.id ?? '',
    scanUrl: values.scanUrl ?? '',
  };
  const [lostPet] = await Promise.all([createLostDemoPet(client), addDemoPicture(client, dog.id)]);
  const codes = [dog, lostPet, ...(await createDemoQrCodes(client))];
  const memorial = codes.find(({ kind }) => kind === 'MEMORY_TAG');
  const signGuestBook = memorial && (await openDemoGuestBook(memorial.scanUrl, PHONE_USER_AGENT));
  const progress = createCommandProgress(process.stderr, 'scans');
  const { data: qrCodes } = await client.get('/api/qrcodes', { query: { limit: 100 } });
  const scans = await insertDemoScans(services, qrCodes, progress, stopping);
  progress.end();
  if (stopping.aborted) return 1;
  const reportFile = join(services.config.dataDir, 'demo-report.html');
  await saveDemoReport(client, reportFile);
  await signGuestBook?.();

  const isLocal = LOOPBACK_HOST_NAMES.has(new URL(base).hostname);
  if (!isLocal) console.log(await renderTerminalQrCode(dog.scanUrl));
  console.log(`${codes.length} codes and ${scans + DEMO_API_CALLS_SCAN_COUNT} scans from the last three months were created.

${formatDemoRows([
  ...codes.map(({ label, scanUrl }) => [label, scanUrl] as const),
  ['Report', relative('', reportFile)],
  ['Mailbox', `http://localhost:${services.config.port}/api/sandbox/mailbox`],
  ['API reference', `${base}/api/docs`],
  ['Account', values.email ?? ''],
  ['Password', DEMO_PASSWORD],
])}

Open the pages in a browser: each visit is a scan. All of them are also at ${base}/
${isLocal ? 'To open them on a phone, stop the service, start it with `npm start -- --lan`, and run the demo again.' : 'Scan the code above with a phone.'}`);
  return 0;
});

async function sendCall(
  base: string,
  call: (typeof DEMO_API_CALLS)[number],
  number: number,
  values: Record<string, string>,
): Promise<void> {
  const body = call.body && fillPlaceholders(JSON.stringify(call.body), values);
  const response = await fetch(base + call.path, {
    method: call.method,
    signal: AbortSignal.timeout(DEMO_REQUEST_TIMEOUT_MS),
    headers: {
      'User-Agent': PHONE_USER_AGENT,
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...(call.signedIn ? { Authorization: `Bearer ${values.token}` } : {}),
    },
    ...(body ? { body } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${call.path} answered ${response.status}: ${text.slice(0, 600)}`);
  console.log(formatDemoCall(process.stdout, { ...call, number, body }, { status: response.status, text }));

  const found: Record<string, unknown> = JSON.parse(text);
  for (const [name, field] of Object.entries(call.capture ?? {})) values[name] = String(found[field]);
}

function fillPlaceholders(text: string, values: Record<string, string>): string {
  return text.replace(/\{(email|otp|id)\}/g, (_all, name: string) => values[name] ?? '');
}

function printFailure(text: string): number {
  console.error(text);
  return 1;
}
