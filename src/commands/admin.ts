import { randomBytes } from 'node:crypto';
import type { Services } from '../services.ts';
import { exitWithUsage, readCommandArguments } from '../shared/command-usage.ts';
import { ConfigError } from '../shared/config-error.ts';
import { normalizeEmail } from '../shared/email.ts';

const USAGE = `Usage:
  npm run admin -- create <email>    creates an administrator account; the password is read from
                                     ADMIN_PASSWORD, or chosen with a link that is printed
  npm run admin -- promote <email>   makes an existing user an administrator
  npm run admin -- demote <email>    makes an administrator an ordinary user
  npm run admin -- remove-second-factor <email>
                                     removes the second factor of a user who lost it
  npm run admin -- list              lists all administrators
  npm run admin -- enterprise <email> on|off
                                     switches enterprise mode of a user on or off (docs/guides/enterprise-mode.md)`;

const HANDLERS: Record<string, (services: Services, email: string) => Promise<number>> = {
  create: createAdministratorAccount,
  promote: promoteByEmail,
  demote: demoteByEmail,
  'remove-second-factor': removeSecondFactor,
};

const [subcommand = '', address = '', ...rest] = readCommandArguments(USAGE, () => true);
const email = normalizeEmail(address);
const handler = Object.hasOwn(HANDLERS, subcommand) ? HANDLERS[subcommand] : undefined;

const isEnterpriseOn = rest.join(' ') === 'on';
const isValid =
  subcommand === 'list'
    ? address === ''
    : email &&
      (handler ? rest.length === 0 : subcommand === 'enterprise' && /^(?:on|off)$/.test(rest.join(' ')));
if (!isValid)
  exitWithUsage(USAGE, handler && address !== '' && !email ? `Not an email address: ${address}` : undefined);

const { runCommand } = await import('./command-context.ts');
const { createAdministrator, demoteAdministrator, promoteUserToAdministrator, removeSecondFactorByEmail } =
  await import('../features/administration/index.ts');
const {
  changeEnterpriseModeByEmail,
  createPasswordResetLink,
  findPasswordErrors,
  listAdministrators,
  PASSWORD_RESET_LINK_MINUTES,
} = await import('../features/identity/index.ts');
const { isEnterpriseModeEnforcedGlobally } = await import('../platform/instances.repository.ts');

await runCommand('admin', ({ services }) => runSubcommand(services), {
  canCreateDatabase: subcommand === 'create',
});

async function runSubcommand(services: Services): Promise<number> {
  if (!email) return printAdministrators(services);
  return handler ? handler(services, email) : setEnterpriseMode(services, email, isEnterpriseOn);
}

async function createAdministratorAccount(services: Services, email: string): Promise<number> {
  const { config, database, passwords } = services;
  // Without a configured one nobody ever knows the first password.
  const password = config.adminPassword ?? randomBytes(32).toString('base64url');
  const problems = await findPasswordErrors(password, email);
  if (problems.length > 0) throw new ConfigError(problems.map(({ message }) => `ADMIN_PASSWORD: ${message}`));
  const passwordHash = await passwords.hash(password);
  const outcome = await createAdministrator(database, { email, passwordHash });
  if (outcome === 'HAS_ACCOUNT') {
    return printFailure(
      `${email} already has an account. To make the user an administrator: npm run admin -- promote ${email}`,
    );
  }
  console.log(`${email} is an administrator.`);
  if (config.adminPassword === undefined) {
    const { link, userId } = await database.transaction((tx) => createPasswordResetLink(services, tx, email));
    if (!userId)
      return printFailure(
        'The account was changed in the meantime. Request a link with POST /api/auth/forgot-password.',
      );
    console.log(`Choose a password within ${PASSWORD_RESET_LINK_MINUTES} minutes: ${link}`);
  }
  return 0;
}

async function promoteByEmail({ database }: Services, email: string): Promise<number> {
  switch (await promoteUserToAdministrator(database, email)) {
    case 'PROMOTED':
      return printSuccess(`${email} is an administrator.`);
    case 'WAS_ADMINISTRATOR':
      return printSuccess(`${email} is already an administrator.`);
    case 'NO_ACCOUNT':
      return printFailure(`${email} has no account. To create one: npm run admin -- create ${email}`);
    case 'NOT_CONFIRMED':
      return printFailure(`${email} has not confirmed the email address yet.`);
    case 'SUSPENDED':
      return printFailure(`The account of ${email} is suspended.`);
  }
}

async function demoteByEmail({ database }: Services, email: string): Promise<number> {
  switch (await demoteAdministrator(database, email)) {
    case 'DEMOTED':
      return printSuccess(`${email} is no longer an administrator.`);
    case 'NO_ADMINISTRATOR':
      return printFailure(`${email} is not an administrator.`);
    case 'LAST':
      return printFailure(`${email} is the last administrator who can log in. Create another one first.`);
  }
}

async function removeSecondFactor(services: Services, email: string): Promise<number> {
  switch (await removeSecondFactorByEmail(services, email)) {
    case 'REMOVED':
      return printSuccess(
        `${email} has no second factor, and has to log in again. A new one is enrolled after the login.`,
      );
    case 'NO_ACCOUNT':
      return printFailure(`${email} has no account.`);
    case 'NOT_ENABLED':
      return printFailure(`${email} has no second factor.`);
  }
}

async function setEnterpriseMode(services: Services, email: string, isOn: boolean): Promise<number> {
  const state = isOn ? 'in enterprise mode' : 'not in enterprise mode';
  // The environment of the command can differ from that of running instances.
  const isEnterpriseEnforced =
    services.isEnterpriseEnforced || (await isEnterpriseModeEnforcedGlobally(services.database.client));
  const change = { email, isOn, operation: 'admin enterprise' };
  switch (await changeEnterpriseModeByEmail({ ...services, isEnterpriseEnforced }, change)) {
    case 'CHANGED':
      return printSuccess(`${email} is ${state}.`);
    case 'UNCHANGED':
      return printSuccess(`${email} was ${state} already.`);
    case 'NO_ACCOUNT':
      return printFailure(`${email} has no account.`);
    case 'ENFORCED_GLOBALLY':
      return printFailure(
        'Enterprise mode is enforced for all users by ENTERPRISE_MODE=hipaa, here or in a running instance, and cannot be switched off for one user.',
      );
  }
}

async function printAdministrators({ database }: Services): Promise<number> {
  const administrators = await listAdministrators(database.client);
  if (administrators.length === 0) return printSuccess('There are no administrators.');
  for (const { email, status, createdAt } of administrators) {
    console.log(`${email}  ${status}  account since ${createdAt.toISOString().slice(0, 10)}`);
  }
  return 0;
}

function printSuccess(text: string): number {
  console.log(text);
  return 0;
}

function printFailure(text: string): number {
  console.error(text);
  return 1;
}
