import { DatabaseSessionError } from '../platform/database-session.ts';
import { isDatabaseUnavailable } from '../platform/http/database-errors.ts';
import { KeyLockBusyError } from '../platform/key-lock.ts';
import { MigrationError, NewerDatabaseError } from '../platform/migrations.ts';
import { ConfigError, RemoteRefusalError } from '../shared/config-error.ts';
import { ServiceError } from '../shared/errors.ts';
import { EXIT_CODES } from '../shared/process-exit-codes.ts';
import { NoDatabaseError, ServiceNotRunningError } from './attach-embedded-postgres.ts';
import { WrongKeysError } from './check-keys.ts';
import { DataFolderInUseError } from './data-folder-lock.ts';
import { SecretsMissingError } from './secrets-file.ts';

/**
 * Get the exit code of a failed start or command: 75 temporary, 78 configuration, 70 migration. A supervisor does not
 * start the process again after 70 and 78, so neither may follow from what can end by itself.
 */
export function getErrorExitCode(error: unknown, defaultCode = 1): number {
  if (isTemporary(error)) return EXIT_CODES.TEMPORARY;
  const isConfiguration = [
    ConfigError,
    SecretsMissingError,
    WrongKeysError,
    DatabaseSessionError,
    NewerDatabaseError,
  ].some((kind) => error instanceof kind);
  if (isConfiguration || isPoolerRefusal(error)) return EXIT_CODES.CONFIGURATION;
  if (error instanceof MigrationError) return EXIT_CODES.SOFTWARE;
  const isUnusableFolder = ['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR'].includes(getCode(error));
  return isUnusableFolder ? EXIT_CODES.CONFIGURATION : defaultCode;
}

function isTemporary(error: unknown): boolean {
  // Connections that a pooler opened before the role had its settings end in time.
  if (error instanceof DatabaseSessionError) return error.isPooled;
  if (isPoolerRefusal(error)) return false;
  const isBusy = [
    DataFolderInUseError,
    KeyLockBusyError,
    NoDatabaseError,
    RemoteRefusalError,
    ServiceNotRunningError,
  ].some((kind) => error instanceof kind);
  // At boot a network interface may get its address later.
  const isPortUnavailable = ['EADDRINUSE', 'EADDRNOTAVAIL'].includes(getCode(error));
  return isBusy || isPortUnavailable || isProviderUnavailableError(error) || isDatabaseUnavailable(error);
}

/** Poolers use SQLSTATE 08P01 for every error of their own, also for a server that is away. Text: PgBouncer's client.c. */
export function isPoolerRefusal(error: unknown): boolean {
  return (
    error instanceof Error &&
    getCode(error) === '08P01' &&
    /unsupported startup parameter/i.test(error.message)
  );
}

function getCode(error: unknown): string {
  return error instanceof Error ? String(Reflect.get(error, 'code')) : '';
}

export function isProviderUnavailableError(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'PROVIDER_UNAVAILABLE';
}
