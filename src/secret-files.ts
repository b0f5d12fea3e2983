import { EnvironmentSchema } from './config-variables.ts';
import { NotRegularFileError, readBoundedFile } from './shared/read-bounded-file.ts';

type Setting = keyof typeof EnvironmentSchema.properties;

const MAX_SECRET_FILE_BYTES = 64 * 1024;

/** A secret pasted in place of its path would be repeated in the problem; hardly any secret begins like this. */
const PATH_PATTERN = /^\.{0,2}\//;

/** Settings marked as secret in the schema. */
export const SECRET_SETTINGS: readonly Setting[] = (
  Object.keys(EnvironmentSchema.properties) as Setting[]
).filter((name) => 'writeOnly' in EnvironmentSchema.properties[name]);

/** Variables that name the file of a secret, with its setting. ENCRYPTION_KEYS_FILE is a setting of its own. */
export const SECRET_FILE_VARIABLES: ReadonlyMap<string, Setting> = new Map(
  SECRET_SETTINGS.map((setting) => [`${setting}_FILE`, setting] as const).filter(
    ([name]) => !Object.hasOwn(EnvironmentSchema.properties, name),
  ),
);

export interface SecretFileProblem {
  name: string;
  setting: Setting;
  text: string;
}

/** Read the secrets that are given as files, such as those that Docker and Kubernetes mount. */
export function readSecretFiles(environment: Record<string, string | undefined>): {
  values: Partial<Record<Setting, string>>;
  problems: SecretFileProblem[];
} {
  const values: Partial<Record<Setting, string>> = {};
  const problems: SecretFileProblem[] = [];
  for (const [name, setting] of SECRET_FILE_VARIABLES) {
    const path = environment[name]?.trim();
    if (!path) continue;
    try {
      if (environment[setting]?.trim()) throw new SecretFileError(`cannot be combined with ${setting}.`);
      values[setting] = readSecretFile(path, setting);
    } catch (error) {
      if (!(error instanceof SecretFileError)) throw error;
      problems.push({ name, setting, text: error.message });
    }
  }
  return { values, problems };
}

/** The message names the file and never its content. */
class SecretFileError extends Error {}

function readSecretFile(path: string, setting: Setting): string {
  if (!PATH_PATTERN.test(path))
    throw new SecretFileError(`must be a path that begins with / or ./; the value itself is ${setting}.`);
  const bytes = readFile(path);
  if (bytes === null) throw new SecretFileError(`${path} is larger than ${MAX_SECRET_FILE_BYTES} bytes.`);
  const text = decodeUtf8(bytes)?.trim();
  if (text === undefined) throw new SecretFileError(`${path} is not text in UTF-8.`);
  if (text === '') throw new SecretFileError(`${path} is empty.`);
  return text;
}

function readFile(path: string): Buffer | null {
  try {
    return readBoundedFile(path, MAX_SECRET_FILE_BYTES);
  } catch (error) {
    if (error instanceof NotRegularFileError) throw new SecretFileError(`${path} is not a file.`);
    const code = error instanceof Error ? String(Reflect.get(error, 'code')) : '';
    if (code === 'ENOENT') throw new SecretFileError(`${path} does not exist.`);
    // Others, such as EIO of a network drive, can end by themselves.
    if (!['EACCES', 'EPERM', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG', 'ENXIO'].includes(code))
      throw error;
    throw new SecretFileError(`${path} cannot be read (${code}).`);
  }
}

function decodeUtf8(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
