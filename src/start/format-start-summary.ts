import type { Config } from '../config.ts';
import { SERVICE_VERSION } from '../shared/version.ts';

/** Describe a started service in a few lines for a terminal. */
export function formatStartSummary(
  config: Pick<Config, 'brand' | 'production' | 'port' | 'publicBaseUrl' | 'ownerPages' | 'smtpUrl'>,
  emulated: readonly string[],
): string {
  // The mailbox is only for this machine, whatever the public address is.
  const mailbox = `http://localhost:${config.port}/api/sandbox/mailbox`;
  const canRunDemo = !config.production && !config.smtpUrl;
  const rows = [
    ['Address', config.publicBaseUrl],
    ...(config.ownerPages ? [['For owners', describeOwnerPages(config.publicBaseUrl)]] : []),
    ['API reference', `${config.publicBaseUrl}/api/docs`],
    ...(canRunDemo ? [['Mailbox', mailbox]] : []),
    ...(emulated.length > 0 ? [['Emulated', emulated.join(', ')]] : []),
    ...(canRunDemo ? [['Next', 'npm run demo (in another terminal) creates codes to try']] : []),
  ];
  const lines = rows.map(([name = '', value]) => `  ${name.padEnd(15)}${value}`);
  return [`${config.brand.name} ${SERVICE_VERSION} is running. Ctrl-C stops it.`, '', ...lines].join('\n');
}

/** Without https, other devices of the network can read the cookie of a session. */
export function describeOwnerPages(publicBaseUrl: string): string {
  const isOnThisMachine = ['localhost', '127.0.0.1'].includes(new URL(publicBaseUrl).hostname);
  const isSafe = publicBaseUrl.startsWith('https:') || isOnThisMachine;
  return `${publicBaseUrl}/app${isSafe ? '' : ' (without https: others in the network can read along)'}`;
}
