import { EnvironmentSchema } from './config-variables.ts';
import { SECRET_FILE_VARIABLES } from './secret-files.ts';

/** Shorter names are similar to many others. */
const MIN_LENGTH_FOR_ONE_EDIT = 7;
const MIN_LENGTH_FOR_TWO_EDITS = 8;

/** First words of settings that variables of other programs also begin with. */
const COMMON_FIRST_WORDS = ['NODE', 'PUBLIC', 'DATA', 'LOG', 'URL', 'MAX', 'PASSWORD', 'HASH', 'OTEL'];

/** Kubernetes and Docker set these for a service named `redis`: `REDIS_SERVICE_HOST`, `REDIS_PORT_6379_TCP`. */
const SERVICE_DISCOVERY_PATTERN = /_(?:SERVICE_HOST|SERVICE_PORT|PORT)(?:_|$)/;

/** Find variables that are no settings, but look like one: `REDISURL`, `DATABASE_URI`, `S3_ACCESS_KEY`. */
export function findMisspelledVariables(
  environment: Record<string, string | undefined>,
): { name: string; setting: string }[] {
  // Files last: of two names with the same beginning the first is suggested.
  const settings = [...Object.keys(EnvironmentSchema.properties), ...SECRET_FILE_VARIABLES.keys()];
  return Object.keys(environment).flatMap((name) => {
    if (settings.includes(name) || !environment[name]) return [];
    const setting =
      settings.find((known) => isSimilar(name, known)) ?? findSettingOfSameFamily(name, settings);
    return setting === undefined ? [] : [{ name, setting }];
  });
}

function isSimilar(name: string, setting: string): boolean {
  const [first, second] = [normalizeName(name), normalizeName(setting)];
  const length = Math.min(first.length, second.length);
  const maxEdits = length >= MIN_LENGTH_FOR_TWO_EDITS ? 2 : length >= MIN_LENGTH_FOR_ONE_EDIT ? 1 : 0;
  return Math.abs(first.length - second.length) <= maxEdits && countEdits(first, second) <= maxEdits;
}

function normalizeName(name: string): string {
  return name.replace(/[_.-]/g, '').toUpperCase();
}

/** Find the setting with the same first word that has the longest beginning in common. */
function findSettingOfSameFamily(name: string, settings: readonly string[]): string | undefined {
  const [family = '', ...rest] = name.toUpperCase().split('_');
  if (rest.length === 0 || COMMON_FIRST_WORDS.includes(family) || SERVICE_DISCOVERY_PATTERN.test(name))
    return;
  const countCommon = (setting: string) => {
    let length = 0;
    while (length < name.length && name[length]?.toUpperCase() === setting[length]) length += 1;
    return length;
  };
  return settings
    .filter((setting) => setting.startsWith(`${family}_`))
    .sort((a, b) => countCommon(b) - countCommon(a))[0];
}

/** Count missing, superfluous, wrong and swapped characters (optimal string alignment). */
function countEdits(first: string, second: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: second.length + 1 }, (_, index) => index);
  for (let row = 1; row <= first.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= second.length; column += 1) {
      const isSame = first[row - 1] === second[column - 1];
      const isSwapped = first[row - 1] === second[column - 2] && first[row - 2] === second[column - 1];
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforePrevious[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforePrevious, previous] = [previous, current];
  }
  return previous[second.length] ?? 0;
}
