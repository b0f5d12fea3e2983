import type { OidcEmulator } from '@qr-profile-service/oidc-emulator';
import type { StripeEmulator } from '@qr-profile-service/stripe-emulator';
import type { Config } from '../config.ts';
import type { Shutdown } from '../process/shutdown.ts';
import type { ProcessLog } from '../shared/process-log.ts';
import {
  createEmulatorStore,
  loadOidcEmulatorPackage,
  loadStripeEmulatorPackage,
} from './development-packages.ts';

/** Start the OpenID Connect emulator outside production without a configured provider; null if not installed. */
export async function startOidcEmulator(config: Config, log: ProcessLog): Promise<OidcEmulator | null> {
  if (config.production || config.identityProvider) return null;
  const emulator = await loadOidcEmulatorPackage();
  const redirectUri = `${config.publicBaseUrl}/api/auth/google/callback`;
  return emulator ? emulator.startOidcEmulator({ redirectUri, log }) : null;
}

/** Start the Stripe emulator where BILLING is `sandbox`; it sends events to this service's webhook. */
export async function startStripeEmulator(
  config: Config,
  log: ProcessLog,
  shutdown: Shutdown,
): Promise<StripeEmulator | null> {
  if (config.billing !== 'sandbox') return null;
  const { dataDir, production } = config;
  const host = ['0.0.0.0', '::', 'localhost'].includes(config.host) ? '127.0.0.1' : config.host;
  const service = `http://${host.includes(':') ? `[${host}]` : host}:${config.port}`;
  const webhookUrl = `${service}/api/webhooks/stripe`;
  const { startStripeEmulator: startEmulator } = await loadStripeEmulatorPackage();
  const emulator = await startEmulator({ webhookUrl, store: createEmulatorStore(dataDir), production, log });
  shutdown.addPhase('payment sandbox', 150, () => emulator.close());
  return emulator;
}
