import { EnvironmentSchema } from './config-variables.ts';

const MIN_COMPARED_LENGTH = 7;

/** Find variables that are no settings, but look like one: `REDISURL`, `DATABASE_URI`. */
export function findMisspelledVariables(
  environment: Record<string, string | undefined>,
): { name: string; setting: string }[] {
  const settings = Object.keys(EnvironmentSchema.properties);
  return Object.keys(environment).flatMap((name) => {
    if (settings.includes(name) || !environment[name]) return [];
    const setting = settings.find((known) => isSimilar(name, known));
    return setting === undefined || environment[setting] ? [] : [{ name, setting }];
  });
}

function isSimilar(name: string, setting: string): boolean {
  const [first, second] = [normalizeName(name), normalizeName(setting)];
  if (first === second) return true;
  return Math.min(first.length, second.length) >= MIN_COMPARED_LENGTH && hasOneEdit(first, second);
}

function normalizeName(name: string): string {
  return name.replace(/[_.-]/g, '').toUpperCase();
}

/** One character is missing, superfluous, wrong, or swapped with the next. */
function hasOneEdit(first: string, second: string): boolean {
  if (Math.abs(first.length - second.length) > 1) return false;
  let start = 0;
  while (start < first.length && first[start] === second[start]) start += 1;
  const [a, b] = [first.slice(start), second.slice(start)];
  if (a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1)) return true;
  return a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
}
