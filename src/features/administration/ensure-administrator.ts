import type { Database } from '../../platform/database.ts';
import type { PasswordHasher } from '../../platform/password-hasher.ts';
import { ConfigError } from '../../shared/config-error.ts';
import { normalizeEmail } from '../../shared/email.ts';
import {
  findPasswordErrors,
  findUserForAdministrationByEmail,
  hasAdministrator,
  revokeUserAccess,
  upsertAdministrator,
} from '../identity/index.ts';
import { recordRoleChange, runWithAdministratorLock } from './change-administrators.use-case.ts';

interface EnsureAdministratorServices {
  config: { adminEmail: string | undefined; adminPassword: string | undefined };
  database: Database;
  passwords: PasswordHasher;
}

/**
 * Create or promote the administrator of ADMIN_EMAIL and ADMIN_PASSWORD if both are set and no administrator can log
 * in. A promoted user keeps the password. Idempotent, also across instances.
 * @throws ConfigError for settings that cannot be used
 */
export async function ensureAdministrator(
  services: EnsureAdministratorServices,
): Promise<'NOT_SET' | 'EXISTS' | 'CREATED' | 'PROMOTED'> {
  const { config, database, passwords } = services;
  const { adminEmail, adminPassword } = config;
  if (!adminEmail || !adminPassword) return 'NOT_SET';
  if (await hasAdministrator(database.client)) return 'EXISTS';
  const email = await requireAdministratorEmail(adminEmail, adminPassword);
  const passwordHash = await passwords.hash(adminPassword);
  return runWithAdministratorLock(database, async (tx) => {
    if (await hasAdministrator(tx)) return 'EXISTS';
    const user = await findUserForAdministrationByEmail(tx, email);
    if (user?.status === 'SUSPENDED') {
      throw new ConfigError(['ADMIN_EMAIL: the user with this address is suspended.']);
    }
    const administrator = await upsertAdministrator(tx, email, passwordHash);
    if (!administrator) throw new Error('Failed to create the administrator.');
    if (!administrator.created) await revokeUserAccess(tx, administrator.id, 'ROLE_CHANGED');
    await recordRoleChange(tx, 'ADMINISTRATOR_CREATED', administrator.id, 'start');
    return administrator.created ? 'CREATED' : 'PROMOTED';
  });
}

async function requireAdministratorEmail(address: string, password: string): Promise<string> {
  const email = normalizeEmail(address);
  if (!email) throw new ConfigError(['ADMIN_EMAIL: is not an email address.']);
  const problems = await findPasswordErrors(password, email);
  if (problems.length > 0) throw new ConfigError(problems.map(({ message }) => `ADMIN_PASSWORD: ${message}`));
  return email;
}
