import { DatabaseSessionError } from '../../src/platform/database-session.ts';
import { MigrationError } from '../../src/platform/migrations.ts';
import { ConfigError, RemoteRefusalError } from '../../src/shared/config-error.ts';
import { EXIT_CODES } from '../../src/shared/process-exit-codes.ts';
import { getErrorExitCode } from '../../src/start/get-exit-code.ts';
import { t } from '../tap.ts';

function createError(message: string, properties: object): Error {
  return Object.assign(new Error(message), properties);
}

function createMigrationError(cause?: Error): MigrationError {
  return new MigrationError('20260101000000_first', 'The migration failed.', cause);
}

const TEMPORARY: Record<string, Error> = {
  'a server that left the pooler': createError('server conn crashed?', { code: '08P01' }),
  'a pooler without a server': createError('pgbouncer cannot connect to server', { code: '08P01' }),
  'a login that the pooler refuses': createError(
    'server login failed: FATAL the database system is starting up',
    {
      code: '08P01',
    },
  ),
  'a server that starts': createError('the database system is starting up', { code: '57P03' }),
  'a standby': createError('cannot execute INSERT in a read-only transaction', { code: '25006' }),
  'a full disk': createError('could not extend file', { code: '53100' }),
  'an address that comes later': createError('listen EADDRNOTAVAIL', {
    code: 'EADDRNOTAVAIL',
    syscall: 'listen',
  }),
  'a port in use': createError('listen EADDRINUSE', { code: 'EADDRINUSE', syscall: 'listen' }),
  'a bucket that is created later': new RemoteRefusalError(['S3_BUCKET: the bucket does not exist.']),
  'old connections of a pooler': new DatabaseSessionError(['jit = on instead of off'], { isPooled: true }),
  'a migration without its lock': createMigrationError(createError('canceling statement', { code: '55P03' })),
  'a migration in a shutdown': createMigrationError(createError('terminating connection', { code: '57P01' })),
  'a migration on a lost connection': createMigrationError(new Error('Connection terminated unexpectedly')),
  'a migration on a full disk': createMigrationError(createError('could not extend file', { code: '53100' })),
};

const CONFIGURATION: Record<string, Error> = {
  'a pooler that is not declared': createError('unsupported startup parameter: options', { code: '08P01' }),
  'the same of later versions': createError('unsupported startup parameter in options: jit', {
    code: '08P01',
  }),
  'an invalid setting': new ConfigError(['PORT: is invalid.']),
  'settings of the role': new DatabaseSessionError(['jit = on instead of off']),
  'a folder of another user': createError('EACCES', { code: 'EACCES', syscall: 'mkdir' }),
};

t.test('what can end by itself exits with 75, so that a supervisor tries again', async (t) => {
  for (const [name, error] of Object.entries(TEMPORARY))
    t.equal(getErrorExitCode(error), EXIT_CODES.TEMPORARY, name);
});

t.test('what needs somebody exits with 78 or 70', async (t) => {
  for (const [name, error] of Object.entries(CONFIGURATION))
    t.equal(getErrorExitCode(error), EXIT_CODES.CONFIGURATION, name);
  t.equal(getErrorExitCode(createMigrationError()), EXIT_CODES.SOFTWARE);
  t.equal(
    getErrorExitCode(createMigrationError(createError('syntax error', { code: '42601' }))),
    EXIT_CODES.SOFTWARE,
  );
});
