import { readCommandArguments } from '../shared/command-usage.ts';
import { generateRandomAlphanumeric } from '../shared/ids.ts';
import { renderTerminalQrCode } from '../start/terminal-qr-code.ts';
import { runCommand } from './command-context.ts';
import { DEMO_API_CALLS, DEMO_API_CALLS_SCAN_COUNT, DEMO_PASSWORD } from './demo-calls.ts';
import { createDemoQrCodes, DEMO_REQUEST_TIMEOUT_MS, insertDemoScans } from './demo-content.ts';
import { waitForMailedOtp } from './demo-mailbox.ts';
import { createCommandProgress } from './progress.ts';

const PHONE_USER_AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

const MAX_PRINTED_CHARACTERS = 600;

readCommandArguments(`Usage:
  npm run demo    creates an account with several codes and three months of scans in the running service, and prints
                  each call with its response`);

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
  const isUp = await fetch(`${base}/api/health/ready`, {
    signal: AbortSignal.timeout(DEMO_REQUEST_TIMEOUT_MS),
  }).then(
    (response) => response.ok,
    () => false,
  );
  if (!isUp) return printFailure(`The service is not reachable at ${base}. Start it first: npm start`);

  const values: Record<string, string> = { email: `demo-${generateRandomAlphanumeric(8)}@example.org` };
  for (const call of DEMO_API_CALLS) {
    if (stopping.aborted) return 1;
    if (JSON.stringify(call.body ?? {}).includes('{otp}')) {
      values.otp = await waitForMailedOtp(services.mailboxDir, values.email ?? '');
    }
    await sendCall(base, call, values);
  }
  if (stopping.aborted) return 1;
  console.log(`\n— The code in the image: ${base}/s/${values.id}\n`);
  console.log(await renderTerminalQrCode(`${base}/s/${values.id}`));

  console.log('— Codes of other kinds, and three months of scans');
  const codes = await createDemoQrCodes(base, values.token ?? '');
  const progress = createCommandProgress(process.stderr, 'scans');
  const scans = await insertDemoScans(services, codes, progress, stopping);
  progress.end();
  console.log(`
${codes.length + 1} codes and ${scans + DEMO_API_CALLS_SCAN_COUNT} scans were created:
  account   ${values.email}
  password  ${DEMO_PASSWORD}
  reference ${base}/api/docs
  mailbox   ${base}/api/sandbox/mailbox
  a page    ${base}/s/${values.id}`);
  return 0;
});

async function sendCall(
  base: string,
  call: (typeof DEMO_API_CALLS)[number],
  values: Record<string, string>,
): Promise<void> {
  const body = call.body && fillPlaceholders(JSON.stringify(call.body), values);
  console.log(`\n— ${call.title}\n${call.method} ${call.path}${body ? `\n${body}` : ''}`);
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
  console.log(
    `${response.status} ${text.length > MAX_PRINTED_CHARACTERS ? `${text.slice(0, MAX_PRINTED_CHARACTERS)}…` : text}`,
  );
  if (!response.ok) throw new Error(`${call.path} answered ${response.status}.`);
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
