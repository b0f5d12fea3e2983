import { randomName } from '../shared/ids.ts';
import { readWords } from '../shared/usage.ts';
import { terminalCode } from '../start/terminal-qr-code.ts';
import { runCommand } from './command-context.ts';
import { DEMO_CALLS, DEMO_PASSWORD, DEMO_SCANS } from './demo-calls.ts';
import { makeDemoCodes, makeDemoHistory } from './demo-content.ts';
import { waitForOtp } from './demo-mailbox.ts';
import { progressOn } from './progress.ts';

/** Without a phone's name a scan is a robot's. */
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

/** Longest answer printed whole, in characters. */
const SHOWN = 600;

readWords(`Usage:
  npm run demo    makes an account with several codes and three months of scans in the running service, and prints
                  each call with its answer`);

// A reader such as head may have had enough.
const unread = new AbortController();
process.stdout.once('error', () => unread.abort());

await runCommand('demo', async ({ services, stopping: asked }) => {
  const stopping = AbortSignal.any([asked, unread.signal]);
  const base = services.publicBaseUrl;
  if (services.config.production) return complain('The demo makes an account and scans: not in production.');
  if (services.config.smtpUrl)
    return complain('The demo reads its code from the mailbox: unset SMTP_URL for it.');
  const isUp = await fetch(`${base}/api/health/ready`).then(
    (answer) => answer.ok,
    () => false,
  );
  if (!isUp) return complain(`Nothing answers at ${base}. Start the service first: npm start`);

  const values: Record<string, string> = { email: `demo-${randomName(8)}@example.org` };
  for (const call of DEMO_CALLS) {
    if (stopping.aborted) return 1;
    if (JSON.stringify(call.body ?? {}).includes('{otp}')) {
      values.otp = await waitForOtp(services.mailboxDir, values.email ?? '');
    }
    await makeCall(base, call, values);
  }
  if (stopping.aborted) return 1;
  console.log(`\n— The code in the image: ${base}/s/${values.id}\n`);
  console.log(await terminalCode(`${base}/s/${values.id}`));

  console.log('— Codes of other kinds, and three months of scans');
  const codes = await makeDemoCodes(base, values.token ?? '');
  const progress = progressOn(process.stderr, 'scans');
  const scans = await makeDemoHistory(services, codes, progress, stopping);
  progress.end();
  console.log(`
${codes.length + 1} codes and ${scans + DEMO_SCANS} scans are there to look at:
  account   ${values.email}
  password  ${DEMO_PASSWORD}
  reference ${base}/api/docs
  mailbox   ${base}/api/sandbox/mailbox
  a page    ${base}/s/${values.id}`);
  return 0;
});

async function makeCall(
  base: string,
  call: (typeof DEMO_CALLS)[number],
  values: Record<string, string>,
): Promise<void> {
  const body = call.body && fillIn(JSON.stringify(call.body), values);
  console.log(`\n— ${call.title}\n${call.method} ${call.path}${body ? `\n${body}` : ''}`);
  const answer = await fetch(base + call.path, {
    method: call.method,
    headers: {
      'User-Agent': PHONE,
      ...(body ? { 'Content-Type': 'application/json' } : {}),
      ...(call.signedIn ? { Authorization: `Bearer ${values.token}` } : {}),
    },
    ...(body ? { body } : {}),
  });
  const text = await answer.text();
  console.log(`${answer.status} ${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}`);
  if (!answer.ok) throw new Error(`${call.path} answered ${answer.status}.`);
  const found: Record<string, unknown> = JSON.parse(text);
  for (const [name, field] of Object.entries(call.keep ?? {})) values[name] = String(found[field]);
}

function fillIn(text: string, values: Record<string, string>): string {
  return text.replace(/\{(email|otp|id)\}/g, (_all, name: string) => values[name] ?? '');
}

function complain(text: string): number {
  console.error(text);
  return 1;
}
