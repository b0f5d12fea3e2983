/** Typing errors: letters exchanged, missing, wrong or too many. Two of them make another word of a short one. */
const MAX_EDITS = 2;
const MAX_EDITS_OF_SHORT_NAME = 1;
const SHORT_NAME_CHARACTERS = 4;
/** `id` and `ip` are words of their own. */
const MIN_CHARACTERS = 3;

/** Longer names are no typing errors; comparing them would cost the product of their lengths. */
const MAX_CHARACTERS = 64;

/** Find the name that was probably meant: one or two typing errors away, whatever its case and separators. */
export function findNearestName(name: string, names: Iterable<string>): string | null {
  if (name.length > MAX_CHARACTERS) return null;
  const wanted = normalize(name);
  if (wanted.length < MIN_CHARACTERS) return null;
  let nearest: string | null = null;
  let least = (wanted.length > SHORT_NAME_CHARACTERS ? MAX_EDITS : MAX_EDITS_OF_SHORT_NAME) + 1;
  for (const one of names) {
    const edits = countEdits(wanted, normalize(one));
    if (edits < least) [nearest, least] = [one, edits];
  }
  return nearest;
}

function normalize(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** The distance of Damerau and Levenshtein, without edits of what was exchanged. */
function countEdits(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MAX_EDITS) return MAX_EDITS + 1;
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isExchanged =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        isExchanged ? at(row - 2, column - 2) + 1 : MAX_CHARACTERS,
      );
    }
  }
  return at(one.length, other.length);
}
