/** Typing errors: two letters exchanged, one missing, one too many. */
const MAX_DISTANCE = 2;

/** Longer names are no typing errors; comparing them would cost the product of their lengths. */
const MAX_CHARACTERS = 64;

/** Find the name that was probably meant: at most two letters apart, whatever its case and separators. */
export function findNearestName(name: string, names: Iterable<string>): string | null {
  if (name.length > MAX_CHARACTERS) return null;
  const wanted = normalize(name);
  let nearest: string | null = null;
  let least = MAX_DISTANCE + 1;
  for (const one of names) {
    const distance = countEdits(wanted, normalize(one));
    if (distance < least) [nearest, least] = [one, distance];
  }
  return nearest;
}

function normalize(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Levenshtein's distance. */
function countEdits(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MAX_DISTANCE) return MAX_DISTANCE + 1;
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...one].entries()) {
    const current = [row + 1];
    for (const [column, otherLetter] of [...other].entries())
      current.push(
        Math.min(
          (previous[column + 1] ?? 0) + 1,
          (current[column] ?? 0) + 1,
          (previous[column] ?? 0) + (letter === otherLetter ? 0 : 1),
        ),
      );
    previous = current;
  }
  return previous[other.length] ?? 0;
}
