import { randomBytes } from 'node:crypto';
import { changeEnterpriseMode } from '../features/accounts/change-enterprise-mode.ts';
import { normaliseEmail } from '../features/accounts/email.rules.ts';
import { passwordProblems } from '../features/accounts/password.rules.ts';
import { listAdministrators } from '../features/administration/administrator.repository.ts';
import { createAdministrator, demote, promote } from '../features/administration/change-administrators.ts';
import { isEnterpriseForAll } from '../platform/key-holders.repository.ts';
import type { Services } from '../services.ts';
import { ConfigError } from '../shared/config-error.ts';
import { endAsWrong, readWords } from '../shared/usage.ts';
import { runCommand } from './command-context.ts';

const USAGE = `Usage:
  npm run admin -- create <email>    a new account that is administrator; its password is taken from
                                     ADMIN_PASSWORD, or made and shown once
  npm run admin -- promote <email>   makes an existing account administrator
  npm run admin -- demote <email>    makes an administrator an ordinary user
  npm run admin -- list              all administrators
  npm run admin -- enterprise <email> on|off
                                     holds an account to the rules of docs/enterprise-mode.md, or no more`;

const VERBS: Record<string, (services: Services, email: string) => Promise<number>> = {
  create,
  promote: promoteByAddress,
  demote: demoteByAddress,
};

const [verb = '', address = '', ...rest] = readWords(USAGE, () => true);
const email = normaliseEmail(address);
const run = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;

if (verb === 'list' && address === '') {
  await runCommand('admin', ({ services }) => list(services));
} else if (run && email && rest.length === 0) {
  await runCommand('admin', ({ services }) => run(services, email));
} else if (verb === 'enterprise' && email && (rest.join(' ') === 'on' || rest.join(' ') === 'off')) {
  await runCommand('admin', ({ services }) => enterprise(services, email, rest[0] === 'on'));
} else {
  endAsWrong(USAGE, run && address !== '' && !email ? `Not an e-mail address: ${address}` : undefined);
}

async function create({ config, database, passwords }: Services, email: string): Promise<number> {
  const password = config.adminPassword ?? randomBytes(18).toString('base64url');
  const problems = await passwordProblems(password, email);
  if (problems.length > 0) throw new ConfigError(problems.map(({ message }) => `ADMIN_PASSWORD: ${message}`));
  const passwordHash = await passwords.hash(password);
  const outcome = await createAdministrator(database, { email, passwordHash });
  if (outcome === 'HAS_ACCOUNT') {
    return refuse(
      `${email} has an account already. Make it administrator by: npm run admin -- promote ${email}`,
    );
  }
  console.log(`${email} is administrator.`);
  if (config.adminPassword === undefined) console.log(`Password, shown only now: ${password}`);
  return 0;
}

async function promoteByAddress({ database }: Services, email: string): Promise<number> {
  switch (await promote(database, email)) {
    case 'PROMOTED':
      return tell(`${email} is administrator.`);
    case 'WAS_ADMINISTRATOR':
      return tell(`${email} was administrator already.`);
    case 'NO_ACCOUNT':
      return refuse(`${email} has no account. Make one by: npm run admin -- create ${email}`);
    case 'NOT_CONFIRMED':
      return refuse(`${email} has not confirmed the address yet.`);
    case 'SUSPENDED':
      return refuse(`The account of ${email} is suspended.`);
  }
}

async function demoteByAddress({ database }: Services, email: string): Promise<number> {
  switch (await demote(database, email)) {
    case 'DEMOTED':
      return tell(`${email} is an ordinary user.`);
    case 'NO_ADMINISTRATOR':
      return refuse(`${email} is no administrator.`);
    case 'LAST':
      return refuse(`${email} is the last administrator who can log in. Make another one first.`);
  }
}

async function enterprise(services: Services, email: string, isOn: boolean): Promise<number> {
  const state = isOn ? 'in enterprise mode' : 'not in enterprise mode';
  // The environment of a command need not be that of the instances that run.
  const enterpriseForAll = services.enterpriseForAll || (await isEnterpriseForAll(services.database.client));
  const change = { email, isOn, operation: 'admin enterprise' };
  switch (await changeEnterpriseMode({ ...services, enterpriseForAll }, change)) {
    case 'CHANGED':
      return tell(`${email} is ${state}.`);
    case 'WAS_SO':
      return tell(`${email} was ${state} already.`);
    case 'NO_ACCOUNT':
      return refuse(`${email} has no account.`);
    case 'HOLDS_FOR_ALL':
      return refuse(
        'ENTERPRISE_MODE=hipaa, here or in a running instance, holds for everybody: for one account it cannot be switched off.',
      );
  }
}

async function list({ database }: Services): Promise<number> {
  const administrators = await listAdministrators(database.client);
  if (administrators.length === 0) return tell('There is no administrator.');
  for (const { email, status, createdAt } of administrators) {
    console.log(`${email}  ${status}  account since ${createdAt.toISOString().slice(0, 10)}`);
  }
  return 0;
}

function tell(text: string): number {
  console.log(text);
  return 0;
}

function refuse(text: string): number {
  console.error(text);
  return 1;
}
