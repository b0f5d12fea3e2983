/** RFC 6266, with the full name in UTF-8 (RFC 8187) where it differs. */
export function formatContentDisposition(type: 'attachment' | 'inline', fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]+/g, '_').replace(/["\\%]/g, '_');
  if (plain === fileName) return `${type}; filename="${plain}"`;
  return `${type}; filename="${plain}"; filename*=UTF-8''${encodeExtendedValue(fileName)}`;
}

// RFC 8187 also encodes these, which encodeURIComponent leaves as they are.
function encodeExtendedValue(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
