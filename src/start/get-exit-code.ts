import { DatabaseSessionError } from '../platform/database-session.ts';
import { mapDatabaseError } from '../platform/http/database-errors.ts';
import { KeyLockBusyError } from '../platform/key-lock.ts';
import { MigrationError, NewerDatabaseError } from '../platform/migrations.ts';
import { ConfigError } from '../shared/config-error.ts';
import { ServiceError } from '../shared/errors.ts';
import { EXIT_CODES } from '../shared/process-exit-codes.ts';
import { NoDatabaseError, ServiceNotRunningError } from './attach-embedded-postgres.ts';
import { WrongKeysError } from './check-keys.ts';
import { DataFolderInUseError } from './data-folder-lock.ts';
import { SecretsMissingError } from './secrets-file.ts';

/** Get the exit code of a failed start or command: 75 temporary, 78 configuration, 70 migration. */
export function getErrorExitCode(error: unknown, defaultCode = 1): number {
  const isConfiguration = [
    ConfigError,
    SecretsMissingError,
    WrongKeysError,
    DatabaseSessionError,
    NewerDatabaseError,
  ].some((kind) => error instanceof kind);
  if (isConfiguration || isPoolerRefusal(error)) return EXIT_CODES.CONFIGURATION;
  if (error instanceof MigrationError) return EXIT_CODES.SOFTWARE;
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (code === 'EADDRINUSE') return EXIT_CODES.TEMPORARY;
  if (['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR', 'EADDRNOTAVAIL'].includes(String(code)))
    return EXIT_CODES.CONFIGURATION;
  const isUnavailable =
    isProviderUnavailableError(error) || mapDatabaseError(error)?.code === 'DATABASE_UNAVAILABLE';
  const isBusy = [DataFolderInUseError, KeyLockBusyError, NoDatabaseError, ServiceNotRunningError].some(
    (kind) => error instanceof kind,
  );
  return isBusy || isUnavailable ? EXIT_CODES.TEMPORARY : defaultCode;
}

/** Only poolers refuse the startup options of a session: a protocol violation (SQLSTATE 08P01). */
export function isPoolerRefusal(error: unknown): boolean {
  return error instanceof Error && Reflect.get(error, 'code') === '08P01';
}

export function isProviderUnavailableError(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'PROVIDER_UNAVAILABLE';
}
