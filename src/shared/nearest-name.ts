/** Letters that are exchanged, missing, wrong or too many. */
const MAX_EDITS = 2;

/** Up to this length one edit is allowed, and no wrong letter: `code` is not a misspelled `mode`. */
const MAX_SHORT_NAME_CHARACTERS = 4;

/** `id` and `ip` are words of their own. */
const MIN_CHARACTERS = 3;

/** Longer names are no typing errors; comparing them would cost the product of their lengths. */
const MAX_CHARACTERS = 64;

/** Find the name that was probably meant: one or two typing errors away, whatever its case and separators. */
export function findNearestName(name: string, names: Iterable<string>): string | null {
  if (name.length > MAX_CHARACTERS) return null;
  const normalizedName = normalize(name);
  if (normalizedName.length < MIN_CHARACTERS) return null;
  const isShort = normalizedName.length <= MAX_SHORT_NAME_CHARACTERS;
  let nearest: string | null = null;
  let minEdits = (isShort ? 1 : MAX_EDITS) + 1;
  for (const candidate of names) {
    const other = normalize(candidate);
    const edits = countEdits(normalizedName, other);
    const isOtherWord =
      isShort &&
      edits > 0 &&
      sortLetters(normalizedName) !== sortLetters(other) &&
      normalizedName.length === other.length;
    if (edits < minEdits && !isOtherWord) [nearest, minEdits] = [candidate, edits];
  }
  return nearest;
}

function sortLetters(name: string): string {
  return [...name].sort().join('');
}

function normalize(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Optimal string alignment distance. */
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
