/** Cut between characters, not between UTF-16 code units. The ellipsis is not counted. */
export function truncateWithEllipsis(text: string, maxCharacters: number): string {
  const characters = [...text];
  return characters.length <= maxCharacters
    ? text
    : `${characters.slice(0, maxCharacters).join('').trimEnd()}…`;
}
