/** Of the body of a response to a delivery. */
export const MAX_EXCERPT_BYTES = 512;

const MAX_CONTENT_TYPE_CHARACTERS = 100;

export interface ResponseExcerpt {
  contentType: string | null;
  /** Null for what is no text. */
  body: string | null;
  isTruncated: boolean;
}

// Controls other than tab and line feed, and what turns the direction of a text.
const UNSAFE_CHARACTERS = /[^\P{Cc}\t\n]|\p{Bidi_Control}/gu;

/** Describe the first bytes of a response as text that is safe to store and to show. `bytes` has one more than is kept if there are more. */
export function describeResponse(contentType: string | null, bytes: Uint8Array): ResponseExcerpt {
  const isTruncated = bytes.length > MAX_EXCERPT_BYTES;
  return {
    contentType: contentType?.replace(/[^ -~]/g, '').slice(0, MAX_CONTENT_TYPE_CHARACTERS) || null,
    body: toText(bytes.subarray(0, MAX_EXCERPT_BYTES), isTruncated),
    isTruncated,
  };
}

function toText(bytes: Uint8Array, isTruncated: boolean): string | null {
  if (bytes.includes(0)) return null;
  try {
    // A character at the end may be cut.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isTruncated });
    return text.replaceAll('\r\n', '\n').replace(UNSAFE_CHARACTERS, '\ufffd');
  } catch {
    return null;
  }
}
