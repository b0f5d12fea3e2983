import { databaseError } from '../platform/http/database-errors.ts';
import { KeysBusyError } from '../platform/key-lock.ts';
import { MigrationError } from '../platform/migrations.ts';
import { ConfigError } from '../shared/config-error.ts';
import { ServiceError } from '../shared/errors.ts';
import { EXIT } from '../shared/exit.ts';
import { WrongKeysError } from './check-keys.ts';
import { NoServiceError } from './command-database.ts';
import { DataFolderInUseError } from './data-folder-lock.ts';
import { SecretsMissingError } from './secrets-file.ts';

/**
 * The exit code for an error that ended a start or a command: 75 when the data folder, the database, the
 * files or the port cannot be had right now, 78 for a configuration, keys or folders that are not usable, 70 for a
 * migration, else 1 or what is given.
 */
export function exitCodeOf(error: unknown, otherwise = 1): number {
  if (error instanceof ConfigError || error instanceof SecretsMissingError || error instanceof WrongKeysError)
    return EXIT.CONFIGURATION;
  if (error instanceof MigrationError) return EXIT.SOFTWARE;
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  if (code === 'EADDRINUSE') return EXIT.TEMPORARY;
  if (['EACCES', 'EPERM', 'EROFS', 'EEXIST', 'ENOTDIR', 'EADDRNOTAVAIL'].includes(String(code)))
    return EXIT.CONFIGURATION;
  const isAway = isStoreAway(error) || databaseError(error)?.code === 'DATABASE_UNAVAILABLE';
  const isBusy = [DataFolderInUseError, KeysBusyError, NoServiceError].some((kind) => error instanceof kind);
  return isBusy || isAway ? EXIT.TEMPORARY : otherwise;
}

/** Whether it says that no files can be kept, or read, right now. */
export function isStoreAway(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'PROVIDER_UNAVAILABLE';
}
