/**
 * The header Content-Disposition (RFC 6266): the name in ASCII for old clients, with `_` for what is not in it, and whole
 * in UTF-8 (RFC 8187) where it differs.
 */
export function formatContentDisposition(type: 'attachment' | 'inline', fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]+/g, '_').replace(/["\\%]/g, '_');
  if (plain === fileName) return `${type}; filename="${plain}"`;
  return `${type}; filename="${plain}"; filename*=UTF-8''${encodeExtendedValue(fileName)}`;
}

/** Beyond what encodeURIComponent leaves, RFC 8187 wants these encoded. */
function encodeExtendedValue(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
