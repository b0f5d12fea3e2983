import { join, resolve } from 'node:path';
import type { EmulatorStore } from '@qr-profile-service/stripe-emulator';
import type { Config } from '../config.ts';
import { ConfigError } from '../shared/config-error.ts';
import {
  createPrivateFolder,
  getSystemErrorCode,
  readFileIfExists,
  writePrivateFile,
} from './private-file.ts';

// Development dependencies, missing in production installs: only types and dynamic imports.

export async function assertDevelopmentPackagesInstalled(
  config: Pick<Config, 'databaseUrl' | 'billing'>,
): Promise<void> {
  const loading = await Promise.allSettled([
    config.databaseUrl ? null : loadEmbeddedPostgresPackage(),
    config.billing === 'sandbox' ? loadStripeEmulatorPackage() : null,
  ]);
  const failures = loading.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const problems = failures.flatMap((reason) => {
    if (reason instanceof ConfigError) return reason.problems;
    throw reason;
  });
  if (problems.length > 0) throw new ConfigError(problems);
}

export function loadEmbeddedPostgresPackage() {
  return importOrThrow(
    import('@qr-profile-service/embedded-postgres'),
    'DATABASE_URL: is required, since this installation has no embedded PostgreSQL (a development package, which `npm ci` installs and builds).',
  );
}

export function loadStripeEmulatorPackage() {
  return importOrThrow(
    import('@qr-profile-service/stripe-emulator'),
    'BILLING: must be `stripe` or `off`, since this installation has no Stripe emulator (a development package, which `npm ci` installs and builds).',
  );
}

export async function loadOidcEmulatorPackage() {
  return importIfInstalled(import('@qr-profile-service/oidc-emulator'));
}

export async function loadClientPackage() {
  return importIfInstalled(import('@qr-profile-service/client'));
}

export async function findStripeEmulator(dataDir: string) {
  const emulator = await loadStripeEmulatorPackage();
  return emulator.findStripeEmulator(createEmulatorStore(dataDir));
}

export function createEmulatorStore(dataDir: string): EmulatorStore {
  return {
    read: (file) => readFileIfExists(join(dataDir, file)),
    async write(file, text) {
      await createPrivateFolder(resolve(dataDir));
      await writePrivateFile(join(dataDir, file), text);
    },
  };
}

async function importOrThrow<Module>(loading: Promise<Module>, problem: string): Promise<Module> {
  const module = await importIfInstalled(loading);
  if (module === null) throw new ConfigError([problem]);
  return module;
}

async function importIfInstalled<Module>(loading: Promise<Module>): Promise<Module | null> {
  try {
    return await loading;
  } catch (error) {
    if (getSystemErrorCode(error) === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}
